// Linux functions that the host needs and that Swift cannot call directly.
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H

#include <stdint.h>

#include "tessera_crash.h"
#include "tessera_forks.h"
#include "tessera_functions.h"
#include "tessera_memory_file.h"
#include "tessera_ownership.h"
#include "tessera_replacement.h"
#include "tessera_sandbox.h"
#include "tessera_sha256.h"
#include "tessera_worker.h"

// Returns 1 if the process has more privileges than its caller, because its program is setuid, setgid or has capabilities. Otherwise
// returns 0.
int tessera_is_privileged(void);

#if defined(__clang__)
#define TESSERA_MAYBE_NULL _Nullable
#define TESSERA_NEVER_NULL _Nonnull
#else
#define TESSERA_MAYBE_NULL
#define TESSERA_NEVER_NULL
#endif

// The path of the program or library that contains this code, or null if the loader does not know it. Owner: the loader.
const char *TESSERA_MAYBE_NULL tessera_own_file(void);

// The path of a loaded object, counted from 0. It is empty for the program, and null if there are fewer objects. Owner: the loader.
const char *TESSERA_MAYBE_NULL tessera_loaded_file(uint32_t index);

// The abbreviated name of a signal, "SEGV" for 11, or null if there is no such signal. The string is static.
const char *TESSERA_MAYBE_NULL tessera_signal_name(int32_t number);

// Opens a new file without a name in a folder, for writing. Without tessera_file_name it ends with its descriptor. Returns the descriptor,
// or -1 where the file system has no such files, or where /proc is not mounted.
int32_t tessera_file_without_name(const char *TESSERA_NEVER_NULL folder, uint32_t mode);
// Names such a file. Returns 0, or -1 with errno; EEXIST if the path exists.
int32_t tessera_file_name(int32_t descriptor, const char *TESSERA_NEVER_NULL path);

// Makes standard output line-buffered, so that no complete line is lost when the process is killed.
void tessera_print_by_line(void);

// Writes what was printed to standard output and is not a complete line.
void tessera_print_all(void);

// Runs a function, on a stack of 8 MiB or more if the limit on stacks is below `least` bytes. Threads that start later get stacks of at
// least as many, too. Call it once, from the main thread.
void tessera_run_on_large_stack(uint64_t least, void (*TESSERA_NEVER_NULL body)(void));

// The handle that last refused a call of this thread, because another thread was using it; null if there is none. It is only compared.
const void *TESSERA_MAYBE_NULL tessera_refused_handle(void);
void tessera_set_refused_handle(const void *TESSERA_MAYBE_NULL handle);

#undef TESSERA_MAYBE_NULL
#undef TESSERA_NEVER_NULL

#endif
