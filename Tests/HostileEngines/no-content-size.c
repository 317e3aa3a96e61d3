// Never sets the content size.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_rows *rows;
  tessera_status status = hostile_add(call->in, call->out, 0, &rows);
  return status == TESSERA_OK ? HOSTILE_DONE : status;
}

HOSTILE("no-content-size", .prepare = attack)
