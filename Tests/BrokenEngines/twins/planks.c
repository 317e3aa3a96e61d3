// Planks below each other, thickness from a value; and a derived engine with thicker planks.

#include "twin.h"

TESSERA_NOTE;

#define THICKEST 1e6

static const tessera_value_declaration values[] = {
    {.name = "thickness", .help = "The height of a plank.", .type = TESSERA_TYPE_NUMBER,
     .scope = TESSERA_SCOPE_ITEM},
};

static double thickness_of(double given) { return fmin(fmax(given, 0), THICKEST); }

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const double width = plain_extent(in).width;
  double y = 0;
  uint64_t place = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.section = section, .count = plain_items(in, section)};
    if (run.count == 0) continue;
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t item = 0; item < run.count; item++, place++) {
      rows->frame[item] = (tessera_rect){0, y, width, thickness_of(plain_number(in->values[0], place))};
      y += rows->frame[item].height;
    }
  }
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

static const tessera_parameter parameters[] = {
    {.name = "factor", .help = "How much thicker the planks are.", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 2, .minimum.number = 1, .maximum.number = 10},
};

static tessera_status prepare_thick(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  void *data = NULL;
  const tessera_status status =
      in->super->set_values(in->super, "thickness", TESSERA_SCOPE_ITEM, TESSERA_TYPE_NUMBER, &data);
  if (status != TESSERA_OK) return status;
  double *const thicknesses = data;
  const double factor = in->parameters[0].number;
  for (uint64_t item = 0; item < in->section_starts[in->section_count]; item++)
    thicknesses[item] = thickness_of(thicknesses[item]) * factor;
  return in->super->prepare(in->super, out);
}

static const tessera_engine thin = {
    TWIN("thin-planks"),
    VALUES,
    .prepare = prepare,
};

static const tessera_engine thick = {
    TWIN("planks"),
    .base = "org.example.twin.thin-planks",
    PARAMETERS,
    .prepare = prepare_thick,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  const tessera_status status = registry->add_engine(registry, &thin);
  return status == TESSERA_OK ? registry->add_engine(registry, &thick) : status;
}
