// Ignores and blocks all signals, then never returns.

#include "hostile.h"
#include <signal.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

HOSTILE("ignores-signals", .WHERE = attack)
