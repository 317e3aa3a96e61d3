#define _GNU_SOURCE
#include "tessera_bench.h"

#include <string.h>
#include <time.h>

/* The compiler must assume that the memory is read. */
#define KEEP(memory) __asm__ volatile("" : : "r"(memory) : "memory")

double tessera_bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void tessera_bench_fill(void *memory, size_t byte_count) {
  memset(memory, 0x2a, byte_count);
  KEEP(memory);
}

void tessera_bench_store(tessera_bench_frame *frames, size_t count, double width) {
  /* Square cells of about 30 points. */
  size_t line = width > 60 ? (size_t)(width / 30) : 1;
  double side = width / (double)line, y = 0;
  for (size_t first = 0; first < count; first += line, y += side) {
    size_t end = count - first < line ? count : first + line;
    double x = 0;
    for (size_t i = first; i < end; i++, x += side)
      frames[i] = (tessera_bench_frame){x, y, side, side};
  }
  KEEP(frames);
}

size_t tessera_bench_filter(const tessera_bench_frame *frames, size_t count,
                            tessera_bench_frame rect, uint32_t *hits) {
  double right = rect.x + rect.width, bottom = rect.y + rect.height;
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    hits[found] = (uint32_t)i;
    /* Without a branch, which a processor would guess wrongly. */
    found += (frames[i].x < right) & (frames[i].x + frames[i].width > rect.x) &
             (frames[i].y < bottom) & (frames[i].y + frames[i].height > rect.y);
  }
  KEEP(hits);
  return found;
}
