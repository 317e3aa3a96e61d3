#define _GNU_SOURCE
#include "tessera_memory_file.h"
#include "tessera_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

int32_t tessera_memory_create(const char *name, uint64_t size) {
  int descriptor = tessera_memory_file_create(name);
  if (descriptor < 0) {
    errno = -descriptor;
    return -1;
  }
  if (ftruncate(descriptor, (off_t)size) == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

int32_t tessera_memory_fix(int32_t descriptor, int32_t read_only, int32_t grows) {
  int seals = F_SEAL_SHRINK | (grows ? 0 : F_SEAL_GROW) | F_SEAL_SEAL | (read_only ? F_SEAL_FUTURE_WRITE : 0);
  return fcntl(descriptor, F_ADD_SEALS, seals);
}

void *tessera_memory_map(int32_t descriptor, uint64_t size, int32_t writable) {
  int rights = PROT_READ | (writable ? PROT_WRITE : 0);
  void *memory = mmap(NULL, size, rights, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

uint64_t tessera_memory_touched(int32_t descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? (uint64_t)status.st_blocks * 512 : 0;
}
