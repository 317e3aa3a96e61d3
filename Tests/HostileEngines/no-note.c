#define HOSTILE_NOTE typedef int no_note
#include "hostile.h"

HOSTILE("no-note", .load = NULL)
