// A small host that runs an engine without base and lists.
//
//     harness LIBRARY ID ITEMS
//
// Lays out ITEMS + 3 items in two sections. Prints row count, sum of frames and content size.
//
// The host's version is the one in the library's note, or SAYS from the environment ("2.0"). With a
// header of longer structs it fills the new members with TESSERA_GROWN; array strides are the
// engine's.

#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

enum { MOST_RUNS = 16, MOST_ENGINES = 8, MOST_VALUES = 64 };

static void *need(size_t size) {
  void *made = calloc(1, size ? size : 1);
  if (!made) abort();
  return made;
}

// ---------------------------------------------------------------- Host

static void report(const tessera_host *self, tessera_status status, const char *message) {
  (void)self;
  printf("report %d: %s\n", status, message);
}
static int32_t progress(const tessera_host *self, double fraction) {
  return (void)self, fraction >= 0 && fraction <= 1;
}
static const void *extension(const tessera_host *self, const char *id) {
  return (void)self, (void)id, NULL;
}
#ifdef TESSERA_GROWN
#define AND_GROWN , TESSERA_GROWN
#else
#define AND_GROWN
#endif
static tessera_host host = {
    sizeof host, TESSERA_ABI_MAJOR, TESSERA_ABI_MINOR, 0, report, progress, extension AND_GROWN};

// Sets the host's version: its major version and the later minor one.
static bool serve(const char *path) {
  static const char record[] = "\010\0\0\0\014\0\0\0\001\0\0\0Tessera";
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return false;
  const size_t size = (size_t)ftell(file);
  char *bytes = need(size);
  rewind(file);
  bool is_found = false;
  if (fread(bytes, 1, size, file) == size)
    for (size_t at = 0; !is_found && at + sizeof record + 12 <= size; at += 4) {
      uint32_t version[2];
      if (memcmp(bytes + at, record, sizeof record) != 0) continue;
      memcpy(version, bytes + at + sizeof record, sizeof version);
      host.abi_major = version[0];
      if (version[0] != TESSERA_ABI_MAJOR || version[1] > TESSERA_ABI_MINOR) host.abi_minor = version[1];
      is_found = true;
    }
  free(bytes);
  fclose(file);
  const char *says = getenv("SAYS");
  return is_found && (!says || sscanf(says, "%u.%u", &host.abi_major, &host.abi_minor) == 2);
}

static const tessera_engine *engines[MOST_ENGINES];
static size_t engine_count;
static tessera_status add_engine(tessera_registry *self, const tessera_engine *engine) {
  (void)self;
  if (engine_count == MOST_ENGINES) return TESSERA_ERROR_NO_SPACE;
  engines[engine_count++] = engine;
  return TESSERA_OK;
}

// ---------------------------------------------------------------- Output

static const tessera_engine *engine;

// Array element, by the stride of the compiled library.
static const void *place(const void *array, uint32_t index, uint32_t size) {
  return (const char *)array + (size_t)index * size;
}
static const tessera_parameter *parameter(uint32_t i) {
  return place(engine->parameters, i, engine->parameter_size);
}
static const tessera_value_declaration *declared_value(uint32_t i) {
  return place(engine->values, i, engine->value_size);
}
static const tessera_attribute *attribute(uint32_t i) {
  return place(engine->attributes, i, engine->attribute_size);
}

static tessera_run runs[MOST_RUNS];
static tessera_rows rows[MOST_RUNS];
static void **attributes[MOST_RUNS];
static uint64_t run_count;
static tessera_size content;

static size_t size_of_type(tessera_type type) {
  switch (type) {
    case TESSERA_TYPE_BOOL: return 1;
    case TESSERA_TYPE_ENUM: return 4;
    case TESSERA_TYPE_INT:
    case TESSERA_TYPE_NUMBER: return 8;
    case TESSERA_TYPE_POINT:
    case TESSERA_TYPE_SIZE: return 16;
    default: return 32;
  }
}

static tessera_status add(tessera_output *self, const tessera_run *run, const tessera_rows **got) {
  (void)self;
  if (run_count == MOST_RUNS) return TESSERA_ERROR_NO_SPACE;
  runs[run_count] = *run;
  attributes[run_count] = need(engine->attribute_count * sizeof(void *));
  for (uint32_t i = 0; i < engine->attribute_count; i++)
    attributes[run_count][i] = need(run->count * size_of_type(attribute(i)->type));
  rows[run_count] = (tessera_rows){
      .struct_size = sizeof(tessera_rows), .count = run->count, .frame = need(run->count * sizeof(tessera_rect)),
      .attributes = attributes[run_count] AND_GROWN};
  *got = &rows[run_count++];
  return TESSERA_OK;
}
static uint64_t count_runs(tessera_output *self) { return (void)self, run_count; }
static tessera_status get(tessera_output *self, uint64_t index, tessera_run *run,
                          const tessera_rows **got) {
  (void)self;
  if (index >= run_count) return TESSERA_ERROR_NOT_FOUND;
  *run = runs[index];
  *got = &rows[index];
  return TESSERA_OK;
}
static void set_content_size(tessera_output *self, tessera_size size) { (void)self, content = size; }
static tessera_size content_size(tessera_output *self) { return (void)self, content; }
static tessera_status leave(tessera_output *self, const tessera_rows *rows_, uint64_t count) {
  return (void)self, (void)rows_, count == 0 ? TESSERA_OK : TESSERA_ERROR_INVALID_VALUE;
}
static tessera_output output = {
    sizeof output, 0, add, count_runs, get, set_content_size, content_size, leave AND_GROWN};

// ---------------------------------------------------------------- Input

static uint64_t starts[3];
static tessera_value parameters[MOST_VALUES];
static tessera_column values[MOST_VALUES];
static tessera_function functions[MOST_VALUES];
static tessera_list lists[1];

static const tessera_value *fallback(const tessera_value_declaration *value) {
  static const tessera_value zero;
  for (uint32_t i = 0; value->fallback && i < engine->parameter_count; i++)
    if (strcmp(parameter(i)->name, value->fallback) == 0) return &parameters[i];
  return &zero;
}

static void tell(const char *what, tessera_status status) {
  double sum = 0;
  uint64_t count = 0;
  for (uint64_t run = 0; run < run_count; run++)
    for (uint64_t row = 0; row < rows[run].count; row++, count++) {
      const tessera_rect *frame = &rows[run].frame[row];
      sum += frame->x + 2 * frame->y + 3 * frame->width + 5 * frame->height;
    }
  printf("%s status %d rows %" PRIu64 " sum %.17g content %gx%g\n", what, status, count, sum,
         content.width, content.height);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 66;
  tessera_status (*enter)(const tessera_host *, tessera_registry *);
  *(void **)&enter = dlsym(library, "tessera_register");
  tessera_registry registry = {sizeof registry, 0, add_engine AND_GROWN};
  if (!enter || !serve(arguments[1]) || enter(&host, &registry) != TESSERA_OK) return 65;
  for (size_t i = 0; i < engine_count; i++)
    if (strcmp(engines[i]->id, arguments[2]) == 0) engine = engines[i];
  if (!engine || engine->parameter_count > MOST_VALUES || engine->value_count > MOST_VALUES)
    return 65;
  for (uint32_t i = 0; i < engine->parameter_count; i++) parameters[i] = parameter(i)->initial;
  for (uint32_t i = 0; i < engine->value_count; i++)
    values[i] = (tessera_column){fallback(declared_value(i)), 0};
  starts[1] = strtoull(arguments[3], NULL, 10);
  starts[2] = starts[1] + 3;

  tessera_layout *layout = NULL;
  if (engine->create && engine->create(engine, &host, &layout) != TESSERA_OK) return 65;
  tessera_input input = {
      .struct_size = sizeof input, .host = &host, .viewport = {0, 0, 375, 667}, .scale = 2, .section_count = 2,
      .section_starts = starts, .parameters = parameters, .values = values, .lists = lists, .functions = functions,
      .change = {.what = TESSERA_CHANGED_ALL} AND_GROWN};
  tell("own", engine->prepare(layout, &input, &output));
  if (engine->elements_in_rect) {
    run_count = 0;
    const tessera_status status = engine->elements_in_rect(
        layout, &input, (tessera_rect){0, 0, content.width, content.height}, &output);
    tell("queried", status);
  }
  if (engine->destroy) engine->destroy(layout);
  return 0;
}
