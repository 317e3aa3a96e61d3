// Overwrites the parameters that the host passed.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  ((volatile tessera_value *)(uintptr_t)call->in->parameters)[0].number = NAN;
  return TESSERA_OK;
}

HOSTILE("scribbles-parameters", .prepare = attack)
