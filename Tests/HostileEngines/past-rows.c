// Writes one row past its last.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  volatile tessera_rect *frame = call->rows->frame;
  frame[call->rows->count].x = NAN;
  return TESSERA_OK;
}

HOSTILE("past-rows", .filled = attack)
