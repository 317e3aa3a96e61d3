// Starts threads with huge stacks until it gets no more, then lays out correctly.

#include "hostile.h"
#include <pthread.h>

static void *wait_for_ever(void *nothing) {
  for (;;) pause();
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  for (int threads = 0; threads < 20000; threads++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_for_ever, NULL) != 0) return TESSERA_OK;
  }
  return hostile_won(call, "it has 20000 threads");
}

HOSTILE("thread-stacks", .prepare = attack)
