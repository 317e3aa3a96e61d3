// Changes its name, and disables its termination with its parent.

#include "hostile.h"
#include <signal.h>
#include <sys/prctl.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  prctl(PR_SET_NAME, "kworker/0:0");
  prctl(PR_SET_PDEATHSIG, 0);
  return TESSERA_OK;
}

HOSTILE("hides", .WHERE = attack)
