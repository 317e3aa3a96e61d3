// Registers two engines with the same id.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  static tessera_engine twin;
  twin = *call->engine;
  tessera_status status = call->registry->add_engine(call->registry, &twin);
  return status == TESSERA_OK ? TESSERA_OK : status;
}

HOSTILE("one-id-twice", .registration = attack)
