// Where a process crashed: recorded by the process as it ends, read by another.
#ifndef TESSERA_CRASH_H
#define TESSERA_CRASH_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

#define TESSERA_CRASH_FRAMES 48
#define TESSERA_CRASH_MAPS 49152

// The record of a crash. It must be in memory that outlives the process. Any code in the process can write to it, so that its reader must
// check every field.
typedef struct tessera_crash {
  uint32_t is_noted;                      // 1 once all other fields are written
  uint32_t count;                         // the number of frames
  uint64_t frames[TESSERA_CRASH_FRAMES];  // addresses: where it crashed, then in each caller the address after the call
  uint32_t map_size;                      // the number of bytes in `maps`
  uint32_t reserved;
  char maps[TESSERA_CRASH_MAPS];          // the lines of /proc/self/maps with code
} tessera_crash;

// Records the calls that lead to the next crash: to a signal that reports an error of the program, and to a forbidden system call. The
// process then ends with the same signal as without this. A handler that other code installs takes its place. Returns 0, or -1 with errno.
int32_t tessera_crash_record(tessera_crash *crash);

// A frame, 0 if there is none; and the maps, which do not end with a zero byte.
uint64_t tessera_crash_frame(const tessera_crash *crash, uint32_t index);
const char *tessera_crash_maps(const tessera_crash *crash);

// Records the calls up to a signal, from its handler; does nothing if tessera_crash_record was not called.
void tessera_crash_note(const void *context);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
