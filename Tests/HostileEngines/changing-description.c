// Describes itself otherwise whenever it is read: a thread changes the description without end,
// and every registration starts another.

#include "hostile.h"
#include <pthread.h>

static void *change(void *engine) {
  volatile tessera_engine *description = (volatile tessera_engine *)engine;
  for (uint32_t count = 0;; count++) {
    description->parameter_count = count % 3;
    description->id = count % 2 == 0 ? HOSTILE_ID "changing-description" : HOSTILE_ID "changed";
    description->version = count % 5 == 0 ? "2.0.0" : "1.0.0";
  }
  return NULL;
}

static tessera_status describe(const hostile_call *call) {
  pthread_t thread;
  return pthread_create(&thread, NULL, change, call->engine) == 0 ? TESSERA_OK : TESSERA_FAILED;
}

HOSTILE("changing-description", .registration = describe)
