// Executes an illegal instruction, as Swift does if a precondition fails.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  __builtin_trap();
}

HOSTILE("illegal-instruction", .WHERE = attack)
