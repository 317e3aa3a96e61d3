// Memory that ends an engine's process with a message when it is misused.
#ifndef TESSERA_CHECKED_MEMORY_H
#define TESSERA_CHECKED_MEMORY_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#else
#define TESSERA_MAYBE_NULL
#endif

// Kinds of blocks.
enum {
  TESSERA_CHECKED_HEAP = 1, // allocated with malloc
  TESSERA_CHECKED_LENT = 2, // lent for one call: input, output, rows
};

// Kinds of misuse.
enum {
  TESSERA_MISUSE_NONE = 0,
  TESSERA_MISUSE_HEAP = 1,   // any misuse of a malloc block
  TESSERA_MISUSE_BOUNDS = 2, // out of bounds of a block lent for a call
  TESSERA_MISUSE_KEPT = 3,   // use after the call
  TESSERA_MISUSE_ROWS = 4,   // out of bounds of a block lent for several calls
};

// Must outlive the process. Untrusted: any code in the process can write to it.
typedef struct tessera_misuse {
  uint32_t is_noted; // written last
  uint32_t kind;     // TESSERA_MISUSE_…
  uint32_t round;    // set by the caller
  uint32_t reserved;
  char text[240];    // "reads past the end of section_starts"; ends with a zero byte unless damaged
} tessera_misuse;

// Not necessarily zero-terminated.
const char *tessera_misuse_text(const tessera_misuse *misuse);

// Call once. Returns 0, or -1 with errno.
int32_t tessera_checked_begin(tessera_misuse *misuse);

// For new blocks: whether their end or their start touches a guard page, and their fill byte.
void tessera_checked_choose(int32_t at_end, uint8_t fill);

// Lends a block for a call or until it is retired; copies the name. Null if out of space.
void *TESSERA_MAYBE_NULL tessera_checked_lend(uint64_t size, const char *name, int32_t for_call);
// Any later access to the block is a misuse.
void tessera_checked_retire(void *block);

// Retires the blocks lent for a call since the count was `number`.
uint64_t tessera_checked_count(void);
void tessera_checked_retire_from(uint64_t number);

// Redirects malloc of the loaded libraries, but not of the program.
void tessera_checked_heap(void);
// Ends the process after a write next to a malloc block.
void tessera_checked_verify(void);

// Fills the unused stack with the fill byte.
void tessera_checked_fill_stack(void);

#undef TESSERA_MAYBE_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
