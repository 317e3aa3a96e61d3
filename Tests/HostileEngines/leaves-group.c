// Leaves its process group and session, to escape.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  if (setsid() > 0 || setpgid(0, 0) == 0) return hostile_won(call, "it left its group");
  return TESSERA_OK;
}

HOSTILE("leaves-group", .WHERE = attack)
