// Leaves a thread behind that writes 2 GiB behind its rows, MICROSECONDS later, when the host is between two calls.

#include "hostile.h"
#include <pthread.h>

#ifndef MICROSECONDS
#define MICROSECONDS 50000
#endif

static void *fill(void *rows) {
  usleep(MICROSECONDS);
  for (uint64_t i = 0; i < (uint64_t)2 << 30; i += 4096) *(volatile char *)((char *)rows + i) = 1;
  return rows;
}

static tessera_status attack(const hostile_call *call) {
  pthread_t thread;
  return pthread_create(&thread, NULL, fill, call->rows->frame) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE("fills-rows-later", .filled = attack)
