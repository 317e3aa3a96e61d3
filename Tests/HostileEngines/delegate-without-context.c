// Calls a delegate function without its context.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const tessera_function function = call->in->functions[0];
  if (function.call == NULL) return hostile_won(call, "there is no delegate function to call");
  ((uint32_t (*)(void *, uint32_t))function.call)(NULL, 1);
  ((uint32_t (*)(void *, uint32_t))function.call)((void *)(uintptr_t)0xdeadbeef0000, 1);
  return TESSERA_OK;
}

HOSTILE("delegate-without-context", .prepare = attack)
