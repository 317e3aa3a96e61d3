// Allocates and touches memory without end, up to 6 GiB.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const size_t piece = 1 << 20;
  for (int pieces = 0; pieces < 6 << 10; pieces++) {
    char *memory;
    while ((memory = (char *)malloc(piece)) == NULL) {}
    memset(memory, 1, piece);
  }
  return hostile_won(call, "it took 6 GiB");
}

HOSTILE("malloc-endless", .WHERE = attack)
