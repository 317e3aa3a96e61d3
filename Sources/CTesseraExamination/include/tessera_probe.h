// The process state that a loaded library might change.
#ifndef TESSERA_PROBE_H
#define TESSERA_PROBE_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// The state of the calling process and thread.
typedef struct tessera_process_state {
  uint32_t threads;
  uint32_t file_mode_mask;
  uint32_t open_descriptors; // among the first 256
  uint32_t reserved;
  uint64_t blocked_signals; // bit n - 1 for signal n
  uint64_t signal_actions[64]; // at index n - 1, a hash of the handler and flags of signal n
  uint64_t descriptor_files[64]; // at index n, a hash of the file of descriptor n; 0 if it is closed
  uint64_t environment;   // a hash
  uint64_t heap_bytes;    // allocated with malloc and not freed
  uint64_t private_bytes; // private writable memory, whether touched or not
  char locale[256];
} tessera_process_state;

// Reads the state. Returns 0, or -1 with errno if the system does not provide it.
int32_t tessera_process_probe(tessera_process_state *state);

// The number of bytes allocated with malloc and not freed, with those freed blocks that the allocator keeps for this thread.
uint64_t tessera_heap_bytes(void);
// Lets the allocator keep as many freed blocks for this thread as it can, so that their number does not grow later.
void tessera_fill_heap_cache(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
