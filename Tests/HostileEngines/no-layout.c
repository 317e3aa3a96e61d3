// Reports success in create without a layout; every call then gets null.

#include "hostile.h"

static tessera_status make(const tessera_engine *self, const tessera_host *host,
                           tessera_layout **layout) {
  (void)self, (void)host, (void)layout;
  return TESSERA_OK;
}

static tessera_status describe(const hostile_call *call) {
  call->engine->create = make;
  return TESSERA_OK;
}

HOSTILE("no-layout", .registration = describe)
