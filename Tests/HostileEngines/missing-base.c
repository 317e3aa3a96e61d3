// Is derived from an engine that does not exist.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->base = "org.example.nobody-has-this";
  return TESSERA_OK;
}

HOSTILE("missing-base", .registration = describe)
