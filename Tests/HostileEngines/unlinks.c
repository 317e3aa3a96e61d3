// Removes and renames a file.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  if (rename(CANARY, CANARY ".moved") == 0) return hostile_won(call, "it renamed a file");
  if (unlink(CANARY) == 0) return hostile_won(call, "it removed a file");
  return TESSERA_OK;
}

HOSTILE("unlinks", .WHERE = attack)
