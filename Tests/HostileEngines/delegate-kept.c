// Calls a delegate function in destroy.

#include "hostile.h"

static tessera_function kept;

static tessera_status keep(const hostile_call *call) {
  kept = call->in->functions[0];
  return TESSERA_OK;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  if (kept.call != NULL) ((uint32_t (*)(void *, uint32_t))kept.call)(kept.context, 1);
  return TESSERA_OK;
}

HOSTILE("delegate-kept", .prepare = keep, .destroy = attack)
