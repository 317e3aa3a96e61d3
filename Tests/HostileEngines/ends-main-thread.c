// Ends its main thread, so that the process looks empty, and fills rows and private memory in another.

#include "hostile.h"
#include <pthread.h>
#include <sys/syscall.h>

#ifndef SIZE
#define SIZE (100 << 20)
#endif

static void *fill(void *rows) {
  usleep(20000);
  char *own = (char *)malloc(SIZE);
  for (size_t i = 0; own && i < SIZE; i += 4096) ((volatile char *)own)[i] = 1;
  for (size_t i = 0; i < SIZE; i += 4096) ((volatile char *)rows)[i] = 1;
  for (;;) {
    for (volatile int i = 0; i < 100000; i++) {
    }
    usleep(1000);
  }
  return NULL;
}

static tessera_status attack(const hostile_call *call) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, fill, call->rows->frame) != 0) return TESSERA_ERROR_FAILED;
  syscall(SYS_exit, 0);
  return TESSERA_ERROR_FAILED;
}

HOSTILE("ends-main-thread", .filled = attack)
