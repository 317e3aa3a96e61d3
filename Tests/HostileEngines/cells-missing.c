// Lays out fewer cells than there are items: every second one.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_rows *rows;
  hostile_set_size(call->in, call->out);
  for (uint64_t i = 0; i < hostile_items(call->in, 0); i += 2) {
    const tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, i, 1};
    tessera_status status = call->out->add(call->out, &run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = (tessera_rect){0, 50 * (double)i, call->in->viewport.width, 50};
  }
  return HOSTILE_DONE;
}

HOSTILE("cells-missing", .prepare = attack)
