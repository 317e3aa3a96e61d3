// An engine with faults that the tools of Documentation/Debugging.md find: rows of one height.
//
//     cc -g -fPIC -shared $(pkg-config --cflags tessera) faulty.c -o libfaulty.so

#include <stdlib.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

static const double height = 20;

enum { CRASHES, OVERFLOWS, PARAMETERS };

static const tessera_parameter parameters[PARAMETERS] = {
    {.name = "crashes", .help = "Whether it writes through a null pointer.", .type = TESSERA_TYPE_BOOL},
    {.name = "overflows", .help = "Whether it writes past the end of an array.", .type = TESSERA_TYPE_BOOL},
};

// Where each row begins, and where the last one ends.
static double *row_starts(uint64_t count, uint64_t excess) {
  double *starts = malloc((count + 1) * sizeof *starts);
  if (!starts) return NULL;
  for (uint64_t row = 0; row <= count + excess; row++) starts[row] = height * (double)row;
  return starts;
}

static void place(tessera_rect *frames, uint64_t item, double y, double width) {
  frames[item] = (tessera_rect){0, y, width, height};
}

static tessera_status add_rows(const tessera_input *input, tessera_output *output, const double *starts) {
  const int crashes = input->parameters[CRASHES].boolean;
  for (uint32_t section = 0; section < input->section_count; section++) {
    const uint64_t first = input->section_starts[section];
    const tessera_run run = {
        .category = TESSERA_CATEGORY_CELL, .section = section, .count = input->section_starts[section + 1] - first};
    const tessera_rows *rows = NULL;
    const tessera_status status = output->add(output, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t item = 0; item < run.count; item++)
      place(crashes ? NULL : rows->frame, item, starts[first + item], input->viewport.width);
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
  (void)layout;
  const uint64_t count = input->section_starts[input->section_count];
  double *starts = row_starts(count, input->parameters[OVERFLOWS].boolean ? 1 : 0);
  if (!starts) return TESSERA_ERROR_FAILED;
  const tessera_status status = add_rows(input, output, starts);
  output->set_content_size(output, (tessera_size){input->viewport.width, starts[count]});
  free(starts);
  return status;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.faulty", .name = "Faulty", .version = "1.0.0",
    .author = "Nobody", .license = "0BSD", .summary = "Has faults to find.", .parameters = parameters,
    .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter), .prepare = prepare};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
