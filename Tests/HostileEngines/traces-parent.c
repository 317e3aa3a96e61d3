// Asks to trace its parent.

#include "hostile.h"
#include <sys/ptrace.h>

static tessera_status attack(const hostile_call *call) {
  if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0)
    return hostile_won(call, "it traces its parent");
  return TESSERA_OK;
}

HOSTILE("traces-parent", .WHERE = attack)
