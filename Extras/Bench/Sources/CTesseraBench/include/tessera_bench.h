/* The machine's speed, in plain C: what layouts are compared with.
   
   Every function does the work once. The caller owns the memory and takes the time. */
#ifndef TESSERA_BENCH_H
#define TESSERA_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* A frame: x, y, width and height. */
typedef struct {
  double x, y, width, height;
} tessera_bench_frame;

/* Monotonic time in seconds. */
double tessera_bench_now(void);

/* memset that the compiler can't remove. */
void tessera_bench_fill(void *memory, size_t byte_count);

/* memcpy that the compiler can't remove. */
void tessera_bench_copy(void *target, const void *source, size_t byte_count);

/* Stores a grid of square cells across `width`, without a division per frame. */
void tessera_bench_store(tessera_bench_frame *frames, size_t count, double width);

/* The same with stores that bypass the caches, if the processor has them. */
void tessera_bench_stream(tessera_bench_frame *frames, size_t count, double width);

/* Compares every frame with a rectangle and stores the indexes of intersecting frames.
   Returns their number; `hits` has space for `count`. */
size_t tessera_bench_filter(const tessera_bench_frame *frames, size_t count,
                            tessera_bench_frame rect, uint32_t *hits);

/* Allocates fresh memory, writes every byte and frees it. Returns 0, or -1 if out of memory. */
int tessera_bench_touch(size_t byte_count);

/* Wakes another process on the same processor and waits for its answer, `count` times.
   Returns the seconds per round trip, or -1 if unsupported. */
double tessera_bench_round_trip(unsigned count);

#endif
