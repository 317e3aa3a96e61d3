// Changes the rounding mode of the processor.

#include "hostile.h"
#include <fenv.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  fesetround(FE_UPWARD);
  return TESSERA_OK;
}

HOSTILE("changes-rounding", .WHERE = attack)
