// Registers no engine and reports success.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  return HOSTILE_DONE;
}

HOSTILE("registers-nothing", .registration = attack)
