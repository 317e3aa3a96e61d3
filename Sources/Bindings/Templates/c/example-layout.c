// Rows of cells laid like bricks: every second row is shifted by half a cell.
//
// Change `prepare` first, which places every cell. The parameters are above it, the engine's name
// is below.

#include <math.h>
#include <tessera/plain.h>

TESSERA_NOTE;

// ---------------------------------------------------------------- parameters

enum { ITEM_SIZE, SPACING, PARAMETER_COUNT };

// The host rejects values out of range: `prepare` never gets a cell without a width. Section and
// item values and lists are arrays, too: see tessera.h.
static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [ITEM_SIZE] = {.name = "itemSize",
                   .help = "Size of every cell.",
                   .unit = "pt",
                   .type = TESSERA_TYPE_SIZE,
                   .initial.size = {60, 40},
                   .minimum.size = {1, 1},
                   .maximum.size = {10000, 10000}},
    [SPACING] = {.name = "spacing",
                 .help = "Space between neighbours, in both directions.",
                 .unit = "pt",
                 .type = TESSERA_TYPE_NUMBER,
                 .initial.number = 6,
                 .maximum.number = 1000},
};

// ---------------------------------------------------------------- where everything goes

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout; // Without state there is no create and no destroy.
  const tessera_size cell = in->parameters[ITEM_SIZE].size;
  const double spacing = in->parameters[SPACING].number;
  const tessera_size pitch = {cell.width + spacing, cell.height + spacing};
  const double shift = pitch.width / 2;

  // The columns that fit into the bounds beside the shift, at least one.
  const double extent = plain_extent(in).width;
  const double columns = fmax(1, floor((extent + spacing - shift) / pitch.width));

  tessera_size content = {extent, 0};
  uint64_t row = 0, column = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = plain_items(in, section);
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    const tessera_rows *rows = NULL;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;

    if (column > 0) row++, column = 0; // A section starts a new row.
    for (uint64_t item = 0; item < count; item++) {
      const double x = (double)column * pitch.width + (row % 2 == 1 ? shift : 0);
      const double y = (double)row * pitch.height;
      rows->frame[item] = (tessera_rect){x, y, cell.width, cell.height};
      content.width = fmax(content.width, x + cell.width);
      content.height = y + cell.height;
      if ((double)++column >= columns) row++, column = 0;
    }
  }
  out->set_content_size(out, content);
  return TESSERA_OK;
}

// ---------------------------------------------------------------- what the engine is

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine),
    // Guarantees that `tessera check` tests; remove broken ones: right to left is the mirror, later
    // items and empty sections at the end move nothing, the scale only rounds.
    .traits = TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .id = "org.example.example-layout",
    .name = "Example Layout",
    .version = "0.1.0",
    .author = "Example Author",
    .license = "LicenseRef-Example",
    .summary = "Rows of cells, every second one shifted by half a cell.",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof(tessera_parameter),
    .parameters = parameters,
    .prepare = prepare,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
