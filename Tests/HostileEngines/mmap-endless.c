// Maps and touches memory without end, in smaller pieces after each refusal.

#include "hostile.h"
#include <sys/mman.h>

static tessera_status attack(const hostile_call *call) {
  size_t taken = 0;
  for (size_t piece = 1 << 26; taken < (size_t)6 << 30;) {
    char *memory = (char *)mmap(NULL, piece, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      if (piece > 4096) piece /= 2;
      continue;
    }
    for (size_t at = 0; at < piece; at += 4096) memory[at] = 1;
    taken += piece;
  }
  return hostile_won(call, "it took 6 GiB");
}

HOSTILE("mmap-endless", .WHERE = attack)
