// Worker processes: starting, communicating through shared memory, monitoring and ending them.
#ifndef TESSERA_WORKER_H
#define TESSERA_WORKER_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// Shared memory.

// Creates a sparse memory file; a page uses memory once it is touched. Returns its descriptor, which is closed on exec, or -1 with errno.
int32_t tessera_memory_create(const char *name, uint64_t size);

// Permanently prevents resizing of a memory file, or only shrinking if it `grows`. With `read_only` also prevents writing to it and mapping it as writable; existing
// mappings stay writable. Returns 0, or -1 with errno.
int32_t tessera_memory_fix(int32_t descriptor, int32_t read_only, int32_t grows);

// Maps a memory file as shared memory. Returns null with errno if that fails.
void *_Nullable tessera_memory_map(int32_t descriptor, uint64_t size, int32_t writable);

// The number of bytes of a memory file that any process has touched.
uint64_t tessera_memory_touched(int32_t descriptor);

// Turns.
//
// Host and worker take turns. A shared word counts the turns: it is even during the host's turn and odd during the worker's. The other side
// may write anything to the word at any time, so a waiter waits for exactly the next number, until its deadline. The word after it counts
// the waiters that may sleep: only these need a system call to be woken.

// Sets the word to `next`, the next number, and wakes all waiters that sleep.
void tessera_turn_pass(uint32_t *word, uint32_t next);

// Looks at the word for at most the given time, without sleeping, until it is `expected`. Returns whether it is.
int32_t tessera_turn_spin(uint32_t *word, uint32_t expected, int64_t nanoseconds);

// Waits until the word is `expected`, for at most the given time, or without limit if it is negative. Returns 1, or 0 on timeout.
int32_t tessera_turn_wait(uint32_t *word, uint32_t expected, int64_t nanoseconds);

// Processes.

// Creates a connected pair of sockets that preserve message boundaries and are closed on exec. Returns 0, or -1 with errno.
int32_t tessera_socket_pair(int32_t *first, int32_t *second);

// Creates a pipe that is closed on exec and whose reading end does not block. Returns 0, or -1 with errno.
int32_t tessera_pipe(int32_t *reading, int32_t *writing);

// Starts a program with only the variables in `environment`, as the leader of a new process group. Its standard input is closed, its
// standard output and error are `output`, its descriptors 3, 4, … are `descriptors`, and it has no others. Once it has called
// tessera_worker_follow_parent, it is killed when this process ends, but not when the calling thread ends. Returns its process id, or -1
// with errno.
int32_t tessera_worker_start(const char *path, const char *_Nonnull const *_Nonnull arguments, uint32_t argument_count,
                             const char *_Nonnull const *_Nonnull environment, uint32_t environment_count,
                             int32_t output, const int32_t *descriptors, uint32_t descriptor_count);

// Called by the worker: arranges that the worker is killed when the process that started it ends. Returns 0, or -1 if it has already ended.
int32_t tessera_worker_follow_parent(int32_t parent);

// Starts a program by its path, or by its name in PATH, as the leader of a new session, with the usual reactions to signals. Its descriptors
// 0, 1 and 2 are `standard`, or /dev/null where that is negative, and it has no others. Both lists end with null. If it `follows`,
// it is killed when the calling thread ends. Returns its process id, or -1 with errno.
int32_t tessera_child_start(const char *program, char *_Nullable const *_Nonnull arguments,
                            char *_Nullable const *_Nonnull environment, const int32_t *standard, int32_t follows);

// Whether the other side of a socket is closed.
int32_t tessera_socket_is_closed(int32_t socket);

// Creates a descriptor that is readable while one of the descriptors added to it is, or -1.
int32_t tessera_poll_set(void);

// Adds a descriptor to a set until it is closed: while it is readable, or with `only_end` only once the other side has closed it. Returns
// 0, or -1.
int32_t tessera_poll_add(int32_t set, int32_t descriptor, int32_t only_end);

// The resources that a process has used.
typedef struct tessera_worker_usage {
  uint64_t memory; // the peak in bytes, or that of the program that started it if that is higher
  double seconds;  // processor time of all threads
} tessera_worker_usage;

// The resources that this process has used so far.
tessera_worker_usage tessera_own_usage(void);

// The processor time of a child process in seconds; infinite if it cannot be read.
double tessera_worker_seconds(int32_t process);

// The number of bytes of memory that a child process does not share with others; 0 if it has ended.
uint64_t tessera_worker_private_memory(int32_t process);

// The bytes that this process can still map as private memory under its limits; UINT64_MAX without limits.
uint64_t tessera_address_space_left(void);

// The most bytes of a file, of one in memory too; UINT64_MAX if there is no limit.
uint64_t tessera_file_size_limit(void);

// Kills a process group and waits for its leader, a child, to end. Returns the leader's status as waitpid does, or -1 if the status has already been
// collected.
int32_t tessera_worker_end(int32_t process, tessera_worker_usage *usage);

// As tessera_worker_end, but first waits up to the given time for the leader to end by itself.
int32_t tessera_worker_await(int32_t process, int64_t nanoseconds, tessera_worker_usage *usage);

// Moves the main thread of a process to one processor.
void tessera_worker_pin(int32_t process, int32_t processor);

// The processor on which the calling thread runs, or -1.
int32_t tessera_processor(void);

// Another processor on which this process may run, or -1.
int32_t tessera_other_processor(int32_t processor);

// ---- A watch over the memory and the threads of other processes, between calls too.

// What a process uses.
typedef struct tessera_usage {
  uint64_t rows;    // bytes touched of the memory that it shares for its rows
  uint64_t input;   // bytes touched of the memory that it can read
  uint64_t own;     // bytes of private memory
  uint32_t threads;
} tessera_usage;

// What the watch stopped a process for.
enum { TESSERA_WATCH_NOTHING = 0, TESSERA_WATCH_MEMORY, TESSERA_WATCH_THREADS };

// A watched process. Every 20 ms, one thread of this program looks at the processes that have used processor time since.
typedef struct tessera_watch tessera_watch;

// Watches a process that this one started and has not waited for. The sum of its memory must not exceed `memory` bytes, nor its threads
// `threads`; 0 for no limit. The descriptors must stay open until the watch ends. Returns null if memory or threads are exhausted.
tessera_watch *_Nullable tessera_watch_start(int32_t process, int32_t rows, int32_t input, uint64_t memory, uint32_t threads);

// Looks at the process now, and kills it if it exceeds a limit. Returns what it was killed for, now or earlier.
int32_t tessera_watch_look(tessera_watch *watch);

// The usage at the last look, and the most private memory of all looks.
tessera_usage tessera_watch_usage(tessera_watch *watch);

// Ends the watch. Call it before waiting for the process, whose id is then no longer its own. Returns what it was killed for.
int32_t tessera_watch_end(tessera_watch *watch);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
