// Work on many numbers at once, which the compiler for Swift does not do well: comparing boxes with a rect, and checking numbers.
#ifndef TESSERA_BOX_H
#define TESSERA_BOX_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Returns a bit for each of sixteen boxes that intersects a rect. `group` has the left edges of all boxes, then their upper, right and lower
// edges.
static inline uint32_t tessera_box_hits(const float *group, float min_x, float min_y, float max_x, float max_y) {
  uint32_t hits = 0;
#ifdef __SSE2__
  const __m128 left = _mm_set1_ps(min_x), top = _mm_set1_ps(min_y), right = _mm_set1_ps(max_x), bottom = _mm_set1_ps(max_y);
  for (int first = 0; first < 16; first += 4) {
    __m128 hit = _mm_and_ps(_mm_cmplt_ps(_mm_loadu_ps(group + first), right), _mm_cmplt_ps(_mm_loadu_ps(group + 16 + first), bottom));
    hit = _mm_and_ps(hit, _mm_cmplt_ps(left, _mm_loadu_ps(group + 32 + first)));
    hit = _mm_and_ps(hit, _mm_cmplt_ps(top, _mm_loadu_ps(group + 48 + first)));
    hits |= (uint32_t)_mm_movemask_ps(hit) << first;
  }
#else
  for (int box = 0; box < 16; box++) {
    const uint32_t hit = (group[box] < max_x) & (group[16 + box] < max_y) & (group[32 + box] > min_x) & (group[48 + box] > min_y);
    hits |= hit << box;
  }
#endif
  return hits;
}

// Copies doubles between any addresses. Returns the index of the first one that is not finite, after which the rest may not have been
// copied, or `count` if all are finite.
uint64_t tessera_copy_numbers(void *target, const void *source, uint64_t count);

#endif
