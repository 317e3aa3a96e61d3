// crossword.c: a crossword on org.tessera.grid: black cells, the numbers of clues, and the word that is being filled in.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ACROSS, PENCIL, CLUE_SIZE, CLUE_INSET, SELECTED, DIRECTION, GROWS, PARAMETERS };
enum { BLACK, CERTAINTY, VALUES };
enum { KIND_CLUE, KIND_BLOCK, KINDS };
enum { CLUE_NUMBER, HIGHLIGHT, ATTRIBUTES };
enum { IS_INKED };
enum { DIRECTION_ACROSS, DIRECTION_DOWN };

static const char *const directions[] = {"across", "down"};

static const tessera_parameter parameters[PARAMETERS] = {
    [ACROSS] = {.name = "across", .help = "How many cells are side by side.", .type = TESSERA_TYPE_INT, .initial.integer = 11,
                .minimum.integer = 1, .maximum.integer = 1000},
    [PENCIL] = {.name = "pencil", .help = "Opacity of a cell that is not inked.", .type = TESSERA_TYPE_NUMBER, .initial.number = 0.6,
                .maximum.number = 1},
    [CLUE_SIZE] = {.name = "clueSize", .help = "Size of the number of a clue, at most the room in its cell.", .unit = "pt",
                   .type = TESSERA_TYPE_SIZE, .initial.size = {12, 10}, .maximum.size = {1000, 1000}},
    [CLUE_INSET] = {.name = "clueInset", .help = "Where the number is in its cell, from the upper left corner, at most the cell's size.", .unit = "pt",
                    .type = TESSERA_TYPE_POINT, .initial.point = {2, 2}, .maximum.point = {1000, 1000}},
    [SELECTED] = {.name = "selected", .help = "The cell that is being filled in, counted among all from 0; -1: none.",
                  .type = TESSERA_TYPE_INT, .initial.integer = -1, .minimum.integer = -1, .maximum.integer = INT64_MAX,
                  .flags = TESSERA_FLAG_IN_ADJUST},
    [DIRECTION] = {.name = "direction", .help = "The direction of the word with the selected cell, which is highlighted by half.",
                   .type = TESSERA_TYPE_ENUM, .choices = directions, .choice_count = 2, .flags = TESSERA_FLAG_IN_ADJUST},
    [GROWS] = {.name = "selectedScale", .help = "How much larger the selected cell is drawn.", .type = TESSERA_TYPE_NUMBER,
               .initial.number = 1.15, .minimum.number = 1, .maximum.number = 4, .flags = TESSERA_FLAG_IN_ADJUST}};

static const tessera_value_declaration values[VALUES] = {
    [BLACK] = {.name = "black", .help = "Whether no letter goes into the cell: a block is shown in its place.", .type = TESSERA_TYPE_BOOL,
               .scope = TESSERA_SCOPE_ITEM},
    [CERTAINTY] = {.name = "doubt", .help = "How much fainter the cell is: 0 is not at all, 1 and more is not seen.", .type = TESSERA_TYPE_NUMBER,
                   .scope = TESSERA_SCOPE_ITEM}};

static const tessera_attribute attributes[ATTRIBUTES] = {
    [CLUE_NUMBER] = {.name = "clueNumber", .help = "The number of the clue, from 1 in reading order.", .type = TESSERA_TYPE_INT,
                     .interpolation = TESSERA_INTERPOLATION_NONE, .when = TESSERA_WHEN_PREPARED},
    [HIGHLIGHT] = {.name = "highlight", .help = "1 for the selected cell, 0.5 for the others of its word, else 0.", .type = TESSERA_TYPE_NUMBER,
                   .interpolation = TESSERA_INTERPOLATION_LINEAR, .when = TESSERA_WHEN_ADJUSTED}};

static const tessera_kind kinds[KINDS] = {
    [KIND_CLUE] = {.name = "clue", .shows = "clueNumber", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_BADGE},
    [KIND_BLOCK] = {.name = "block", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

static const tessera_setting defaults[] = {
    {.name = "itemSize", .type = TESSERA_TYPE_SIZE, .value.size = {34, 34}},
    {.name = "spacing", .type = TESSERA_TYPE_NUMBER, .value.number = 1},
    {.name = "columns", .type = TESSERA_TYPE_INT, .owned = 1, .value.integer = 11}};

typedef struct cell {
  uint64_t word[2]; // the first cell of the word across and of that down; its own if it is in none
  uint64_t number;  // of the clue that begins here, or 0
} cell;

// The puzzle of the last prepare.
struct tessera_layout {
  const tessera_host *host;
  cell *cells;      // all, from the upper left
  uint64_t *clues;  // the cells that have numbers, in order
  uint64_t *starts; // of the sections, and the number of cells
  uint64_t count, clue_count, section_count;
  double pitch; // from one line to the next
};

static int is_black(const tessera_input *in, uint64_t index) {
  const tessera_column of = in->values[BLACK];
  return ((const uint8_t *)of.data)[index * of.stride] != 0;
}

static double doubt_of(const tessera_input *in, uint64_t index) {
  const tessera_column of = in->values[CERTAINTY];
  return fmin(1, fmax(0, *(const double *)((const char *)of.data + index * of.stride)));
}

// ---------------------------------------------------------------- published

static int64_t number_of(tessera_layout *at, uint32_t section, uint64_t item) {
  if (section >= at->section_count || item >= at->starts[section + 1] - at->starts[section]) {
    at->host->report(at->host, TESSERA_ERROR_NOT_FOUND, "there is no such cell; ask for one of a section");
    return 0;
  }
  return (int64_t)at->cells[at->starts[section] + item].number;
}

static int64_t cell_of(tessera_layout *at, int64_t number) {
  return number >= 1 && (uint64_t)number <= at->clue_count ? (int64_t)at->clues[number - 1] : -1;
}

static const tessera_function_declaration functions[] = {
    {.name = "isInked", .signature = "bool(u32,u64)", .help = "Whether the letter in a cell of a section is written in ink; without a function all are."},
    {.name = "clueOf", .signature = "i64(u32,u64)", .help = "The number of the clue that begins in a cell of a section, or 0.", .published = (void (*)(void))number_of},
    {.name = "cellOf", .signature = "i64(i64)", .help = "The cell in which a clue begins, counted among all, or -1 if there is no such clue.",
     .published = (void (*)(void))cell_of}};

// ---------------------------------------------------------------- preparing

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void forget(tessera_layout *at) {
  free(at->cells);
  free(at->clues);
  free(at->starts);
  at->cells = NULL;
  at->clues = at->starts = NULL;
  at->count = at->clue_count = at->section_count = 0;
}

static void destroy(tessera_layout *at) {
  forget(at);
  free(at);
}

// Finds the words and numbers the clues: a word has two cells or more, and is ended by a black cell or the edge.
static tessera_status read_puzzle(tessera_layout *at, const tessera_input *in) {
  const uint64_t count = in->section_starts[in->section_count], across = (uint64_t)in->parameters[ACROSS].integer;
  forget(at);
  if (count >= SIZE_MAX / sizeof(cell)) return TESSERA_ERROR_NO_SPACE;
  at->cells = malloc((count + 1) * sizeof *at->cells);
  at->clues = malloc((count + 1) * sizeof *at->clues);
  at->starts = malloc(((size_t)in->section_count + 1) * sizeof *at->starts);
  if (!at->cells || !at->clues || !at->starts) return TESSERA_ERROR_NO_SPACE;
  memcpy(at->starts, in->section_starts, ((size_t)in->section_count + 1) * sizeof *at->starts);
  at->section_count = in->section_count;
  at->count = count;
  for (uint64_t index = 0; index < count; index++) {
    cell *const of = &at->cells[index];
    *of = (cell){{index, index}, 0};
    if (is_black(in, index)) continue;
    const uint64_t column = index % across;
    const int white_left = column > 0 && !is_black(in, index - 1);
    const int white_right = column + 1 < across && index + 1 < count && !is_black(in, index + 1);
    const int white_above = index >= across && !is_black(in, index - across);
    const int white_below = across < count - index && !is_black(in, index + across);
    if (white_left) of->word[DIRECTION_ACROSS] = at->cells[index - 1].word[DIRECTION_ACROSS];
    if (white_above) of->word[DIRECTION_DOWN] = at->cells[index - across].word[DIRECTION_DOWN];
    if ((!white_left && white_right) || (!white_above && white_below)) {
      at->clues[at->clue_count++] = index;
      of->number = at->clue_count;
    }
  }
  return TESSERA_OK;
}

static tessera_status add_blocks(const tessera_input *in, const tessera_run *run, const tessera_rows *rows, tessera_output *out) {
  const uint64_t start = in->section_starts[run->section] + run->first_item;
  for (uint64_t row = 0; row < run->count;) {
    uint64_t end = row;
    while (end < run->count && is_black(in, start + end)) end++;
    const tessera_run block = {.category = TESSERA_CATEGORY_DECORATION, .kind = KIND_BLOCK, .section = run->section,
                               .first_item = run->first_item + row, .count = end - row};
    const tessera_rows *blocks = NULL;
    if (end > row) {
      const tessera_status status = out->add(out, &block, &blocks);
      if (status != TESSERA_OK) return status;
      memcpy(blocks->frame, rows->frame + row, (size_t)block.count * sizeof *blocks->frame);
    }
    row = end + 1;
  }
  return TESSERA_OK;
}

static tessera_status add_clues(tessera_layout *at, const tessera_input *in, const tessera_run *run, const tessera_rows *rows, tessera_output *out) {
  const tessera_size size = in->parameters[CLUE_SIZE].size;
  const tessera_point inset = in->parameters[CLUE_INSET].point;
  for (uint64_t row = 0; row < run->count; row++) {
    const uint64_t number = at->cells[in->section_starts[run->section] + run->first_item + row].number;
    if (number == 0) continue;
    const tessera_run clue = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_CLUE, .section = run->section,
                              .first_item = run->first_item + row, .count = 1};
    const tessera_rows *clues = NULL;
    const tessera_status status = out->add(out, &clue, &clues);
    if (status != TESSERA_OK) return status;
    const tessera_rect in_cell = rows->frame[row];
    const double x = fmin(inset.x, in_cell.width), y = fmin(inset.y, in_cell.height);
    clues->frame[0] = (tessera_rect){in_cell.x + x, in_cell.y + y, fmin(size.width, in_cell.width - x), fmin(size.height, in_cell.height - y)};
    ((int64_t *)clues->attributes[CLUE_NUMBER])[0] = (int64_t)number;
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *at, const tessera_input *in, tessera_output *out) {
  tessera_super *const base = in->super;
  tessera_value columns = {.integer = in->parameters[ACROSS].integer}, size, spacing;
  tessera_status status = base->set(base, "columns", TESSERA_TYPE_INT, &columns);
  if (status == TESSERA_OK) status = base->get(base, "itemSize", TESSERA_TYPE_SIZE, &size);
  if (status == TESSERA_OK) status = base->get(base, "spacing", TESSERA_TYPE_NUMBER, &spacing);
  if (status != TESSERA_OK) return status;
  if (!(size.size.width > 0 && size.size.height > 0)) {
    in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, "itemSize has no width or no height; a crossword needs cells to write into");
    return TESSERA_ERROR_INVALID_VALUE;
  }
  status = base->prepare(base, out);
  if (status == TESSERA_OK) status = read_puzzle(at, in);
  if (status != TESSERA_OK) return status;
  at->pitch = size.size.height + spacing.number;
  uint8_t (*const inked)(void *, uint32_t, uint64_t) = (uint8_t (*)(void *, uint32_t, uint64_t))in->functions[IS_INKED].call;

  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    const uint64_t start = in->section_starts[run.section] + run.first_item;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->hidden[row] = is_black(in, start + row) ? 1 : 0;
      rows->alpha[row] *= 1 - doubt_of(in, start + row);
      if (inked && !inked(in->functions[IS_INKED].context, run.section, run.first_item + row)) rows->alpha[row] *= in->parameters[PENCIL].number;
      if (row % 4096 == 4095 && !in->host->progress(in->host, (double)(start + row) / (double)at->count)) return TESSERA_ERROR_CANCELLED;
    }
    status = add_blocks(in, &run, rows, out);
    if (status == TESSERA_OK) status = add_clues(at, in, &run, rows, out);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

// Overrides do not last: the base must know the number of columns again.
static int32_t still_valid(tessera_layout *at, const tessera_input *in) {
  (void)at;
  const tessera_value columns = {.integer = in->parameters[ACROSS].integer};
  if (in->super->set(in->super, "columns", TESSERA_TYPE_INT, &columns) != TESSERA_OK) return 0;
  return in->super->still_valid(in->super);
}

// The selected cell is drawn larger and above its neighbours, and its word is highlighted.
static tessera_status adjust(tessera_layout *at, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  tessera_status status = in->super->adjust(in->super, rect, out);
  if (status != TESSERA_OK) return status;
  const int64_t selected = in->parameters[SELECTED].integer;
  if (selected < 0 || (uint64_t)selected >= at->count || is_black(in, (uint64_t)selected)) return TESSERA_OK;
  const int32_t direction = in->parameters[DIRECTION].choice;
  const double scale = in->parameters[GROWS].number;
  const uint64_t word = at->cells[selected].word[direction], run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    double *const highlight = rows->attributes[HIGHLIGHT];
    for (uint64_t row = 0; row < run.count; row++) {
      const uint64_t item = at->starts[run.section] + run.first_item + row;
      if (at->cells[item].word[direction] == word) highlight[row] = 0.5;
      if (item != (uint64_t)selected) continue;
      highlight[row] = 1;
      rows->z_index[row] = 1;
      rows->transform[row].m[0] *= scale;
      rows->transform[row].m[5] *= scale;
    }
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- scrolling and updates

// A line of cells comes to rest at the upper edge. Extensions have no base to ask for its pitch.
static tessera_status resting_offset(tessera_layout *at, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  if (!(at->pitch > 0)) return TESSERA_OK;
  const double lines = (resting->y + in->content_insets.top) / at->pitch;
  const double line = velocity.y > 0 ? ceil(lines) : velocity.y < 0 ? floor(lines) : round(lines);
  resting->y = line * at->pitch - in->content_insets.top;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {sizeof(tessera_snapping), 0, resting_offset};

// Cells come from nearer, and go away from the viewer.
static tessera_status scaled(tessera_output *out, double scale) {
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->transform[row].m[0] = scale;
      rows->transform[row].m[5] = scale;
    }
  }
  return TESSERA_OK;
}

static tessera_status appearing(tessera_layout *at, const tessera_input *in, tessera_output *out) {
  (void)at, (void)in;
  return scaled(out, 1.5);
}

static tessera_status disappearing(tessera_layout *at, const tessera_input *in, tessera_output *out) {
  (void)at, (void)in;
  return scaled(out, 0.5);
}

static const tessera_updates updates = {sizeof(tessera_updates), 0, NULL, appearing, disappearing, NULL};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  return strcmp(id, TESSERA_EXT_UPDATES) == 0 ? &updates : NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.crossword", .name = "Crossword", .version = "3.1.0",
    .author = "A. Author", .license = "MIT", .summary = "A crossword: black cells, numbers, and the word that is being filled in.",
    .base = "org.tessera.grid", .base_version = "0.1.0",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_HIDDEN | TESSERA_COLUMN_ALPHA,
    .adjusted_columns = TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_Z_INDEX,
    .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
    .value_count = VALUES, .value_size = sizeof(tessera_value_declaration), .values = values,
    .function_count = 3, .function_size = sizeof(tessera_function_declaration), .functions = functions,
    .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute), .attributes = attributes,
    .kind_count = KINDS, .kind_size = sizeof(tessera_kind), .kinds = kinds,
    .default_count = 3, .default_size = sizeof(tessera_setting), .defaults = defaults,
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
