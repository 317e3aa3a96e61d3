// Reports warnings without end.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  for (;;) call->host->report(call->host, TESSERA_OK, "this is one of endlessly many warnings");
  return TESSERA_OK;
}

HOSTILE("reports-forever", .prepare = attack)
