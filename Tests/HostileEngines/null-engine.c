// Registers an engine at null, and one at an invalid address.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_engine *volatile nowhere = NULL;
  call->registry->add_engine(call->registry, nowhere);
  call->registry->add_engine(call->registry, (const tessera_engine *)(uintptr_t)0xdeadbeef0000);
  return HOSTILE_DONE;
}

HOSTILE("null-engine", .registration = attack)
