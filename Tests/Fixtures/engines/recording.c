// An engine that notes which of its functions are called: 1 prepare, 2 adjust, 3 begin,
// 4 initial_attributes, 5 final_attributes, 6 end, 7 still_valid. A function gives the numbers as
// digits, the first call first, and forgets them. `recording-derived` is derived from `recording`; either
// fails in begin or in initial_attributes, as its parameter says.

#include <string.h>
#include <tessera/ext/updates.h>
#include <tessera/plain.h>

TESSERA_NOTE;

struct tessera_layout {
  const tessera_host *host;
  uint64_t calls;
};

static void note(tessera_layout *layout, uint64_t call) { layout->calls = layout->calls * 10 + call; }

static uint64_t take_calls(void *context) {
  tessera_layout *layout = context;
  uint64_t calls = layout->calls;
  layout->calls = 0;
  return calls;
}

PLAIN_CREATE;

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  note(layout, 1);
  if (in->super != NULL) return in->super->prepare(in->super, out);
  uint64_t place = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
    const tessera_rows *rows;
    const tessera_run run = {TESSERA_CATEGORY_CELL, 0, section, 0, 0, count};
    if (count == 0) continue;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t row = 0; row < count; row++, place++)
      rows->frame[row] = (tessera_rect){0, 10 * (double)place, 100, 10};
  }
  out->set_content_size(out, (tessera_size){100, 10 * (double)place});
  return TESSERA_OK;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)in, (void)rect, (void)out;
  note(layout, 2);
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)in;
  note(layout, 7);
  return 0;
}

static tessera_status fail(tessera_layout *layout, const tessera_input *in, int64_t where) {
  if (in->parameters[0].integer != where) return TESSERA_OK;
  return plain_refuse(layout->host, TESSERA_ERROR_FAILED, "it was told to fail");
}

static tessera_status begin(tessera_layout *layout, const tessera_input *in,
                            const tessera_update *updates, uint64_t count) {
  (void)updates, (void)count;
  note(layout, 3);
  return fail(layout, in, 3);
}

static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in,
                                         tessera_output *out) {
  (void)out;
  note(layout, 4);
  return fail(layout, in, 4);
}

static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in,
                                       tessera_output *out) {
  (void)in;
  note(layout, 5);
  // Every built-in column exists, whatever the engine declares.
  tessera_run run;
  const tessera_rows *rows;
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    if (out->get(out, i, &run, &rows) != TESSERA_OK) return TESSERA_ERROR_FAILED;
    for (uint64_t row = 0; row < run.count; row++) rows->transform[row].m[12] += 1;
  }
  return TESSERA_OK;
}

static void end(tessera_layout *layout) { note(layout, 6); }

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  static const tessera_updates updates = {
      .struct_size = sizeof(tessera_updates),
      .begin = begin,
      .initial_attributes = initial_attributes,
      .final_attributes = final_attributes,
      .end = end,
  };
  return strcmp(id, TESSERA_EXT_UPDATES) == 0 ? &updates : NULL;
}

static const tessera_parameter parameters[] = {
    {.name = "failsIn", .help = "The call that fails.", .type = TESSERA_TYPE_INT},
};

static const tessera_function_declaration base_functions[] = {
    {"takeBaseCalls", "u64()", "The calls since it was last asked.", (void (*)(void))take_calls},
};

static const tessera_function_declaration derived_functions[] = {
    {"takeDerivedCalls", "u64()", "The calls since it was last asked.", (void (*)(void))take_calls},
};

#define ENGINE(engine_id, ...)                                                                     \
  {.struct_size = sizeof(tessera_engine), .id = engine_id, .name = "Recording",                    \
   .version = "1.0.0", .author = "The Tessera authors", .license = "MIT",                          \
   .summary = "Notes its calls.", .traits = TESSERA_TRAIT_VIEWPORT, .parameter_count = 1,          \
   .parameter_size = sizeof(tessera_parameter), .parameters = parameters, .function_count = 1,     \
   .function_size = sizeof(tessera_function_declaration), .create = create, .destroy = plain_destroy,    \
   .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension,       \
   __VA_ARGS__}

static const tessera_engine engines[] = {
    ENGINE("org.example.recording", .functions = base_functions),
    ENGINE("org.example.recording-derived", .base = "org.example.recording",
           .functions = derived_functions),
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
    tessera_status status = registry->add_engine(registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
