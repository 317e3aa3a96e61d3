// It does not export the function that a library registers with.

#define HOSTILE_ENTRY tessera_registers
#include "hostile.h"

HOSTILE("no-entry", .load = NULL)
