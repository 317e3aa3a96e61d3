// What the host needs of Linux and Swift cannot say itself.
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H

#include <stdint.h>

#include "tessera_functions.h"
#include "tessera_memory_file.h"
#include "tessera_ownership.h"
#include "tessera_probe.h"
#include "tessera_sandbox.h"
#include "tessera_sha256.h"
#include "tessera_worker.h"
#include "tessera_sandbox.h"
#include "tessera_memory_file.h"
#include "tessera_ownership.h"
#include "tessera_sha256.h"

// 1 if the process has rights that its caller may lack: it runs setuid, setgid or with capabilities of its file. Else 0.
int tessera_is_privileged(void);

#if defined(__clang__)
#define TESSERA_MAYBE_NULL _Nullable
#else
#define TESSERA_MAYBE_NULL
#endif

// The file that holds this code: a program or a library. Null where the loader does not know. Owner: the loader.
const char *TESSERA_MAYBE_NULL tessera_own_file(void);

// The file of the loaded program or library of a number from 0 on, empty for the program; null beyond the last. Owner: the loader.
const char *TESSERA_MAYBE_NULL tessera_loaded_file(uint32_t index);

// "SEGV" for 11; null for a number that is no signal's. Owner: nobody, it is static.
const char *TESSERA_MAYBE_NULL tessera_signal_name(int32_t number);

// Has standard output written line by line, so that nothing of it is lost when the process ends at once.
void tessera_print_by_line(void);

#undef TESSERA_MAYBE_NULL

#endif
