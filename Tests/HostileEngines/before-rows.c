// Writes one row before its first.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  volatile tessera_rect *frame = call->rows->frame;
  frame[-1].x = 12345;
  return TESSERA_OK;
}

HOSTILE("before-rows", .filled = attack)
