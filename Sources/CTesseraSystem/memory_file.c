#define _GNU_SOURCE
#include "tessera_system.h"
#include "tessera_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int tessera_memory_file_create(const char *name) {
  // The system's limit is 249 bytes.
  char truncated[200];
  snprintf(truncated, sizeof truncated, "%s", name);
  return memfd_create(truncated, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int64_t tessera_memory_file_fill(int descriptor, int source, uint64_t size) {
  off_t offset = 0;
  while ((uint64_t)offset < size) {
    ssize_t count = sendfile(descriptor, source, &offset, size - (uint64_t)offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
  }
  return offset;
}

uint64_t tessera_file_data(int descriptor, uint64_t size) {
  uint64_t data = 0;
  off_t place = 0;
  while ((uint64_t)place < size) {
    const off_t start = lseek(descriptor, place, SEEK_DATA);
    if (start < 0) {
      if (errno != ENXIO) data = size;
      break;
    }
    place = lseek(descriptor, start, SEEK_HOLE);
    data += (uint64_t)(place - start);
  }
  lseek(descriptor, 0, SEEK_SET);
  return data;
}

int tessera_memory_file_seal(int descriptor) {
  int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  // The kernel refuses while it still holds a page of the file.
  const struct timespec pause = {0, 1000000};
  for (int attempt = 0; fcntl(descriptor, F_ADD_SEALS, seals) < 0; attempt++) {
    if (errno != EBUSY || attempt == 1000) return -1;
    nanosleep(&pause, NULL);
  }
  return 0;
}

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

int32_t tessera_memory_create(const char *name, uint64_t size) {
  int descriptor = tessera_memory_file_create(name);
  if (descriptor < 0 || ftruncate(descriptor, (off_t)size) == 0) return descriptor;
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
