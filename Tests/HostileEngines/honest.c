// A correct engine: the reference, and the base of damaged files.

#include "hostile.h"

HOSTILE("honest", .load = NULL)
