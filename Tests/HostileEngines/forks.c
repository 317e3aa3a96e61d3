// Forks; the child would outlive its parent.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  pid_t child = fork();
  if (child == 0) {
    sleep(5);
    _exit(0);
  }
  return child > 0 ? hostile_won(call, "it has a child") : TESSERA_OK;
}

HOSTILE("forks", .WHERE = attack)
