// Ignores and blocks every signal, and continues.

#include "hostile.h"
#include <signal.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  return TESSERA_OK;
}

HOSTILE("changes-signals", .WHERE = attack)
