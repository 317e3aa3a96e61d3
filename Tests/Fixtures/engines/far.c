// Decorations with the highest indexes, 2^63 - 5 to 2^63 - 2, and one with 0.
#include "engine.h"

static const tessera_kind kinds[] = {{.name = "mark", .category = TESSERA_CATEGORY_DECORATION}};

static tessera_status add(tessera_output *out, uint64_t first, uint64_t count) {
  const tessera_rows *rows;
  const tessera_run run = {TESSERA_CATEGORY_DECORATION, 0, 0, 0, first, count};
  const tessera_status status = out->add(out, &run, &rows);
  for (uint64_t row = 0; status == TESSERA_OK && row < count; row++) rows->frame[row] = (tessera_rect){10.0 * (double)row, 0, 5, 5};
  return status;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)in;
  tessera_status status = add(out, 0, 1);
  if (status == TESSERA_OK) status = add(out, INT64_MAX - 4, 4);
  if (status == TESSERA_OK) out->set_content_size(out, (tessera_size){40, 5});
  return status;
}

REGISTER(ENGINE("far", LIST(kind, kinds), .prepare = prepare));
