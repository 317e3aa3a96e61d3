// Claims a stride of STRIDE bytes for its parameters.

#include "hostile.h"

#ifndef STRIDE
#define STRIDE 0
#endif

static tessera_status describe(const hostile_call *call) {
  call->engine->parameter_size = STRIDE;
  call->engine->parameter_count = 2;
  return TESSERA_OK;
}

HOSTILE("odd-stride", .registration = describe)
