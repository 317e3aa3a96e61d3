// Runs, frames and sizes from a seed that prefer the ends of their ranges; most are not allowed, and refused.
#include <math.h>
#include "engine.h"

static const tessera_parameter parameters[] = {{.name = "seed", .help = "What the runs depend on.", .type = TESSERA_TYPE_NUMBER}};
static const tessera_kind kinds[] = {{.name = "mark", .category = TESSERA_CATEGORY_DECORATION}, {.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return *state * 0x2545F4914F6CDD1D >> 16;
}

static uint64_t end(uint64_t *state) {
  static const uint64_t ends[] = {0, 1, 3, 1ull << 31, 1ull << 32, 1ull << 53, 1ull << 62, 1ull << 63};
  return next(state) % 3 == 0 ? next(state) % 8 : ends[next(state) % 8] + next(state) % 9 - 5;
}

static double number(uint64_t *state) {
  static const double ends[] = {0, -0.0, 5e-324, 1e-9, 100, 1e12, 1e15, 1e300, 1.7e308, NAN, INFINITY};
  const double found = next(state) % 4 != 0 ? (double)(next(state) % 400) : ends[next(state) % 11];
  return next(state) % 8 == 0 ? -found : found;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  uint64_t state = (uint64_t)in->parameters[0].number * 0x9E3779B97F4A7C15 + 1;
  for (uint64_t left = next(&state) % 5; left > 0; left--) {
    tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .first_item = end(&state), .count = next(&state) % 5};
    if (next(&state) % 3 == 0) run.category = TESSERA_CATEGORY_SUPPLEMENTARY, run.kind = 1;
    if (next(&state) % 8 == 0) run.category = (tessera_category)(next(&state) % 5);
    if (next(&state) % 8 == 0) run.kind = (uint32_t)end(&state);
    if (next(&state) % 4 == 0) run.section = (uint32_t)end(&state);
    if (next(&state) % 8 == 0) run.count = end(&state);
    const tessera_rows *rows;
    if (out->add(out, &run, &rows) != TESSERA_OK || run.count > 8) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->frame[row] = (tessera_rect){(double)(next(&state) % 400), (double)(next(&state) % 400), 5, 5};
      if (next(&state) % 16 == 0) rows->frame[row] = (tessera_rect){number(&state), number(&state), number(&state), number(&state)};
    }
  }
  const int is_odd = next(&state) % 8 == 0;
  out->set_content_size(out, (tessera_size){is_odd ? number(&state) : 400, is_odd ? number(&state) : 400});
  return TESSERA_OK;
}

REGISTER(ENGINE("ends", LIST(parameter, parameters), LIST(kind, kinds), .prepare = prepare));
