// Writes a terabyte before its first row.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  *(volatile char *)((uintptr_t)call->rows->frame - ((uintptr_t)1 << 40)) = 1;
  return hostile_won(call, "it wrote a terabyte before its rows");
}

HOSTILE("far-before-rows", .filled = attack)
