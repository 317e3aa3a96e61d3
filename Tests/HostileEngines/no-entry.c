#define HOSTILE_ENTRY tessera_registers
#include "hostile.h"

HOSTILE("no-entry", .load = NULL)
