// Prints every byte value a thousand times, without line breaks.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (int i = 0; i < 256000; i++) {
    putchar(i);
    fputc(255 - i, stderr);
  }
  fflush(stdout);
  return TESSERA_OK;
}

HOSTILE("prints-garbage", .WHERE = attack)
