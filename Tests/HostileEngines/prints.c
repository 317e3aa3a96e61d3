// Prints a line to each of the two streams that belong to the command.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  printf("printed to standard output\n");
  fflush(stdout);
  fprintf(stderr, "printed to standard error\n");
  return TESSERA_OK;
}

HOSTILE("prints", .WHERE = attack)
