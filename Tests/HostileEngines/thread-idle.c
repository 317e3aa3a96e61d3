// Leaves a thread behind that waits.

#include "hostile.h"
#include <pthread.h>

static void *wait_for_ever(void *nothing) {
  for (;;) pause();
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  pthread_t thread;
  return pthread_create(&thread, NULL, wait_for_ever, NULL) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE("thread-idle", .WHERE = attack)
