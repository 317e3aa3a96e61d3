// Raises its own resource limits as far as possible.

#include "hostile.h"
#include <sys/resource.h>

static tessera_status attack(const hostile_call *call) {
  const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &none) == 0) return hostile_won(call, "it raised its memory");
  if (setrlimit(RLIMIT_CPU, &none) == 0) return hostile_won(call, "it raised its processor time");
  return TESSERA_OK;
}

HOSTILE("raises-limits", .WHERE = attack)
