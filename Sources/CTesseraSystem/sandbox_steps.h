// The steps of tessera_sandbox_enter that are implemented in other files. Those that return an int return 0, or -1 with errno.
#ifndef TESSERA_SANDBOX_STEPS_H
#define TESSERA_SANDBOX_STEPS_H

#include "tessera_sandbox.h"

// The version of the Landlock ABI, or 0 if the kernel has no Landlock.
int32_t tessera_landlock_version(void);
int tessera_landlock_enter(const char *const *readable, uint32_t readable_count);

// Returns 1 if the kernel can filter system calls, otherwise 0.
int32_t tessera_seccomp_is_offered(void);
// Denies code that is not mapped from a file. If the kernel offers it, sets `listener` to a descriptor with which another process decides
// about each new mapping; once it is closed everywhere, all fail. Otherwise sets it to -1 and permits them, as it does if it is null.
int tessera_seccomp_supervise_code(int32_t *listener);
int tessera_seccomp_enter(int32_t socket, int is_supervised);
int tessera_seccomp_forbid_new_code(void);

// Installs a signal handler that records the call that the filter traps, then ends the process with SIGSYS.
int tessera_forbidden_call_handle(tessera_forbidden_call *forbidden);

// Records calls of functions that block every signal before they make a forbidden system call, by the libraries that are loaded now.
void tessera_forbidden_functions_record(void);

#endif
