// Starts 6,000 threads with small stacks.

#include "hostile.h"
#include <limits.h>
#include <pthread.h>

static void *wait_for_ever(void *nothing) {
  for (;;) pause();
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
  for (int threads = 0; threads < 6000; threads++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_for_ever, NULL) != 0) return TESSERA_OK;
  }
  sleep(1);
  return hostile_won(call, "it has 6000 threads");
}

HOSTILE("many-threads", .prepare = attack)
