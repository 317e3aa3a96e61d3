// The host's part in the sandbox of another process: what it reports, which code it may map, and whether its filters are there.
#ifndef TESSERA_SUPERVISOR_H
#define TESSERA_SUPERVISOR_H

#include "tessera_sandbox.h"

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#else
#define TESSERA_MAYBE_NULL
#endif

// Receives a report without waiting. Sets `listener` if one comes with it, and then owns it; null accepts none. Returns 1 for a report, 0
// for anything else, -1 if the other side is closed.
int32_t tessera_supervisor_receive(int32_t socket, tessera_sandbox_state *state, int32_t *TESSERA_MAYBE_NULL listener);

// Permits some of the new code that the process waits to map, without waiting. Close the listener to deny all that follows.
void tessera_supervisor_permit(int32_t listener);

// Answers a process that has loaded its libraries. Returns 0, or -1 if the other side is closed.
int32_t tessera_supervisor_answer(int32_t socket);

// Waits for a report or for a question about new code. `listener` is -1 if there is none.
void tessera_supervisor_wait(int32_t socket, int32_t listener, int64_t nanoseconds);

// The number of filters that a process has more than this one, as the kernel reports it; 0 if it can gain privileges or is not filtered, -1
// if it cannot be read.
int32_t tessera_supervisor_filters(int32_t process);

#undef TESSERA_MAYBE_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
