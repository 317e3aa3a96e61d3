// Sets up an io_uring, whose system calls no filter sees.

#include "hostile.h"
#include <sys/syscall.h>

static tessera_status attack(const hostile_call *call) {
  char parameters[256] = {0};
  return syscall(SYS_io_uring_setup, 8, parameters) >= 0 ? hostile_won(call, "it has a ring")
                                                         : TESSERA_OK;
}

HOSTILE("io-uring", .WHERE = attack)
