// A watch over the memory and the threads of other processes, between calls too.
#ifndef TESSERA_WATCH_H
#define TESSERA_WATCH_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#else
#define TESSERA_MAYBE_NULL
#endif

// What a process uses.
typedef struct tessera_usage {
  uint64_t rows;    // bytes touched of the memory that it shares for its rows
  uint64_t input;   // bytes touched of the memory that it can read
  uint64_t own;     // bytes of private memory
  uint32_t threads;
} tessera_usage;

// What the watch stopped a process for.
enum { TESSERA_WATCH_NOTHING = 0, TESSERA_WATCH_MEMORY, TESSERA_WATCH_THREADS };

// A watched process. Every 20 ms, one thread of this program looks at those that have used processor time since.
typedef struct tessera_watch tessera_watch;

// Watches a process that this one started and has not waited for. The sum of its memory must not exceed `memory` bytes, nor its threads
// `threads`; 0 for no limit. The descriptors must stay open until the watch ends. Returns null if memory or threads are exhausted.
tessera_watch *TESSERA_MAYBE_NULL tessera_watch_start(int32_t process, int32_t rows, int32_t input, uint64_t memory, uint32_t threads);

// Looks at the process now, and kills it if it exceeds a limit. Returns what it was killed for, now or earlier.
int32_t tessera_watch_look(tessera_watch *watch);

// The usage at the last look, and the most private memory of all looks.
tessera_usage tessera_watch_usage(tessera_watch *watch);

// Ends the watch. Call it before waiting for the process, whose id is then no longer its own. Returns what it was killed for.
int32_t tessera_watch_end(tessera_watch *watch);

#undef TESSERA_MAYBE_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
