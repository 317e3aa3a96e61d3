// Reads the memory and the environment of its parent.

#include "hostile.h"
#include <fcntl.h>
#include <sys/uio.h>

static tessera_status attack(const hostile_call *call) {
  char path[64], byte;
  for (int kind = 0; kind < 2; kind++) {
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), kind == 0 ? "mem" : "environ");
    int file = open(path, O_RDONLY);
    if (file >= 0 && (kind == 0 || read(file, &byte, 1) == 1))
      return hostile_won(call, "it reads its parent through /proc");
  }
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1)
    return hostile_won(call, "it reads its parent's memory");
  return TESSERA_OK;
}

HOSTILE("reads-parent", .WHERE = attack)
