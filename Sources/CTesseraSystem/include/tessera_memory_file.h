// Files in memory that can be sealed, after which they never change.
#ifndef TESSERA_MEMORY_FILE_H
#define TESSERA_MEMORY_FILE_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// Creates an empty file that can be sealed and is closed on exec. The name, truncated if necessary, appears in /proc/PID/maps. Returns the
// descriptor, which the caller owns, or -errno.
int tessera_memory_file_create(const char *name);

// Appends the first `size` bytes of a file to another. Returns the number of bytes copied, which is less if the source is shorter, or
// -errno.
int64_t tessera_memory_file_fill(int descriptor, int source, uint64_t size);

// The number of bytes of a file that are not holes; its size where the file system does not know. Moves the file position to the beginning.
uint64_t tessera_file_data(int descriptor, uint64_t size);

// Permanently prevents everyone from writing to the file and from changing its size. Returns 0 or -errno.
int tessera_memory_file_seal(int descriptor);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
