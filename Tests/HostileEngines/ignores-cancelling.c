// Reports invalid progress values, and ignores the host's request to stop.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  const double fractions[] = {NAN, INFINITY, -INFINITY, -1, 2, 1e300};
  for (unsigned i = 0; i < sizeof fractions / sizeof *fractions; i++)
    call->host->progress(call->host, fractions[i]);
  return TESSERA_OK;
}

HOSTILE("ignores-cancelling", .prepare = attack)
