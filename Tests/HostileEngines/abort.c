// Aborts, as a failed assertion does.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  abort();
}

HOSTILE("abort", .WHERE = attack)
