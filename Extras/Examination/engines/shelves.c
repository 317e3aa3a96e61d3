// A grid with headers; column widths are proportional to a list's weights.

#include <math.h>
#include <stdlib.h>
#include <tessera/plain.h>

TESSERA_NOTE;

#define MOST_COLUMNS 1000
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

struct tessera_layout {
  const tessera_host *host;
  double *edges;
  uint32_t room;
  double extent;
};

static tessera_status no_memory(const tessera_host *host) {
  return plain_refuse(host, TESSERA_ERROR_NO_SPACE, "there is no memory for the layout; free some");
}

static tessera_status create(const tessera_engine *engine, const tessera_host *host, tessera_layout **layout) {
  (void)engine;
  const tessera_status status = plain_create(host, sizeof **layout, layout);
  if (status == TESSERA_OK) (*layout)->extent = -1;
  return status;
}

static void destroy(tessera_layout *self) {
  if (self == NULL) return;
  free(self->edges);
  free(self);
}

static double length(double given) { return given > 0 ? fmin(given, 1e12) : 0; }

static double number_at(tessera_column column, uint64_t index) {
  return length(plain_number(column, index));
}

enum { COLUMNS, GAP, HEIGHT, HEADER, ALIGN, BOARD, PARAMETER_COUNT };
enum { OWN_COLUMNS, OWN_HEADER, OWN_HEIGHT, VALUE_COUNT };
enum { KIND_HEADER, KIND_BOARD };
enum { AT_COLUMN, AT_ROW };

static const char *const alignments[] = {"top", "middle", "bottom"};

static const tessera_parameter parameters[] = {
  {.name = "columns", .help = "How many columns a section has.", .type = TESSERA_TYPE_INT,
   .initial.integer = 3, .minimum.integer = 1, .maximum.integer = MOST_COLUMNS},
  {.name = "gap", .help = "Space between columns, and between rows.", .unit = "pt",
   .type = TESSERA_TYPE_SIZE, .initial.size = {8, 12}, .maximum.size = {1000, 1000}},
  {.name = "itemHeight", .help = "Height of an item without one.", .unit = "pt",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 50, .maximum.number = 100000},
  {.name = "headerHeight", .help = "Height of a header; 0: none.", .unit = "pt",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .maximum.number = 10000},
  {.name = "alignment", .help = "Where an item lies in a row that is higher.", .choices = alignments,
   .choice_count = 3, .type = TESSERA_TYPE_ENUM, .initial.choice = 2},
  {.name = "boardHeight", .help = "Height of the board below a row; 0: none.", .unit = "pt",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 3, .maximum.number = 1000},
};

static const tessera_value_declaration values[] = {
  {.name = "columns", .help = "How many columns the section has.", .fallback = "columns",
   .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_SECTION},
  {.name = "headerHeight", .help = "Height of the section's header; 0: none.", .fallback = "headerHeight",
   .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
  {.name = "height", .help = "Height of the item.", .fallback = "itemHeight",
   .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
};

static const tessera_parameter weight_columns[] = {
  {.name = "weight", .help = "How wide the column is, in proportion to the others.",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 1, .minimum.number = 0, .maximum.number = 1000},
};

static const tessera_list_declaration lists[] = {
  {.name = "weights", .help = "Weights of the columns, over again if there are more columns; none: 1 each.",
   .column_count = 1, .column_size = sizeof *weight_columns, .columns = weight_columns},
};

static const tessera_kind kinds[] = {
  {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
  {.name = "board", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR},
};

static const tessera_attribute attributes[] = {
  {.name = "column", .help = "The column of the cell, from 0.", .type = TESSERA_TYPE_INT,
   .interpolation = TESSERA_INTERPOLATION_STEP},
  {.name = "row", .help = "The row of the cell or above the board, from 0.", .type = TESSERA_TYPE_INT,
   .interpolation = TESSERA_INTERPOLATION_STEP},
};

static uint32_t columns_of(const tessera_input *in, uint32_t section) {
  const int64_t given = plain_integer(in->values[OWN_COLUMNS], section);
  return given < 1 ? 1 : given > MOST_COLUMNS ? MOST_COLUMNS : (uint32_t)given;
}

static double weight_of(const tessera_list *list, uint32_t column) {
  return list->count == 0 ? 1 : plain_number(list->columns[0], column % list->count);
}

static void find_edges(double *edges, const tessera_list *list, uint32_t columns, double extent, double gap) {
  double sum = 0, before = 0;
  for (uint32_t c = 0; c < columns; c++) sum += weight_of(list, c);
  const double spaced = fmin(gap * (columns - 1), extent);
  const double step = columns > 1 ? spaced / (columns - 1) : 0;
  for (uint32_t c = 0; c < columns; c++) {
    const double weight = weight_of(list, c);
    const double part = sum > 0 ? weight / sum : 1.0 / columns;
    edges[2 * c] = fmin(extent, before * (extent - spaced) + c * step);
    edges[2 * c + 1] = fmin(part * (extent - spaced), extent - edges[2 * c]);
    before += part;
  }
}

static tessera_status shelve(tessera_layout *self, const tessera_input *in, tessera_output *out,
                             uint32_t section, double *y, double *end) {
  const tessera_size gap = in->parameters[GAP].size;
  const int32_t alignment = in->parameters[ALIGN].choice;
  const double board = in->parameters[BOARD].number;
  const uint64_t start = in->section_starts[section];
  const uint64_t count = plain_items(in, section);
  const uint32_t columns = columns_of(in, section);
  const uint64_t all = in->section_starts[in->section_count];
  find_edges(self->edges, &in->lists[0], columns, plain_extent(in).width, gap.width);

  const tessera_rows *rows = NULL, *boards = NULL;
  tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK || count == 0) return status;
  if (board > 0) {
    run = (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .kind = KIND_BOARD, .section = section,
                        .count = (count + columns - 1) / columns};
    status = out->add(out, &run, &boards);
    if (status != TESSERA_OK) return status;
  }
  int64_t *const cell_column = rows->attributes[AT_COLUMN], *const cell_row = rows->attributes[AT_ROW];
  for (uint64_t first = 0, row = 0; first < count; first += columns, row++) {
    const uint64_t last = count - first < columns ? count : first + columns;
    double height = 0;
    for (uint64_t item = first; item < last; item++)
      height = fmax(height, number_at(in->values[OWN_HEIGHT], start + item));
    for (uint64_t item = first; item < last; item++) {
      const uint64_t c = item - first;
      const double own = number_at(in->values[OWN_HEIGHT], start + item);
      const double spare = alignment == 0 ? 0 : alignment == 1 ? (height - own) / 2 : height - own;
      rows->frame[item] = (tessera_rect){self->edges[2 * c], *y + spare, self->edges[2 * c + 1], own};
      cell_column[item] = (int64_t)c;
      cell_row[item] = (int64_t)row;
      if ((start + item) % 4096 == 4095 &&
          !self->host->progress(self->host, (double)(start + item) / (double)all))
        return TESSERA_ERROR_CANCELLED;
    }
    *end = *y + height;
    if (boards != NULL) {
      boards->frame[row] = (tessera_rect){0, *end, plain_extent(in).width, board};
      ((int64_t *)boards->attributes[AT_ROW])[row] = (int64_t)row;
      *end += board;
    }
    *y = *end + gap.height;
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  const double gap = in->parameters[GAP].size.height, extent = plain_extent(in).width;
  uint32_t most = 1;
  for (uint32_t s = 0; s < in->section_count; s++)
    if (columns_of(in, s) > most) most = columns_of(in, s);
  if (most > self->room) {
    double *grown = realloc(self->edges, 2 * (size_t)most * sizeof *grown);
    if (grown == NULL) return no_memory(self->host);
    self->edges = grown;
    self->room = most;
  }
  double y = 0, end = 0;
  for (uint32_t s = 0; s < in->section_count; s++) {
    const double header = number_at(in->values[OWN_HEADER], s);
    if (header > 0) {
      const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_HEADER,
                               .section = s, .count = 1};
      const tessera_rows *rows = NULL;
      const tessera_status status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      rows->frame[0] = (tessera_rect){0, y, extent, header};
      end = y + header;
      y = end + gap;
    }
    const tessera_status status = shelve(self, in, out, s, &y, &end);
    if (status != TESSERA_OK) return status;
  }
  self->extent = extent;
  out->set_content_size(out, (tessera_size){extent, end});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  return self->extent == plain_extent(in).width;
}

static const tessera_engine shelves = {
  .struct_size = sizeof shelves,
  .traits = TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
  .id = "org.example.shelves", .name = "Shelves", .version = "1.2.0", .author = "C. Board",
  .license = "MIT", .summary = "A grid on boards, with columns by weight.",
  .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof *parameters, .parameters = parameters,
  .value_count = VALUE_COUNT, .value_size = sizeof *values, .values = values,
  .list_count = COUNT_OF(lists), .list_size = sizeof *lists, .lists = lists,
  .attribute_count = COUNT_OF(attributes), .attribute_size = sizeof *attributes, .attributes = attributes,
  .kind_count = COUNT_OF(kinds), .kind_size = sizeof *kinds, .kinds = kinds,
  .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &shelves);
}
