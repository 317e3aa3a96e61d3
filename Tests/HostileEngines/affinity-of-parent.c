// Sets the processor affinity of its parent, to all processors.

#include "hostile.h"
#include <sched.h>

static tessera_status attack(const hostile_call *call) {
  cpu_set_t all;
  memset(&all, 0xff, sizeof all);
  if (sched_setaffinity(getppid(), sizeof all, &all) == 0)
    return hostile_won(call, "it sets its parent's processors");
  return TESSERA_OK;
}

HOSTILE("affinity-of-parent", .WHERE = attack)
