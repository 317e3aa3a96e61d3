// An eager grid: equal cells, left to right; each section begins a new line.

#include "twin.h"

TESSERA_NOTE;

enum { SIDE, GAP, FILL, LEAD };
enum { NATURAL, STRETCHED };

static const char *const fills[] = {"natural", "stretched"};

static const tessera_parameter parameters[] = {
    {.name = "side", .help = "The width and height of a cell.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 90, .minimum.number = 1, .maximum.number = 400},
    {.name = "gap", .help = "The space between cells.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .minimum.number = 0, .maximum.number = 100},
    {.name = "fill", .help = "Whether cells are widened to fill their line.",
     .choices = fills, .choice_count = COUNT(fills), .type = TESSERA_TYPE_ENUM},
    {.name = "lead", .help = "The space above the first line; not negative.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER},
};

struct tessera_layout {
  const tessera_host *host;
  double width;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)self;
  *layout = calloc(1, sizeof **layout);
  if (*layout == NULL) return TESSERA_ERROR_FAILED;
  (*layout)->host = host;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) {
  free(layout);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const double width = plain_extent(in).width;
  const double side = in->parameters[SIDE].number;
  const double gap = in->parameters[GAP].number;
  const double lead = in->parameters[LEAD].number;
  if (lead < 0) return refuse(layout, "lead is negative; give 0 or more");
  const uint64_t columns = (uint64_t)fmax(1, floor((width + gap) / (side + gap)));
  double cell_width = side;
  if (in->parameters[FILL].choice == STRETCHED)
    cell_width = fmax(0, (width - gap * (double)(columns - 1)) / (double)columns);
  const double content_width = fmax(width, cell_width);
  double y = lead;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = plain_items(in, section);
    if (count == 0) continue;
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < count; i++) {
      const uint64_t line = i / columns;
      const double x = (double)(i % columns) * (cell_width + gap);
      rows->frame[i] = (tessera_rect){x, y + (double)line * (side + gap), cell_width, side};
    }
    const uint64_t lines = (count + columns - 1) / columns;
    y += (double)lines * (side + gap);
  }
  layout->width = width;
  out->set_content_size(out, (tessera_size){content_width, fmax(0, y - gap)});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return layout->width == plain_extent(in).width;
}

static const tessera_engine engine = {
    TWIN("grid"),
    .traits = TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    PARAMETERS,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .still_valid = still_valid,
};

REGISTERS(engine)
