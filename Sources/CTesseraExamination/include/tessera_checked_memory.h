// Memory whose misuse ends the process with a sentence that names it, for tests that run inside an engine's process.
#ifndef TESSERA_CHECKED_MEMORY_H
#define TESSERA_CHECKED_MEMORY_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#else
#define TESSERA_MAYBE_NULL
#endif

// What a block of memory is, and so which rule its misuse breaks.
enum {
  TESSERA_CHECKED_HEAP = 1, // allocated with malloc
  TESSERA_CHECKED_LENT = 2, // lent for one call: input, output, rows
};

// How a block was misused; HEAP for every misuse of memory from malloc.
enum {
  TESSERA_MISUSE_NONE = 0,
  TESSERA_MISUSE_HEAP = 1,
  TESSERA_MISUSE_BOUNDS = 2, // beyond the ends of something lent
  TESSERA_MISUSE_KEPT = 3,   // something lent for an earlier call
  TESSERA_MISUSE_ROWS = 4,   // beyond the ends of something lent for several calls
};

// Why the process ends. It must be in memory that outlives the process. Any code in the process can write to it, so that its reader must
// check every field.
typedef struct tessera_misuse {
  uint32_t is_noted; // 1 once all other fields are written
  uint32_t kind;     // TESSERA_MISUSE_…
  uint32_t round;    // set by the caller: which contents new memory has
  uint32_t reserved;
  char text[240];    // "reads past the end of section_starts"; ends with a zero byte unless damaged
} tessera_misuse;

// The text, which need not end with a zero byte.
const char *tessera_misuse_text(const tessera_misuse *misuse);

// Reserves address space for blocks, and notes each misuse of one. Call it once. Returns 0, or -1 with errno.
int32_t tessera_checked_begin(tessera_misuse *misuse);

// Where the blocks that are created from now on lie in their pages: with their end, or with their start, at an inaccessible page. And the
// byte that new memory is filled with.
void tessera_checked_choose(int32_t at_end, uint8_t fill);

// Creates a block that is lent, for a call or until it is retired; the name is copied. Returns null if there is no space.
void *TESSERA_MAYBE_NULL tessera_checked_lend(uint64_t size, const char *name, int32_t for_call);
// Ends a loan: any later access to the block is a misuse.
void tessera_checked_retire(void *block);

// The number of blocks so far, and the end of the loan of every block after it that is lent for a call.
uint64_t tessera_checked_count(void);
void tessera_checked_retire_from(uint64_t number);

// Makes the loaded libraries, but not the program itself, allocate each block of memory between inaccessible pages.
void tessera_checked_heap(void);
// Compares the unused bytes around all blocks from malloc with what they were filled with, and ends the process if one was written to.
void tessera_checked_verify(void);

// Fills the unused part of the stack with the byte for new memory.
void tessera_checked_fill_stack(void);

#undef TESSERA_MAYBE_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
