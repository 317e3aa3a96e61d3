// A lazy engine with cells of 10 below each other, and a visible line with index 2^63 - 2.
#include <stdint.h>

#include "engine.h"

static tessera_status add(tessera_output *out, tessera_run run) {
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  for (uint64_t row = 0; status == TESSERA_OK && row < run.count; row++)
    rows->frame[row] = run.category == TESSERA_CATEGORY_CELL ? (tessera_rect){0, 10.0 * (double)(run.first_item + row), 100, 10}
                                                             : (tessera_rect){0, 0, 100, 1};
  return status;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  out->set_content_size(out, (tessera_size){100, 10.0 * (double)in->section_starts[1]});
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout, (void)rect;
  const tessera_status status = add(out, (tessera_run){.count = in->section_starts[1]});
  return status != TESSERA_OK ? status : add(out, (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .first_item = INT64_MAX - 1, .count = 1});
}

static tessera_status element(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  (void)layout;
  const int is_there = run->category == TESSERA_CATEGORY_CELL ? run->first_item < in->section_starts[1] : run->first_item == INT64_MAX - 1;
  return is_there ? add(out, *run) : TESSERA_OK;
}

static const tessera_kind kinds[] = {{.name = "line", .category = TESSERA_CATEGORY_DECORATION}};

REGISTER(ENGINE("numbered", LIST(kind, kinds), .prepare = prepare, .elements_in_rect = elements_in_rect, .element = element,
                .traits = TESSERA_TRAIT_LAZY));
