// loops check FOLDER [ENGINE…]         compares the rows of each loop with those of its engine in FOLDER, for a few items
// loops measure FOLDER RUNS [ENGINE…]  compares them also for as many items as are measured, and then measures
//
// Prints a line for each case: the engine, its options, and the seconds of its prepare, of the loop and of memset, which take
// turns. It is processor time, so that other programs on the machine matter less. The last line is of the machine itself: the
// seconds of memset for an item, and of an addition that waits for the one before.
#define _GNU_SOURCE
#include "loops.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera_host.h>
#include <time.h>

enum { MOST_RUNS = 999, MILLION = 1000000 };

// A fixed number from 0 up to 1 for each number, as `noise` in the expressions of the command: splitmix64 of its bits.
static double noise(double x) {
  uint64_t bits = 0;
  if (x != 0) memcpy(&bits, &x, sizeof bits);
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return (double)((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

// The options of the cases, and the values that they give an item.
#define RATIO "--item aspectRatio='0.5+noise(item)*1.5'"
static void ratio(double item, double *value) { value[0] = 0.5 + noise(item) * 1.5; }
#define SIZES "--item size='30+noise(item)*60,20+noise(item+0.5)*37'"
static void any_size(double item, double *value) { value[0] = 30 + noise(item) * 60, value[1] = 20 + noise(item + 0.5) * 37; }
#define WIDE "--item size='150+noise(item)*60,20'"
static void wide_size(double item, double *value) { value[0] = 150 + noise(item) * 60, value[1] = 20; }
#define HEIGHT "--item height='30+noise(item)*40'"
static void height(double item, double *value) { value[0] = 30 + noise(item) * 40; }
#define WEIGHT "--item weight='1+noise(item)*9'"
static void weight(double item, double *value) { value[0] = 1 + noise(item) * 9; }
#define START "--item start='noise(item)*24'"
static void start(double item, double *value) { value[0] = noise(item) * 24; }
#define PARENT "--item parent='item<100000?-1:item%100000'"
static double parent(double item) { return item < 100000 ? -1 : fmod(item, 100000); }
#define NODES "--list nodes=Plugins/Compositional/nested.json"

typedef struct example {
  const char *engine, *options; // as in the table of the engine's README
  loop *lay_out;
  const char *value; // of items
  uint32_t components;
  void (*value_of)(double item, double *value);
  const char *parameter;
  double number;
  uint64_t items; // 0: a million
  size bounds;    // 0: those of a new session
} example;

static const example examples[] = {
  {"AspectFlow", RATIO, lay_out_aspect_flow, "aspectRatio", 1, ratio},
  {"ColumnFlow", "", lay_out_column_flow},
  {"Compositional", NODES, lay_out_compositional},
  {"CoverFlow", "", lay_out_cover_flow},
  {"EvenFlow", "", lay_out_even_flow},
  {"Flow", SIZES, lay_out_flow_of_sizes, "size", 2, any_size},
  {"Flow", WIDE, lay_out_flow_of_sizes, "size", 2, wide_size},
  {"Flow", "", lay_out_flow},
  {"Grid", "", lay_out_grid},
  {"Justified", RATIO, lay_out_justified, "aspectRatio", 1, ratio},
  {"Justified", "--items 1e7 " RATIO, lay_out_justified, "aspectRatio", 1, ratio, .items = 10000000},
  {"Justified", "--set method=balanced " RATIO, lay_out_justified_balanced, "aspectRatio", 1, ratio, "method", 1},
  {"Mosaic", "", lay_out_mosaic},
  {"Mosaic", "--items 1e7", lay_out_mosaic, .items = 10000000},
  {"Stagger", "", lay_out_stagger},
  {"Table", HEIGHT, lay_out_table, "height", 1, height},
  {"Timetable", "--set minimumDuration=0.001 " START, lay_out_timetable, "start", 1, start, "minimumDuration", 0.001},
  {"Treemap", WEIGHT, lay_out_treemap, "weight", 1, weight},
  {"Treemap", WEIGHT " " PARENT, lay_out_nested_treemap, "weight", 1, weight, "parent"},
  {"Waterfall", "--set columnCount=4 " RATIO, lay_out_waterfall_4, "aspectRatio", 1, ratio, "columnCount", 4},
  {"Waterfall", "--set columnCount=8 " RATIO, lay_out_waterfall_8, "aspectRatio", 1, ratio, "columnCount", 8},
  {"Waterfall", "--bounds 2560x1440 --set columnCount=64 " RATIO, lay_out_waterfall_64, "aspectRatio", 1, ratio, "columnCount", 64,
   .bounds = {2560, 1440}},
};

static _Noreturn void fail(const example *of, const char *what) {
  fprintf(stderr, "loops: %s%s%s: %s\n", of ? of->engine : "", of && *of->options ? " " : "", of ? of->options : "", what);
  exit(70);
}

static void *memory(uint64_t bytes) {
  void *found = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!found) fail(NULL, "there is no memory left");
  return memset(found, 0, bytes);
}

// An engine's session and what its loop lays out, with the same values.
typedef struct pair {
  const example *of;
  tessera_session *session;
  collection items;
  rows out;
} pair;

static void done(const pair *p, int32_t status) {
  if (status) fail(p->of, tessera_session_message(p->session));
}

// The records of nested.json: a group of 300 points, in it two of half the height, in the first of them an item and a column.
static void set_nodes(const pair *p) {
  enum { COUNT = 7 };
  const char *kinds[COUNT] = {"vertical", "horizontal", "item", "vertical", "item", "horizontal", "item"};
  const double parents[COUNT] = {-1, 0, 1, 1, 3, 0, 5}, widths[COUNT] = {1, 1, 0.3, 0.2, 1, 1, 1};
  const double heights[COUNT] = {300, 0.5, 1, 1, 1, 0.5, 1}, counts[COUNT] = {0, 0, 0, 3, 0, 4, 0}, spacings[COUNT] = {0, 4, 0, 2};
  const char *height_is[COUNT] = {"absolute"};
  for (int node = 1; node < COUNT; node++) height_is[node] = "fractionalHeight";
  done(p, tessera_session_set_list(p->session, "nodes", COUNT));
  done(p, tessera_session_set_list_choices(p->session, "nodes", "kind", kinds, COUNT, sizeof *kinds));
  done(p, tessera_session_set_list_choices(p->session, "nodes", "heightIs", height_is, COUNT, sizeof *height_is));
  const struct { const char *name; const double *numbers; } columns[] = {
    {"parent", parents}, {"width", widths}, {"height", heights}, {"count", counts}, {"spacing", spacings}};
  for (int i = 0; i < 5; i++)
    done(p, tessera_session_set_list_column(p->session, "nodes", columns[i].name, columns[i].numbers, 1, COUNT, sizeof(double)));
}

static void set_values(pair *p) {
  const uint64_t count = p->items.count;
  const uint32_t components = p->of->components;
  double *values = memory(count * components * sizeof(double));
  for (uint64_t item = 0; item < count; item++) p->of->value_of((double)item, values + item * components);
  p->items.values = values;
  done(p, tessera_session_set_values(p->session, TESSERA_HOST_SCOPE_ITEM, p->of->value, values, components, count, 8 * components));
}

static void set_parents(pair *p) {
  const uint64_t count = p->items.count;
  int64_t *parents = memory(count * sizeof *parents);
  double *numbers = memory(count * sizeof *numbers);
  for (uint64_t item = 0; item < count; item++) parents[item] = (int64_t)(numbers[item] = parent((double)item));
  p->items.parents = parents;
  done(p, tessera_session_set_values(p->session, TESSERA_HOST_SCOPE_ITEM, "parent", numbers, 1, count, 8));
  free(numbers);
}

static pair open_pair(const char *folder, const example *of, uint64_t count) {
  pair p = {.of = of, .items = {.count = count, .bounds = of->bounds.width > 0 ? of->bounds : (size){375, 667}, .scale = 2}};
  const uint64_t most = 2 * count + 64; // a separator a row, and what there is besides
  tessera_engines *engines = tessera_engines_create();
  tessera_engines_set_isolation(engines, TESSERA_HOST_ISOLATION_INSIDE);
  tessera_engines_add_folder(engines, folder);
  char path[4096];
  snprintf(path, sizeof path, "%s/libTessera%s.so", folder, of->engine);
  if (tessera_session_create(engines, path, &p.session)) fail(of, tessera_engines_message(engines));
  tessera_engines_destroy(engines);
  done(&p, tessera_session_set_sections(p.session, &count, 1));
  done(&p, tessera_session_set_element_limit(p.session, most));
  p.items.scratch = memory(128 * count + 4096);
  p.out.frames = memory(most * sizeof(rect));
  p.out.z_indexes = memory(most * sizeof(int32_t));
  p.out.hidden = memory(most);
  p.out.modes = memory(most * sizeof(int32_t));
  p.out.pictures = memory(most * sizeof(rect));
  if (of->value) set_values(&p);
  if (of->parameter && strcmp(of->parameter, "parent") == 0)
    set_parents(&p);
  else if (of->parameter && strcmp(of->parameter, "method") == 0)
    done(&p, tessera_session_set_parameter_choice(p.session, "method", "balanced"));
  else if (of->parameter)
    done(&p, tessera_session_set_parameter(p.session, of->parameter, &of->number, 1));
  if (strcmp(of->options, NODES) == 0) set_nodes(&p);
  return p;
}

static void close_pair(pair *p) {
  void *all[] = {(void *)p->items.values, (void *)p->items.parents, p->items.scratch,
                 p->out.frames, p->out.z_indexes, p->out.hidden, p->out.modes, p->out.pictures};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  tessera_session_destroy(p->session);
}

// Makes the bounds a point larger, or as they were, and says that everything has changed: some bounds change nothing.
static void resize(pair *p) {
  const double by = p->items.bounds.width == 375 || p->items.bounds.width == 2560 ? 1 : -1;
  p->items.bounds.width += by, p->items.bounds.height += by;
  done(p, tessera_session_set_bounds(p->session, p->items.bounds.width, p->items.bounds.height));
  done(p, tessera_session_set_measure(p->session, NULL, NULL));
}

static void prepare(pair *p) {
  double width, height;
  done(p, tessera_session_content_size(p->session, &width, &height));
}

// Sums of many numbers depend on their order.
static bool is_near(double one, double other) { return fabs(one - other) <= 1e-9 * fmax(1, fabs(other)); }

// Compares all rows: bit for bit, but for those of a table, whose heights the engine adds in another order.
static void compare(pair *p) {
  const bool is_table = p->of->lay_out == lay_out_table;
  char text[400];
  uint64_t count;
  tessera_columns found;
  done(p, tessera_session_set_bounds(p->session, p->items.bounds.width, p->items.bounds.height));
  done(p, tessera_session_query_all(p->session, NULL, sizeof(tessera_element), 0, &count));
  done(p, tessera_session_get_columns(p->session, &found, sizeof found));
  p->of->lay_out(&p->items, &p->out);
  if (is_table) place_rows_of_table(&p->items, &p->out);
  if ((int64_t)found.count != p->out.count) {
    snprintf(text, sizeof text, "the loop has %llu rows, the engine %llu", (unsigned long long)p->out.count, (unsigned long long)found.count);
    fail(p->of, text);
  }
  const double *modes = NULL, *pictures = NULL;
  for (uint32_t i = 0; i < tessera_session_attribute_count(p->session); i++) {
    const char *name = tessera_session_attribute_name(p->session, i);
    const void *values = NULL;
    if (strcmp(name, "layoutMode") && strcmp(name, "contentRect")) continue;
    done(p, tessera_session_get_attribute(p->session, i, &values));
    *(*name == 'l' ? &modes : &pictures) = values;
  }
  for (uint64_t row = 0; row < count; row++) {
    const double *engine = found.frames + 4 * row, *own = &p->out.frames[row].x;
    bool same = true;
    for (int i = 0; i < 4; i++) same = same && (is_table ? is_near(own[i], engine[i]) : own[i] == engine[i]);
    // Covers are turned by adjust, for a viewport.
    if (found.z_indexes && !found.transforms) same = same && found.z_indexes[row] == p->out.z_indexes[row];
    if (found.hidden) same = same && found.hidden[row] == p->out.hidden[row];
    if (modes) same = same && ((const int32_t *)modes)[row] == p->out.modes[row];
    if (pictures) same = same && memcmp(pictures + 4 * row, &p->out.pictures[row], sizeof(rect)) == 0;
    if (same) continue;
    snprintf(text, sizeof text, "of %llu rows the loop has %.17g, %.17g, %.17g, %.17g as row %llu, the engine %.17g, %.17g, %.17g, %.17g",
             (unsigned long long)count, own[0], own[1], own[2], own[3], (unsigned long long)row, engine[0], engine[1], engine[2], engine[3]);
    fail(p->of, text);
  }
  double width, height;
  done(p, tessera_session_content_size(p->session, &width, &height));
  if (is_near(p->out.content.width, width) && is_near(p->out.content.height, height)) return;
  snprintf(text, sizeof text, "the loop's content is %.17g × %.17g, the engine's %.17g × %.17g", p->out.content.width, p->out.content.height, width, height);
  fail(p->of, text);
}

static void check(const char *folder, const example *of, uint64_t count) {
  pair p = open_pair(folder, of, count);
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

static double median(double *times, int runs) {
  qsort(times, (size_t)runs, sizeof *times, order);
  return (times[(runs - 1) / 2] + times[runs / 2]) / 2;
}

static void *filled;
static void run_loop(pair *p) { p->of->lay_out(&p->items, &p->out); }
static void run_memset(pair *p) { memset(filled, 42, (uint64_t)p->items.count * sizeof(rect)); }

// The medians of some works, which take turns.
static void take_turns(pair *p, void (*const works[])(pair *), int count, int runs, double *medians) {
  static double times[3][MOST_RUNS];
  for (int run = 0; run < runs; run++) {
    for (int work = 0; work < count; work++) {
      // Twice, because the memory of the others is in the caches now.
      for (int time = 0; time < 2; time++) {
        resize(p);
        const double begin = now();
        works[work](p);
        // The compiler must assume that the memory is read.
        __asm__ volatile("" : : "r"(filled) : "memory");
        times[work][run] = now() - begin;
      }
    }
  }
  for (int work = 0; work < count; work++) medians[work] = median(times[work], runs);
}

static void measure(const char *folder, const example *of, int runs) {
  pair p = open_pair(folder, of, of->items ? of->items : MILLION);
  compare(&p);
  filled = memory((uint64_t)p.items.count * sizeof(rect));
  double medians[3];
  take_turns(&p, (void (*const[])(pair *)){prepare, run_loop, run_memset}, 3, runs, medians);
  printf("%s\t%s\t%.4g\t%.4g\t%.4g\n", of->engine, of->options, medians[0], medians[1], medians[2]);
  fflush(stdout);
  free(filled);
  close_pair(&p);
}

static void measure_machine(const char *folder, int runs) {
  const example *table = examples;
  while (table->lay_out != lay_out_table) table++;
  pair p = open_pair(folder, table, MILLION);
  filled = memory(MILLION * sizeof(rect));
  double medians[2];
  take_turns(&p, (void (*const[])(pair *)){run_memset, run_loop}, 2, runs, medians);
  printf("\tmachine\t%.4g\t%.4g\n", medians[0] / MILLION, medians[1] / MILLION);
  free(filled);
  close_pair(&p);
}

int main(int count, char **arguments) {
  const bool measures = count > 3 && strcmp(arguments[1], "measure") == 0;
  if (count < 3 || (!measures && strcmp(arguments[1], "check"))) return fputs("loops: see the first lines of main.c\n", stderr), 64;
  const int runs = measures ? atoi(arguments[3]) : 1, first = measures ? 4 : 3;
  if (runs < 1 || runs > MOST_RUNS) return fputs("loops: give 1 to 999 runs\n", stderr), 64;
  for (const example *of = examples; of < examples + sizeof examples / sizeof *examples; of++) {
    bool wanted = first == count;
    for (int i = first; i < count; i++) wanted = wanted || strcmp(arguments[i], of->engine) == 0;
    if (!wanted) continue;
    check(arguments[2], of, 10);
    check(arguments[2], of, 4321);
    if (measures)
      measure(arguments[2], of, runs);
    else
      printf("%s\t%s\n", of->engine, of->options);
  }
  if (measures) measure_machine(arguments[2], runs);
  return 0;
}
