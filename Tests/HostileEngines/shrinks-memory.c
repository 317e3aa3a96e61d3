// Truncates the file of every descriptor, including shared memory.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (int descriptor = 0; descriptor <= 1024; descriptor++)
    if (ftruncate(descriptor, 0) == 0)
      return hostile_won(call, "it cut a file short that the host has mapped");
  return TESSERA_OK;
}

HOSTILE("shrinks-memory", .WHERE = attack)
