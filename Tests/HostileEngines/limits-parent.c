// Sets a resource limit of its parent to its present value.

#include "hostile.h"
#include <sys/resource.h>

static tessera_status attack(const hostile_call *call) {
  struct rlimit limit;
  if (prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0 &&
      prlimit(getppid(), RLIMIT_NOFILE, &limit, NULL) == 0)
    return hostile_won(call, "it sets its parent's limits");
  return TESSERA_OK;
}

HOSTILE("limits-parent", .WHERE = attack)
