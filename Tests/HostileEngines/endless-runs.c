// Adds a million runs without elements, then its own.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_run nothing = {TESSERA_CATEGORY_CELL, 0, 0, 0, 0, 0};
  const tessera_rows *rows;
  for (uint64_t i = 0; i < 1000000; i++) {
    tessera_status status = call->out->add(call->out, &nothing, &rows);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

HOSTILE("endless-runs", .prepare = attack)
