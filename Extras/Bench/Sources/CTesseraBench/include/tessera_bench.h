/* What this machine can do: the work that layouts are compared with, in plain C.

   Every function does the work once. The caller owns the memory and takes the time. */
#ifndef TESSERA_BENCH_H
#define TESSERA_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Four numbers, as the frames of a layout: x, y, width and height. */
typedef struct {
  double x, y, width, height;
} tessera_bench_frame;

/* Seconds since some moment. */
double tessera_bench_now(void);

/* memset, which the compiler cannot remove. */
void tessera_bench_fill(void *memory, size_t byte_count);

/* memcpy, which the compiler cannot remove. */
void tessera_bench_copy(void *target, const void *source, size_t byte_count);

/* Stores the frames of a grid of square cells across `width`, line by line, without a division for
   each frame. */
void tessera_bench_store(tessera_bench_frame *frames, size_t count, double width);

/* The same with stores that bypass the caches, where the processor has them; otherwise the same. */
void tessera_bench_stream(tessera_bench_frame *frames, size_t count, double width);

/* Compares every frame with a rectangle and stores the indexes of those that intersect it.
   Returns their number; `hits` has space for `count`. */
size_t tessera_bench_filter(const tessera_bench_frame *frames, size_t count,
                            tessera_bench_frame rect, uint32_t *hits);

/* Obtains fresh memory, writes to every byte of it and returns it to the system.
   Returns 0, or -1 if there is none. */
int tessera_bench_touch(size_t byte_count);

/* Passes a turn `count` times to another process on the same processor and back.
   Returns the seconds of one round trip, or -1 if this system cannot do it. */
double tessera_bench_round_trip(unsigned count);

#endif
