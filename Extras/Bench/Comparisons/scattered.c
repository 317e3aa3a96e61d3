/* An engine with unsorted rows: items at random places of a square, with as many in a viewport
   as in an ordinary layout. */
#include <math.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)host;
  *layout = (tessera_layout *)self;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) { (void)layout; }

static tessera_status prepare(tessera_layout *layout, const tessera_input *input,
                              tessera_output *output) {
  (void)layout;
  uint64_t count = input->section_starts[input->section_count];
  tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, 0, count};
  const tessera_rows *rows = 0;
  tessera_status status = output->add(output, &run, &rows);
  if (status != TESSERA_OK) return status;
  /* About 20 of 50 × 50 points in 375 × 667. */
  double side = sqrt((double)count * 375 * 667 / 20);
  uint64_t state = 42;
  for (uint64_t i = 0; i < count; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double x = (double)(state >> 40) * 0x1p-24 * side;
    double y = (double)(state >> 16 & 0xffffff) * 0x1p-24 * side;
    rows->frame[i] = (tessera_rect){x, y, 50, 50};
  }
  output->set_content_size(output, (tessera_size){side + 50, side + 50});
  return TESSERA_OK;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine),
    .id = "org.tessera.bench.scattered",
    .name = "Scattered",
    .version = "1.0.0",
    .author = "Tessera",
    .license = "MIT",
    .summary = "Items at random places, to measure queries.",
    .parameter_size = sizeof(tessera_parameter),
    .value_size = sizeof(tessera_value_declaration),
    .function_size = sizeof(tessera_function_declaration),
    .attribute_size = sizeof(tessera_attribute),
    .kind_size = sizeof(tessera_kind),
    .default_size = sizeof(tessera_setting),
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
};

TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
