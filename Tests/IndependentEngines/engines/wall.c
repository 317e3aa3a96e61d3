// wall.c: lazy; a wall of bricks. Each section is a stretch of wall below its title; its courses repeat the records of a list.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { BRICK, COURSE, JOINT, TITLE, PINS, PARAMETERS };
enum { TITLE_HEIGHT, RAISED, WORN, VALUES };
enum { LENGTH, HEIGHT, OFFSET, COLUMNS };
enum { KIND_TITLE, KIND_BED };

static const tessera_parameter parameters[PARAMETERS] = {
    [BRICK] = {.name = "brickLength", .help = "Length of a brick if the list has no courses.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 90, .minimum.number = 1, .maximum.number = 10000},
    [COURSE] = {.name = "courseHeight", .help = "Height of a course if the list has none.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 40, .minimum.number = 1, .maximum.number = 10000},
    [JOINT] = {.name = "joint", .help = "Mortar between bricks and between courses.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 4, .maximum.number = 1000},
    [TITLE] = {.name = "titleHeight", .help = "Height of titles; 0: none.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 30, .maximum.number = 10000},
    [PINS] = {.name = "pins", .help = "Whether titles stay in sight.", .type = TESSERA_TYPE_BOOL, .initial.boolean = 1}};
static const tessera_value_declaration values[VALUES] = {
    [TITLE_HEIGHT] = {.name = "titleHeight", .help = "Height of the section's title.", .fallback = "titleHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [RAISED] = {.name = "raised", .help = "Whether the brick stands out.", .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_ITEM},
    [WORN] = {.name = "worn", .help = "How faded the brick is, 0 to 1.", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM}};
static const tessera_parameter columns[COLUMNS] = {
    [LENGTH] = {.name = "length", .help = "Length of a brick.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 90, .minimum.number = 1, .maximum.number = 10000},
    [HEIGHT] = {.name = "height", .help = "Height of the course.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 40, .minimum.number = 1, .maximum.number = 10000},
    [OFFSET] = {.name = "offset", .help = "Where the first brick begins.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .maximum.number = 10000}};
static const tessera_list_declaration lists[] = {
    {.name = "courses", .help = "The courses that repeat from the top; none: all alike.", .column_count = COLUMNS, .column_size = sizeof(tessera_parameter), .columns = columns}};
static const tessera_attribute attributes[] = {
    {.name = "course", .help = "The brick's course in its section.", .type = TESSERA_TYPE_INT, .interpolation = TESSERA_INTERPOLATION_STEP}};
static const tessera_kind kinds[] = {
    [KIND_TITLE] = {.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [KIND_BED] = {.name = "bed", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};

typedef struct course { // of the pattern
  double x, y, length, height;
  uint64_t first, count; // bricks of the pattern before it, and its own
} course;
typedef struct stretch { // a section that is higher than 0
  double top, title, end;
  uint64_t first, count; // items before it, and its own
  uint64_t courses;
  uint32_t section;
} stretch;
struct tessera_layout {
  const tessera_host *host;
  course *pattern;
  stretch *stretches;
  uint64_t pattern_count, period; // courses and bricks of the pattern
  double period_height, joint, extent, width;
  uint32_t stretch_count, section_count;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void clear(tessera_layout *l) {
  free(l->pattern);
  free(l->stretches);
  l->pattern = 0;
  l->stretches = 0;
  l->stretch_count = 0;
}

static void destroy(tessera_layout *l) {
  clear(l);
  free(l);
}

static tessera_status refuse(const tessera_layout *l, tessera_status status, const char *why) {
  l->host->report(l->host, status, why);
  return status;
}

static const void *at(tessera_column column, uint64_t index) { return (const char *)column.data + index * column.stride; }
static double number(tessera_column column, uint64_t index) { return *(const double *)at(column, index); }
static double extent_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

// The course of the pattern in which brick `index` of the pattern lies.
static uint64_t pattern_course(const tessera_layout *l, uint64_t index) {
  uint64_t low = 0, high = l->pattern_count;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (l->pattern[middle].first <= index) low = middle; else high = middle;
  }
  return low;
}
static uint64_t course_of(const tessera_layout *l, uint64_t item) {
  return item / l->period * l->pattern_count + pattern_course(l, item % l->period);
}
static double course_y(const tessera_layout *l, const stretch *s, uint64_t c) {
  return s->top + s->title + (double)(c / l->pattern_count) * l->period_height + l->pattern[c % l->pattern_count].y;
}
static uint64_t course_first(const tessera_layout *l, uint64_t c) {
  return c / l->pattern_count * l->period + l->pattern[c % l->pattern_count].first;
}
// The course at a distance below the title, at most the last one.
static uint64_t course_at(const tessera_layout *l, const stretch *s, double distance) {
  if (!(distance > 0) || s->courses == 0) return 0;
  const double periods = floor(distance / l->period_height);
  if (periods >= (double)(s->courses / l->pattern_count + 1)) return s->courses - 1;
  const double rest = distance - periods * l->period_height;
  uint64_t low = 0, high = l->pattern_count;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (l->pattern[middle].y <= rest) low = middle; else high = middle;
  }
  const uint64_t c = (uint64_t)periods * l->pattern_count + low;
  return c < s->courses ? c : s->courses - 1;
}
// The first stretch that ends below y.
static uint32_t stretch_at(const tessera_layout *l, double y) {
  uint32_t low = 0, high = l->stretch_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->stretches[middle].end > y) high = middle; else low = middle + 1;
  }
  return low;
}
static const stretch *stretch_of(const tessera_layout *l, uint32_t section) {
  uint32_t low = 0, high = l->stretch_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->stretches[middle].section < section) low = middle + 1; else high = middle;
  }
  return low < l->stretch_count && l->stretches[low].section == section ? &l->stretches[low] : 0;
}

static tessera_status prepare(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  clear(l);
  const tessera_list *list = &in->lists[0];
  l->joint = in->parameters[JOINT].number;
  l->extent = l->width = extent_of(in);
  l->section_count = in->section_count;
  l->pattern_count = list->count ? list->count : 1;
  l->pattern = malloc(l->pattern_count * sizeof *l->pattern);
  l->stretches = malloc(((uint64_t)in->section_count + 1) * sizeof *l->stretches);
  if (!l->pattern || !l->stretches) return refuse(l, TESSERA_ERROR_NO_SPACE, "there is no memory for the courses; use fewer");
  l->period = 0;
  l->period_height = 0;
  for (uint64_t i = 0; i < l->pattern_count; i++) {
    course *c = &l->pattern[i];
    c->length = list->count ? number(list->columns[LENGTH], i) : in->parameters[BRICK].number;
    c->height = list->count ? number(list->columns[HEIGHT], i) : in->parameters[COURSE].number;
    c->x = list->count ? number(list->columns[OFFSET], i) : 0;
    c->y = l->period_height;
    c->first = l->period;
    const double fits = floor((l->extent - c->x + l->joint) / (c->length + l->joint));
    c->count = fits > 1 ? (uint64_t)fits : 1;
    l->width = fmax(l->width, c->x + (double)(c->count - 1) * (c->length + l->joint) + c->length);
    l->period += c->count;
    l->period_height += c->height + l->joint;
  }
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    stretch *s = &l->stretches[l->stretch_count];
    s->section = section;
    s->first = in->section_starts[section];
    s->count = in->section_starts[section + 1] - s->first;
    s->courses = s->count ? course_of(l, s->count - 1) + 1 : 0;
    s->title = fmax(0, number(in->values[TITLE_HEIGHT], section));
    s->top = y;
    y = s->end = s->courses ? course_y(l, s, s->courses - 1) + l->pattern[(s->courses - 1) % l->pattern_count].height : y + s->title;
    if (s->end > s->top) l->stretch_count++;
  }
  if (!isfinite(y)) return refuse(l, TESSERA_ERROR_INVALID_VALUE, "the titles are too high for a finite content; make titleHeight smaller");
  out->set_content_size(out, (tessera_size){l->width, y});
  return TESSERA_OK;
}

// Adds the bricks first ..< end of a course, counted in the course.
static tessera_status add_bricks(const tessera_layout *l, const tessera_input *in, const stretch *s, uint64_t c, uint64_t first, uint64_t end, tessera_output *out) {
  const course *p = &l->pattern[c % l->pattern_count];
  const uint64_t start = course_first(l, c);
  if (end > s->count - start) end = s->count - start;
  if (first >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = s->section, .first_item = start + first, .count = end - first};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double y = course_y(l, s, c);
  for (uint64_t row = 0; row < run.count; row++) {
    const uint64_t item = s->first + start + first + row;
    rows->frame[row] = (tessera_rect){p->x + (double)(first + row) * (p->length + l->joint), y, p->length, p->height};
    rows->z_index[row] = *(const uint8_t *)at(in->values[RAISED], item);
    rows->alpha[row] = 1 - fmin(1, fmax(0, number(in->values[WORN], item)));
    ((int64_t *)rows->attributes[0])[row] = (int64_t)c;
  }
  return TESSERA_OK;
}

// Adds the beds first ..< end, each below the course of its number.
static tessera_status add_beds(const tessera_layout *l, const stretch *s, uint64_t first, uint64_t end, tessera_output *out) {
  if (!(l->joint > 0) || s->courses == 0) return TESSERA_OK;
  if (end > s->courses - 1) end = s->courses - 1;
  if (first >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .kind = KIND_BED, .section = s->section, .first_item = first, .count = end - first};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t row = 0; row < run.count; row++)
    rows->frame[row] = (tessera_rect){0, course_y(l, s, first + row) + l->pattern[(first + row) % l->pattern_count].height, l->width, l->joint};
  return TESSERA_OK;
}

static tessera_status add_title(const tessera_layout *l, const stretch *s, double y, tessera_output *out) {
  if (!(s->title > 0)) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_TITLE, .section = s->section, .count = 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = (tessera_rect){0, y, l->width, s->title};
  rows->z_index[0] = 10;
  return TESSERA_OK;
}

// The place in a course before which x lies, as far as there are bricks.
static uint64_t place(const course *p, double joint, double x) {
  const double places = floor((x - p->x) / (p->length + joint));
  return !(places > 0) ? 0 : places >= (double)p->count ? p->count : (uint64_t)places;
}

static tessera_status elements_in_rect(tessera_layout *l, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const double bottom = rect.y + rect.height, slack = 1 + 4e-15 * fmax(fabs(rect.y), fabs(bottom));
  double fraction = 0;
  for (uint32_t i = stretch_at(l, rect.y - slack); i < l->stretch_count && l->stretches[i].top < bottom + slack; i++) {
    const stretch *s = &l->stretches[i];
    tessera_status status = rect.y < s->top + s->title + slack ? add_title(l, s, s->top, out) : TESSERA_OK;
    if (status != TESSERA_OK) return status;
    const double below = s->top + s->title;
    const uint64_t first = course_at(l, s, rect.y - slack - below);
    uint64_t end = bottom + slack < below || !s->courses ? 0 : course_at(l, s, bottom + slack - below) + 1;
    status = add_beds(l, s, first, end, out);
    for (uint64_t c = first; status == TESSERA_OK && c < end; c++) {
      const course *p = &l->pattern[c % l->pattern_count];
      const uint64_t from = place(p, l->joint, rect.x - 1), to = place(p, l->joint, rect.x + rect.width + 1) + 1;
      status = add_bricks(l, in, s, c, from, to < p->count ? to : p->count, out);
      if (c % 4096 == 0) {
        fraction = fmax(fraction, fmin(1, (course_y(l, s, c) - rect.y) / fmax(1, rect.height)));
        if (!l->host->progress(l->host, fraction)) return TESSERA_ERROR_CANCELLED;
      }
    }
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *l, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  const stretch *s = stretch_of(l, run->section);
  if (!s) return TESSERA_OK;
  if (run->category == TESSERA_CATEGORY_CELL) {
    if (run->first_item >= s->count) return TESSERA_OK;
    const uint64_t c = course_of(l, run->first_item), place = run->first_item - course_first(l, c);
    return add_bricks(l, in, s, c, place, place + 1, out);
  }
  if (run->category == TESSERA_CATEGORY_SUPPLEMENTARY) return run->first_item == 0 ? add_title(l, s, s->top, out) : TESSERA_OK;
  return add_beds(l, s, run->first_item, run->first_item + 1, out);
}

static tessera_status adjust(tessera_layout *l, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)rect;
  if (!in->parameters[PINS].boolean) return TESSERA_OK;
  const double top = in->viewport.y + in->content_insets.top;
  const uint32_t i = stretch_at(l, top);
  if (i == l->stretch_count || l->stretches[i].top >= top) return TESSERA_OK;
  const stretch *s = &l->stretches[i];
  return add_title(l, s, fmin(top, s->end - s->title), out);
}

static int32_t still_valid(tessera_layout *l, const tessera_input *in) { return extent_of(in) == l->extent; }

// Stops where a title or a course begins.
static tessera_status resting_offset(tessera_layout *l, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  if (l->stretch_count == 0) return TESSERA_OK;
  const double inset = in->content_insets.top, y = resting->y + inset;
  uint32_t i = stretch_at(l, y);
  if (i == l->stretch_count) i--;
  const stretch *s = &l->stretches[i];
  double low = s->top, high = i + 1 < l->stretch_count ? l->stretches[i + 1].top : s->end;
  if (s->courses && y < s->top + s->title) {
    high = s->top + s->title;
  } else if (s->courses) {
    const uint64_t c = course_at(l, s, y - s->top - s->title);
    low = course_y(l, s, c);
    if (c + 1 < s->courses) high = course_y(l, s, c + 1);
  }
  const int down = velocity.y != 0 ? velocity.y > 0 : y - low > high - y;
  resting->y = (down ? high : low) - inset;
  return TESSERA_OK;
}

static int64_t brick_at(void *context, tessera_point point) {
  const tessera_layout *l = context;
  const uint32_t i = stretch_at(l, point.y);
  if (i == l->stretch_count || l->stretches[i].courses == 0) return -1;
  const stretch *s = &l->stretches[i];
  const uint64_t c = course_at(l, s, point.y - s->top - s->title);
  const course *p = &l->pattern[c % l->pattern_count];
  const double y = course_y(l, s, c);
  const uint64_t k = place(p, l->joint, point.x), item = course_first(l, c) + k;
  const double x = p->x + (double)k * (p->length + l->joint);
  const int inside = point.x >= x && point.x < x + p->length && point.y >= y && point.y < y + p->height;
  return inside && k < p->count && item < s->count ? (int64_t)(s->first + item) : -1;
}

static uint64_t courses_in(void *context, uint32_t section) {
  const tessera_layout *l = context;
  if (section >= l->section_count) {
    refuse(l, TESSERA_ERROR_INVALID_VALUE, "there is no such section; name one below the number of sections");
    return 0;
  }
  const stretch *s = stretch_of(l, section);
  return s ? s->courses : 0;
}

static const tessera_function_declaration functions[] = {
    {.name = "brickAt", .signature = "i64(point)", .help = "The place among all items of the brick at a point, or -1.", .published = (void (*)(void))brick_at},
    {.name = "coursesIn", .signature = "u64(u32)", .help = "The number of courses of a section.", .published = (void (*)(void))courses_in}};

static const tessera_snapping snapping = {.struct_size = sizeof snapping, .resting_offset = resting_offset};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : 0;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.wall", .name = "Wall", .version = "1.0.0", .author = "A stranger", .license = "MIT",
    .summary = "Courses of bricks that repeat a pattern, below titles that stay in sight.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES, .columns = TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_ALPHA,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .lists = lists, .list_count = 1, .list_size = sizeof(tessera_list_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 1, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 2, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .elements_in_rect = elements_in_rect, .element = element,
    .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
