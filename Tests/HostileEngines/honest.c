// Attacks nothing: what all others are compared with, and what files are made from that are cut,
// patched and overwritten.

#include "hostile.h"

HOSTILE("honest", .load = NULL)
