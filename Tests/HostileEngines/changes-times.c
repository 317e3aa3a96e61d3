// Changes the modification time of a file.

#include "hostile.h"
#include <utime.h>

static tessera_status attack(const hostile_call *call) {
  const struct utimbuf times = {1, 1};
  return utime(CANARY, &times) == 0 ? hostile_won(call, "it changed a file's times") : TESSERA_OK;
}

HOSTILE("changes-times", .WHERE = attack)
