// Lays out correctly once and crashes the second time.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static int calls = 0;
  if (++calls == 2) *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

HOSTILE("second-prepare", .prepare = attack)
