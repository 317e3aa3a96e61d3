// Overwrites the host's section starts.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  ((volatile uint64_t *)(uintptr_t)call->in->section_starts)[1] = (uint64_t)1 << 60;
  return TESSERA_OK;
}

HOSTILE("scribbles-starts", .prepare = attack)
