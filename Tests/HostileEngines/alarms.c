// Sets timers that end a process which does not handle them.

#include "hostile.h"
#include <sys/time.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  const struct itimerval soon = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  for (;;) pause();
  return TESSERA_OK;
}

HOSTILE("alarms", .WHERE = attack)
