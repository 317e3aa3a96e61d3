// An endless calendar: weeks below one another, as many days as a section has items. Nothing is stored
// for a day, and queries are answered for any number of them. Names of sections stay in sight.

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ROW_HEIGHT, GAP, GUTTER, TITLE, WEEK_START, DIM, N_PARAMETERS };
enum { FIRST_DAY, N_VALUES };
enum { KIND_TITLE, KIND_WEEK, N_KINDS };
enum { DAY, N_ATTRIBUTES };

static const tessera_parameter parameters[N_PARAMETERS] = {
  [ROW_HEIGHT] = {.name = "rowHeight", .help = "Height of a day.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                  .initial.number = 32, .minimum.number = 1, .maximum.number = 10000},
  [GAP] = {.name = "gap", .help = "Space between weeks.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
           .initial.number = 2, .maximum.number = 1000},
  [GUTTER] = {.name = "gutter", .help = "Width of the names of weeks; 0: none.", .unit = "pt",
              .type = TESSERA_TYPE_NUMBER, .initial.number = 28, .maximum.number = 1000},
  [TITLE] = {.name = "titleHeight", .help = "Height of the name of a section; 0: none.", .unit = "pt",
             .type = TESSERA_TYPE_NUMBER, .initial.number = 26, .maximum.number = 1000},
  [WEEK_START] = {.name = "weekStart", .help = "The day on which a week starts: 0 is that of day 0.",
                  .type = TESSERA_TYPE_INT, .initial.integer = 4, .minimum.integer = 0, .maximum.integer = 6},
  [DIM] = {.name = "past", .help = "How visible days are that go out of sight at the top.",
           .flags = TESSERA_FLAG_IN_ADJUST, .type = TESSERA_TYPE_NUMBER, .initial.number = 0.5,
           .maximum.number = 1},
};

static const tessera_value_declaration values[N_VALUES] = {
  [FIRST_DAY] = {.name = "firstDay", .help = "The day of the section's first item; days before day 0 are negative.",
                 .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_SECTION},
};

static const tessera_kind kinds[N_KINDS] = {
  [KIND_TITLE] = {.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
  [KIND_WEEK] = {.name = "week", .shows = "day", .category = TESSERA_CATEGORY_SUPPLEMENTARY,
                 .role = TESSERA_ROLE_LABEL},
};

static const tessera_attribute attributes[N_ATTRIBUTES] = {
  [DAY] = {.name = "day", .help = "The day, or the first day in the week.", .unit = "d",
           .type = TESSERA_TYPE_INT, .interpolation = TESSERA_INTERPOLATION_STEP},
};

typedef struct { double top, end; uint64_t days, rows; int64_t first; uint32_t lead; } calendar;

struct tessera_layout {
  const tessera_host *host;
  calendar *calendars;
  uint32_t count, room;
  double extent;
};

static tessera_status create(const tessera_engine *engine, const tessera_host *host, tessera_layout **layout) {
  (void)engine;
  tessera_layout *const made = calloc(1, sizeof *made);
  if (made == NULL) {
    host->report(host, TESSERA_ERROR_NO_SPACE, "there is no memory for a calendar; free some");
    return TESSERA_ERROR_NO_SPACE;
  }
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *self) {
  if (self == NULL) return;
  free(self->calendars);
  free(self);
}

static double extent_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

static double gutter_of(const tessera_input *in, double extent) {
  return fmin(in->parameters[GUTTER].number, extent);
}

static double pitch_of(const tessera_input *in) {
  return in->parameters[ROW_HEIGHT].number + in->parameters[GAP].number;
}

// Days, as far as there are numbers for them.
static int64_t day_after(int64_t first, uint64_t days) {
  const uint64_t room = (uint64_t)INT64_MAX - (uint64_t)first;
  return days > room ? INT64_MAX : (int64_t)((uint64_t)first + days);
}

// In which column of its week a day is.
static uint32_t weekday(int64_t day, int64_t week_start) {
  return (uint32_t)((day % 7 + 14 - week_start) % 7);
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  if (in->section_count > self->room) {
    calendar *const grown = realloc(self->calendars, in->section_count * sizeof *grown);
    if (grown == NULL) {
      self->host->report(self->host, TESSERA_ERROR_NO_SPACE, "there is no memory for the sections; free some");
      return TESSERA_ERROR_NO_SPACE;
    }
    self->calendars = grown;
    self->room = in->section_count;
  }
  const double title = in->parameters[TITLE].number;
  const tessera_column first = in->values[FIRST_DAY];
  double y = 0;
  for (uint32_t s = 0; s < in->section_count; s++) {
    calendar *const c = &self->calendars[s];
    c->top = y;
    c->days = in->section_starts[s + 1] - in->section_starts[s];
    c->first = *(const int64_t *)((const char *)first.data + s * first.stride);
    c->lead = weekday(c->first, in->parameters[WEEK_START].integer);
    c->rows = c->days == 0 ? 0 : (c->lead + c->days - 1) / 7 + 1;
    c->end = y + title + (double)c->rows * pitch_of(in);
    y = c->end;
  }
  self->count = in->section_count;
  self->extent = extent_of(in);
  out->set_content_size(out, (tessera_size){self->extent, y});
  return TESSERA_OK;
}

// The days `first` up to `end` of a section, all in one run.
static tessera_status add_days(tessera_layout *self, const tessera_input *in, uint32_t section, uint64_t first,
                               uint64_t end, tessera_output *out) {
  if (first >= end) return TESSERA_OK;
  const calendar *const c = &self->calendars[section];
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first,
                           .count = end - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double gutter = gutter_of(in, self->extent), width = (self->extent - gutter) / 7;
  const double top = c->top + in->parameters[TITLE].number;
  int64_t *const day = rows->attributes[DAY];
  for (uint64_t i = 0; i < run.count; i++) {
    const uint64_t place = c->lead + first + i;
    rows->frame[i] = (tessera_rect){gutter + (double)(place % 7) * width, top + (double)(place / 7) * pitch_of(in),
                                    width, in->parameters[ROW_HEIGHT].number};
    day[i] = day_after(c->first, first + i);
    const double done = (double)(in->section_starts[section] + first + i);
    if (i % 4096 == 4095 && !self->host->progress(self->host, done / (double)in->section_starts[in->section_count]))
      return TESSERA_ERROR_CANCELLED;
  }
  return TESSERA_OK;
}

// The names of the weeks `first` up to `end` of a section.
static tessera_status add_weeks(tessera_layout *self, const tessera_input *in, uint32_t section, uint64_t first,
                                uint64_t end, tessera_output *out) {
  const double gutter = gutter_of(in, self->extent);
  if (first >= end || gutter <= 0) return TESSERA_OK;
  const calendar *const c = &self->calendars[section];
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_WEEK, .section = section,
                           .first_item = first, .count = end - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double top = c->top + in->parameters[TITLE].number;
  int64_t *const day = rows->attributes[DAY];
  for (uint64_t i = 0; i < run.count; i++) {
    const uint64_t row = first + i;
    rows->frame[i] =
        (tessera_rect){0, top + (double)row * pitch_of(in), gutter, in->parameters[ROW_HEIGHT].number};
    day[i] = day_after(c->first, row == 0 ? 0 : row * 7 - c->lead);
  }
  return TESSERA_OK;
}

static tessera_status add_title(tessera_layout *self, const tessera_input *in, uint32_t section,
                                tessera_output *out, const tessera_rows **rows) {
  const calendar *const c = &self->calendars[section];
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_TITLE, .section = section,
                           .count = 1};
  const tessera_status status = out->add(out, &run, rows);
  if (status != TESSERA_OK) return status;
  (*rows)->frame[0] = (tessera_rect){0, c->top, self->extent, in->parameters[TITLE].number};
  (*rows)->z_index[0] = 1;
  ((int64_t *)(*rows)->attributes[DAY])[0] = c->first;
  return TESSERA_OK;
}

// The last section that begins at or above a height, or the first one.
static uint32_t section_at(const tessera_layout *self, double y) {
  uint32_t low = 0, high = self->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (self->calendars[middle].top <= y) low = middle;
    else high = middle;
  }
  return low;
}

static uint64_t whole(double value, uint64_t most) {
  if (!(value > 0)) return 0;
  if (value >= (double)most) return most;
  return (uint64_t)value < most ? (uint64_t)value : most;
}

static tessera_status elements_in_rect(tessera_layout *self, const tessera_input *in, tessera_rect rect,
                                       tessera_output *out) {
  const double title = in->parameters[TITLE].number, pitch = pitch_of(in);
  const double low = rect.y, high = rect.y + rect.height;
  if (self->count == 0) return TESSERA_OK;
  for (uint32_t s = section_at(self, low); s < self->count && self->calendars[s].top < high; s++) {
    const calendar *const c = &self->calendars[s];
    const tessera_rows *rows = NULL;
    tessera_status status = TESSERA_OK;
    if (title > 0 && c->top + title > low) status = add_title(self, in, s, out, &rows);
    if (status != TESSERA_OK) return status;
    // More on both sides as numbers get larger, because then a row is not exact.
    const double from = (low - c->top - title) / pitch, to = (high - c->top - title) / pitch;
    const uint64_t first = whole(from - 1 - fabs(from) * 1e-15, c->rows);
    const uint64_t last = whole(to + 2 + fabs(to) * 1e-15, c->rows);
    status = add_weeks(self, in, s, first, last, out);
    if (status != TESSERA_OK) return status;
    if (first >= last) continue;
    const uint64_t item = first == 0 ? 0 : first * 7 - c->lead, end = last * 7 - c->lead;
    status = add_days(self, in, s, item, end < c->days ? end : c->days, out);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *self, const tessera_input *in, const tessera_run *run,
                              tessera_output *out) {
  if (run->section >= self->count) return TESSERA_OK;
  const calendar *const c = &self->calendars[run->section];
  if (run->category == TESSERA_CATEGORY_CELL)
    return run->first_item < c->days ? add_days(self, in, run->section, run->first_item, run->first_item + 1, out)
                                     : TESSERA_OK;
  if (run->category != TESSERA_CATEGORY_SUPPLEMENTARY) return TESSERA_OK;
  if (run->kind == KIND_WEEK)
    return run->first_item < c->rows ? add_weeks(self, in, run->section, run->first_item, run->first_item + 1, out)
                                     : TESSERA_OK;
  const tessera_rows *rows = NULL;
  return run->first_item == 0 && in->parameters[TITLE].number > 0 ? add_title(self, in, run->section, out, &rows)
                                                                  : TESSERA_OK;
}

static tessera_status adjust(tessera_layout *self, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)rect;
  const double line = in->viewport.y + in->content_insets.top, title = in->parameters[TITLE].number;
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++)
      rows->alpha[row] = rows->frame[row].y < line + title ? in->parameters[DIM].number : 1;
  }
  if (title <= 0 || self->count == 0 || line < 0) return TESSERA_OK;
  const uint32_t section = section_at(self, line);
  const calendar *const c = &self->calendars[section];
  if (line >= c->end) return TESSERA_OK;
  const tessera_rows *rows = NULL;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_TITLE, .section = section,
                           .count = 1};
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  // The query may not have asked for the title's first place: then this is a new row.
  rows->frame[0] = (tessera_rect){0, c->top, self->extent, title};
  rows->frame[0].y = fmax(c->top, fmin(line, c->end - title));
  rows->z_index[0] = 1;
  ((int64_t *)rows->attributes[DAY])[0] = c->first;
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  return self->extent == extent_of(in);
}

static const tessera_engine engine = {
  .struct_size = sizeof engine,
  .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
  .columns = TESSERA_COLUMN_Z_INDEX,
  .adjusted_columns = TESSERA_COLUMN_ALPHA,
  .id = "org.example.weeks", .name = "Weeks", .version = "1.4.0", .author = "D. Ays", .license = "MIT",
  .summary = "An endless calendar in weeks.",
  .parameter_count = N_PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
  .value_count = N_VALUES, .value_size = sizeof(tessera_value_declaration), .values = values,
  .attribute_count = N_ATTRIBUTES, .attribute_size = sizeof(tessera_attribute), .attributes = attributes,
  .kind_count = N_KINDS, .kind_size = sizeof(tessera_kind), .kinds = kinds,
  .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust,
  .elements_in_rect = elements_in_rect, .element = element, .still_valid = still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
