// What the host needs of Linux and Swift cannot say itself.
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H

#include "tessera_functions.h"
#include "tessera_memory_file.h"
#include "tessera_ownership.h"
#include "tessera_sandbox.h"
#include "tessera_sha256.h"
#include "tessera_worker.h"

// 1 if the process has rights that its caller may lack: it runs setuid, setgid or with capabilities of its file. Else 0.
int tessera_is_privileged(void);

#endif
