// An eager stack: heights are item values, a delegate function may set gaps. Updates incrementally;
// new rows slide in.

#include <tessera/ext/updates.h>
#include <stdio.h>

#include "twin.h"

TESSERA_NOTE;

enum { ROW_HEIGHT, GAP };
enum { HEIGHT, INDENT };

static const tessera_parameter parameters[] = {
    {.name = "rowHeight", .help = "The height of a row that has none of its own.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 30, .minimum.number = 0, .maximum.number = 400},
    {.name = "gap", .help = "The space below a row.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 4, .minimum.number = 0, .maximum.number = 100},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "The height of a row.", .fallback = "rowHeight",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    {.name = "indent", .help = "How far the rows of a section are moved in.",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

static const tessera_function_declaration functions[] = {
    {.name = "gapBelow", .signature = "u8(u32,u32)",
     .help = "The space below a row; where it is absent, gap."},
};

typedef uint8_t gap_below(void *context, uint32_t section, uint32_t item);

struct tessera_layout {
  const tessera_host *host;
  uint32_t batch; // one bit per operation of the current batch, and one for the batch
  double width;   // extent of the last prepare; < 0 if none
};

static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)self;
  const tessera_status status = plain_create(host, sizeof **layout, layout);
  if (status == TESSERA_OK) (*layout)->width = -1;
  return status;
}

static void destroy(tessera_layout *layout) {
  free(layout);
}

static double gap_of(const tessera_input *in, uint32_t section, uint64_t item) {
  const tessera_function function = in->functions[0];
  gap_below *const ask = (gap_below *)function.call;
  const double gap = in->parameters[GAP].number;
  if (ask == NULL) return gap;
  const uint8_t answer = ask(function.context, section, (uint32_t)item);
  return answer;
}

static double indent_of(const tessera_input *in, uint32_t section) {
  const double indent = plain_number(in->values[INDENT], section);
  return indent;
}

static uint64_t unchanged_in(const tessera_layout *layout, const tessera_input *in, uint32_t section,
                             const tessera_rows *rows) {
  const tessera_change change = in->change;
  if (layout->batch != 0 || layout->width != plain_extent(in).width) return 0;
  if ((change.what & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) != 0) return 0;
  if (section > change.first_section) return 0;
  if (section < change.first_section) return rows->kept;
  return rows->kept < change.first_item ? rows->kept : change.first_item;
}

static tessera_status place(tessera_layout *layout, const tessera_input *in, uint32_t section,
                            double *y, tessera_output *out) {
  const double indent = indent_of(in, section);
  if (indent < 0) return refuse(layout, "indent is %g; it must be 0 or more", indent);
  const uint64_t count = plain_items(in, section);
  const double width = fmax(0, plain_extent(in).width - indent);
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const uint64_t kept = unchanged_in(layout, in, section, rows);
  if (kept > 0) {
    const tessera_rect last = rows->frame[kept - 1];
    *y = last.y + last.height + gap_of(in, section, kept - 1);
  }
  for (uint64_t i = kept; i < count; i++) {
    const double height = plain_number(in->values[HEIGHT], in->section_starts[section] + i);
    if (height < 0) return refuse(layout, "height is %g; it must be 0 or more", height);
    rows->frame[i] = (tessera_rect){indent, *y, width, height};
    *y += height + gap_of(in, section, i);
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  double y = 0;
  double width = plain_extent(in).width;
  for (uint32_t section = 0; section < in->section_count; section++) {
    if (plain_items(in, section) == 0) continue;
    const tessera_status status = place(layout, in, section, &y, out);
    if (status != TESSERA_OK) return status;
    width = fmax(width, indent_of(in, section));
  }
  layout->width = plain_extent(in).width;
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

static tessera_status begin(tessera_layout *layout, const tessera_input *in,
                            const tessera_update *updates, uint64_t count) {
  (void)in;
  if (layout->batch != 0) {
    return plain_refuse(layout->host, TESSERA_ERROR_WRONG_STATE, "a batch begins inside another one");
  }
  layout->batch = 1;
  for (uint64_t i = 0; i < count; i++) layout->batch |= 1u << updates[i].operation;
  return TESSERA_OK;
}

static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in,
                                         tessera_output *out) {
  (void)layout, (void)in;
  for (uint64_t r = 0; r < out->run_count(out); r++) {
    tessera_run run;
    const tessera_rows *rows;
    const tessera_status status = out->get(out, r, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++) rows->frame[i].x -= rows->frame[i].width;
  }
  return TESSERA_OK;
}

static void end(tessera_layout *layout) {
  layout->batch = 0;
}

static const tessera_updates updates = {
    .struct_size = sizeof updates,
    .begin = begin,
    .initial_attributes = initial_attributes,
    .end = end,
};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_UPDATES) == 0 ? &updates : NULL;
}

static const tessera_engine engine = {
    TWIN("stack"),
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    PARAMETERS,
    VALUES,
    FUNCTIONS,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .extension = extension,
};

REGISTERS(engine)
