// Gives its fourth cell an invalid frame: FRAME.

#include "hostile.h"

#ifndef FRAME
#define FRAME NAN, 0, 10, 10
#endif

static tessera_status attack(const hostile_call *call) {
  call->rows->frame[3] = (tessera_rect){FRAME};
  return TESSERA_OK;
}

HOSTILE("odd-frame", .filled = attack)
