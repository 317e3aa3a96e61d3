// Writes to address 0.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

HOSTILE("null-dereference", .WHERE = attack)
