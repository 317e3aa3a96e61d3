// Another engine's layout, with every second cell smaller and fainter.
//
// Change `prepare` first: the base places everything, then this engine changes it. The parameters
// are above it, the engine's name is below.

#include <math.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

// ---------------------------------------------------------------- parameters
// Users can set the base's parameters, too.

enum { EVERY, FADE, INSET, PARAMETER_COUNT };

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [EVERY] = {.name = "every",
               .help = "Changes one of this many cells.",
               .type = TESSERA_TYPE_INT,
               .initial.integer = 2,
               .minimum.integer = 1,
               .maximum.integer = 1000},
    [FADE] = {.name = "fade",
              .help = "Opacity of a changed cell.",
              .type = TESSERA_TYPE_NUMBER,
              .initial.number = 0.5,
              .maximum.number = 1},
    [INSET] = {.name = "inset",
               .help = "How far the edges of a changed cell move inwards.",
               .unit = "pt",
               .type = TESSERA_TYPE_NUMBER,
               .initial.number = 6,
               .maximum.number = 1000},
};

// ---------------------------------------------------------------- where everything goes

// Insets all edges, at most to the middle.
static tessera_rect shrunk(tessera_rect from, double inset) {
  const double x = fmin(inset, from.width / 2), y = fmin(inset, from.height / 2);
  return (tessera_rect){from.x + x, from.y + y, from.width - 2 * x, from.height - 2 * y};
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout; // Without state there is no create and no destroy.
  const uint64_t every = (uint64_t)in->parameters[EVERY].integer;
  const double fade = in->parameters[FADE].number, inset = in->parameters[INSET].number;

  // Override the base's parameters, values and lists here, through `in->super`.
  tessera_status status = in->super->prepare(in->super, out);
  if (status != TESSERA_OK) return status;

  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      if ((run.first_item + row + 1) % every != 0) continue;
      rows->frame[row] = shrunk(rows->frame[row], inset);
      rows->alpha[row] *= fade;
    }
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- what the engine is

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine),
    // Right to left is the mirror: `tessera check` tests it. If the base has them, add
    // TESSERA_LAW_APPENDS and TESSERA_LAW_SCALES.
    .traits = TESSERA_TRAIT_MIRRORS,
    .columns = TESSERA_COLUMN_ALPHA,
    .id = "org.example.example-layout",
    .name = "Example Layout",
    .version = "0.1.0",
    .author = "Example Author",
    .license = "LicenseRef-Example",
    .summary = "Every second cell smaller and fainter.",
    .base = "org.example.base",
    .base_version = "9.8.7",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof(tessera_parameter),
    .parameters = parameters,
    .prepare = prepare,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
