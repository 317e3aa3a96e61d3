// Ends itself with one of the signals that end a process, another one every time.

#include "hostile.h"
#include <signal.h>
#include <time.h>

static tessera_status attack(const hostile_call *call) {
  static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                                SIGFPE,  SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM,
                                SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS};
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  raise(signals[(unsigned long)now.tv_nsec / 1000 % (sizeof signals / sizeof *signals)]);
  return hostile_won(call, "a signal that ends a process was raised and nothing happened");
}

HOSTILE("random-signal", .WHERE = attack)
