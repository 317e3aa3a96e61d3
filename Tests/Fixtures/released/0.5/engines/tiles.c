// Rows of tiles, as high as the highest tile of each: parameters of every scalar type, values for
// sections and for items.

#include <math.h>
#include <stdlib.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { COLUMNS, TILE_HEIGHT, SPACING, MARGINS, ALIGNMENT, FILLS, TINT, PARAMETER_COUNT };
enum { HEIGHT, SECTION_SPACING, VALUE_COUNT };

static const char *const alignments[] = {"top", "middle", "bottom"};

static const tessera_parameter parameters[] = {
    {.name = "columns", .help = "The tiles of a row.", .type = TESSERA_INT, .initial.integer = 3,
     .minimum.integer = 1, .maximum.integer = 64},
    {.name = "tileHeight", .help = "The height of a tile that has none of its own.", .unit = "pt",
     .type = TESSERA_NUMBER, .initial.number = 40, .maximum.number = 1000},
    {.name = "spacing", .help = "The space between tiles and between rows.", .unit = "pt",
     .type = TESSERA_SIZE, .initial.size = {6, 10}, .maximum.size = {1000, 1000}},
    {.name = "margins", .help = "The space around a section.", .unit = "pt",
     .type = TESSERA_INSETS, .initial.insets = {4, 8, 12, 16},
     .maximum.insets = {1000, 1000, 1000, 1000}},
    {.name = "alignment", .help = "Where a tile lies in its row.", .type = TESSERA_ENUM,
     .choices = alignments, .choice_count = 3},
    {.name = "fillsRow", .help = "Whether the tiles of the last row share its width.",
     .type = TESSERA_BOOL},
    {.name = "tint", .help = "For programs that draw the tiles.", .type = TESSERA_INT | TESSERA_HINT},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "The height of a tile.", .fallback = "tileHeight",
     .type = TESSERA_NUMBER, .scope = TESSERA_ITEM},
    {.name = "spacing", .help = "The space between the tiles and the rows of a section.",
     .fallback = "spacing", .type = TESSERA_SIZE, .scope = TESSERA_SECTION},
};

struct tessera_layout {
  const tessera_host *host;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)self;
  tessera_layout *made = malloc(sizeof *made);
  if (made == NULL) {
    host->report(host, TESSERA_FAILED, "there is no memory left for a layout; free some");
    return TESSERA_FAILED;
  }
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) { free(layout); }

static double height_of(const tessera_input *in, uint64_t item) {
  const tessera_column *column = &in->values[HEIGHT];
  return fmax(0, *(const double *)((const char *)column->data + item * column->stride));
}

static tessera_size spacing_of(const tessera_input *in, uint32_t section) {
  const tessera_column *column = &in->values[SECTION_SPACING];
  tessera_size size =
      *(const tessera_size *)((const char *)column->data + section * column->stride);
  return (tessera_size){fmax(0, size.width), fmax(0, size.height)};
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const tessera_host *host = layout->host;
  const uint64_t columns = (uint64_t)in->parameters[COLUMNS].integer;
  const tessera_insets margins = in->parameters[MARGINS].insets;
  const double share = 0.5 * in->parameters[ALIGNMENT].choice;
  const uint64_t items = in->section_starts[in->section_count];
  tessera_size content = {
      fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right), 0};
  const double room = fmax(0, content.width - margins.left - margins.right);

  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section];
    const tessera_run run = {.category = TESSERA_CELL, .section = section,
                             .count = in->section_starts[section + 1] - start};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    const tessera_size spacing = spacing_of(in, section);
    double y = content.height + margins.top;
    for (uint64_t first = 0; first < run.count; first += columns) {
      const uint64_t rest = run.count - first, count = rest < columns ? rest : columns;
      const uint64_t shares = in->parameters[FILLS].boolean ? count : columns;
      const double width = fmax(0, (room - (double)(shares - 1) * spacing.width) / (double)shares);
      double highest = 0;
      for (uint64_t i = 0; i < count; i++)
        highest = fmax(highest, height_of(in, start + first + i));
      if (first > 0) y += spacing.height;
      double x = margins.left;
      for (uint64_t i = 0; i < count; i++, x += width + spacing.width) {
        const double height = height_of(in, start + first + i);
        rows->frame[first + i] = (tessera_rect){x, y + share * (highest - height), width, height};
        content.width = fmax(content.width, x + width);
      }
      y += highest;
      if (first / columns % 4096 == 4095 &&
          !host->progress(host, (double)(start + first) / (double)items))
        return TESSERA_CANCELLED;
    }
    content.height = y + margins.bottom;
  }
  if (!isfinite(content.width) || !isfinite(content.height)) {
    host->report(host, TESSERA_INVALID_VALUE,
                 "the tiles are too high or too far apart for a number to hold their sum; make "
                 "height and spacing smaller");
    return TESSERA_INVALID_VALUE;
  }
  out->set_content_size(out, content);
  return TESSERA_OK;
}

static const tessera_engine engine = {
    .struct_size = sizeof engine,
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_APPENDS | TESSERA_TRAIT_SCALES,
    .id = "org.example.tiles",
    .name = "Tiles",
    .version = "1.0.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Rows of tiles, as high as the highest tile of each.",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof *parameters,
    .value_count = VALUE_COUNT,
    .value_size = sizeof *values,
    .parameters = parameters,
    .values = values,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
