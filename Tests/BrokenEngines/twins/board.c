// An eager board: cells in lines, each with a label, a badge and a shadow, and with attributes whose
// geometry the host mirrors: four elements for each item.

#include "twin.h"

TESSERA_NOTE;

enum { SIDE, GAP };
enum { LABEL, BADGE, SHADOW };
enum { PICTURE, PIN, MARGINS, WEIGHT };

static const tessera_parameter parameters[] = {
    {.name = "side", .help = "The width and height of a cell.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 70, .minimum.number = 8, .maximum.number = 400},
    {.name = "gap", .help = "The space between cells.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 6, .minimum.number = 0, .maximum.number = 100},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "The height of an item's cell, at most 400; 0: that of a square.",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
};

static const tessera_attribute attributes[] = {
    {.name = "picture", .help = "Where the picture lies in the cell.", .type = TESSERA_TYPE_RECT},
    {.name = "pin", .help = "Where the cell is pinned to the board.", .type = TESSERA_TYPE_POINT},
    {.name = "margins", .help = "How far the text is from the edges.", .type = TESSERA_TYPE_INSETS},
    {.name = "heaviness", .help = "How heavy the cell is.", .type = TESSERA_TYPE_NUMBER},
};

static const tessera_kind kinds[] = {
    {.name = "label", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
    {.name = "badge", .category = TESSERA_CATEGORY_DECORATION},
    {.name = "shadow", .category = TESSERA_CATEGORY_DECORATION},
};

static double height_of(const tessera_input *in, uint64_t place) {
  const double height = plain_number(in->values[0], place);
  return height > 0 ? fmin(height, 400) : in->parameters[SIDE].number;
}

// Places the items of a section from y on, and gives where they end.
static double place(const tessera_input *in, uint32_t section, double y,
                    const tessera_rows *cells, const tessera_rows *labels,
                    const tessera_rows *badges, const tessera_rows *shadows) {
  const double side = in->parameters[SIDE].number, gap = in->parameters[GAP].number;
  const double width = plain_extent(in).width;
  double x = 0, line = 0;
  for (uint64_t i = 0; i < cells->count; i++) {
    const double height = height_of(in, in->section_starts[section] + i);
    if (x > 0 && x + side > width) {
      y += line + gap;
      x = line = 0;
    }
    const tessera_rect frame = {x, y, side, height};
    cells->frame[i] = frame;
    labels->frame[i] = (tessera_rect){x + 2, y, side / 2, fmin(height, side) / 4};
    badges->frame[i] = (tessera_rect){x + side - 5, y - 3, 8, 8};
    shadows->frame[i] = (tessera_rect){x + 1, y + 3, side, height};
    cells->transform[i].m[4] = 0.125 * (double)(i % 3);
    cells->transform[i].m[12] = (double)(i % 2);
    shadows->alpha[i] = 0.5;
    badges->z_index[i] = 2;
    ((tessera_rect *)cells->attributes[PICTURE])[i] =
        (tessera_rect){4, 2, side / 2, height / 2};
    ((tessera_point *)cells->attributes[PIN])[i] = (tessera_point){side / 4, 1};
    ((tessera_insets *)cells->attributes[MARGINS])[i] = (tessera_insets){1, 2, 3, 4};
    ((double *)cells->attributes[WEIGHT])[i] = height / side;
    line = fmax(line, height);
    x += side + gap;
  }
  return y + line;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = plain_items(in, section);
    if (count == 0) continue;
    const tessera_rows *rows[4];
    for (uint32_t part = 0; part < 4; part++) {
      const tessera_run run = {
          .category = part == 0   ? TESSERA_CATEGORY_CELL
                      : part == 1 ? TESSERA_CATEGORY_SUPPLEMENTARY
                                  : TESSERA_CATEGORY_DECORATION,
          .kind = part == 0 ? 0 : part - 1, .section = section, .count = count};
      const tessera_status status = out->add(out, &run, &rows[part]);
      if (status != TESSERA_OK) return status;
    }
    if (y > 0) y += in->parameters[GAP].number;
    y = place(in, section, y, rows[0], rows[1], rows[2], rows[3]);
  }
  const double side = in->section_starts[in->section_count] > 0 ? in->parameters[SIDE].number : 0;
  out->set_content_size(out, (tessera_size){fmax(plain_extent(in).width, side), y});
  return TESSERA_OK;
}

static const tessera_engine engine = {
    TWIN("board"),
    .traits = TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX,
    .parameter_count = COUNT(parameters),
    .parameter_size = sizeof *parameters,
    .value_count = COUNT(values),
    .value_size = sizeof *values,
    .attribute_count = COUNT(attributes),
    .attribute_size = sizeof *attributes,
    .kind_count = COUNT(kinds),
    .kind_size = sizeof *kinds,
    .parameters = parameters,
    .values = values,
    .attributes = attributes,
    .kinds = kinds,
    .prepare = prepare,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
