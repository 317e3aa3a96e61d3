// Prints a hundred megabytes to each stream.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static char line[1 << 16];
  memset(line, 'x', sizeof line);
  ssize_t sent = 0;
  for (int i = 0; i < 1600; i++) {
    sent += write(STDOUT_FILENO, line, sizeof line);
    sent += write(STDERR_FILENO, line, sizeof line);
  }
  return sent == 1 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

HOSTILE("prints-much", .WHERE = attack)
