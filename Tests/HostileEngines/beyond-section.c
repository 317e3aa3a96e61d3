// Adds one more cell than there are items, and ignores the host's refusal.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, hostile_items(call->in, 0), 1};
  const tessera_rows *rows;
  if (call->out->add(call->out, &run, &rows) == TESSERA_OK)
    return hostile_won(call, "a cell past the section was taken");
  return TESSERA_OK;
}

HOSTILE("beyond-section", .filled = attack)
