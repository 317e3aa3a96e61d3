// What every twin does in the same way, so that each file shows only its layout.

#ifndef TWIN_H
#define TWIN_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../Fixtures/engines/engine.h"

#define TWIN(called)                                                                               \
  ENGINE("org.example.twin." called, called, "Keeps every rule that it is examined for.")

// Ends a call with the reason why it cannot lay out.
#define refuse(layout, ...) plain_refuse((layout)->host, TESSERA_ERROR_INVALID_VALUE, __VA_ARGS__)

// The section of the item at a place among all, by halving; the number of sections behind the last item.
static inline uint32_t section_of(const tessera_input *in, uint64_t at) {
  uint32_t section = 0, end = in->section_count;
  while (section < end) {
    const uint32_t middle = section + (end - section) / 2;
    if (in->section_starts[middle + 1] > at) end = middle;
    else section = middle + 1;
  }
  return section;
}

#endif
