// Changes the owner of a file to its present owner.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  return chown(CANARY, getuid(), getgid()) == 0 ? hostile_won(call, "it changed a file's owner")
                                                : TESSERA_OK;
}

HOSTILE("changes-owner", .WHERE = attack)
