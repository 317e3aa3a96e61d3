// Reads from every descriptor that it did not open.

#include "hostile.h"
#include <fcntl.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  char room[4096];
  ssize_t got = 0;
  for (int descriptor = 0; descriptor <= 1024; descriptor++) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    got += read(descriptor, room, sizeof room);
  }
  return got == 12345 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

HOSTILE("reads-descriptors", .WHERE = attack)
