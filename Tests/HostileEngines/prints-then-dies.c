// Prints a reason to standard error, as a library would, and aborts.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  fprintf(stderr, "the cells must not be wider than the section\n");
  abort();
}

HOSTILE("prints-then-dies", .WHERE = attack)
