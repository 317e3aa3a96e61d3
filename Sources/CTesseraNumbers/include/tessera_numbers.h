// Work on many numbers at once, which the compiler for Swift does not do well: the inner loops of the index of rows, and checking numbers.
#ifndef TESSERA_NUMBERS_H
#define TESSERA_NUMBERS_H

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

// Copies frames, each its x, y, width and height. Returns 1 if the copies are valid and far from the largest numbers, 0 if one may not be:
// another process may write to the frames meanwhile, so each number is read once.
static inline int tessera_copy_frames(double *target, const double *source, uint64_t count) {
  const double far = 1e307;
#ifdef __SSE2__
  const __m128d most = _mm_set1_pd(far), least = _mm_set1_pd(-far), zero = _mm_setzero_pd();
  __m128d ordinary = _mm_cmpeq_pd(zero, zero);
  for (uint64_t row = 0; row < count; row++) {
    const __m128d origin = _mm_loadu_pd(source + 4 * row), size = _mm_loadu_pd(source + 4 * row + 2);
    _mm_storeu_pd(target + 4 * row, origin);
    _mm_storeu_pd(target + 4 * row + 2, size);
    ordinary = _mm_and_pd(ordinary, _mm_and_pd(_mm_cmpge_pd(size, zero), _mm_cmpge_pd(origin, least)));
    ordinary = _mm_and_pd(ordinary, _mm_cmple_pd(_mm_add_pd(origin, size), most));
  }
  return _mm_movemask_pd(ordinary) == 3;
#else
  int ordinary = 1;
  for (uint64_t place = 0; place < 4 * count; place += 4)
    for (uint64_t axis = place; axis < place + 2; axis++) {
      const double origin = ((const volatile double *)source)[axis], size = ((const volatile double *)source)[axis + 2];
      target[axis] = origin, target[axis + 2] = size;
      ordinary &= (size >= 0) & (origin >= -far) & (origin + size <= far);
    }
  return ordinary;
#endif
}

// Mirrors frames, each its x, y, width and height, in content of a width. Returns 1 if both vertical edges of each image are far from the
// largest numbers, 0 if one may not be.
static inline int tessera_mirror_frames(double *frames, uint64_t count, double width) {
  const double far = 1e307;
  int ordinary = 1;
  for (double *frame = frames; frame < frames + 4 * count; frame += 4) {
    const double x = width - frame[0] - frame[2];
    frame[0] = x;
    ordinary &= (x >= -far) & (x + frame[2] <= far);
  }
  return ordinary;
}

#ifdef __SSE2__
// Two numbers each rounded down and up to single precision, so that the box that they describe does not shrink.
static inline __m128 tessera_box_outward(__m128d least, __m128d greatest) {
  const __m128 low = _mm_cvtpd_ps(least), high = _mm_cvtpd_ps(greatest);
  const __m128d too_high = _mm_cmpgt_pd(_mm_cvtps_pd(low), least), too_low = _mm_cmplt_pd(_mm_cvtps_pd(high), greatest);
  const __m128i wrong = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(too_high), _mm_castpd_ps(too_low), _MM_SHUFFLE(2, 0, 2, 0)));
  const __m128i bits = _mm_castps_si128(_mm_movelh_ps(low, high));
  // The next number has the next bits, further from zero or nearer to it.
  const __m128i outward = _mm_set_epi32(1, 1, -1, -1), negative = _mm_srai_epi32(bits, 31);
  const __m128i step = _mm_sub_epi32(_mm_xor_si128(outward, negative), negative);
  return _mm_castsi128_ps(_mm_add_epi32(bits, _mm_and_si128(step, wrong)));
}
#endif

// Stores the box of frames, each its x, y, width and height: the least x and y, the greatest right and lower edge, rounded outward. Returns
// 0 if one of the frames may have no area or may not be finite; the box is then undefined.
static inline int tessera_box_of(const double *frames, uint64_t count, float *box) {
#ifdef __SSE2__
  const __m128d infinity = _mm_set1_pd(__builtin_inf()), zero = _mm_setzero_pd();
  __m128d least = infinity, greatest = _mm_sub_pd(zero, infinity), ordinary = _mm_cmpeq_pd(zero, zero);
  for (uint64_t row = 0; row < count; row++) {
    const __m128d origin = _mm_loadu_pd(frames + 4 * row), end = _mm_add_pd(origin, _mm_loadu_pd(frames + 4 * row + 2));
    const __m128d sum = _mm_add_pd(origin, end);
    ordinary = _mm_and_pd(ordinary, _mm_and_pd(_mm_cmpgt_pd(end, origin), _mm_cmpeq_pd(_mm_sub_pd(sum, sum), zero)));
    least = _mm_min_pd(least, origin);
    greatest = _mm_max_pd(greatest, end);
  }
  _mm_storeu_ps(box, tessera_box_outward(least, greatest));
  return _mm_movemask_pd(ordinary) == 3;
#else
  (void)frames, (void)count, (void)box;
  return 0;
#endif
}

// Stores the box of a group of sixteen boxes.
static inline void tessera_box_of_group(const float *group, float *box) {
  for (int edge = 0; edge < 4; edge++) {
    const float *numbers = group + 16 * edge;
#ifdef __SSE2__
    const __m128 first = _mm_loadu_ps(numbers), second = _mm_loadu_ps(numbers + 4);
    const __m128 third = _mm_loadu_ps(numbers + 8), fourth = _mm_loadu_ps(numbers + 12);
    __m128 found = edge < 2 ? _mm_min_ps(_mm_min_ps(first, second), _mm_min_ps(third, fourth))
                            : _mm_max_ps(_mm_max_ps(first, second), _mm_max_ps(third, fourth));
    const __m128 half = _mm_movehl_ps(found, found);
    found = edge < 2 ? _mm_min_ps(found, half) : _mm_max_ps(found, half);
    const __m128 other = _mm_shuffle_ps(found, found, 1);
    box[edge] = _mm_cvtss_f32(edge < 2 ? _mm_min_ss(found, other) : _mm_max_ss(found, other));
#else
    box[edge] = numbers[0];
    for (int place = 1; place < 16; place++)
      if (edge < 2 ? numbers[place] < box[edge] : numbers[place] > box[edge]) box[edge] = numbers[place];
#endif
  }
}

#ifdef __SSE2__
// The sign bits say whether a finite frame intersects a rect, the left, upper, right and lower edge: in x and in y. A difference of numbers
// is negative exactly if the first is less.
static inline __m128d tessera_frame_overlap(const double *frame, __m128d least, __m128d greatest) {
  const __m128d origin = _mm_loadu_pd(frame), end = _mm_add_pd(origin, _mm_loadu_pd(frame + 2));
  return _mm_and_pd(_mm_sub_pd(origin, greatest), _mm_sub_pd(least, end));
}

// The same for two frames, in 32 bits each.
static inline __m128i tessera_overlap_of_two(const double *frames, __m128d least, __m128d greatest) {
  const __m128d first = tessera_frame_overlap(frames, least, greatest), second = tessera_frame_overlap(frames + 4, least, greatest);
  return _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(first), _mm_castpd_ps(second), _MM_SHUFFLE(3, 1, 3, 1)));
}

// Returns a bit for each of eight frames.
static inline uint32_t tessera_hits_of_eight(const double *frames, __m128d least, __m128d greatest) {
  const __m128i first =
      _mm_packs_epi32(tessera_overlap_of_two(frames, least, greatest), tessera_overlap_of_two(frames + 8, least, greatest));
  const __m128i last =
      _mm_packs_epi32(tessera_overlap_of_two(frames + 16, least, greatest), tessera_overlap_of_two(frames + 24, least, greatest));
  // Two bits for each frame; a hit has both.
  uint32_t hits = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(first, last));
  hits &= hits >> 1 & 0x5555;
  hits = (hits | hits >> 1) & 0x3333;
  hits = (hits | hits >> 2) & 0x0f0f;
  return (hits | hits >> 4) & 0xff;
}
#endif

// Returns 1 if a frame has an area and intersects a rect, the left, upper, right and lower edge.
static inline uint32_t tessera_frame_hit(const double *frame, const double *rect) {
#ifdef __SSE2__
  const __m128d origin = _mm_loadu_pd(frame), size = _mm_loadu_pd(frame + 2);
  const __m128d hit =
      _mm_and_pd(_mm_and_pd(_mm_cmplt_pd(origin, _mm_loadu_pd(rect + 2)), _mm_cmpgt_pd(_mm_add_pd(origin, size), _mm_loadu_pd(rect))),
                 _mm_cmpgt_pd(size, _mm_setzero_pd()));
  return _mm_movemask_pd(hit) == 3;
#else
  return frame[0] < rect[2] && frame[1] < rect[3] && frame[0] + frame[2] > rect[0] && frame[1] + frame[3] > rect[1] && frame[2] > 0 &&
         frame[3] > 0;
#endif
}

// Returns a bit for each of up to thirty-two frames that has an area and intersects a rect. All frames are finite, and all have an area if
// `have_area` is not 0.
static inline uint32_t tessera_frame_hits(const double *frames, uint64_t count, const double *rect, int have_area) {
  uint32_t hits = 0;
#ifdef __SSE2__
  // Most often.
  if (count == 16 && have_area) {
    const __m128d least = _mm_loadu_pd(rect), greatest = _mm_loadu_pd(rect + 2);
    return tessera_hits_of_eight(frames, least, greatest) | tessera_hits_of_eight(frames + 32, least, greatest) << 8;
  }
#endif
  for (uint64_t row = 0; row < count; row++) hits |= tessera_frame_hit(frames + 4 * row, rect) << row;
  return hits;
}

// Where a number is between two others, in 255 steps. It never decreases as the number grows, so marks of numbers compare as these do, or
// are equal; all are 0 if the others are infinite.
static inline uint8_t tessera_mark(double number, float least, float greatest) {
  const double step = (number - (double)least) * (255 / ((double)greatest - (double)least));
  return step > 0 ? step < 255 ? (uint8_t)step : 255 : 0;
}

// Returns a bit for each of sixteen frames that may intersect a rect. `marks` has those of the left edges of all frames, then of their
// upper, right and lower edges; `rect` has those of the same edges of the rect.
static inline uint32_t tessera_mark_hits(const uint8_t *marks, const uint8_t *rect) {
#ifdef __SSE2__
  const __m128i left = _mm_loadu_si128((const __m128i *)marks), top = _mm_loadu_si128((const __m128i *)(marks + 16));
  const __m128i right = _mm_loadu_si128((const __m128i *)(marks + 32)), bottom = _mm_loadu_si128((const __m128i *)(marks + 48));
  __m128i hit = _mm_cmpeq_epi8(_mm_min_epu8(left, _mm_set1_epi8((char)rect[2])), left);
  hit = _mm_and_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(top, _mm_set1_epi8((char)rect[3])), top));
  hit = _mm_and_si128(hit, _mm_cmpeq_epi8(_mm_max_epu8(right, _mm_set1_epi8((char)rect[0])), right));
  hit = _mm_and_si128(hit, _mm_cmpeq_epi8(_mm_max_epu8(bottom, _mm_set1_epi8((char)rect[1])), bottom));
  return (uint32_t)_mm_movemask_epi8(hit);
#else
  uint32_t hits = 0;
  for (int place = 0; place < 16; place++) {
    const uint32_t hit = (marks[place] <= rect[2]) & (marks[16 + place] <= rect[3]) & (marks[32 + place] >= rect[0]) &
                         (marks[48 + place] >= rect[1]);
    hits |= hit << place;
  }
  return hits;
#endif
}

// Tells the processor to fetch memory, and does not wait for it.
static inline void tessera_fetch(const void *memory) { __builtin_prefetch(memory); }

#endif
