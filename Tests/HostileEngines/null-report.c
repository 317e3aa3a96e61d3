// Reports a failure with null as the message.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const char *volatile nothing = NULL;
  call->host->report(call->host, TESSERA_ERROR_FAILED, nothing);
  return TESSERA_ERROR_FAILED;
}

HOSTILE("null-report", .WHERE = attack)
