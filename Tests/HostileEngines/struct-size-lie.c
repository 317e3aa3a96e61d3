// Claims another size for its description: SIZE bytes.

#include "hostile.h"

#ifndef SIZE
#define SIZE 0xffffffffu
#endif

static tessera_status describe(const hostile_call *call) {
  call->engine->struct_size = SIZE;
  return TESSERA_OK;
}

HOSTILE("struct-size-lie", .registration = describe)
