// Changes the working directory.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  return chdir("/proc") == 12345 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

HOSTILE("changes-directory", .WHERE = attack)
