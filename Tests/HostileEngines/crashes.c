// Engines that end their own process.

#include "hostile.h"
#include <signal.h>

// Aborts, as a failed assertion does.
ATTACK(abort, WHERE) { abort(); }

// Divides by zero.
static volatile int zero = 0;

ATTACK(division_trap, WHERE) {
#if defined(__x86_64__)
  return 12345 / zero;
#else
  return zero == 0 ? raise(SIGFPE) : TESSERA_OK;
#endif
}

// Exits with status 0.
ATTACK(exit, WHERE) { exit(0); }

// Executes an illegal instruction, as Swift does if a precondition fails.
ATTACK(illegal_instruction, WHERE) { __builtin_trap(); }

// Reports success in create without a layout; every call then gets null.
static tessera_status make(const tessera_engine *self, const tessera_host *host,
                           tessera_layout **layout) {
  (void)self, (void)host, (void)layout;
  return TESSERA_OK;
}

ATTACK(no_layout, registration) {
  call->engine->create = make;
  return TESSERA_OK;
}

// Writes to address 0.
ATTACK(null_dereference, WHERE) {
  *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

// Has a prepare at an address without code.
ATTACK(odd_functions, registration) {
  memset(&call->engine->prepare, 0x5a, sizeof call->engine->prepare);
  return TESSERA_OK;
}

// Creates a layout at an invalid address, and frees it.
static tessera_status odd_layout_make(const tessera_engine *self, const tessera_host *host,
                           tessera_layout **layout) {
  (void)self, (void)host;
  *layout = (tessera_layout *)(uintptr_t)0xdeadbeefdeadbeef;
  return TESSERA_OK;
}

ATTACK(odd_layout, registration) {
  call->engine->create = odd_layout_make;
  return TESSERA_OK;
}

// Prints a reason to standard error, as a library would, and aborts.
ATTACK(prints_then_dies, WHERE) {
  fprintf(stderr, "the cells must not be wider than the section\n");
  abort();
}

// Ends itself with the signal SIGNAL.
#ifndef SIGNAL
#define SIGNAL SIGTERM
#endif

ATTACK(random_signal, WHERE) {
  raise(SIGNAL);
  return hostile_won(call, "a signal that ends a process was raised and nothing happened");
}

// Lays out correctly once and crashes the second time.
ATTACK(second_prepare, prepare) {
  static int calls = 0;
  if (++calls == 2) *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

// Recurses without end.
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
