// Changes the permissions of a file.

#include "hostile.h"
#include <sys/stat.h>

static tessera_status attack(const hostile_call *call) {
  return chmod(CANARY, 0777) == 0 ? hostile_won(call, "it changed a file's mode") : TESSERA_OK;
}

HOSTILE("changes-mode", .WHERE = attack)
