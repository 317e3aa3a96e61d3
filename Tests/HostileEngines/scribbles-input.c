// Overwrites the struct that its call received.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  memset((void *)(uintptr_t)call->in, 0xff, sizeof *call->in);
  return TESSERA_OK;
}

HOSTILE("scribbles-input", .filled = attack)
