// Lowers the scheduling priority of its parent.

#include "hostile.h"
#include <sys/resource.h>

static tessera_status attack(const hostile_call *call) {
  int now = getpriority(PRIO_PROCESS, 0);
  if (setpriority(PRIO_PROCESS, (id_t)getppid(), now) == 0)
    return hostile_won(call, "it sets its parent's priority");
  return TESSERA_OK;
}

HOSTILE("priority-of-parent", .WHERE = attack)
