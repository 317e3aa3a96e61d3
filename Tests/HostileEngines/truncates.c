// Truncates a file by its name.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  return truncate(CANARY, 0) == 0 ? hostile_won(call, "it cut a file short") : TESSERA_OK;
}

HOSTILE("truncates", .WHERE = attack)
