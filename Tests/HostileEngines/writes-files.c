// Writes into an existing file, and creates new ones.

#include "hostile.h"
#include <fcntl.h>

static tessera_status attack(const hostile_call *call) {
  static const char *const paths[] = {CANARY, CANARY ".new", "tessera-canary.new",
                                      "/tmp/tessera-canary.new", "/dev/shm/tessera-canary.new"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_WRONLY | O_CREAT | O_TRUNC, 0600) >= 0) return hostile_won(call, paths[i]);
  return TESSERA_OK;
}

HOSTILE("writes-files", .WHERE = attack)
