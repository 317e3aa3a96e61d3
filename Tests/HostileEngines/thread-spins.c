// Leaves a busy thread behind.

#include "hostile.h"
#include <pthread.h>

static void *spin(void *nothing) {
  for (;;) __asm__ volatile("");
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  pthread_t thread;
  return pthread_create(&thread, NULL, spin, NULL) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE("thread-spins", .WHERE = attack)
