// Looks for variables of its host's environment that no engine needs.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  return getenv("TESSERA_SECRET") != NULL ? hostile_won(call, "it sees the host's environment")
                                          : TESSERA_OK;
}

HOSTILE("reads-environment", .WHERE = attack)
