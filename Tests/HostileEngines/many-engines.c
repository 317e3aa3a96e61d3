// Registers engines without end.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  static char id[64];
  call->engine->id = id;
  for (int number = 0;; number++) {
    snprintf(id, sizeof id, HOSTILE_ID "engine-%d", number);
    tessera_status status = call->registry->add_engine(call->registry, call->engine);
    if (status != TESSERA_OK) return status;
  }
}

HOSTILE("many-engines", .registration = attack)
