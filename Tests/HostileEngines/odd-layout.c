// Creates a layout at an invalid address, and frees it.

#include "hostile.h"

static tessera_status make(const tessera_engine *self, const tessera_host *host,
                           tessera_layout **layout) {
  (void)self, (void)host;
  *layout = (tessera_layout *)(uintptr_t)0xdeadbeefdeadbeef;
  return TESSERA_OK;
}

static tessera_status describe(const hostile_call *call) {
  call->engine->create = make;
  return TESSERA_OK;
}

HOSTILE("odd-layout", .registration = describe)
