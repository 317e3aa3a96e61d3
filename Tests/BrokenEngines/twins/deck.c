// An eager deck with unusual but valid geometry: overlapping cards, sections in layers, a bar
// pinned inside the insets, its own right-to-left.

#include "twin.h"
#include <tessera/ext/adjusting.h>

TESSERA_NOTE;

enum { CARD, SPACING };

static const tessera_parameter parameters[] = {
    {.name = "card", .help = "The size of a card.", .unit = "pt", .type = TESSERA_TYPE_SIZE,
     .initial.size = {80, 120}, .minimum.size = {1, 1}, .maximum.size = {300, 300}},
    {.name = "spacing", .help = "The space between cards; below 0, they overlap.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = -30, .minimum.number = -80, .maximum.number = 40},
};

static const tessera_kind kinds[] = {{.name = "bar", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};

static double step_of(const tessera_input *in) {
  return fmax(0, in->parameters[CARD].size.width + in->parameters[SPACING].number);
}

static double width_of(const tessera_input *in, uint64_t count) {
  if (count == 0) return 0;
  return (double)(count - 1) * step_of(in) + in->parameters[CARD].size.width;
}

static tessera_rect bar_at(const tessera_input *in) {
  const tessera_insets out = in->content_insets;
  const double width = fmax(0, in->viewport.width - out.left - out.right);
  return (tessera_rect){in->viewport.x + out.left, in->viewport.y + out.top, width, 20};
}

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  *layout = (tessera_layout *)(uintptr_t)host;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) { (void)layout; }

static void spare_adjust(tessera_layout *layout, const tessera_input *in) {
  const tessera_host *host = (const tessera_host *)layout;
  const tessera_adjusting *adjusting = host->extension(host, TESSERA_EXT_ADJUSTING);
  if (adjusting && in->section_count == 0) adjusting->not_needed(host);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  spare_adjust(layout, in);
  const tessera_size card = in->parameters[CARD].size;
  uint64_t most = 0;
  for (uint32_t section = 0; section < in->section_count; section++)
    most = plain_items(in, section) > most ? plain_items(in, section) : most;
  const tessera_size extent = plain_extent(in);
  const double width = fmax(extent.width, width_of(in, most));
  const double height = most > 0 ? fmax(extent.height, card.height) : 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.section = section, .count = plain_items(in, section)};
    const tessera_rows *rows;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    const double left = (width - width_of(in, run.count)) / 2;
    for (uint64_t i = 0; i < run.count; i++) {
      const uint64_t place = in->right_to_left ? run.count - 1 - i : i;
      rows->frame[i] = (tessera_rect){left + (double)place * step_of(in),
                                      (height - card.height) / 2, card.width, card.height};
      rows->z_index[i] = (int32_t)(i % 1000);
    }
  }
  if (in->section_count > 0) {
    const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .count = 1};
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = bar_at(in);
    rows->z_index[0] = 1000;
  }
  out->set_content_size(out, (tessera_size){width, height});
  return TESSERA_OK;
}

// Moves the bar even if its earlier place is outside the query's rect.
static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)layout, (void)rect;
  if (in->section_count == 0) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .count = 1};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status == TESSERA_OK) rows->frame[0] = bar_at(in);
  return status;
}

static const tessera_engine engine = {
    TWIN("deck"),
    .traits = TESSERA_TRAIT_VIEWPORT,
    .columns = TESSERA_COLUMN_Z_INDEX,
    PARAMETERS,
    KINDS,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .adjust = adjust,
};

REGISTERS(engine)
