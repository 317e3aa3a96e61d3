// Four engines in one library.

#include "lifted.hpp"
#include "list.hpp"
#include "shelf.hpp"
#include "ticks.hpp"

TESSERA_ENGINES(shelf, lifted, ticks, list)
