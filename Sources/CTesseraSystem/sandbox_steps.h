// The steps of the sandbox that have files of their own. Each answers with 0, or with -1 and errno.
#ifndef TESSERA_SANDBOX_STEPS_H
#define TESSERA_SANDBOX_STEPS_H

#include "tessera_sandbox.h"

// The version of Landlock's ABI; 0: none.
int32_t tessera_landlock_version(void);
int tessera_landlock_enter(const char *const *readable, uint32_t readable_count);

// 1 if the kernel filters system calls, else 0.
int32_t tessera_seccomp_is_offered(void);
int tessera_seccomp_enter(int32_t socket);
int tessera_seccomp_forbid_new_code(void);

// Notes what the filter traps, then ends the process with SIGSYS.
int tessera_forbidden_call_handle(tessera_forbidden_call *forbidden);

#endif
