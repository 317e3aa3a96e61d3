// Makes the system call CALL, with arguments with which it fails or does nothing if it is allowed.

#include "hostile.h"
#include <sys/syscall.h>

#ifndef CALL
#define CALL SYS_mount
#endif
#ifndef ARGUMENTS
#define ARGUMENTS 0, 0, 0, 0, 0
#endif

static tessera_status attack(const hostile_call *call) {
  return syscall(CALL, ARGUMENTS) == 0 ? hostile_won(call, "the system call was made") : TESSERA_OK;
}

HOSTILE("forbidden-call", .WHERE = attack)
