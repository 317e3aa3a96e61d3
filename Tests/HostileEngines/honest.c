// Attacks nothing: the reference for all others, and the source of truncated, patched and
// overwritten files.

#include "hostile.h"

HOSTILE("honest", .load = NULL)
