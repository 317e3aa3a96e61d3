// A column of rows in versions: VERSION is its text, ROW the default height. RENAMED renames the
// parameter. ONE and OTHER add attributes of these indexes, "one" = 1 and "other" = 2. DYING exits
// on registration, DESTROYING on destroying a layout.
#include <stdlib.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

#ifdef RENAMED
#define NAME "lineHeight"
#else
#define NAME "rowHeight"
#endif

static const tessera_parameter parameters[] = {
    {.name = NAME, .help = "How high a row is.", .type = TESSERA_TYPE_NUMBER, .initial = {.number = ROW},
     .minimum = {.number = 0}, .maximum = {.number = 1000}},
};

#ifdef ONE
static const tessera_attribute attributes[] = {
    [ONE] = {.name = "one", .help = "1.", .type = TESSERA_TYPE_NUMBER, .initial = {.number = 1}},
    [OTHER] = {.name = "other", .help = "2.", .type = TESSERA_TYPE_NUMBER, .initial = {.number = 2}},
};
#endif

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  double row = (double)in->parameters[0].number;
  uint64_t n = in->section_count ? in->section_starts[1] : 0;
  tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, 0, n};
  const tessera_rows *rows;
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t i = 0; i < n; i++) rows->frame[i] = (tessera_rect){0, row * (double)i, in->viewport.width, row};
  out->set_content_size(out, (tessera_size){in->viewport.width, row * (double)n});
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) {
  (void)layout;
#ifdef DESTROYING
  abort();
#endif
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.reloaded", .name = "Reloaded", .version = VERSION, .author = "A test",
    .license = "MIT", .summary = "A column.", .parameters = parameters, .parameter_count = 1,
    .parameter_size = sizeof(tessera_parameter), .value_size = sizeof(tessera_value_declaration),
    .function_size = sizeof(tessera_function_declaration), .attribute_size = sizeof(tessera_attribute),
    .kind_size = sizeof(tessera_kind), .default_size = sizeof(tessera_setting), .prepare = prepare, .destroy = destroy,
#ifdef ONE
    .attributes = attributes, .attribute_count = 2,
#endif
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
#ifdef DYING
  abort();
#endif
  return registry->add_engine(registry, &engine);
}
