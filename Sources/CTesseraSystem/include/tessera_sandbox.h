// The rights that a process gives up before it loads an untrusted library.
#ifndef TESSERA_SANDBOX_H
#define TESSERA_SANDBOX_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// 0 keeps the current limit. A limit cannot be raised again.
typedef struct tessera_sandbox_limits {
  uint64_t address_space;
  uint64_t data;          // bytes of private writable memory
  uint64_t stack;         // bytes, main thread
  uint64_t cpu_seconds;   // SIGXCPU, then SIGKILL one second later
  uint32_t descriptors;   // highest descriptor + 1
  uint32_t threads;       // enforced only in a user namespace
} tessera_sandbox_limits;

// The sandbox features of a kernel; all but `landlock` are 1 or 0.
typedef struct tessera_sandbox_offer {
  int32_t landlock; // ABI version, 0 if missing
  int32_t seccomp;
  int32_t no_new_privileges;
} tessera_sandbox_offer;

tessera_sandbox_offer tessera_sandbox_offer_of_kernel(void);

// The rights that a process has given up, reported on its socket before it loads a library.
typedef struct tessera_sandbox_state {
  uint32_t mark;
  int32_t progress;
  int32_t landlock;      // version in force, 0 for none
  int32_t filters;
  int32_t is_supervised;
  int32_t is_not_root;
  int32_t limits_threads;
} tessera_sandbox_state;
#define TESSERA_SANDBOX_MARK 0x58425354u
enum {
  TESSERA_SANDBOX_ENTERING = 0, // reported with the listener for new code, if any
  TESSERA_SANDBOX_COMPLETE,
  TESSERA_SANDBOX_LOADED,       // all libraries are loaded; waits for a byte and needs no new code
};

// A forbidden system call that ended the process. Lives in memory that outlives the process. Only a
// hint for a message: any code in the process can write to it.
typedef struct tessera_forbidden_call {
  volatile int32_t is_noted; // set last
  volatile int32_t number;   // a system call or forbidden function
} tessera_forbidden_call;

// The C library function of a record, or null if the number is a system call. Static.
const char *_Nullable tessera_forbidden_function_name(int32_t number);

// The steps of tessera_sandbox_enter, in order.
enum {
  TESSERA_SANDBOX_ENTERED = 0,
  TESSERA_SANDBOX_THREADS,      // more than one thread (EBUSY)
  TESSERA_SANDBOX_USER,         // root becomes the user nobody, in a new user namespace
  TESSERA_SANDBOX_PRIVILEGES,   // no_new_privs
  TESSERA_SANDBOX_CAPABILITIES,
  TESSERA_SANDBOX_LIMITS,       // memory, CPU and descriptors; no core dumps, no writing of files
  TESSERA_SANDBOX_FILES,        // Landlock
  TESSERA_SANDBOX_HANDLER,      // the signal handler that records a forbidden call
  TESSERA_SANDBOX_CALLS,        // seccomp
};

// Gives up rights, permanently and for all future threads. The process must have only one thread.
//
// Files: only `readable` files and files below `readable` folders can be read; missing ones are
// skipped. Existence, size and dates remain visible. Descriptors: only 1, 2 and `socket` can be
// written to, and `socket` is for sending only (-1: no socket). At most 32 others may be open.
// System calls: a call that no layout needs fails. A call that indicates an attack (on another
// process, by starting a program, or over a network) ends the process with SIGSYS and is recorded
// in `forbidden`, which must live as long as the process; but not if its thread blocks SIGSYS, as
// posix_spawn does, or with system call numbers of another architecture. Code: only files can be
// mapped as code, and only while the host permits it.
//
// Sends its state on `socket` twice: with the listener for new code, if any, and after all steps.
//
// Returns TESSERA_SANDBOX_ENTERED and sets `state`, or the failed step, with its errno in `error`:
// the process must then end. A kernel without Landlock or seccomp is not a failure;
// tessera_sandbox_offer_of_kernel reports it.
int32_t tessera_sandbox_enter(const tessera_sandbox_limits *limits,
                              const char *_Nonnull const *_Nullable readable,
                              uint32_t readable_count, int32_t socket,
                              tessera_forbidden_call *forbidden, tessera_sandbox_state *state,
                              int32_t *error);

// "closing files (Landlock)". Static.
const char *_Nonnull tessera_sandbox_step_name(int32_t step);

// Prevents mapping code, and therefore loading libraries. Call it after tessera_sandbox_enter and
// after loading all libraries. Asks the host to close its listener; without a listener installs a
// filter. Returns TESSERA_SANDBOX_ENTERED, even without seccomp in the kernel, or
// TESSERA_SANDBOX_CALLS with errno in `error`.
int32_t tessera_sandbox_forbid_new_code(int32_t socket, int32_t *error);

// A system call's name here, or null without a rule. Static.
const char *_Nullable tessera_system_call_name(int32_t number);

// ---- The host's part.

// Never waits. Sets `listener` if one comes with the report, and then owns it; null accepts none.
// Returns 1 for a report, 0 for anything else, -1 if the other side is closed.
int32_t tessera_supervisor_receive(int32_t socket, tessera_sandbox_state *state,
                                   int32_t *_Nullable listener);

// Permits some of the pending new code, without waiting. Close the listener to deny the rest.
void tessera_supervisor_permit(int32_t listener);

// Answers a process that has loaded its libraries: 0, or -1 if the other side is closed.
int32_t tessera_supervisor_answer(int32_t socket);

// Waits for a report or for a question about new code. `listener` may be -1.
void tessera_supervisor_wait(int32_t socket, int32_t listener, int64_t nanoseconds);

// The filters that a process has in addition to this one's; 0 if it can gain privileges or is not
// filtered, -1 if unreadable.
int32_t tessera_supervisor_filters(int32_t process);

// ---- Crashes: recorded by the process, read by another.

#define TESSERA_CRASH_FRAMES 48
#define TESSERA_CRASH_MAPS 49152

// Lives in memory that outlives the process. Check every field: any code in the process can write
// to it.
typedef struct tessera_crash {
  uint32_t is_noted;                      // set last
  uint32_t count;                         // of frames
  // where it crashed, then the return address in each caller
  uint64_t frames[TESSERA_CRASH_FRAMES];
  uint32_t map_size;                      // bytes in `maps`
  uint32_t reserved;
  char maps[TESSERA_CRASH_MAPS];          // lines of /proc/self/maps with code
} tessera_crash;

// Records the stack of the next crash: a signal for a program error, or a forbidden system call.
// The process then ends with the same signal. A handler that other code installs replaces it.
// Returns 0, or -1 with errno.
int32_t tessera_crash_record(tessera_crash *crash);

// A frame, 0 beyond the last; and the maps, without a zero byte at the end.
uint64_t tessera_crash_frame(const tessera_crash *crash, uint32_t index);
const char *tessera_crash_maps(const tessera_crash *crash);

// From a signal's handler; a no-op without tessera_crash_record.
void tessera_crash_note(const void *context);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
