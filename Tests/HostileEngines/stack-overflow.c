// Recurses without end.

#include "hostile.h"

static int dive(volatile char *above) {
  volatile char room[4096];
  room[0] = (char)(above[0] + 1);
  return above[0] == 1 && above == room ? 0 : dive(room) + room[0];
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  volatile char start[1] = {0};
  return dive(start) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE("stack-overflow", .WHERE = attack)
