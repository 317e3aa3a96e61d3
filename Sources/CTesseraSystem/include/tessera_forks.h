// What a process that is forked from this one must know: who it is, and that no lock of the whole process is held by a thread that the child
// does not have.
#ifndef TESSERA_FORKS_H
#define TESSERA_FORKS_H

#include <pthread.h>
#include <stdint.h>

#if defined(__clang__)
#define TESSERA_MAYBE_NULL _Nullable
#define TESSERA_NEVER_NULL _Nonnull
#else
#define TESSERA_MAYBE_NULL
#define TESSERA_NEVER_NULL
#endif

// The id of the calling process, without a system call after the first.
int32_t tessera_own_process(void);

// The locks of the whole process. A thread that holds one may take only those after it.
#define TESSERA_LOCK_LOADED 0    // libraries that were loaded into this process; their code runs meanwhile
#define TESSERA_LOCK_LIBRARIES 1 // copies of libraries
#define TESSERA_LOCK_COLUMNS 2   // memory of rows
#define TESSERA_LOCK_STUBS 3     // functions that are made at run time
#define TESSERA_LOCK_STARTER 4   // the thread that starts workers
#define TESSERA_LOCK_WATCHER 5   // the thread that watches workers
#define TESSERA_LOCK_COUNT 6

// From now on, a fork waits until nobody holds the lock, and the child has a new one. `in_child` is called in the child, to forget what only
// the parent has; it may be null. Call it before the lock is used for the first time, once for each number.
void tessera_guard_forks(int32_t number, pthread_mutex_t *TESSERA_NEVER_NULL lock, void (*TESSERA_MAYBE_NULL in_child)(void));

// Creates a lock of the whole process for good, which its own holder may fork with. Null if memory is short.
pthread_mutex_t *TESSERA_MAYBE_NULL tessera_process_lock(int32_t number);

#undef TESSERA_MAYBE_NULL
#undef TESSERA_NEVER_NULL

#endif
