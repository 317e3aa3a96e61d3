// A process of its own for an engine: started, spoken to through shared memory, watched and ended.
#ifndef TESSERA_WORKER_H
#define TESSERA_WORKER_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#define TESSERA_NEVER_NULL _Nonnull
#else
#define TESSERA_MAYBE_NULL
#define TESSERA_NEVER_NULL
#endif

// ---------------------------------------------------------------- shared memory

// A file in memory of a size, sparse: pages cost when they are touched. Returns its descriptor, closed in programs that are started;
// or -1 with errno.
int32_t tessera_memory_create(const char *name, uint64_t size);

// Takes away the right to resize it, for good; with `read_only` also the right to map it for writing or to write to it, which
// mappings that exist keep. Returns 0, or -1 with errno.
int32_t tessera_memory_fix(int32_t descriptor, int32_t read_only);

// Maps a file in memory, shared. Null with errno where the system refuses.
void *TESSERA_MAYBE_NULL tessera_memory_map(int32_t descriptor, uint64_t size, int32_t writable);

// How many bytes of a file in memory have been touched, by whomever.
uint64_t tessera_memory_touched(int32_t descriptor);

// ---------------------------------------------------------------- turns

// Two processes that take turns share a word: it counts how often the turn went over. Even: it is the host's; odd: the worker's. The
// other side may write anything into it at any time, so a waiter wants exactly the next number and gives up at its deadline.

// Adds one to the word and wakes whoever waits for it.
void tessera_turn_pass(uint32_t *word, uint32_t next);

// Waits until the word holds `expected`, at most so long; below 0 for as long as it takes. Returns 1 if it does, else 0.
int32_t tessera_turn_wait(uint32_t *word, uint32_t expected, int64_t nanoseconds);

// Whether threads of different processes can wait for a word here. Where they cannot, they pass turns through the socket.
int32_t tessera_turn_is_available(uint32_t *word);

// The slower path: a byte over a socket instead. As the two above; -1 where the other side is gone.
int32_t tessera_turn_pass_by_socket(uint32_t *word, uint32_t next, int32_t socket);
int32_t tessera_turn_wait_by_socket(uint32_t *word, uint32_t expected, int32_t socket, int64_t nanoseconds);

// ---------------------------------------------------------------- processes

// A connected pair of sockets that keep messages apart, closed in programs that are started. Returns 0, or -1 with errno.
int32_t tessera_socket_pair(int32_t *first, int32_t *second);

// A pipe, closed in programs that are started, whose reading end never waits. Returns 0, or -1 with errno.
int32_t tessera_pipe(int32_t *reading, int32_t *writing);

// Starts a program with an empty environment but for `environment`, as the leader of a process group of its own, with no descriptors
// but these: standard input closed, standard output and error both `output`, and 3, 4, … as in `descriptors`. It is killed when this
// process ends, whichever of its threads started it, as soon as it has called tessera_worker_follow_parent. Returns its id, or -1
// with errno.
int32_t tessera_worker_start(const char *path, const char *TESSERA_NEVER_NULL const *TESSERA_NEVER_NULL arguments, uint32_t argument_count,
                             const char *TESSERA_NEVER_NULL const *TESSERA_NEVER_NULL environment, uint32_t environment_count,
                             int32_t output, const int32_t *descriptors, uint32_t descriptor_count);

// In the worker: asks to be killed when the process that started it ends. Returns 0, or -1 where it has ended already.
int32_t tessera_worker_follow_parent(int32_t parent);

// Whether the other side of a socket is gone.
int32_t tessera_socket_is_closed(int32_t socket);

// What a process has used up.
typedef struct tessera_worker_usage {
  uint64_t memory; // bytes: the most it ever had, or the program that started it if that had more
  double seconds;  // of processor time, of all its threads
} tessera_worker_usage;

// What this process has used up so far.
tessera_worker_usage tessera_own_usage(void);

// How many bytes of memory a child has for itself right now; 0 where it has ended.
uint64_t tessera_worker_private_memory(int32_t process);

// Kills a process group, whatever it does, and waits for its leader to be gone. Returns how it ended as waitpid tells; -1 where
// somebody else has asked before.
int32_t tessera_worker_end(int32_t process, tessera_worker_usage *usage);

// The same, but waits so long for the leader to end by itself first.
int32_t tessera_worker_await(int32_t process, int64_t nanoseconds, tessera_worker_usage *usage);

// Moves the main thread of a process to one processor.
void tessera_worker_pin(int32_t process, int32_t processor);

// The processor that the calling thread runs on, or -1.
int32_t tessera_processor(void);

#undef TESSERA_MAYBE_NULL
#undef TESSERA_NEVER_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
