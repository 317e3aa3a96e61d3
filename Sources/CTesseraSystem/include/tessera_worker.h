// Worker processes: starting, shared memory, monitoring and ending.
#ifndef TESSERA_WORKER_H
#define TESSERA_WORKER_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// ---- Shared memory.

// Sparse; touched pages use memory. Returns the descriptor, closed on exec, or -1 with errno.
int32_t tessera_memory_create(const char *name, uint64_t size);

// Permanently prevents resizing, or only shrinking if it `grows`. With `read_only` also prevents
// writing and writable mappings; existing ones stay. Returns 0, or -1 with errno.
int32_t tessera_memory_fix(int32_t descriptor, int32_t read_only, int32_t grows);

// Shared. Null with errno on failure.
void *_Nullable tessera_memory_map(int32_t descriptor, uint64_t size, int32_t writable);

// By any process, in bytes.
uint64_t tessera_memory_touched(int32_t descriptor);

// ---- Turns.
//
// A shared word counts turns: even for the host, odd for the worker. The other side may write
// anything at any time: a waiter waits for exactly the next number, until its deadline. The next
// word counts possible sleepers, which need a system call to wake.

// Sets the word to `next`, and wakes all sleepers.
void tessera_turn_pass(uint32_t *word, uint32_t next);

// Never sleeps. Returns whether the word is `expected` in time.
int32_t tessera_turn_spin(uint32_t *word, uint32_t expected, int64_t nanoseconds);

// A negative time is no limit. Returns 1, or 0 on timeout.
int32_t tessera_turn_wait(uint32_t *word, uint32_t expected, int64_t nanoseconds);

// ---- Processes.

// Preserve message boundaries; closed on exec. Returns 0, or -1 with errno.
int32_t tessera_socket_pair(int32_t *first, int32_t *second);

// Closed on exec, with a non-blocking reading end. Returns 0, or -1 with errno.
int32_t tessera_pipe(int32_t *reading, int32_t *writing);

// Starts a program with only the variables in `environment`, as the leader of a new process group.
// Standard input is closed, standard output and error are `output`, its descriptors 3, 4, … are
// `descriptors`, and it has no others. After tessera_worker_follow_parent, it is killed when this
// process ends, but not with the calling thread. Returns its process id, or -1 with errno.
int32_t tessera_worker_start(const char *path, const char *_Nonnull const *_Nonnull arguments,
                             uint32_t argument_count,
                             const char *_Nonnull const *_Nonnull environment,
                             uint32_t environment_count, int32_t output, const int32_t *descriptors,
                             uint32_t descriptor_count);

// For the worker: kills it when its parent ends. Returns 0, or -1 if it has already ended.
int32_t tessera_worker_follow_parent(int32_t parent);

// Starts a program by its path, or by its name in PATH, as the leader of a new session, with
// default signal handling. Its descriptors 0, 1 and 2 are `standard`, or /dev/null where negative,
// and it has no others. Both lists end with null. If it `follows`, it is killed with the calling
// thread. Returns its process id, or -1 with errno.
int32_t tessera_child_start(const char *program, char *_Nullable const *_Nonnull arguments,
                            char *_Nullable const *_Nonnull environment, const int32_t *standard,
                            int32_t follows);

int32_t tessera_socket_is_closed(int32_t socket);

// Readable while an added descriptor is; or -1.
int32_t tessera_poll_set(void);

// Until the descriptor is closed: while readable, or with `only_end` once the other side is closed.
// Returns 0, or -1.
int32_t tessera_poll_add(int32_t set, int32_t descriptor, int32_t only_end);

typedef struct tessera_worker_usage {
  uint64_t memory; // peak in bytes, or the starting program's if higher
  double seconds;  // processor time of all threads
} tessera_worker_usage;

tessera_worker_usage tessera_own_usage(void);

// Seconds of processor time; infinite if unreadable.
double tessera_worker_seconds(int32_t process);

// Unshared memory in bytes; 0 if it has ended.
uint64_t tessera_worker_private_memory(int32_t process);

// Bytes; UINT64_MAX without limits.
uint64_t tessera_address_space_left(void);

// Bytes, even in memory; UINT64_MAX without a limit.
uint64_t tessera_file_size_limit(void);

// Kills a process group and waits for its leader, a child that first has the time to end by itself.
// Returns the status as waitpid does, or -1 if already collected.
int32_t tessera_worker_end(int32_t process, int64_t nanoseconds, tessera_worker_usage *usage);

void tessera_worker_pin(int32_t process, int32_t processor);

// -1 if unknown.
int32_t tessera_processor(void);

// -1 without another processor for this process.
int32_t tessera_other_processor(int32_t processor);

// ---- Watches the memory and the threads of other processes, between calls too.

typedef struct tessera_usage {
  uint64_t rows;    // bytes touched of its shared rows
  uint64_t input;   // bytes touched of its readable memory
  uint64_t own;     // bytes of private memory
  uint32_t threads;
} tessera_usage;

enum { TESSERA_WATCH_NOTHING = 0, TESSERA_WATCH_MEMORY, TESSERA_WATCH_THREADS };

// Every 20 ms, one thread checks the watched processes that have run since.
typedef struct tessera_watch tessera_watch;

// Watches a child that has not been waited for. Its memory must not exceed `memory` bytes in sum,
// nor its threads `threads`; 0 for no limit. The descriptors must stay open until the watch ends.
// Null if out of memory or threads.
tessera_watch *_Nullable tessera_watch_start(int32_t process, int32_t rows, int32_t input,
                                             uint64_t memory, uint32_t threads);

// Checks now, and kills above a limit. Returns why it was killed, now or earlier.
int32_t tessera_watch_look(tessera_watch *watch);

// With the peak of private memory.
tessera_usage tessera_watch_usage(tessera_watch *watch);

// Call it before waiting for the process, whose id may then be reused. Returns why it was killed.
int32_t tessera_watch_end(tessera_watch *watch);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
