// Handles its own crash by returning to the crashing instruction, forever.

#include "hostile.h"
#include <signal.h>

static void again(int number) { (void)number; }

static tessera_status attack(const hostile_call *call) {
  (void)call;
  signal(SIGSEGV, again);
  *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

HOSTILE("handles-crash", .WHERE = attack)
