// Changes its description as soon as it has registered it, and keeps changing it.

#include "hostile.h"
#include <pthread.h>

static void *change(void *engine) {
  volatile tessera_engine *description = (volatile tessera_engine *)engine;
  for (uint32_t count = 0;; count++) {
    description->struct_size = count;
    description->parameter_count = count;
    description->id = count % 2 == 0 ? HOSTILE_ID "changed" : NULL;
    description->prepare = NULL;
  }
  return NULL;
}

static tessera_status attack(const hostile_call *call) {
  tessera_status status = call->registry->add_engine(call->registry, call->engine);
  if (status != TESSERA_OK) return status;
  pthread_t thread;
  return pthread_create(&thread, NULL, change, call->engine) == 0 ? HOSTILE_DONE : TESSERA_ERROR_FAILED;
}

HOSTILE("changing-description", .registration = attack)
