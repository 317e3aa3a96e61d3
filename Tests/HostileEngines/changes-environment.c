// Changes and clears the environment.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  setenv("LD_PRELOAD", "/nonexistent.so", 1);
  clearenv();
  return TESSERA_OK;
}

HOSTILE("changes-environment", .WHERE = attack)
