// Adds to a kept output in a published function.

#include "hostile.h"

static tessera_output *kept;

static tessera_status keep(const hostile_call *call) {
  kept = call->out;
  return TESSERA_OK;
}

static tessera_status attack(const hostile_call *call) {
  const tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, 0, 1};
  const tessera_rows *rows;
  kept->set_content_size(kept, (tessera_size){1, 1});
  return kept->add(kept, &run, &rows) == TESSERA_OK ? hostile_won(call, "it added rows late")
                                                    : TESSERA_OK;
}

HOSTILE("output-kept", .filled = keep, .published = attack)
