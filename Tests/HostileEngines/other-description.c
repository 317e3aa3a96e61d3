// Registers a different engine in every registration, named after the time.

#include "hostile.h"
#include <time.h>

static char id[64];

static tessera_status describe(const hostile_call *call) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long moment = now.tv_nsec + now.tv_sec * 1000000000LL;
  snprintf(id, sizeof id, HOSTILE_ID "other-%lld", moment);
  call->engine->id = id;
  return TESSERA_OK;
}

HOSTILE("other-description", .registration = describe)
