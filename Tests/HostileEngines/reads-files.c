// Opens private files for reading.

#include "hostile.h"
#include <fcntl.h>

static tessera_status attack(const hostile_call *call) {
  static const char *const paths[] = {CANARY, "/etc/passwd", "/etc/shadow", "/root", "/home",
                                      "/etc/ssh", "/var/log", "/proc/1/environ", "/"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_RDONLY) >= 0) return hostile_won(call, paths[i]);
  return TESSERA_OK;
}

HOSTILE("reads-files", .WHERE = attack)
