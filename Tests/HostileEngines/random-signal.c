// Ends itself with the signal SIGNAL.

#include "hostile.h"
#include <signal.h>

#ifndef SIGNAL
#define SIGNAL SIGTERM
#endif

static tessera_status attack(const hostile_call *call) {
  raise(SIGNAL);
  return hostile_won(call, "a signal that ends a process was raised and nothing happened");
}

HOSTILE("random-signal", .WHERE = attack)
