// departures.c: a departures board. Each platform is a section with a heading; its rows size themselves.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ROW_HEIGHT, ESTIMATE, HEADING, PADDING, SPACING, STRIPES, PINS, BADGE, STAYS, PARAMETERS };
enum { HEIGHT, DELAY, HEADING_HEIGHT, COLLAPSED, VALUES };
enum { STRIPES_NONE, STRIPES_EVEN, STRIPES_ODD };
enum { KIND_HEADING, KIND_LATE, KIND_STRIPE, KINDS };
enum { MINUTES_LATE, ATTRIBUTES };
enum { BREAKS_AFTER };

static const char *const stripe_names[] = {"none", "even", "odd"};

static const tessera_parameter parameters[PARAMETERS] = {
    [ROW_HEIGHT] = {.name = "rowHeight", .help = "Height of a row without one of its own.", .unit = "pt",
                    .type = TESSERA_TYPE_NUMBER, .initial.number = 44, .maximum.number = 10000},
    [ESTIMATE] = {.name = "estimatedRowHeight", .help = "Height of a row until it is measured; 0 turns measuring off.",
                  .unit = "pt", .type = TESSERA_TYPE_NUMBER, .maximum.number = 10000},
    [HEADING] = {.name = "heading", .help = "Height of a platform's heading.", .unit = "pt",
                 .type = TESSERA_TYPE_NUMBER, .initial.number = 30, .maximum.number = 10000},
    [PADDING] = {.name = "padding", .help = "Space around the rows of a platform; its heading is above it, over the whole width.",
                 .unit = "pt", .type = TESSERA_TYPE_INSETS, .initial.insets = {4, 12, 8, 12},
                 .maximum.insets = {1000, 1000, 1000, 1000}},
    [SPACING] = {.name = "spacing", .help = "Space between the rows of a platform.", .unit = "pt",
                 .type = TESSERA_TYPE_NUMBER, .initial.number = 2, .maximum.number = 1000},
    [STRIPES] = {.name = "stripes", .help = "Which rows of a platform have a stripe behind them, from one edge to the other; the first row is even.",
                 .type = TESSERA_TYPE_ENUM, .choices = stripe_names, .choice_count = 3, .initial.choice = STRIPES_EVEN},
    [PINS] = {.name = "pinsHeadings", .help = "Whether the heading of the topmost platform stays in sight.",
              .type = TESSERA_TYPE_BOOL, .initial.boolean = 1},
    [BADGE] = {.name = "badge", .help = "Size of the badge in the upper right corner of a late row, at most the row's.", .unit = "pt",
               .type = TESSERA_TYPE_SIZE, .initial.size = {36, 18}, .maximum.size = {1000, 1000}},
    [STAYS] = {.name = "staysOnPlatform", .help = "Whether a dragged row can only go to a place of its own platform.",
               .type = TESSERA_TYPE_BOOL, .flags = TESSERA_FLAG_HINT}};

static const tessera_value_declaration values[VALUES] = {
    [HEIGHT] = {.name = "height", .help = "The row's own height; below 0 is 0.", .fallback = "rowHeight",
                .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [DELAY] = {.name = "delay", .help = "Minutes by which the train is late; more than 0 shows a badge.",
               .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [HEADING_HEIGHT] = {.name = "headingHeight", .help = "Height of the platform's heading.", .fallback = "heading",
                        .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [COLLAPSED] = {.name = "collapsed", .help = "Whether only the platform's heading is shown; its rows are hidden.",
                   .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_attribute attributes[ATTRIBUTES] = {
    [MINUTES_LATE] = {.name = "minutesLate", .help = "The delay that a badge shows, in minutes.", .type = TESSERA_TYPE_NUMBER,
                      .interpolation = TESSERA_INTERPOLATION_LINEAR, .when = TESSERA_WHEN_PREPARED}};

static const tessera_kind kinds[KINDS] = {
    [KIND_HEADING] = {.name = "heading", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [KIND_LATE] = {.name = "late", .shows = "minutesLate", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_BADGE},
    [KIND_STRIPE] = {.name = "stripe", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

// What the last prepare has placed, unrounded: rows by their place among all, and sections.
struct tessera_layout {
  const tessera_host *host;
  double *row_top, *row_end;
  double *section_top, *section_end; // the end is with the padding
  uint64_t row_room, section_room, row_count;
  double width, scale;
};

static int64_t row_at(tessera_layout *at, double y) {
  uint64_t low = 0, high = at->row_count; // the first row that ends below y
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (at->row_end[middle] > y) high = middle;
    else low = middle + 1;
  }
  return low < at->row_count && at->row_top[low] <= y ? (int64_t)low : -1;
}

static const tessera_function_declaration functions[] = {
    {.name = "breaksAfter", .signature = "bool(u32,u64)", .help = "Whether a row of a section is followed by a gap of one more spacing."},
    {.name = "rowAt", .signature = "i64(f64)", .help = "The row at this y of the content, counted among all rows from 0, or -1.",
     .published = (void (*)(void))row_at}};

static double number(tessera_column of, uint64_t index) { return *(const double *)((const char *)of.data + index * of.stride); }
static int is_set(tessera_column of, uint64_t index) { return ((const uint8_t *)of.data)[index * of.stride] != 0; }
static double rounded(double length, double scale) { return round(length * scale) / scale; }
// The width of the content is whole pixels, so that both of its edges lie on the grid.
static double room_of(const tessera_input *in) { return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right); }
static double width_of(const tessera_input *in) { return floor(room_of(in) * in->scale) / in->scale; }
static double heading_of(const tessera_input *in, uint32_t section) { return fmax(0, number(in->values[HEADING_HEIGHT], section)); }

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *at) {
  free(at->row_top);
  free(at->row_end);
  free(at->section_top);
  free(at->section_end);
  free(at);
}

static int grow(double **array, uint64_t count) {
  if (count > SIZE_MAX / sizeof(double)) return 0;
  double *larger = realloc(*array, count * sizeof(double));
  if (larger) *array = larger;
  return larger != NULL;
}

static tessera_status make_room(tessera_layout *at, uint64_t rows, uint64_t sections) {
  if (rows > at->row_room) {
    const uint64_t room = rows + rows / 2;
    if (!grow(&at->row_top, room) || !grow(&at->row_end, room)) return TESSERA_ERROR_NO_SPACE;
    at->row_room = room;
  }
  if (sections > at->section_room) {
    const uint64_t room = sections + sections / 2;
    if (!grow(&at->section_top, room) || !grow(&at->section_end, room)) return TESSERA_ERROR_NO_SPACE;
    at->section_room = room;
  }
  return TESSERA_OK;
}

// How many rows of a section, and its heading, are as they were. UINT64_MAX: all of it.
static uint64_t unchanged(const tessera_change *change, uint32_t section) {
  if (change->what & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) return 0;
  if (!change->what || section < change->first_section) return UINT64_MAX;
  return section == change->first_section ? change->first_item : 0;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static tessera_status prepare(tessera_layout *at, const tessera_input *in, tessera_output *out) {
  const uint64_t total = in->section_starts[in->section_count];
  tessera_status status = make_room(at, total, in->section_count);
  if (status != TESSERA_OK) return status;
  const tessera_insets padding = in->parameters[PADDING].insets;
  const tessera_size badge = in->parameters[BADGE].size;
  const double scale = in->scale, width = width_of(in), spacing = in->parameters[SPACING].number;
  const double left = fmin(rounded(padding.left, scale), width);
  const double right = fmax(left, floor((room_of(in) - padding.right) * scale) / scale);
  const double badge_left = fmax(left, rounded(room_of(in) - padding.right - badge.width, scale));
  const int32_t stripes = in->parameters[STRIPES].choice;
  uint8_t (*const breaks)(void *, uint32_t, uint64_t) = (uint8_t (*)(void *, uint32_t, uint64_t))in->functions[BREAKS_AFTER].call;
  void *const asked = in->functions[BREAKS_AFTER].context;

  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section], count = in->section_starts[section + 1] - start;
    const uint64_t same = unchanged(&in->change, section);
    const int collapsed = is_set(in->values[COLLAPSED], section);
    const tessera_rows *heading = NULL, *cells = NULL, *late = NULL, *stripe = NULL;
    tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_HEADING, .section = section, .count = 1};
    status = out->add(out, &run, &heading);
    if (status != TESSERA_OK) return status;
    at->section_top[section] = y;
    const double top = rounded(y, scale);
    y += heading_of(in, section);
    heading->frame[0] = (tessera_rect){0, top, width, rounded(y, scale) - top};
    y += padding.top;

    run = (tessera_run){.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    status = out->add(out, &run, &cells);
    if (status != TESSERA_OK) return status;
    run = (tessera_run){.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_LATE, .section = section, .count = count};
    status = out->add(out, &run, &late);
    if (status != TESSERA_OK) return status;
    const uint64_t parity = stripes == STRIPES_ODD ? 1 : 0;
    const uint64_t stripe_count = stripes == STRIPES_NONE ? 0 : (count + 1 - parity) / 2;
    run = (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .kind = KIND_STRIPE, .section = section, .count = stripe_count};
    status = out->add(out, &run, &stripe);
    if (status != TESSERA_OK) return status;

    // The rows to keep are those that all runs still have; their stripes, two rows each, too.
    uint64_t row = count ? least(count, least(same, least(cells->kept, late->kept))) : 0;
    if (stripe_count) row = least(row, 2 * stripe->kept + parity);
    if (row > 0) {
      y = at->row_end[start + row - 1];
      if (breaks && breaks(asked, section, row - 1)) y += spacing;
      if (!collapsed) y += spacing;
    }
    for (; row < count; row++) {
      const double height = collapsed ? 0 : fmax(0, number(in->values[HEIGHT], start + row));
      at->row_top[start + row] = y;
      at->row_end[start + row] = y + height;
      const double from = rounded(y, scale), to = rounded(y + height, scale);
      cells->frame[row] = (tessera_rect){left, from, right - left, to - from};
      cells->hidden[row] = collapsed ? 1 : 0;
      const double delay = number(in->values[DELAY], start + row);
      const int shows = delay > 0 && !collapsed;
      const double badge_end = rounded(y + fmin(badge.height, height), scale);
      late->frame[row] = shows ? (tessera_rect){fmin(badge_left, right), from, fmax(0, right - badge_left), badge_end - from}
                               : (tessera_rect){left, from, 0, 0};
      late->hidden[row] = shows ? 0 : 1;
      late->z_index[row] = 1;
      ((double *)late->attributes[MINUTES_LATE])[row] = shows ? delay : 0;
      if (stripe_count && row % 2 == parity) {
        stripe->frame[row / 2] = (tessera_rect){0, from, width, to - from};
        stripe->z_index[row / 2] = -1;
      }
      y += height;
      if (breaks && breaks(asked, section, row)) y += spacing;
      if (!collapsed) y += spacing;
      if (row % 4096 == 4095 && !in->host->progress(in->host, (double)(start + row) / (double)total)) return TESSERA_ERROR_CANCELLED;
    }
    if (count > 0) {
      y = at->row_end[start + count - 1];
      if (breaks && breaks(asked, section, count - 1)) y += spacing;
    }
    y += padding.bottom;
    at->section_end[section] = y;
    if (!(y <= 1e12)) {
      in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE,
                       "the board would be more than 1e12 points high; give smaller heights, or fewer rows");
      return TESSERA_ERROR_INVALID_VALUE;
    }
  }
  at->row_count = total;
  at->width = width;
  at->scale = scale;
  out->set_content_size(out, (tessera_size){width, ceil(y * scale) / scale});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *at, const tessera_input *in) { return width_of(in) == at->width && in->scale == at->scale; }

static tessera_status adjust(tessera_layout *at, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)rect;
  if (!in->parameters[PINS].boolean) return TESSERA_OK;
  const double edge = in->viewport.y + in->content_insets.top;
  uint32_t low = 0, high = in->section_count; // the first section that ends below the edge
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (at->section_end[middle] > edge) high = middle;
    else low = middle + 1;
  }
  if (low == in->section_count || at->section_top[low] >= edge) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_HEADING, .section = low, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double last = floor(at->section_end[low] * at->scale) / at->scale - rows->frame[0].height;
  rows->frame[0].y = fmax(rows->frame[0].y, fmin(rounded(edge, at->scale), last));
  rows->z_index[0] = 2;
  return TESSERA_OK;
}

// ---------------------------------------------------------------- sizing

static tessera_status estimates(tessera_layout *at, const tessera_input *in, const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)at;
  const double height = in->parameters[ESTIMATE].number;
  if (height == 0 || is_set(in->values[COLLAPSED], run->section)) {
    *count = 0;
    return TESSERA_OK;
  }
  sizes[0] = (tessera_size){width_of(in), height};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *at, const tessera_input *in, const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)at, (void)run;
  const tessera_insets padding = in->parameters[PADDING].insets;
  sizes[0] = (tessera_size){fmax(1, width_of(in) - rounded(padding.left, in->scale) - rounded(padding.right, in->scale)), 0};
  *count = 1;
  return TESSERA_OK;
}

static const tessera_measured measured[] = {{.value = "height"}};
static const tessera_sizing sizing = {sizeof(tessera_sizing), 1, measured, estimates, proposals};

// ---------------------------------------------------------------- scrolling, dragging, updates

// A row comes to rest at the upper edge: the nearest one, or the next one in the direction of a fling.
static tessera_status resting_offset(tessera_layout *at, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  const double y = resting->y + in->content_insets.top;
  if (at->row_count == 0 || y <= 0) return TESSERA_OK;
  uint64_t low = 0, high = at->row_count; // the first row that begins at y or below
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (at->row_top[middle] >= y) high = middle;
    else low = middle + 1;
  }
  const int no_next = low == at->row_count;
  if (no_next || (low > 0 && velocity.y <= 0 && (velocity.y < 0 ? at->row_top[low] > y : y - at->row_top[low - 1] < at->row_top[low] - y))) low--;
  resting->y = at->row_top[low] - in->content_insets.top;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {sizeof(tessera_snapping), 0, resting_offset};

static tessera_status target(tessera_layout *at, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point,
                             uint32_t *target_section, uint64_t *target_item) {
  (void)item;
  if (!in->parameters[STAYS].boolean || *target_section == section) return TESSERA_OK;
  const uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
  *target_section = section;
  *target_item = point.y < at->section_top[section] ? 0 : count - 1;
  return TESSERA_OK;
}

static const tessera_reordering reordering = {sizeof(tessera_reordering), 0, target};

// Rows turn into place around their middles, as the leaves of a board do; headings fade.
static tessera_status flipped(tessera_layout *at, const tessera_input *in, tessera_output *out) {
  (void)at, (void)in;
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->alpha[row] = 1;
      rows->transform[row].m[5] = 0;
    }
  }
  return TESSERA_OK;
}

static const tessera_updates updates = {sizeof(tessera_updates), 0, NULL, flipped, flipped, NULL};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  if (strcmp(id, TESSERA_EXT_REORDERING) == 0) return &reordering;
  return strcmp(id, TESSERA_EXT_UPDATES) == 0 ? &updates : NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.departures", .name = "Departures", .version = "1.2.0",
    .author = "A. Author", .license = "MIT", .summary = "A departures board: platforms with headings, rows that size themselves.",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_PIXEL_ALIGNED | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_HIDDEN | TESSERA_COLUMN_Z_INDEX,
    .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
    .value_count = VALUES, .value_size = sizeof(tessera_value_declaration), .values = values,
    .function_count = 2, .function_size = sizeof(tessera_function_declaration), .functions = functions,
    .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute), .attributes = attributes,
    .kind_count = KINDS, .kind_size = sizeof(tessera_kind), .kinds = kinds,
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
