// Overwrites the item values that the host passed.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  *(volatile double *)(uintptr_t)call->in->values[0].data = NAN;
  return TESSERA_OK;
}

HOSTILE("scribbles-values", .prepare = attack)
