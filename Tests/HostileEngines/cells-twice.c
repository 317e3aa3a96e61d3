// Adds its cells twice.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_rows *rows;
  return hostile_add(call->in, call->out, 0, &rows);
}

HOSTILE("cells-twice", .filled = attack)
