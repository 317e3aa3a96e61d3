// Writes sixteen terabytes past its last row.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  *(volatile char *)((uintptr_t)call->rows->frame + ((uintptr_t)1 << 44)) = 1;
  return hostile_won(call, "it wrote far past its rows");
}

HOSTILE("far-past-rows", .filled = attack)
