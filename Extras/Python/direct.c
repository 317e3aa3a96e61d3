// Lays out collections with an engine library and nothing in between: no host, no checks, no copies.
// For engines without a base whose only item value is their first one.

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

enum { MOST = 64 };

static const tessera_engine *engine;
static tessera_rows rows = {.struct_size = sizeof rows};

static void report(const tessera_host *self, tessera_status status, const char *message) { (void)self, (void)status, (void)message; }
static int32_t progress(const tessera_host *self, double fraction) { return (void)self, (void)fraction, 1; }
static const void *extension(const tessera_host *self, const char *id) { return (void)self, (void)id, NULL; }
static const tessera_host host = {sizeof host, TESSERA_ABI_MAJOR, TESSERA_ABI_MINOR, 0, report, progress, extension};

static tessera_status keep(tessera_registry *self, const tessera_engine *found) { return (void)self, engine = found, TESSERA_OK; }

// The memory of the frames is that of the layout before.
static tessera_status add(tessera_output *self, const tessera_run *run, const tessera_rows **got) {
  (void)self, rows.count = run->count, *got = &rows;
  return TESSERA_OK;
}
static uint64_t count_runs(tessera_output *self) { return (void)self, 0; }
static tessera_status get(tessera_output *self, uint64_t index, tessera_run *run, const tessera_rows **got) {
  (void)self, (void)index, (void)run, (void)got;
  return TESSERA_ERROR_NOT_FOUND;
}
static tessera_size content;
static void set_content_size(tessera_output *self, tessera_size size) { (void)self, content = size; }
static tessera_size content_size(tessera_output *self) { return (void)self, content; }
static tessera_status leave(tessera_output *self, const tessera_rows *left, uint64_t count) { return (void)self, (void)left, (void)count, TESSERA_OK; }
static tessera_output output = {sizeof output, 0, add, count_runs, get, set_content_size, content_size, leave};

// Lays out `count` collections that begin at `starts`; the item value that is named has `numbers`. Returns the sum of the content
// heights, or a negative number if that does not work.
double lay_out(const char *library, const char *value, const uint64_t *starts, uint64_t count, double *numbers, double width,
               double height) {
  void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  tessera_status (*enter)(const tessera_host *, tessera_registry *);
  if (!loaded) return -1;
  *(void **)&enter = dlsym(loaded, "tessera_register");
  tessera_registry registry = {sizeof registry, 0, keep};
  if (!enter || enter(&host, &registry) || engine->parameter_count > MOST || engine->value_count > MOST) return -2;
  static tessera_value parameters[MOST];
  static tessera_column values[MOST];
  for (uint32_t i = 0; i < engine->parameter_count; i++) parameters[i] = engine->parameters[i].initial;
  int64_t own = -1;
  for (uint32_t i = 0; i < engine->value_count; i++) {
    const tessera_value_declaration *declared = &engine->values[i];
    if (strcmp(declared->name, value) == 0) own = i;
    for (uint32_t j = 0; declared->fallback && j < engine->parameter_count; j++)
      if (strcmp(engine->parameters[j].name, declared->fallback) == 0) values[i].data = &parameters[j];
  }
  tessera_layout *layout = NULL;
  if (own < 0 || engine->create(engine, &host, &layout)) return -3;
  uint64_t most = 0, bounds[2] = {0, 0};
  for (uint64_t i = 0; i < count; i++)
    if (starts[i + 1] - starts[i] > most) most = starts[i + 1] - starts[i];
  rows.frame = calloc(most + 1, sizeof *rows.frame);
  tessera_input input = {.struct_size = sizeof input, .viewport = {0, 0, width, height}, .scale = 1, .section_count = 1,
                         .section_starts = bounds, .parameters = parameters, .values = values,
                         .change = {.what = TESSERA_CHANGED_ALL}};
  double sum = 0;
  for (uint64_t i = 0; i < count && sum >= 0; i++) {
    bounds[1] = starts[i + 1] - starts[i];
    values[own] = (tessera_column){numbers + starts[i], sizeof *numbers};
    sum = engine->prepare(layout, &input, &output) ? -4 : sum + content.height;
  }
  engine->destroy(layout);
  free(rows.frame);
  return sum;
}
