// Returns a status that the contract does not define.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  return (tessera_status)-2147483647;
}

HOSTILE("odd-status", .WHERE = attack)
