// Squares like those of a chessboard, lazy and without a layout of its own: a label above each
// section, and an attribute that says which squares are dark.

#include <math.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { SIDE, COLUMNS, ORIGIN, PARAMETER_COUNT };

static const tessera_parameter parameters[] = {
    {.name = "side", .help = "The side of a square.", .unit = "pt", .type = TESSERA_NUMBER,
     .initial.number = 40, .minimum.number = 1, .maximum.number = 1000},
    {.name = "columns", .help = "The squares of a line.", .type = TESSERA_INT,
     .initial.integer = 8, .minimum.integer = 1, .maximum.integer = 1000},
    {.name = "origin", .help = "Where the board begins.", .unit = "pt", .type = TESSERA_POINT,
     .maximum.point = {1000, 1000}},
};

static const tessera_attribute attributes[] = {
    {.name = "isDark", .help = "Whether the square is dark.", .type = TESSERA_BOOL,
     .interpolation = TESSERA_STEP, .when = TESSERA_PREPARED},
};

static const tessera_kind kinds[] = {{"label", TESSERA_SUPPLEMENTARY, 0}};

typedef struct board {
  const tessera_input *in;
  tessera_output *out;
  double side, x, y; // y: of the section's label
  uint64_t columns;
} board;

static board begin(const tessera_input *in, tessera_output *out) {
  const tessera_point origin = in->parameters[ORIGIN].point;
  return (board){.in = in, .out = out, .side = in->parameters[SIDE].number, .x = origin.x,
                 .y = origin.y, .columns = (uint64_t)in->parameters[COLUMNS].integer};
}

static uint64_t count_of(const board *b, uint32_t section) {
  return b->in->section_starts[section + 1] - b->in->section_starts[section];
}

// The lines of a section with its label's.
static double lines_of(const board *b, uint32_t section) {
  const uint64_t count = count_of(b, section);
  return (double)(1 + count / b->columns + (count % b->columns != 0));
}

static tessera_status add_label(const board *b, uint32_t section) {
  const tessera_run run = {.category = TESSERA_SUPPLEMENTARY, .section = section, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = b->out->add(b->out, &run, &rows);
  if (status == TESSERA_OK)
    rows->frame[0] = (tessera_rect){b->x, b->y, (double)b->columns * b->side, b->side};
  return status;
}

static tessera_status add_squares(const board *b, uint32_t section, uint64_t first, uint64_t end) {
  if (first >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CELL, .section = section, .first_item = first,
                           .count = end - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = b->out->add(b->out, &run, &rows);
  if (status != TESSERA_OK) return status;
  uint8_t *dark = rows->attributes[0];
  for (uint64_t i = 0; i < run.count; i++) {
    const uint64_t line = (first + i) / b->columns, column = (first + i) % b->columns;
    rows->frame[i] = (tessera_rect){b->x + (double)column * b->side,
                                    b->y + (double)(line + 1) * b->side, b->side, b->side};
    dark[i] = (uint8_t)((line + column) % 2);
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  board b = begin(in, out);
  for (uint32_t section = 0; section < in->section_count; section++)
    b.y += lines_of(&b, section) * b.side;
  const double extent =
      fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
  out->set_content_size(
      out, (tessera_size){fmax(extent, b.x + (double)b.columns * b.side), b.y});
  return TESSERA_OK;
}

// A number of lines: rounded down, 0 ... limit.
static uint64_t whole(double value, uint64_t limit) {
  if (!(value > 0)) return 0;
  return value >= (double)limit ? limit : (uint64_t)value;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in,
                                       tessera_rect rect, tessera_output *out) {
  (void)layout;
  if (in->parameters[COLUMNS].integer < 1) return TESSERA_WRONG_STATE; // not prepared
  board b = begin(in, out);
  for (uint32_t section = 0; section < in->section_count; section++) {
    const double height = lines_of(&b, section) * b.side, end = rect.y + rect.height;
    if (b.y >= end) break;
    if (b.y + height > rect.y) {
      tessera_status status = add_label(&b, section);
      if (status != TESSERA_OK) return status;
      const uint64_t count = count_of(&b, section), lines = count / b.columns + 1;
      const uint64_t first = whole((rect.y - b.y) / b.side - 2, lines) * b.columns;
      const uint64_t last = whole((end - b.y) / b.side + 1, lines) * b.columns;
      status = add_squares(&b, section, first, last < count ? last : count);
      if (status != TESSERA_OK) return status;
    }
    b.y += height;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  (void)layout;
  if (in->parameters[COLUMNS].integer < 1) return TESSERA_WRONG_STATE; // not prepared
  if (run->section >= in->section_count) return TESSERA_OK;
  board b = begin(in, out);
  for (uint32_t section = 0; section < run->section; section++)
    b.y += lines_of(&b, section) * b.side;
  if (run->category == TESSERA_SUPPLEMENTARY)
    return run->kind == 0 && run->first_item == 0 ? add_label(&b, run->section) : TESSERA_OK;
  if (run->category != TESSERA_CELL || run->first_item >= count_of(&b, run->section))
    return TESSERA_OK;
  return add_squares(&b, run->section, run->first_item, run->first_item + 1);
}

static const tessera_engine engine = {
    .struct_size = sizeof engine,
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_FLOWS |
              TESSERA_TRAIT_APPENDS | TESSERA_TRAIT_SCALES,
    .id = "org.example.squares",
    .name = "Squares",
    .version = "1.0.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Squares like those of a chessboard.",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof *parameters,
    .attribute_count = 1,
    .attribute_size = sizeof *attributes,
    .kind_count = 1,
    .kind_size = sizeof *kinds,
    .parameters = parameters,
    .attributes = attributes,
    .kinds = kinds,
    .prepare = prepare,
    .elements_in_rect = elements_in_rect,
    .element = element,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
