// Adds an engine in prepare, to a kept registry.

#include "hostile.h"

static tessera_registry *kept;

static tessera_status keep(const hostile_call *call) {
  kept = call->registry;
  return TESSERA_OK;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static tessera_engine late;
  late = hostile_description();
  late.id = HOSTILE_ID "late";
  kept->add_engine(kept, &late);
  return TESSERA_OK;
}

HOSTILE("registers-late", .registration = keep, .prepare = attack)
