// Has a summary of 16 MiB, longer than the contract allows.

#include "hostile.h"

static char text[16 << 20];

static tessera_status describe(const hostile_call *call) {
  memset(text, 'a', sizeof text - 1);
  call->engine->summary = text;
  return TESSERA_OK;
}

HOSTILE("long-string", .registration = describe)
