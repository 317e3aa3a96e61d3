// Has a prepare at an address without code.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  memset(&call->engine->prepare, 0x5a, sizeof call->engine->prepare);
  return TESSERA_OK;
}

HOSTILE("odd-functions", .registration = describe)
