// Has a name that is invalid UTF-8.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->name = "no\xff\xfetext";
  return TESSERA_OK;
}

HOSTILE("binary-string", .registration = describe)
