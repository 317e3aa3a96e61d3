// seats.c: a theatre plan, lazy.
//
// Each section is a titled block of rows with `seatsPerRow` seats, stacked. The list `aisles`
// widens the gap after a seat in every row; records may repeat a seat. Row labels are on the left,
// unless `labelWidth` is 0. A floor lies behind each block. Taken seats are pale, removed ones
// hidden. Snaps to blocks and rows, and to the end.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/plain.h>

TESSERA_NOTE;

enum { MOST_SEATS = 500 };
enum { SEATS, SEAT_SIZE, SEAT_GAP, ROW_GAP, TITLE_HEIGHT, LABEL_WIDTH, BLOCK_SPACING, TAKEN, TAKEN_ALPHA, PARAMETER_COUNT };
enum { SEATS_OF, TAKEN_OF, REMOVED_OF, VALUE_COUNT };
enum { AFTER, WIDTH, COLUMN_COUNT };
enum { TITLE, ROW_LABEL, FLOOR, KIND_COUNT };

#define LENGTH(most) .unit = "pt", .type = TESSERA_TYPE_NUMBER, .maximum.number = most
static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [SEATS] = {.name = "seatsPerRow", .help = "Seats in a row of a block.", .type = TESSERA_TYPE_INT,
               .initial.integer = 12, .minimum.integer = 1, .maximum.integer = MOST_SEATS},
    [SEAT_SIZE] = {.name = "seatSize", .help = "Size of a seat.", .unit = "pt", .type = TESSERA_TYPE_SIZE,
                   .initial.size = {22, 20}, .minimum.size = {1, 1}, .maximum.size = {10000, 10000}},
    [SEAT_GAP] = {.name = "seatGap", .help = "Space between the seats of a row.", .initial.number = 4, LENGTH(10000)},
    [ROW_GAP] = {.name = "rowGap", .help = "Space between rows.", .initial.number = 10, LENGTH(10000)},
    [TITLE_HEIGHT] = {.name = "titleHeight", .help = "Height of the title of a block.", .initial.number = 28,
                      .minimum.number = 1, LENGTH(10000)},
    [LABEL_WIDTH] = {.name = "labelWidth", .help = "Width of the labels of rows; 0: none.", .initial.number = 24, LENGTH(10000)},
    [BLOCK_SPACING] = {.name = "blockSpacing", .help = "Space between blocks.", .initial.number = 16, LENGTH(10000)},
    [TAKEN] = {.name = "taken", .help = "Whether a seat is taken that does not say so itself.", .type = TESSERA_TYPE_BOOL},
    [TAKEN_ALPHA] = {.name = "takenAlpha", .help = "Opacity of a taken seat.", .type = TESSERA_TYPE_NUMBER,
                     .initial.number = 0.4, .maximum.number = 1}};

static const tessera_value_declaration values[VALUE_COUNT] = {
    [SEATS_OF] = {.name = "seatsPerRow", .help = "Seats in a row of this block.", .fallback = "seatsPerRow",
                  .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_SECTION},
    [TAKEN_OF] = {.name = "taken", .help = "Whether the seat is taken.", .fallback = "taken",
                  .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_ITEM},
    [REMOVED_OF] = {.name = "removed", .help = "Whether there is a gap instead of the seat.",
                    .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_ITEM}};

static const tessera_parameter aisle_columns[COLUMN_COUNT] = {
    [AFTER] = {.name = "after", .help = "How many seats of a row are left of the aisle.", .type = TESSERA_TYPE_INT,
               .initial.integer = 4, .minimum.integer = 1, .maximum.integer = MOST_SEATS},
    [WIDTH] = {.name = "width", .help = "Width of the aisle, added to the gap.", .initial.number = 30, LENGTH(10000)}};
static const tessera_list_declaration lists[] = {
    {.name = "aisles", .help = "The aisles; none: the seats of a row are evenly spaced.",
     .column_count = COLUMN_COUNT, .column_size = sizeof(tessera_parameter), .columns = aisle_columns}};

static const tessera_attribute attributes[] = {
    {.name = "row", .help = "The row of a seat or a label, from 1.", .type = TESSERA_TYPE_INT,
     .interpolation = TESSERA_INTERPOLATION_STEP}};

static const tessera_kind kinds[KIND_COUNT] = {
    [TITLE] = {.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [ROW_LABEL] = {.name = "rowLabel", .shows = "row", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_LABEL},
    [FLOOR] = {.name = "floor", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

// ---------------------------------------------------------------- The plan

typedef struct block {
  double top;
  uint64_t start; // index of the first seat
  uint64_t seats; // per row
} block;

struct tessera_layout {
  const tessera_host *host;
  block *blocks; // per section, and an end
  uint32_t count;
  tessera_size seat, content;
  double pitch, title, label, rows_width; // rows_width: of the widest row
  double x[MOST_SEATS];                   // of each seat in a row
};

static uint64_t rows_of(const tessera_layout *plan, uint32_t section) {
  const block *b = &plan->blocks[section];
  return (b[1].start - b->start + b->seats - 1) / b->seats;
}

static double row_top(const tessera_layout *plan, uint32_t section, uint64_t row) {
  return plan->blocks[section].top + plan->title + (double)row * plan->pitch;
}

// The last block at or above y, or the first.
static uint32_t block_at(const tessera_layout *plan, double y) {
  uint32_t low = 0, high = plan->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (plan->blocks[middle].top <= y) low = middle;
    else high = middle;
  }
  return low;
}

// Number of rows that start above y, up to rounding.
static uint64_t rows_above(const tessera_layout *plan, uint32_t section, double y) {
  const uint64_t rows = rows_of(plan, section);
  const double above = ceil((y - row_top(plan, section, 0)) / plan->pitch);
  return above <= 0 ? 0 : above >= (double)rows ? rows : (uint64_t)above;
}

static void place_columns(tessera_layout *plan, const tessera_input *in) {
  const tessera_list *aisles = &in->lists[0];
  double widths[MOST_SEATS + 1] = {0};
  for (uint64_t record = 0; record < aisles->count; record++) {
    const int64_t after = plain_integer(aisles->columns[AFTER], record);
    widths[after] += plain_number(aisles->columns[WIDTH], record);
  }
  const double gap = in->parameters[SEAT_GAP].number;
  plan->x[0] = plan->label;
  for (int seat = 1; seat < MOST_SEATS; seat++)
    plan->x[seat] = plan->x[seat - 1] + plan->seat.width + gap + widths[seat];
}

static tessera_status prepare(tessera_layout *plan, const tessera_input *in, tessera_output *out) {
  const tessera_value *is = in->parameters;
  block *blocks = realloc(plan->blocks, ((size_t)in->section_count + 1) * sizeof(block));
  if (!blocks) return TESSERA_ERROR_NO_SPACE;
  plan->blocks = blocks;
  plan->count = in->section_count;
  plan->seat = is[SEAT_SIZE].size;
  plan->pitch = plan->seat.height + is[ROW_GAP].number;
  plan->title = is[TITLE_HEIGHT].number;
  plan->label = is[LABEL_WIDTH].number;
  place_columns(plan, in);
  double top = 0, end = 0, widest = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const int64_t seats = plain_integer(in->values[SEATS_OF], section);
    if (seats < 1 || seats > MOST_SEATS)
      return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE, "seatsPerRow of section %u is %lld; it must be 1 to %d", section,
                          (long long)seats, MOST_SEATS);
    blocks[section] = (block){top, in->section_starts[section], (uint64_t)seats};
    blocks[section + 1].start = in->section_starts[section + 1];
    const uint64_t items = blocks[section + 1].start - blocks[section].start;
    const uint64_t rows = rows_of(plan, section), longest = items < (uint64_t)seats ? items : (uint64_t)seats;
    if (longest) widest = fmax(widest, plan->x[longest - 1] + plan->seat.width);
    end = rows ? row_top(plan, section, rows - 1) + plan->seat.height : top + plan->title;
    top = end + is[BLOCK_SPACING].number;
    if (section % 4096 == 4095 && !in->host->progress(in->host, (double)section / in->section_count)) return TESSERA_ERROR_CANCELLED;
  }
  plan->rows_width = widest;
  plan->content = (tessera_size){fmax(plain_extent(in).width, widest), end};
  out->set_content_size(out, plan->content);
  return TESSERA_OK;
}

// Only the width of the bounds counts, if it exceeds the rows.
static int32_t still_valid(tessera_layout *plan, const tessera_input *in) {
  return fmax(plain_extent(in).width, plan->rows_width) == plan->content.width;
}

// ---------------------------------------------------------------- Queries

static tessera_status add_one(const tessera_layout *plan, tessera_output *out, uint32_t kind, uint32_t section) {
  const tessera_run run = {.category = kinds[kind].category, .kind = kind, .section = section, .count = 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double top = plan->blocks[section].top;
  if (kind == TITLE) {
    rows->frame[0] = (tessera_rect){0, top, plan->content.width, plan->title};
  } else {
    const double first = row_top(plan, section, 0), last = row_top(plan, section, rows_of(plan, section) - 1);
    rows->frame[0] = (tessera_rect){0, first, plan->content.width, last + plan->seat.height - first};
    rows->z_index[0] = -1;
  }
  return TESSERA_OK;
}

static tessera_status add_labels(const tessera_layout *plan, tessera_output *out, uint32_t section, uint64_t first, uint64_t count) {
  const tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, ROW_LABEL, section, 0, first, count};
  const tessera_rows *rows = 0;
  if (!count || plan->label <= 0) return TESSERA_OK;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t row = 0; row < count; row++) {
    rows->frame[row] = (tessera_rect){0, row_top(plan, section, first + row), plan->label, plan->seat.height};
    ((int64_t *)rows->attributes[0])[row] = (int64_t)(first + row + 1);
  }
  return TESSERA_OK;
}

static tessera_status add_seats(const tessera_layout *plan, const tessera_input *in, tessera_output *out, uint32_t section, uint64_t row,
                                uint64_t from, uint64_t to) {
  const block *b = &plan->blocks[section];
  const uint64_t left = b[1].start - b->start - row * b->seats;
  if (to > left) to = left;
  if (from >= to) return TESSERA_OK;
  const tessera_run run = {TESSERA_CATEGORY_CELL, 0, section, 0, row * b->seats + from, to - from};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double y = row_top(plan, section, row);
  for (uint64_t seat = from; seat < to; seat++) {
    const uint64_t item = b->start + row * b->seats + seat;
    rows->frame[seat - from] = (tessera_rect){plan->x[seat], y, plan->seat.width, plan->seat.height};
    if (plain_bool(in->values[TAKEN_OF], item)) rows->alpha[seat - from] = in->parameters[TAKEN_ALPHA].number;
    rows->hidden[seat - from] = plain_bool(in->values[REMOVED_OF], item);
    ((int64_t *)rows->attributes[0])[seat - from] = (int64_t)row + 1;
  }
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *plan, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  if (!plan->count) return TESSERA_OK;
  // Far down, doubles are coarse: widen the rect.
  const double slack = 1 + 1e-15 * fmax(fabs(rect.y), fabs(rect.y + rect.height));
  const double low = rect.y - slack, high = rect.y + rect.height + slack;
  uint64_t from = 0, to = MOST_SEATS;
  while (from < to && plan->x[from] + plan->seat.width <= rect.x) from++;
  while (to > from && plan->x[to - 1] >= rect.x + rect.width) to--;
  for (uint32_t section = block_at(plan, low); section < plan->count && plan->blocks[section].top <= high; section++) {
    const block *b = &plan->blocks[section];
    const uint64_t rows = rows_of(plan, section);
    tessera_status status = add_one(plan, out, TITLE, section);
    if (status == TESSERA_OK && rows) status = add_one(plan, out, FLOOR, section);
    uint64_t first = rows_above(plan, section, low - plan->seat.height), last = rows_above(plan, section, high);
    const uint64_t margin = 1 + first / 1000000000000000u;
    first = first > margin ? first - margin : 0;
    last = last < rows - margin && rows > margin ? last + margin : rows;
    if (status == TESSERA_OK && rect.x < plan->label) status = add_labels(plan, out, section, first, last - first);
    for (uint64_t row = first; status == TESSERA_OK && row < last; row++)
      status = add_seats(plan, in, out, section, row, from, to < b->seats ? to : b->seats);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *plan, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  if (run->section >= plan->count) return TESSERA_OK;
  const block *b = &plan->blocks[run->section];
  const uint64_t item = run->first_item, rows = rows_of(plan, run->section);
  if (run->category == TESSERA_CATEGORY_CELL) {
    if (item >= b[1].start - b->start) return TESSERA_OK;
    return add_seats(plan, in, out, run->section, item / b->seats, item % b->seats, item % b->seats + 1);
  }
  if (run->category != kinds[run->kind].category) return TESSERA_OK;
  if (run->kind == ROW_LABEL) return item < rows ? add_labels(plan, out, run->section, item, 1) : TESSERA_OK;
  if (item != 0 || (run->kind == FLOOR && !rows)) return TESSERA_OK;
  return add_one(plan, out, run->kind, run->section);
}

// ---------------------------------------------------------------- Snapping and functions

static tessera_status resting_offset(tessera_layout *plan, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  const double inset = in->content_insets.top;
  const double end = fmax(-inset, plan->content.height + in->content_insets.bottom - in->viewport.height);
  if (!plan->count || resting->y <= -inset) return TESSERA_OK;
  if (resting->y >= end) {
    resting->y = end;
    return TESSERA_OK;
  }
  // Stops around the proposal: blocks, and rows other than the first.
  const double y = resting->y + inset, reach = y + 1e-9 * (1 + fabs(y));
  const uint32_t section = block_at(plan, reach);
  const uint64_t begun = rows_above(plan, section, reach), rows = rows_of(plan, section);
  double before = begun < 2 ? plan->blocks[section].top : row_top(plan, section, begun - 1), after = end + inset;
  if ((begun < 1 ? 1 : begun) < rows) after = row_top(plan, section, begun < 1 ? 1 : begun);
  else if (section + 1 < plan->count) after = plan->blocks[section + 1].top;
  after = fmin(after, end + inset);
  double stop = y - before <= after - y ? before : after;
  if (velocity.y > 0) stop = after;
  if (velocity.y < 0) stop = before;
  resting->y = stop - inset;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};

static uint64_t published_rows(void *context, uint32_t section) {
  const tessera_layout *plan = context;
  if (section < plan->count) return rows_of(plan, section);
  plain_refuse(plan->host, TESSERA_ERROR_INVALID_VALUE, "rowsIn was asked for a section that does not exist");
  return 0;
}

static int64_t published_seat_at(void *context, tessera_point point) {
  const tessera_layout *plan = context;
  if (!plan->count) return -1;
  const uint32_t section = block_at(plan, point.y);
  const block *b = &plan->blocks[section];
  const uint64_t near = rows_above(plan, section, point.y);
  for (uint64_t row = near > 1 ? near - 2 : 0; row <= near && row < rows_of(plan, section); row++) {
    const double y = row_top(plan, section, row);
    if (point.y < y || point.y >= y + plan->seat.height) continue;
    for (uint64_t seat = 0; seat < b->seats && b->start + row * b->seats + seat < b[1].start; seat++)
      if (point.x >= plan->x[seat] && point.x < plan->x[seat] + plan->seat.width) return (int64_t)(b->start + row * b->seats + seat);
  }
  return -1;
}

static const tessera_function_declaration functions[] = {
    {.name = "rowsIn", .signature = "u64(u32)", .help = "The number of rows of a block.", .published = (void (*)(void))published_rows},
    {.name = "seatAt", .signature = "i64(point)", .help = "The seat at a point, counted among all; -1: none.",
     .published = (void (*)(void))published_seat_at}};

// ---------------------------------------------------------------- The engine

PLAIN_CREATE;

static void destroy(tessera_layout *plan) {
  free(plan->blocks);
  free(plan);
}

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : 0;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.seats", .name = "Seats", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "The plan of a theatre: blocks of rows of seats, with aisles.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_HIDDEN | TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .lists = lists, .list_count = 1, .list_size = sizeof(tessera_list_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 1, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KIND_COUNT, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid,
    .elements_in_rect = elements_in_rect, .element = element, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
