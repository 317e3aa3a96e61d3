// Creates folders, links and pipes.

#include "hostile.h"
#include <sys/stat.h>

static tessera_status attack(const hostile_call *call) {
  if (mkdir(CANARY ".folder", 0700) == 0) return hostile_won(call, "it made a folder");
  if (symlink("/", CANARY ".link") == 0) return hostile_won(call, "it made a symlink");
  if (link(CANARY, CANARY ".twin") == 0) return hostile_won(call, "it made a link");
  if (mkfifo(CANARY ".pipe", 0600) == 0) return hostile_won(call, "it made a pipe");
  return TESSERA_OK;
}

HOSTILE("makes-links", .WHERE = attack)
