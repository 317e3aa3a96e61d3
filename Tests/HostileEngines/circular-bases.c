// Two engines, each derived from the other.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  static tessera_engine other;
  other = *call->engine;
  other.id = HOSTILE_ID "circular-other";
  other.base = HOSTILE_ID "circular-bases";
  call->engine->base = HOSTILE_ID "circular-other";
  return call->registry->add_engine(call->registry, &other);
}

HOSTILE("circular-bases", .registration = attack)
