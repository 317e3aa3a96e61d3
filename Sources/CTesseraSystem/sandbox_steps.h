// The part of tessera_sandbox_enter in seccomp.c. An int result is 0, or -1 with errno.
#ifndef TESSERA_SANDBOX_STEPS_H
#define TESSERA_SANDBOX_STEPS_H

#include "tessera_sandbox.h"

int32_t tessera_seccomp_is_offered(void);
// Denies code that is not mapped from a file. With kernel support, sets `listener` to a descriptor
// with which another process decides about new mappings; once it is closed everywhere, all fail.
// Otherwise, or if null, permits them and sets it to -1.
int tessera_seccomp_supervise_code(int32_t *listener);
int tessera_seccomp_enter(int32_t socket, int is_supervised);
int tessera_seccomp_forbid_new_code(void);

#endif
