// Has no functions.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->create = NULL;
  call->engine->destroy = NULL;
  call->engine->prepare = NULL;
  call->engine->extension = NULL;
  return TESSERA_OK;
}

HOSTILE("null-functions", .registration = describe)
