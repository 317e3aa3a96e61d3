// Never returns, and keeps the processor busy.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

HOSTILE("spins-forever", .WHERE = attack)
