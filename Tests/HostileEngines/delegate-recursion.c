// Calls a delegate function a million levels of recursion deep.

#include "hostile.h"

static uint32_t dive(const tessera_function *function, uint32_t depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  uint32_t answer = ((uint32_t (*)(void *, uint32_t))function->call)(function->context, depth);
  return depth == 0 ? answer : answer + dive(function, depth - 1) + (uint32_t)room[0];
}

static tessera_status attack(const hostile_call *call) {
  const tessera_function function = call->in->functions[0];
  if (function.call == NULL) return hostile_won(call, "there is no delegate function to call");
  return dive(&function, 1000000) == 12345 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

HOSTILE("delegate-recursion", .prepare = attack)
