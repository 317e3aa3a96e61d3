// Declares parameters, values and kinds at null.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->parameters = NULL;
  call->engine->values = NULL;
  call->engine->kind_count = 7;
  return TESSERA_OK;
}

HOSTILE("null-tables", .registration = describe)
