// Reports progress without end.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  for (double step = 0;; step++) call->host->progress(call->host, fmod(step / 1000, 1));
  return TESSERA_OK;
}

HOSTILE("progress-forever", .prepare = attack)
