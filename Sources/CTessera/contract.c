// The header, compiled once by itself: its assertions of size and offset hold, and it needs nothing before it.
#include "tessera/tessera.h"
