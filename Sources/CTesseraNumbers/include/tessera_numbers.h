// Inner loops that Swift's compiler does not vectorise well.
#ifndef TESSERA_NUMBERS_H
#define TESSERA_NUMBERS_H

#include <stdint.h>

// Compiler vectors that every processor supports.
typedef double tessera_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t tessera_pair_mask __attribute__((vector_size(16)));
typedef float tessera_sixteen __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t tessera_sixteen_mask __attribute__((vector_size(64)));

// A bit for each of sixteen boxes that intersects the rect. `group`: all left edges, then upper,
// right and lower.
static inline uint32_t tessera_box_hits(const float *group, float min_x, float min_y, float max_x,
                                        float max_y) {
  const tessera_sixteen *edges = (const tessera_sixteen *)group;
  const tessera_sixteen_mask bits = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                     1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                     1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const tessera_sixteen_mask hit =
      (edges[0] < max_x) & (edges[1] < max_y) & (edges[2] > min_x) & (edges[3] > min_y);
  return (uint32_t)__builtin_reduce_or(hit & bits);
}

static inline void tessera_box_of_group(const float *group, float *box) {
  const tessera_sixteen *edges = (const tessera_sixteen *)group;
  for (int edge = 0; edge < 2; edge++) {
    box[edge] = __builtin_reduce_min(edges[edge]);
    box[edge + 2] = __builtin_reduce_max(edges[edge + 2]);
  }
}

// Copies doubles, aligned or not. Returns `count`, or the index of the first that is not finite;
// later ones may not have been copied.
uint64_t tessera_copy_numbers(void *target, const void *source, uint64_t count);

// Returns 1 if the copies are valid and far from overflow, else 0. Reads each number once: another
// process may write to the frames meanwhile.
static inline int tessera_copy_frames(double *target, const double *source, uint64_t count) {
  const double far = 1e307;
  const tessera_pair *from = (const tessera_pair *)source;
  tessera_pair *to = (tessera_pair *)target;
  tessera_pair_mask ordinary = {-1, -1};
  for (uint64_t place = 0; place < 2 * count; place += 2) {
    const tessera_pair origin = from[place], size = from[place + 1];
    to[place] = origin, to[place + 1] = size;
    ordinary &= (size >= 0.0) & (origin >= -far) & (origin + size <= far);
  }
  return (ordinary[0] & ordinary[1]) != 0;
}

// Returns 1 if the vertical edges of all images are far from overflow, else 0.
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

// Stores least x and y, greatest right and lower edge. Returns 0, and undefined edges, if a frame
// may be empty or not finite.
static inline int tessera_edges_of(const double *frames, uint64_t count, double *edges) {
  const tessera_pair *from = (const tessera_pair *)frames;
  const double infinity = __builtin_inf();
  tessera_pair least = {infinity, infinity}, greatest = {-infinity, -infinity};
  tessera_pair_mask ordinary = {-1, -1};
  for (uint64_t place = 0; place < 2 * count; place += 2) {
    const tessera_pair origin = from[place], end = origin + from[place + 1], sum = origin + end;
    ordinary &= (end > origin) & (sum - sum == 0.0);
    least = __builtin_elementwise_min(origin, least);
    greatest = __builtin_elementwise_max(end, greatest);
  }
  ((tessera_pair *)edges)[0] = least, ((tessera_pair *)edges)[1] = greatest;
  return (ordinary[0] & ordinary[1]) != 0;
}

// A bit for each of up to 32 finite frames that has an area and intersects a rect, given as edges.
static inline uint32_t tessera_frame_hits(const double *frames, uint64_t count,
                                          const double *rect) {
  const tessera_pair *from = (const tessera_pair *)frames, *edges = (const tessera_pair *)rect;
  const tessera_pair least = edges[0], greatest = edges[1];
  tessera_pair_mask hits = {0, 0}, bit = {1, 1};
  for (uint64_t row = 0; row < count; row++, bit <<= 1) {
    const tessera_pair origin = from[2 * row], size = from[2 * row + 1];
    hits |= bit & (origin < greatest) & (origin + size > least) & (size > 0.0);
  }
  return (uint32_t)(hits[0] & hits[1]);
}

#endif
