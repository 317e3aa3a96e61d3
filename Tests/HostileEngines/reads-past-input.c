// Reads 3 GiB behind its input: untouched pages, which would become memory of the host.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const volatile unsigned char *bytes = (const volatile unsigned char *)call->in->section_starts;
  unsigned sum = 0;
  for (uint64_t i = 0; i < (uint64_t)3 << 30; i += 4096) sum += bytes[i];
  (void)sum;
  return hostile_won(call, "it read 3 GiB behind its input");
}

HOSTILE("reads-past-input", .prepare = attack)
