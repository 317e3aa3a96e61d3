// Overwrites the host's tables of functions, and the memory behind them.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  memset((void *)(uintptr_t)call->host, 0xff, sizeof *call->host);
  memset((void *)call->out, 0xff, sizeof *call->out);
  return TESSERA_OK;
}

HOSTILE("scribbles-tables", .filled = attack)
