// Each header, compiled once by itself: its assertions of size and offset hold.
#include "tessera/tessera.h"

#include "tessera/ext/adjusting.h"
#include "tessera/ext/query.h"
#include "tessera/ext/reordering.h"
#include "tessera/ext/sizing.h"
#include "tessera/ext/snapping.h"
#include "tessera/ext/updates.h"
