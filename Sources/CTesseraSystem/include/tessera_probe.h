// What a library may change of the process that it is loaded into.
#ifndef TESSERA_PROBE_H
#define TESSERA_PROBE_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#else
#define TESSERA_MAYBE_NULL
#endif

// The state of the calling process and thread. Hashes differ where what they stand for does.
typedef struct tessera_process_state {
  uint32_t threads;
  uint32_t file_mode_mask;
  uint32_t open_descriptors; // of the first 256
  uint32_t reserved;
  uint64_t blocked_signals; // bit n - 1: signal n
  uint64_t signal_actions[64]; // a hash of the handler and flags of signal n at n - 1
  uint64_t environment;
  uint64_t heap_bytes;    // that malloc has given out
  uint64_t private_bytes; // writable memory of the process's own, touched or not
  char locale[256];
} tessera_process_state;

// Reads it. Returns 0, or -1 with errno where the system does not tell.
int32_t tessera_process_probe(tessera_process_state *state);

// The bytes that malloc has given out and not got back.
uint64_t tessera_heap_bytes(void);

// Memory with a page before and a page behind that nobody can touch; its size is rounded up to whole pages. Null where there is none.
// Freed with the rounded size.
void *TESSERA_MAYBE_NULL tessera_guarded_create(uint64_t size);
void tessera_guarded_destroy(void *memory, uint64_t size);

#undef TESSERA_MAYBE_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
