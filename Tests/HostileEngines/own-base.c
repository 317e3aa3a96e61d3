// Is derived from itself.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->base = call->engine->id;
  return TESSERA_OK;
}

HOSTILE("own-base", .registration = describe)
