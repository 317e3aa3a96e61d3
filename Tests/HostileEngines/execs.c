// Replaces itself with another program.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  execl("/bin/true", "true", (char *)NULL);
  return TESSERA_OK;
}

HOSTILE("execs", .WHERE = attack)
