// Engines that end their process.

#include "hostile.h"
#include <signal.h>

ATTACK(abort, WHERE) { abort(); }

ATTACK(exit, WHERE) { exit(0); }

// create succeeds without a layout, so calls get null.
static tessera_status make(const tessera_engine *self, const tessera_host *host,
                           tessera_layout **layout) {
  (void)self, (void)host, (void)layout;
  return TESSERA_OK;
}

ATTACK(no_layout, registration) {
  call->engine->create = make;
  return TESSERA_OK;
}

ATTACK(null_dereference, WHERE) {
  *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

// prepare points to no code.
ATTACK(odd_functions, registration) {
  memset(&call->engine->prepare, 0x5a, sizeof call->engine->prepare);
  return TESSERA_OK;
}

// Prints to standard error, then aborts.
ATTACK(prints_then_dies, WHERE) {
  fprintf(stderr, "the cells must not be wider than the section\n");
  abort();
}

#ifndef SIGNAL
#define SIGNAL SIGTERM
#endif

ATTACK(random_signal, WHERE) {
  raise(SIGNAL);
  return hostile_won(call, "a signal that ends a process was raised and nothing happened");
}

// The second layout crashes.
ATTACK(second_prepare, prepare) {
  static int calls = 0;
  if (++calls == 2) *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

static int dive(volatile char *above) {
  volatile char room[4096];
  room[0] = (char)(above[0] + 1);
  return above[0] == 1 && above == room ? 0 : dive(room) + room[0];
}

ATTACK(stack_overflow, WHERE) {
  volatile char start[1] = {0};
  return dive(start) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE_ATTACKS
