// Claims COUNT parameters where there is one.

#include "hostile.h"

#ifndef COUNT
#define COUNT 0x80000000u
#endif

static tessera_status describe(const hostile_call *call) {
  call->engine->parameter_count = COUNT;
  return TESSERA_OK;
}

HOSTILE("many-parameters", .registration = describe)
