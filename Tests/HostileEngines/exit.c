// Exits with status 0.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  exit(0);
}

HOSTILE("exit", .WHERE = attack)
