// loops check LIBRARY         compares the rows of an engine and its loops, for a few items
// loops measure LIBRARY RUNS  compares them for all measured items too, then measures
//
// Prints a line for each case: its options, and the ratios of the engine's prepare to the loop and
// to memset. They take turns and use processor time, to be robust against other programs. The ratio
// is the median over turns. The last line has the machine's speed: seconds per item of memset, and
// of a chain of dependent additions. Link it with a file of Loops.
#define _GNU_SOURCE
#include "loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_RUNS = 999, MILLION = 1000000 };

static _Noreturn void fail(const example *of, const char *what) {
  fprintf(stderr, "loops: %s%s%s\n", of->options, *of->options ? ": " : "", what);
  exit(70);
}

static void *memory(int64_t bytes) {
  void *found = aligned_alloc(4096, (size_t)(bytes + 4095) / 4096 * 4096);
  if (!found) fail(examples, "there is no memory left");
  return memset(found, 0, (size_t)bytes);
}

typedef struct pair {
  const example *of;
  tessera_session *session;
  collection items;
  rows out;
} pair;

static void done(const pair *p, int32_t status) {
  if (status) fail(p->of, tessera_session_message(p->session));
}

static double *set_values(pair *p, const value *given) {
  const int64_t count = p->items.count, width = given->components;
  double *numbers = memory(count * width * (int64_t)sizeof *numbers);
  for (int64_t item = 0; item < count; item++) given->of((double)item, numbers + item * width);
  done(p, tessera_session_set_values(p->session, TESSERA_HOST_SCOPE_ITEM, given->name, numbers, given->components, (uint64_t)count,
                                     8 * given->components));
  return numbers;
}

static pair open_pair(const char *library, const example *of, int64_t count) {
  pair p = {.of = of, .items = {.count = count, .bounds = of->bounds.width > 0 ? of->bounds : (size){375, 667}, .scale = 2}};
  const int64_t most = 2 * count + 64; // a separator for each item, and some
  // Base engines are beside the library.
  const char *end = strrchr(library, '/');
  char folder[4096];
  snprintf(folder, sizeof folder, "%.*s", end ? (int)(end - library) : 1, end ? library : ".");
  tessera_engines *engines = tessera_engines_create();
  tessera_engines_set_isolation(engines, TESSERA_HOST_ISOLATION_INSIDE);
  tessera_engines_add_folder(engines, folder);
  if (tessera_session_create(engines, library, &p.session)) fail(of, tessera_engines_message(engines));
  tessera_engines_destroy(engines);
  done(&p, tessera_session_set_sections(p.session, &(uint64_t){(uint64_t)count}, 1));
  done(&p, tessera_session_set_element_limit(p.session, (uint64_t)most));
  if (of->item.name) p.items.values = set_values(&p, &of->item);
  if (of->integer.name) {
    double *numbers = set_values(&p, &of->integer);
    int64_t *integers = memory(count * (int64_t)sizeof *integers);
    for (int64_t item = 0; item < count; item++) integers[item] = (int64_t)numbers[item];
    p.items.integers = integers;
    free(numbers);
  }
  if (of->choice) done(&p, tessera_session_set_parameter_choice(p.session, of->parameter, of->choice));
  if (of->parameter && !of->choice) done(&p, tessera_session_set_parameter(p.session, of->parameter, &of->number, 1));
  if (of->set) done(&p, of->set(p.session));
  p.items.scratch = memory(128 * count + 4096);
  p.out = (rows){.frames = memory(most * (int64_t)sizeof(rect)), .z_indexes = memory(most * (int64_t)sizeof(int32_t)),
                 .hidden = memory(most), .choices = memory(most * (int64_t)sizeof(int32_t)),
                 .rects = memory(most * (int64_t)sizeof(rect))};
  return p;
}

static void close_pair(pair *p) {
  void *all[] = {(void *)p->items.values, (void *)p->items.integers, p->items.scratch, p->out.frames,
                 p->out.z_indexes, p->out.hidden, p->out.choices, p->out.rects};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  tessera_session_destroy(p->session);
}

// Toggles the bounds by a point and invalidates everything, as some bounds change nothing.
static void resize(pair *p) {
  const double by = fmod(p->items.bounds.height, 2) == fmod(p->of->bounds.width > 0 ? p->of->bounds.height : 667, 2) ? 1 : -1;
  p->items.bounds.width += by, p->items.bounds.height += by;
  done(p, tessera_session_set_bounds(p->session, p->items.bounds.width, p->items.bounds.height));
  done(p, tessera_session_set_measure(p->session, NULL, NULL));
}

static void prepare(pair *p) {
  double width, height;
  done(p, tessera_session_content_size(p->session, &width, &height));
}
static void run_loop(pair *p) { p->of->lay_out(&p->items, &p->out); }

static bool is_same(const example *of, double one, double other) {
  return one == other || (of->place && fabs(one - other) <= 1e-9 * fabs(other));
}

// The column of an attribute; null if missing, or if all rows have its initial value.
static const void *attribute(pair *p, const char *name) {
  const void *values = NULL;
  for (uint32_t i = 0; name && i < tessera_session_attribute_count(p->session); i++)
    if (strcmp(tessera_session_attribute_name(p->session, i), name) == 0) done(p, tessera_session_get_attribute(p->session, i, &values));
  return values;
}

static void compare(pair *p) {
  const example *of = p->of;
  uint64_t count;
  tessera_columns found;
  char text[500];
  done(p, tessera_session_set_bounds(p->session, p->items.bounds.width, p->items.bounds.height));
  done(p, tessera_session_query_all(p->session, NULL, sizeof(tessera_element), 0, &count));
  done(p, tessera_session_get_columns(p->session, &found, sizeof found));
  const int32_t *choices = attribute(p, of->choices);
  const double *rects = attribute(p, of->rects);
  run_loop(p);
  const size content = p->out.content;
  if (of->place) of->place(&p->items, &p->out);
  snprintf(text, sizeof text, "the loop has %lld rows, the engine %llu", (long long)p->out.count, (unsigned long long)count);
  if ((int64_t)count != p->out.count) fail(of, text);
  for (uint64_t row = 0; row < count; row++) {
    const double *engine = found.frames + 4 * row, *own = &p->out.frames[row].x, *rect = &p->out.rects[row].x;
    bool same = (!found.z_indexes || of->adjusts_z || found.z_indexes[row] == p->out.z_indexes[row])
      && (!found.hidden || found.hidden[row] == p->out.hidden[row]) && (choices ? choices[row] : 0) == p->out.choices[row];
    for (int i = 0; i < 4; i++) same = same && is_same(of, own[i], engine[i]) && (!rects || rect[i] == rects[4 * row + (uint64_t)i]);
    if (same) continue;
    snprintf(text, sizeof text, "row %llu of %llu is %.17g, %.17g, %.17g, %.17g by the loop, or differs in another column, and %.17g, %.17g, "
             "%.17g, %.17g by the engine", (unsigned long long)row, (unsigned long long)count, own[0], own[1], own[2], own[3], engine[0],
             engine[1], engine[2], engine[3]);
    fail(of, text);
  }
  size engine;
  done(p, tessera_session_content_size(p->session, &engine.width, &engine.height));
  snprintf(text, sizeof text, "the content is %.17g × %.17g by the loop, and %.17g × %.17g by the engine", content.width, content.height,
           engine.width, engine.height);
  if (!is_same(of, content.width, engine.width) || !is_same(of, content.height, engine.height)) fail(of, text);
}

static void check(const char *library, const example *of, int64_t count) {
  pair p = open_pair(library, of, count);
  compare(&p);
  resize(&p);
  compare(&p);
  close_pair(&p);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int order(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static void *filled;
static void run_memset(pair *p) { memset(filled, 42, (size_t)p->items.count * sizeof(rect)); }

static double sum;
static void run_additions(pair *p) {
  for (int64_t item = 0; item < p->items.count; item++) sum += (double)item;
}

static double median(double *numbers, int count) {
  qsort(numbers, (size_t)count, sizeof *numbers, order);
  return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

enum { PREPARE, LOOP, MEMSET, ADDITIONS, WORKS };
static double times[WORKS][MOST_RUNS];

static void take_turns(pair *p, int runs) {
  void (*const works[WORKS])(pair *) = {prepare, run_loop, run_memset, run_additions};
  for (int run = 0; run < runs; run++) {
    for (int work = 0; work < WORKS; work++) {
      // The first time only warms the caches.
      for (int time = 0; time < 2; time++) {
        resize(p);
        const double begin = now();
        works[work](p);
        // Keeps the stores.
        __asm__ volatile("" : : "r"(filled) : "memory");
        times[work][run] = now() - begin;
      }
    }
  }
}

static double ratio_to(int work, int runs) {
  static double ratios[MOST_RUNS];
  for (int run = 0; run < runs; run++) ratios[run] = times[PREPARE][run] / times[work][run];
  return median(ratios, runs);
}

int main(int count, char **arguments) {
  const bool measures = count == 4 && strcmp(arguments[1], "measure") == 0;
  const int runs = measures ? atoi(arguments[3]) : 1;
  if ((count != 3 || strcmp(arguments[1], "check")) && !measures) return fputs("loops: see the first lines of loops.c\n", stderr), 64;
  if (runs < 1 || runs > MOST_RUNS) return fputs("loops: give 1 to 999 runs\n", stderr), 64;
  double memset_seconds = 0, addition_seconds = 0;
  for (int i = 0; i < example_count; i++) {
    const example *of = &examples[i];
    check(arguments[2], of, 10);
    check(arguments[2], of, 4321);
    printf("%s", of->options);
    if (measures) {
      pair p = open_pair(arguments[2], of, of->items ? of->items : MILLION);
      compare(&p);
      filled = memory(p.items.count * (int64_t)sizeof(rect));
      take_turns(&p, runs);
      printf("\t%.4g\t%.4g", ratio_to(LOOP, runs), ratio_to(MEMSET, runs));
      memset_seconds = median(times[MEMSET], runs) / (double)p.items.count;
      addition_seconds = median(times[ADDITIONS], runs) / (double)p.items.count;
      free(filled);
      close_pair(&p);
    }
    printf("\n");
    fflush(stdout);
  }
  if (measures) printf("machine\t%.4g\t%.4g\n", memset_seconds, addition_seconds);
  return 0;
}
