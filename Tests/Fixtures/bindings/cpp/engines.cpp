// Seven engines in one library.

#include "alternating.hpp"
#include "bands.hpp"
#include "lifted.hpp"
#include "list.hpp"
#include "shelf.hpp"
#include "ticks.hpp"

TESSERA_ENGINES(shelf, lifted, alternating, ticks, list, bands, halved)
