// Closes every file descriptor.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (int descriptor = 0; descriptor < 4096; descriptor++) close(descriptor);
  return TESSERA_OK;
}

HOSTILE("closes-descriptors", .WHERE = attack)
