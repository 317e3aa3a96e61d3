// Never comes back, and is busy all the while.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

HOSTILE("spins-forever", .WHERE = attack)
