#define _GNU_SOURCE
#include "tessera_memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

int tessera_memory_file_create(const char *name) {
  // The system's limit is 249 bytes.
  char truncated[200];
  snprintf(truncated, sizeof truncated, "%s", name);
  int descriptor = memfd_create(truncated, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return descriptor < 0 ? -errno : descriptor;
}

int64_t tessera_memory_file_fill(int descriptor, int source, uint64_t size) {
  off_t offset = 0;
  while ((uint64_t)offset < size) {
    ssize_t count = sendfile(descriptor, source, &offset, size - (uint64_t)offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -errno;
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
  // The kernel refuses while it still holds a page of the file somewhere, such as in a queue for its lists.
  const struct timespec pause = {0, 1000000};
  for (int attempt = 0; fcntl(descriptor, F_ADD_SEALS, seals) < 0; attempt++) {
    if (errno != EBUSY || attempt == 1000) return -errno;
    nanosleep(&pause, NULL);
  }
  return 0;
}
