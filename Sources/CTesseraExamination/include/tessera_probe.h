// The process state that a loaded library might change.
#ifndef TESSERA_PROBE_H
#define TESSERA_PROBE_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct tessera_process_state {
  uint32_t threads;
  uint32_t file_mode_mask;
  uint32_t open_descriptors; // among the first 256
  uint32_t reserved;
  uint64_t blocked_signals; // bit n - 1 for signal n
  uint64_t signal_actions[64]; // hash of handler and flags; index n - 1
  uint64_t descriptor_files[64]; // hash of the file; 0 if closed
  uint64_t environment;   // a hash
  uint64_t private_bytes; // private writable memory, touched or not
  char locale[256];
} tessera_process_state;

// Returns 0, or -1 with errno.
int32_t tessera_process_probe(tessera_process_state *state);

// Live malloc bytes, and free blocks in this thread's cache.
uint64_t tessera_heap_bytes(void);
// Fills this thread's cache of free blocks; otherwise its growth would look like a leak.
void tessera_fill_heap_cache(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
