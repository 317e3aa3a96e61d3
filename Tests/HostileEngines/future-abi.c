#include <tessera/tessera.h>
#undef TESSERA_ABI_MAJOR
#define TESSERA_ABI_MAJOR 99
#include "hostile.h"

HOSTILE("future-abi", .load = NULL)
