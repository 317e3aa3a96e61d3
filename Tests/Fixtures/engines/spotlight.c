// Third layers over cover-flow, with nothing but the header: one dims what lies aside, one hangs a
// lamp over every section.

#include <tessera/tessera.h>

TESSERA_NOTE;

static tessera_status dim(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                          tessera_output *out) {
  (void)layout;
  tessera_status status = in->super->adjust(in->super, rect, out);
  for (uint64_t i = 0; status == TESSERA_OK && i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows;
    status = out->get(out, i, &run, &rows);
    if (status != TESSERA_OK || run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++)
      if (rows->z_index[row] == 0) rows->alpha[row] = 0.25;
  }
  return status;
}

static tessera_status hang_lamps(tessera_layout *layout, const tessera_input *in,
                                 tessera_output *out) {
  (void)layout;
  tessera_status status = in->super->prepare(in->super, out);
  for (uint32_t section = 0; status == TESSERA_OK && section < in->section_count; section++) {
    const tessera_run lamp = {TESSERA_CATEGORY_DECORATION, 0, section, 0, 0, 1};
    const tessera_rows *rows;
    status = out->add(out, &lamp, &rows);
    if (status == TESSERA_OK) rows->frame[0] = (tessera_rect){100.0 * section, 0, 20, 20};
  }
  return status;
}

static const tessera_kind lamp[] = {{.name = "lamp", .category = TESSERA_CATEGORY_DECORATION}};

#define LAYER(engine_id, engine_name, ...)                                                         \
  {.struct_size = sizeof(tessera_engine), .id = engine_id, .name = engine_name,                    \
   .version = "1.0.0", .author = "The Tessera authors", .license = "MIT",                          \
   .summary = "A layer over cover-flow.", .base = "org.tessera.cover-flow",                        \
   .base_version = "0.1.0", .kind_size = sizeof(tessera_kind), __VA_ARGS__}

static const tessera_engine engines[] = {
    LAYER("org.example.spotlight", "Spotlight", .adjust = dim,
          .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_VIEWPORT,
          .adjusted_columns = TESSERA_COLUMN_ALPHA),
    LAYER("org.example.lit-shelf", "Lit Shelf", .traits = TESSERA_TRAIT_MIRRORS,
          .kind_count = 1, .kinds = lamp, .prepare = hang_lamps),
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
    tessera_status status = registry->add_engine(registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
