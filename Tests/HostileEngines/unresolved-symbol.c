#include "hostile.h"

tessera_status nobody_has_this_function(void);

static tessera_status attack(const hostile_call *call) {
  (void)call;
  return nobody_has_this_function();
}

HOSTILE("unresolved-symbol", .prepare = attack)
