// Exits silently, with a status of its own.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  _exit(3);
}

HOSTILE("exit-at-once", .WHERE = attack)
