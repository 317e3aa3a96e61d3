// The rights that a process gives up before it loads a library of a stranger.
#ifndef TESSERA_SANDBOX_H
#define TESSERA_SANDBOX_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#define TESSERA_NEVER_NULL _Nonnull
#else
#define TESSERA_MAYBE_NULL
#define TESSERA_NEVER_NULL
#endif

// What the process may use at most; 0: as much as before. None can be raised again.
typedef struct tessera_sandbox_limits {
  uint64_t address_space; // bytes
  uint64_t data;          // bytes of private writable memory
  uint64_t stack;         // bytes, of the first thread
  uint64_t cpu_seconds;   // SIGXCPU at this many, SIGKILL a second later
  uint32_t descriptors;   // one more than the highest descriptor
} tessera_sandbox_limits;

// What of the sandbox a kernel offers. Each is 1 or 0, but for `landlock`.
typedef struct tessera_sandbox_offer {
  int32_t landlock;          // the version of its ABI, from 1; 0: none
  int32_t landlock_files;    // files and folders are closed unless listed
  int32_t landlock_truncate; // truncating is refused (version 3)
  int32_t landlock_network;  // TCP is refused (version 4)
  int32_t landlock_devices;  // ioctl on devices is refused (version 5)
  int32_t landlock_scopes;   // signals and abstract sockets do not reach other processes (version 6)
  int32_t seccomp;           // system calls can be filtered
  int32_t no_new_privileges; // no program gives rights back
} tessera_sandbox_offer;

// Asks the kernel; changes nothing in the process and starts none.
tessera_sandbox_offer tessera_sandbox_offer_of_kernel(void);

// Where a forbidden system call is noted before the process dies of it. Lies in memory that outlives the process. A hint for a
// message, not evidence: whoever runs in the process can write it too.
typedef struct tessera_forbidden_call {
  volatile int32_t is_noted; // 1 once `number` is set
  volatile int32_t number;   // as in tessera_system_call_name
} tessera_forbidden_call;

// The steps of tessera_sandbox_enter, in their order.
enum {
  TESSERA_SANDBOX_ENTERED = 0,
  TESSERA_SANDBOX_THREADS,      // the process has more than one thread (EBUSY)
  TESSERA_SANDBOX_PRIVILEGES,   // no new privileges
  TESSERA_SANDBOX_CAPABILITIES, // all dropped
  TESSERA_SANDBOX_LIMITS,       // memory, CPU, descriptors; no core files, no files written
  TESSERA_SANDBOX_FILES,        // Landlock
  TESSERA_SANDBOX_HANDLER,      // what notes a forbidden call
  TESSERA_SANDBOX_CALLS,        // seccomp
};

// Gives up rights, for good and for all threads to come. The process must have one thread.
//
// Of files only `readable` stay open to it, and what lies beneath the folders among them; those that are missing are skipped. Whether a
// file exists, its size and dates can still be asked. Of the descriptors that it has now, of which at most 32 are others, it may write to
// 1, 2 and `socket` (-1: none) only, and send on `socket` only. A system call that no layout needs answers with an error; one that is an
// attack (another process, a program, a network) ends the process with SIGSYS and is noted in `forbidden`, which must live as long as the
// process. Not noted is one that a thread makes while it blocks SIGSYS, as posix_spawn does, or by the numbers of another machine.
//
// Returns TESSERA_SANDBOX_ENTERED, or the step that failed with its errno in `error`: the process must then end, since the steps before
// are done. Landlock or seccomp that the kernel lacks is no failure; tessera_sandbox_offer_of_kernel tells of it.
int32_t tessera_sandbox_enter(const tessera_sandbox_limits *limits,
                              const char *TESSERA_NEVER_NULL const *TESSERA_MAYBE_NULL readable, uint32_t readable_count,
                              int32_t socket, tessera_forbidden_call *forbidden, int32_t *error);

// From here on there is no new executable memory, so no library can be loaded either. To be called after tessera_sandbox_enter, once all
// are loaded. Returns TESSERA_SANDBOX_ENTERED, also where the kernel lacks seccomp, or TESSERA_SANDBOX_CALLS with errno in `error`.
int32_t tessera_sandbox_forbid_new_code(int32_t *error);

// The name of a system call on this machine, "socket"; null if the sandbox treats it as one it does not know. Owner: nobody, it is static.
const char *TESSERA_MAYBE_NULL tessera_system_call_name(int32_t number);

#undef TESSERA_MAYBE_NULL
#undef TESSERA_NEVER_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
