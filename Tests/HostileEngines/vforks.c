// Starts a process with vfork.

#include "hostile.h"
#include <spawn.h>

static tessera_status attack(const hostile_call *call) {
  char name[] = "/bin/true";
  char *arguments[] = {name, NULL};
  pid_t child;
  int failure = posix_spawn(&child, name, NULL, NULL, arguments, NULL);
  return failure == 0 ? hostile_won(call, "it started a program") : TESSERA_OK;
}

HOSTILE("vforks", .WHERE = attack)
