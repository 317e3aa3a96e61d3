// Maps its own file as code in eight threads, without end, so that the host has to permit it without end.

#include "hostile.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

static void *map(void *unused) {
  const int file = open("/proc/self/fd/6", O_RDONLY | O_CLOEXEC);
  for (;;) {
    void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    if (code != MAP_FAILED) munmap(code, 4096);
  }
  return unused;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  for (int i = 0; i < 8; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, map, NULL) != 0) return TESSERA_ERROR_FAILED;
  }
  for (;;) pause();
}

HOSTILE("maps-code-forever", .WHERE = attack)
