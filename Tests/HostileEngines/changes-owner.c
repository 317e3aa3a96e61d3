// Changes whose a file is, to whose it is already.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  return chown(CANARY, getuid(), getgid()) == 0 ? hostile_won(call, "it changed a file's owner")
                                                : TESSERA_OK;
}

HOSTILE("changes-owner", .WHERE = attack)
