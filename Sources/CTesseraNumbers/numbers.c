#include "tessera_numbers.h"

typedef uint64_t __attribute__((aligned(1), may_alias)) word;

// A double is not finite if its exponent is all ones: adding 1 then carries into the highest bit.
// Every processor can do this on vectors, so checking costs little more than copying.
static const uint64_t EXPONENT = 0x7ff0000000000000u, ONE = 0x0010000000000000u, HIGHEST = 0x8000000000000000u;

uint64_t tessera_copy_numbers(void *target, const void *source, uint64_t count) {
  enum { BLOCK = 512 };
  const word *from = source;
  word *to = target;
  for (uint64_t first = 0; first < count; first += BLOCK) {
    const uint64_t end = count - first < BLOCK ? count : first + BLOCK;
    uint64_t sums = 0;
    for (uint64_t i = first; i < end; i++) {
      const uint64_t number = from[i];
      sums |= (number & EXPONENT) + ONE;
      to[i] = number;
    }
    if (!(sums & HIGHEST)) continue;
    for (uint64_t i = first; i < end; i++) {
      if (((to[i] & EXPONENT) + ONE) & HIGHEST) return i;
    }
  }
  return count;
}
