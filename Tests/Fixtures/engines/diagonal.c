// A complete engine: every item one step to the right of the one before it, and one step below.
// cc -std=c11 -shared -fPIC -I Sources/CTessera/include diagonal.c -o libdiagonal.so

#include <tessera/tessera.h>

TESSERA_NOTE;

static const tessera_parameter parameters[] = {{
    .name = "itemSize",
    .help = "Size of every cell, and how far the next one lies to the right and below.",
    .unit = "pt",
    .type = TESSERA_TYPE_SIZE,
    .initial.size = {50, 50},
    .minimum.size = {0, 0},
    .maximum.size = {10000, 10000},
}};

static tessera_status prepare(tessera_layout *layout, const tessera_input *input,
                              tessera_output *output) {
  (void)layout;
  tessera_size item = input->parameters[0].size;
  double step = 0;
  for (uint32_t section = 0; section < input->section_count; section++) {
    uint64_t count = input->section_starts[section + 1] - input->section_starts[section];
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    const tessera_rows *rows;
    if (count == 0) continue;
    tessera_status status = output->add(output, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < count; i++, step++) {
      rows->frame[i] =
          (tessera_rect){step * item.width, step * item.height, item.width, item.height};
    }
  }
  output->set_content_size(output, (tessera_size){step * item.width, step * item.height});
  return TESSERA_OK;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine),
    .id = "org.example.diagonal",
    .name = "Diagonal",
    .version = "1.0.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Items on a staircase from the upper left to the lower right.",
    .parameter_count = 1,
    .parameter_size = sizeof(tessera_parameter),
    .parameters = parameters,
    .prepare = prepare,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
