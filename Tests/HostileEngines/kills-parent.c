// Kills its parent.

#include "hostile.h"
#include <signal.h>

static tessera_status attack(const hostile_call *call) {
  return kill(getppid(), SIGTERM) == 0 ? hostile_won(call, "it ended its parent") : TESSERA_OK;
}

HOSTILE("kills-parent", .WHERE = attack)
