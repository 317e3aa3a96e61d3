// A chain of two hundred engines, each derived from the next.

#include "hostile.h"

static tessera_engine engines[200];
static char ids[200][64];

static tessera_status attack(const hostile_call *call) {
  for (int i = 0; i < 200; i++) snprintf(ids[i], sizeof ids[i], HOSTILE_ID "deep-%d", i);
  for (int i = 0; i < 200; i++) {
    engines[i] = *call->engine;
    engines[i].id = ids[i];
    engines[i].base = i < 199 ? ids[i + 1] : NULL;
    tessera_status status = call->registry->add_engine(call->registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return HOSTILE_DONE;
}

HOSTILE("deep-bases", .registration = attack)
