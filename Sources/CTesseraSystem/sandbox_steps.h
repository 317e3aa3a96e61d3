// The part of tessera_sandbox_enter in seccomp.c. Those that return an int return 0, or -1 with errno.
#ifndef TESSERA_SANDBOX_STEPS_H
#define TESSERA_SANDBOX_STEPS_H

#include "tessera_sandbox.h"

// Returns 1 if the kernel can filter system calls, otherwise 0.
int32_t tessera_seccomp_is_offered(void);
// Denies code that is not mapped from a file. If the kernel offers it, sets `listener` to a descriptor with which another process decides
// about each new mapping; once it is closed everywhere, all fail. Otherwise sets it to -1 and permits them, as it does if it is null.
int tessera_seccomp_supervise_code(int32_t *listener);
int tessera_seccomp_enter(int32_t socket, int is_supervised);
int tessera_seccomp_forbid_new_code(void);

#endif
