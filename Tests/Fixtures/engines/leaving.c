// An engine that reports unchanged rows, truthfully or not: rows 10 high.
#include "engine.h"

static const tessera_parameter parameters[] = {{
    .name = "moved",
    .help = "This cell lies 1000 points to the right although it was left.",
    .type = TESSERA_TYPE_INT,
    .initial.integer = -1,
    .minimum.integer = -1,
    .maximum.integer = 1000000,
}};

static tessera_status prepare(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
  (void)layout;
  const uint64_t count = input->section_starts[input->section_count];
  const int64_t moved = input->parameters[0].integer;
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .count = count};
  const tessera_rows *rows;
  output->set_content_size(output, (tessera_size){100, 10 * (double)count});
  if (count == 0) return TESSERA_OK;
  TRY(output->add(output, &run, &rows));
  for (uint64_t i = rows->kept; i < count; i++) rows->frame[i] = (tessera_rect){0, 10 * (double)i, 100, 10};
  if (moved >= 0 && (uint64_t)moved < count) rows->frame[moved].x = 1000;
  if (output->leave(output, rows, rows->kept + 1) != TESSERA_ERROR_INVALID_VALUE) return TESSERA_ERROR_FAILED;
  return output->leave(output, rows, rows->kept);
}

REGISTER(ENGINE("leaving", LIST(parameter, parameters), .prepare = prepare, .traits = TESSERA_TRAIT_INCREMENTAL));
