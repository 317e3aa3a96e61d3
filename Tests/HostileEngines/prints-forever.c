// Prints without end.

#include "hostile.h"
#include <sched.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static char line[1 << 12];
  memset(line, 'x', sizeof line);
  for (;;) {
    if (write(STDOUT_FILENO, line, sizeof line) < 0) sched_yield();
  }
  return TESSERA_OK;
}

HOSTILE("prints-forever", .WHERE = attack)
