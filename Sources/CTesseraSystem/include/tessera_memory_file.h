// Files that lie in memory only and, once sealed, never change again.
#ifndef TESSERA_MEMORY_FILE_H
#define TESSERA_MEMORY_FILE_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// A new empty file that is closed on exec and can be sealed; the name, cut to what the system takes, is for people who look at maps.
// The descriptor, which is the caller's, or -errno.
int tessera_memory_file_create(const char *name);

// Adds `size` bytes from the start of one file to the end of another. How many there were, which are fewer where the file is shorter,
// or -errno.
int64_t tessera_memory_file_fill(int descriptor, int source, uint64_t size);

// Forbids for ever that anyone writes, shrinks or grows the file, or lifts that. 0 or -errno.
int tessera_memory_file_seal(int descriptor);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
