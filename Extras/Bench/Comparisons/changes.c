// changes FOLDER [ITEMS]: the cost of changes through libtessera, with sandboxed engines.
//
// Prints one figure per line: name, tab, milliseconds of processor time of this process and the
// worker, as a median; or bytes per item where the name says memory.
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera_host.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 64, MOST_ROWS = 4096 };

static const char *folder;
static uint64_t million;
static uint64_t now_items;
static double *numbers;
static tessera_element from[MOST_ROWS], to[MOST_ROWS];

static void fail(const char *what, const char *message) {
  fprintf(stderr, "changes: %s: %s\n", what, message);
  exit(70);
}

static void done(tessera_session *session, int32_t status, const char *what) {
  if (status) fail(what, tessera_session_message(session));
}
#define DONE(session, call) done(session, call, #call)

// Nanoseconds of processor time.
static uint64_t ran(const char *process) {
  char path[300];
  snprintf(path, sizeof path, "/proc/%s/task", process);
  DIR *tasks = opendir(path);
  uint64_t sum = 0;
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    unsigned long long time = 0;
    snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/schedstat", process, task->d_name);
    FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
    if (file && fscanf(file, "%llu", &time) == 1) sum += time;
    if (file) fclose(file);
  }
  if (tasks) closedir(tasks);
  return sum;
}

static uint64_t sum_of_processes(uint64_t (*of)(const char *process)) {
  uint64_t sum = of("self");
  DIR *tasks = opendir("/proc/self/task");
  // Children belong to threads; the library starts workers on one.
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    char path[300], process[21];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/children", task->d_name);
    FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
    while (file && fscanf(file, "%20s", process) == 1) sum += of(process);
    if (file) fclose(file);
  }
  if (tasks) closedir(tasks);
  return sum;
}

// Bytes of a process; shared pages count in proportion.
static uint64_t held(const char *process) {
  char path[100], line[200];
  snprintf(path, sizeof path, "/proc/%.20s/smaps_rollup", process);
  FILE *file = fopen(path, "r");
  unsigned long long kilobytes = 0;
  while (file && fgets(line, sizeof line, file) && sscanf(line, "Pss: %llu", &kilobytes) != 1) continue;
  if (file) fclose(file);
  return kilobytes * 1024;
}

static int compare(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static double times[MOST_RUNS];
static int runs;
static uint64_t started;

static void start(void) { started = sum_of_processes(ran); }
static void stop_after(int count) {
  if (runs < MOST_RUNS) times[runs++] = (double)(sum_of_processes(ran) - started) / 1e6 / count;
}
static void stop(void) { stop_after(1); }
static void say(const char *name) {
  qsort(times, (size_t)runs, sizeof *times, compare);
  printf("%s\t%.4f\n", name, times[runs / 2]);
  fflush(stdout);
  runs = 0;
}

static tessera_session *session_of(const char *engine, uint64_t items) {
  tessera_engines *engines = tessera_engines_create();
  tessera_session *session = NULL;
  tessera_engines_add_folder(engines, folder);
  if (tessera_session_create(engines, engine, &session)) fail(engine, tessera_engines_message(engines));
  tessera_engines_destroy(engines);
  DONE(session, tessera_session_set_sections(session, &items, 1));
  now_items = items;
  return session;
}

static void look(tessera_session *session) {
  uint64_t count = 0;
  DONE(session, tessera_session_query_viewport(session, to, sizeof *to, MOST_ROWS, &count));
  if (count == 0) fail("viewport", "it shows nothing");
}

static void scroll_to(tessera_session *session, double part) {
  double width = 0, height = 0;
  DONE(session, tessera_session_content_size(session, &width, &height));
  DONE(session, tessera_session_set_offset(session, 0, part * (height - 667)));
  look(session);
}

static const char *value;
static uint32_t components;

static uint64_t at, removed, added;
static int32_t supply(void *context, tessera_session *session) {
  (void)context;
  return tessera_session_splice_values(session, TESSERA_HOST_SCOPE_ITEM, value, at, removed, numbers, components, added, 8 * components);
}

static void update(tessera_session *session, const tessera_edit *edits, uint64_t count, uint64_t items) {
  uint64_t tracks = 0, copied = 0;
  now_items = items;
  DONE(session, tessera_session_update_visible(session, edits, count, &items, 1, value ? supply : NULL, NULL, &tracks));
  DONE(session, tessera_session_copy_tracks(session, 0, from, to, NULL, sizeof *from, MOST_ROWS, &copied));
  if (tracks == 0) fail("update", "it has no tracks");
}

// Changes measured at once, because reading the times costs as much as a short one.
enum { GROUP = 10 };

static void change_one(tessera_session *session, uint64_t items, uint64_t place, const char *name) {
  for (int run = 0; run < 12 * GROUP; run++) {
    int inserts = run % 2 == 0;
    tessera_edit edit = inserts
      ? (tessera_edit){.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .to_item = place}
      : (tessera_edit){.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .from_item = place};
    at = place, removed = !inserts, added = inserts;
    if (run >= GROUP && run % GROUP == 0) start();
    update(session, &edit, 1, items + inserts);
    if (run > GROUP && run % GROUP == GROUP - 1) stop_after(GROUP);
  }
  say(name);
}

static uint64_t item_in_sight(tessera_session *session) {
  uint64_t count = 0;
  DONE(session, tessera_session_query_viewport(session, to, sizeof *to, MOST_ROWS, &count));
  return count > 2 ? to[count / 2].item : 0;
}

static void change_in(const char *engine, uint64_t items, const char *given, uint32_t numbers_each) {
  static const struct { const char *name; double part; } places[] = {{"end", 1}, {"middle", 0.5}, {"front", 0}};
  for (int place = 0; place < 3; place++) {
    tessera_session *session = session_of(engine, items);
    value = given, components = numbers_each;
    if (value)
      DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, value, numbers, components, items, 8 * components));
    scroll_to(session, places[place].part);
    uint64_t before = sum_of_processes(held);
    char name[100];
    snprintf(name, sizeof name, "change %s %s", engine, places[place].name);
    change_one(session, items, item_in_sight(session), name);
    if (place == 1) {
      uint64_t after = sum_of_processes(held);
      printf("memory %s\t%.4f\n", engine, after > before ? (double)(after - before) / (double)items : 0);
    }
    tessera_session_destroy(session);
  }
  value = NULL;
}

static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)context, (void)section;
  measured[0] = proposed[0];
  measured[1] = 30 + (double)(item * 7919 % 41);
  return 0;
}

static void change_measured(uint64_t items) {
  tessera_session *session = session_of("table", items);
  const double estimate = 44, none = 0;
  DONE(session, tessera_session_set_parameter(session, "estimatedRowHeight", &estimate, 1));
  DONE(session, tessera_session_set_parameter(session, "sectionHeaderHeight", &none, 1));
  DONE(session, tessera_session_set_measure(session, measure, NULL));
  scroll_to(session, 0.5);
  change_one(session, items, item_in_sight(session), "change measured table");
  for (int step = 0; step < 12 * GROUP; step++) {
    double x = 0, y = 0;
    DONE(session, tessera_session_offset(session, &x, &y));
    DONE(session, tessera_session_set_offset(session, x, y + 100));
    if (step >= GROUP && step % GROUP == 0) start();
    look(session);
    if (step > GROUP && step % GROUP == GROUP - 1) stop_after(GROUP);
  }
  say("scroll measured table");
  tessera_session_destroy(session);
}

// A full prepare, for comparison.
static void change_range(uint64_t items) {
  tessera_session *session = session_of("mosaic", items);
  scroll_to(session, 0.5);
  uint64_t place = item_in_sight(session);
  static tessera_edit edits[2000];
  uint64_t count = 0;
  edits[count++] = (tessera_edit){.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .count = 1000, .from_item = place};
  edits[count++] = (tessera_edit){.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .count = 1000, .to_item = place};
  for (int run = 0; run < 22; run++) {
    if (run > 1) start();
    update(session, edits, count, items);
    if (run > 1) stop();
  }
  say("replace a thousand");
  for (int run = 0; run < 22; run++) {
    DONE(session, tessera_session_set_bounds(session, 375 + run % 2, 667));
    if (run > 1) start();
    look(session);
    if (run > 1) stop();
  }
  say("prepare mosaic");
  tessera_session_destroy(session);
}

// A scroll offset is at most 10^12 points.
static void change_lazily(uint64_t items, double part, const char *name) {
  tessera_session *session = session_of("grid", items);
  scroll_to(session, part);
  uint64_t place = item_in_sight(session), tracks = 0, changed = items + 1;
  tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .to_item = place};
  if (tessera_session_update_visible(session, &edit, 1, &changed, 1, NULL, NULL, &tracks)) {
    fprintf(stderr, "changes: %s: %s\n", name, tessera_session_message(session));
  } else {
    edit = (tessera_edit){.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .from_item = place};
    update(session, &edit, 1, items);
    change_one(session, items, place, name);
  }
  tessera_session_destroy(session);
}

static double seconds_between(const struct timespec *one, const struct timespec *other) {
  return (double)(other->tv_sec - one->tv_sec) + (double)(other->tv_nsec - one->tv_nsec) / 1e9;
}

// The longest wall time for which a background prepare or its query blocks the caller.
static void prepare_elsewhere(uint64_t items) {
  tessera_session *session = session_of("flow", items);
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "size", numbers, 2, items, 16));
  look(session);
  for (int run = 0; run < 22; run++) {
    struct timespec now[4];
    int32_t descriptor = -1;
    DONE(session, tessera_session_set_bounds(session, 375 + run % 2, 667));
    clock_gettime(CLOCK_MONOTONIC, &now[0]);
    DONE(session, tessera_session_prepare_begin(session, &descriptor));
    clock_gettime(CLOCK_MONOTONIC, &now[1]);
    poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, -1);
    clock_gettime(CLOCK_MONOTONIC, &now[2]);
    DONE(session, tessera_session_prepare_finish(session));
    look(session);
    clock_gettime(CLOCK_MONOTONIC, &now[3]);
    const double begin = seconds_between(&now[0], &now[1]), finish = seconds_between(&now[2], &now[3]);
    if (run > 1) times[runs++] = 1e3 * (begin > finish ? begin : finish);
  }
  say("block of a prepare elsewhere");
  tessera_session_destroy(session);
}

static void transition(uint64_t items) {
  tessera_session *grid = session_of("grid", items), *other = session_of("grid", items);
  DONE(other, tessera_session_set_bounds(other, 500, 667));
  scroll_to(grid, 0.5), scroll_to(other, 0.5);
  for (int run = 0; run < 22; run++) {
    uint64_t tracks = 0;
    if (run > 1) start();
    if (tessera_session_transition_visible(other, grid, &tracks)) {
      fprintf(stderr, "changes: transition: %s\n", tessera_session_message(other));
      runs = 0;
      break;
    }
    if (run > 1) stop();
  }
  if (runs) say("transition lazily");
  tessera_session_destroy(grid);
  tessera_session_destroy(other);
}

int main(int count, char **arguments) {
  if (count < 2) return fputs("changes: give the folder of the engines\n", stderr), 64;
  folder = arguments[1];
  million = count > 2 ? strtoull(arguments[2], NULL, 10) : 1000000;
  numbers = malloc((million + 2000) * 16);
  for (uint64_t i = 0; i < 2 * million + 4000; i++) numbers[i] = 20 + (double)(i * 7919 % 61);
  change_in("mosaic", million, NULL, 0);
  change_in("flow", million, "size", 2);
  change_in("waterfall", million, "height", 1);
  change_range(million);
  change_lazily(million, 0.5, "change grid");
  change_lazily(1000000000000, 0.05, "change endless grid");
  transition(1000000000);
  change_measured(million);
  prepare_elsewhere(million);
  free(numbers);
  return 0;
}
