// Compiles each header by itself, which checks its assertions of size and offset.
#include "tessera/tessera.h"

#include "tessera/ext/adjusting.h"
#include "tessera/ext/query.h"
#include "tessera/ext/reordering.h"
#include "tessera/ext/sizing.h"
#include "tessera/ext/snapping.h"
#include "tessera/ext/updates.h"
