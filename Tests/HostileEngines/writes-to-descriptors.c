// Writes to every descriptor that it did not open.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static const char text[] = "\x7f\0\1\2 this is no message that anyone expects\n";
  int written = 0;
  for (int descriptor = 3; descriptor <= 1024; descriptor++)
    written += write(descriptor, text, sizeof text) > 0;
  return written < 0 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

HOSTILE("writes-to-descriptors", .WHERE = attack)
