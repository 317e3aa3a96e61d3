// Kills every process of its group, including itself.

#include "hostile.h"
#include <signal.h>

static tessera_status attack(const hostile_call *call) {
  return kill(0, SIGTERM) == 0 ? hostile_won(call, "it signalled its group") : TESSERA_OK;
}

HOSTILE("kills-group", .WHERE = attack)
