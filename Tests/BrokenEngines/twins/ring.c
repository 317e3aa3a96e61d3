// An eager ring: the items of each section on a circle, the circles one inside another, in the middle of
// the bounds, and as hexagons whose frames overlap; the content fills the bounds and does not scroll.

#include "twin.h"

TESSERA_NOTE;

enum { SIDE, PADDING };

static const tessera_parameter parameters[] = {
    {.name = "side", .help = "The width of an item.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 40, .minimum.number = 1, .maximum.number = 120},
    {.name = "padding", .help = "The space around the outermost circle.", .unit = "pt",
     .type = TESSERA_TYPE_INSETS, .minimum.insets = {0, 0, 0, 0},
     .maximum.insets = {100, 100, 100, 100}},
};

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  const tessera_insets padding = in->parameters[PADDING].insets;
  const double side = in->parameters[SIDE].number;
  const tessera_size extent = plain_extent(in);
  // The circles, of which none is less than nothing, within what the padding leaves.
  const double width = fmax(side, extent.width - padding.left - padding.right);
  const double height = fmax(side, extent.height - padding.top - padding.bottom);
  const double most = fmin(width, height) / 2 - side / 2;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.section = section, .count = plain_items(in, section)};
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    const double radius = fmax(0, most - (double)section * side);
    for (uint64_t i = 0; i < run.count; i++) {
      const double angle = 6.283185307179586 * (double)i / (double)run.count;
      rows->frame[i] = (tessera_rect){padding.left + width / 2 + radius * cos(angle) - side / 2,
                                      padding.top + height / 2 + radius * sin(angle) - side / 2,
                                      side, side};
      rows->transform[i].m[0] = rows->transform[i].m[5] = cos(angle);
      rows->transform[i].m[1] = sin(angle);
      rows->transform[i].m[4] = -sin(angle);
    }
  }
  out->set_content_size(
      out, (tessera_size){fmax(extent.width, padding.left + width + padding.right),
                          fmax(extent.height, padding.top + height + padding.bottom)});
  return TESSERA_OK;
}

static const tessera_engine engine = {
    TWIN("ring"),
    .traits = TESSERA_TRAIT_MIRRORS,
    .columns = TESSERA_COLUMN_TRANSFORM,
    .parameter_count = COUNT(parameters),
    .parameter_size = sizeof *parameters,
    .parameters = parameters,
    .prepare = prepare,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
