// Never returns, and sleeps.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (;;) pause();
  return TESSERA_OK;
}

HOSTILE("sleeps-forever", .WHERE = attack)
