#define _GNU_SOURCE
#include "tessera_bench.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Keeps the stores. */
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

void tessera_bench_copy(void *target, const void *source, size_t byte_count) {
  memcpy(target, source, byte_count);
  KEEP(target);
}

/* Square cells of 30 points per line, at least one. */
static size_t columns(double width) { return width > 60 ? (size_t)(width / 30) : 1; }

void tessera_bench_store(tessera_bench_frame *frames, size_t count, double width) {
  size_t line = columns(width);
  double side = width / (double)line, y = 0;
  for (size_t first = 0; first < count; first += line, y += side) {
    size_t end = count - first < line ? count : first + line;
    double x = 0;
    for (size_t i = first; i < end; i++, x += side)
      frames[i] = (tessera_bench_frame){x, y, side, side};
  }
  KEEP(frames);
}

void tessera_bench_stream(tessera_bench_frame *frames, size_t count, double width) {
#ifdef __SSE2__
  if (((uintptr_t)frames & 15) == 0) {
    size_t line = columns(width);
    double side = width / (double)line, y = 0;
    __m128d size = _mm_set1_pd(side);
    for (size_t first = 0; first < count; first += line, y += side) {
      size_t end = count - first < line ? count : first + line;
      double x = 0;
      for (size_t i = first; i < end; i++, x += side) {
        _mm_stream_pd(&frames[i].x, _mm_set_pd(y, x));
        _mm_stream_pd(&frames[i].width, size);
      }
    }
    _mm_sfence();
    KEEP(frames);
    return;
  }
#endif
  tessera_bench_store(frames, count, width);
}

size_t tessera_bench_filter(const tessera_bench_frame *frames, size_t count,
                            tessera_bench_frame rect, uint32_t *hits) {
  double right = rect.x + rect.width, bottom = rect.y + rect.height;
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    hits[found] = (uint32_t)i;
    /* Branch-free, as the processor would mispredict. */
    found += (frames[i].x < right) & (frames[i].x + frames[i].width > rect.x) &
             (frames[i].y < bottom) & (frames[i].y + frames[i].height > rect.y);
  }
  KEEP(hits);
  return found;
}

int tessera_bench_touch(size_t byte_count) {
  void *memory =
      mmap(0, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return -1;
  tessera_bench_fill(memory, byte_count);
  munmap(memory, byte_count);
  return 0;
}
