// Leaves a thread behind that crashes MICROSECONDS later, when the host is between two calls.

#include "hostile.h"
#include <pthread.h>

#ifndef MICROSECONDS
#define MICROSECONDS 50000
#endif

static void *crash(void *nothing) {
  usleep(MICROSECONDS);
  *(volatile int *)NULL = 1;
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  pthread_t thread;
  return pthread_create(&thread, NULL, crash, NULL) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE("thread-crashes-later", .filled = attack)
