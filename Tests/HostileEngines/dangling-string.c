// Points to names at invalid addresses.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->name = (const char *)(uintptr_t)0xdeadbeef0000;
  return TESSERA_OK;
}

HOSTILE("dangling-string", .registration = describe)
