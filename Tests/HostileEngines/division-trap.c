// Divides by zero.

#include "hostile.h"
#include <signal.h>

static volatile int zero = 0;

static tessera_status attack(const hostile_call *call) {
  (void)call;
#if defined(__x86_64__)
  return 12345 / zero;
#else
  return zero == 0 ? raise(SIGFPE) : TESSERA_OK;
#endif
}

HOSTILE("division-trap", .WHERE = attack)
