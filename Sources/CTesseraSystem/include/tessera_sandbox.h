// A sandbox: the rights that a process gives up before it loads an untrusted library.
#ifndef TESSERA_SANDBOX_H
#define TESSERA_SANDBOX_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// Resource limits of the process. 0 keeps the current limit. A limit cannot be raised again.
typedef struct tessera_sandbox_limits {
  uint64_t address_space; // bytes
  uint64_t data;          // bytes of private writable memory
  uint64_t stack;         // bytes, for the main thread
  uint64_t cpu_seconds;   // SIGXCPU after this time, SIGKILL one second later
  uint32_t descriptors;   // one more than the highest descriptor
  uint32_t threads;       // enforced only where the process can have its own user namespace
} tessera_sandbox_limits;

// The sandbox features of a kernel. Each field except `landlock` is 1 or 0.
typedef struct tessera_sandbox_offer {
  int32_t landlock;          // the version of the Landlock ABI, 0 if the kernel lacks it
  int32_t landlock_files;    // denies access to files and folders that are not listed
  int32_t landlock_truncate; // denies truncating files (version 3)
  int32_t landlock_network;  // denies TCP (version 4)
  int32_t landlock_devices;  // denies ioctl on devices (version 5)
  int32_t landlock_scopes;   // denies signals and abstract sockets to other processes (version 6)
  int32_t seccomp;           // filters system calls
  int32_t no_new_privileges; // prevents programs from gaining privileges
} tessera_sandbox_offer;

// Queries the kernel. Does not change the process or start another.
tessera_sandbox_offer tessera_sandbox_offer_of_kernel(void);

// What a process has really given up, as it reports it on its socket before it loads a library.
typedef struct tessera_sandbox_state {
  uint32_t mark;         // TESSERA_SANDBOX_MARK
  int32_t progress;      // TESSERA_SANDBOX_ENTERING, …
  int32_t landlock;      // the version of Landlock in force, 0 for none
  int32_t filters;       // the number of seccomp filters that it installed
  int32_t is_supervised; // 1 if the host decides about new code
  int32_t is_not_root;   // 1 unless it still has the user id 0
  int32_t limits_threads; // 1 if the kernel limits its threads
} tessera_sandbox_state;
#define TESSERA_SANDBOX_MARK 0x58425354u
enum {
  TESSERA_SANDBOX_ENTERING = 0, // the report has the listener for new code, if there is one
  TESSERA_SANDBOX_COMPLETE,     // all steps are done
  TESSERA_SANDBOX_LOADED,       // all libraries are loaded; the process waits for a byte and needs no new code
};

// The record of a forbidden system call, which ended the process. It must be in memory that outlives the process. It is only a hint for an
// error message, because any code in the process can write to it.
typedef struct tessera_forbidden_call {
  volatile int32_t is_noted; // 1 once `number` is set
  volatile int32_t number;   // as in tessera_system_call_name or tessera_forbidden_function_name
} tessera_forbidden_call;

// The function of the C library of a record, "posix_spawn", or null if the number is that of a system call. The string is static.
const char *_Nullable tessera_forbidden_function_name(int32_t number);

// The steps of tessera_sandbox_enter, in order.
enum {
  TESSERA_SANDBOX_ENTERED = 0,
  TESSERA_SANDBOX_THREADS,      // the process has more than one thread (EBUSY)
  TESSERA_SANDBOX_USER,         // a process of root becomes one of the user nobody, in a new user namespace
  TESSERA_SANDBOX_PRIVILEGES,   // set no_new_privs
  TESSERA_SANDBOX_CAPABILITIES, // drop all capabilities
  TESSERA_SANDBOX_LIMITS,       // limit memory, CPU and descriptors; no core dumps, no writing of files
  TESSERA_SANDBOX_FILES,        // Landlock
  TESSERA_SANDBOX_HANDLER,      // install the signal handler that records a forbidden call
  TESSERA_SANDBOX_CALLS,        // seccomp
};

// Gives up rights, permanently and for all future threads. The process must have only one thread.
//
// Files: the process can only read the files in `readable` and those below the folders in it; missing ones are skipped. It can still check
// whether a file exists, and read its size and dates. Descriptors: of the open ones, it can only write to 1, 2 and `socket`, and
// only send on `socket` (-1: no socket). At most 32 others may be open. System calls: a call that no layout needs fails with an error.
// One that indicates an attack (on another process, by starting a program, or over a network) ends the process with SIGSYS and is recorded
// in `forbidden`, which must live as long as the process. A call is not recorded if its thread blocks SIGSYS, as posix_spawn does, or if it
// uses the system call numbers of another architecture. Code: only files can be mapped as code, and only while the host permits it.
//
// Sends its state on `socket` twice: with the listener for new code, if there is one, and once all steps are done.
//
// Returns TESSERA_SANDBOX_ENTERED and sets `state`, or the step that failed, with its errno in `error`. After a failure the process must end, because the
// earlier steps are done. A kernel without Landlock or seccomp is not a failure; tessera_sandbox_offer_of_kernel reports it.
int32_t tessera_sandbox_enter(const tessera_sandbox_limits *limits,
                              const char *_Nonnull const *_Nullable readable, uint32_t readable_count,
                              int32_t socket, tessera_forbidden_call *forbidden, tessera_sandbox_state *state,
                              int32_t *error);

// What a step of tessera_sandbox_enter does, such as "closing files (Landlock)". The string is static.
const char *_Nonnull tessera_sandbox_step_name(int32_t step);

// Prevents the process from mapping code, and therefore from loading libraries. Call it after tessera_sandbox_enter, once all libraries are
// loaded. Asks the host to close its listener, and installs a filter where the process has no listener. Returns TESSERA_SANDBOX_ENTERED, also if the
// kernel lacks seccomp, or TESSERA_SANDBOX_CALLS with errno in `error`.
int32_t tessera_sandbox_forbid_new_code(int32_t socket, int32_t *error);

// The name of a system call on this architecture, such as "socket", or null if the sandbox has no rule for it. The string is static.
const char *_Nullable tessera_system_call_name(int32_t number);

// ---- The host's part: what the process reports, which code it may map, and whether its filters are there.

// Receives a report without waiting. Sets `listener` if one comes with it, and then owns it; null accepts none. Returns 1 for a report, 0
// for anything else, -1 if the other side is closed.
int32_t tessera_supervisor_receive(int32_t socket, tessera_sandbox_state *state, int32_t *_Nullable listener);

// Permits some of the new code that the process waits to map, without waiting. Close the listener to deny all that follows.
void tessera_supervisor_permit(int32_t listener);

// Answers a process that has loaded its libraries. Returns 0, or -1 if the other side is closed.
int32_t tessera_supervisor_answer(int32_t socket);

// Waits for a report or for a question about new code. `listener` may be -1.
void tessera_supervisor_wait(int32_t socket, int32_t listener, int64_t nanoseconds);

// The number of filters that a process has more than this one, as the kernel reports it; 0 if it can gain privileges or is not filtered, -1
// if it cannot be read.
int32_t tessera_supervisor_filters(int32_t process);

// ---- Where a process crashed: recorded by the process as it ends, read by another.

#define TESSERA_CRASH_FRAMES 48
#define TESSERA_CRASH_MAPS 49152

// The record of a crash. It must be in memory that outlives the process. Any code in the process can write to it, so that its reader must
// check every field.
typedef struct tessera_crash {
  uint32_t is_noted;                      // 1 once all other fields are written
  uint32_t count;                         // the number of frames
  uint64_t frames[TESSERA_CRASH_FRAMES];  // addresses: where it crashed, then in each caller the address after the call
  uint32_t map_size;                      // the number of bytes in `maps`
  uint32_t reserved;
  char maps[TESSERA_CRASH_MAPS];          // the lines of /proc/self/maps with code
} tessera_crash;

// Records the calls that lead to the next crash: to a signal that reports an error of the program, and to a forbidden system call. The
// process then ends with the same signal as without this. A handler that other code installs takes its place. Returns 0, or -1 with errno.
int32_t tessera_crash_record(tessera_crash *crash);

// A frame, 0 beyond the last; and the maps, which do not end with a zero byte.
uint64_t tessera_crash_frame(const tessera_crash *crash, uint32_t index);
const char *tessera_crash_maps(const tessera_crash *crash);

// Records the calls up to a signal, from its handler; does nothing if tessera_crash_record was not called.
void tessera_crash_note(const void *context);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
