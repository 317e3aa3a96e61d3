// broadsheet.c: stories flow through the columns of pages, as in a newspaper.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { COLUMNS, COLUMN_GAP, PAGE_INSET, SPACING, ITEM_HEIGHT, ESTIMATE, HEADLINE, RULED, STARTS_PAGE, PROGRESSION, PARAMETERS };
enum { V_HEIGHT, V_HEADLINE, V_STARTS_PAGE, VALUES };
enum { L_MASTHEAD, L_PLAIN, L_COLUMNS };
enum { A_PAGE, A_COLUMN, ATTRIBUTES };
enum { K_HEADLINE, K_SHEET, K_RULE, KINDS };
enum { ACROSS, DOWN };

static const char *const progressions[] = {"across", "down"};

static const tessera_parameter parameters[PARAMETERS] = {
    [COLUMNS] = {.name = "columns", .help = "Columns of a page.", .type = TESSERA_TYPE_INT,
                 .initial.integer = 3, .minimum.integer = 1, .maximum.integer = 16},
    [COLUMN_GAP] = {.name = "columnGap", .help = "Space between columns.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                    .initial.number = 14, .maximum.number = 1000},
    [PAGE_INSET] = {.name = "pageInset", .help = "Margins of a page.", .unit = "pt", .type = TESSERA_TYPE_INSETS,
                    .initial.insets = {20, 16, 20, 16}, .maximum.insets = {1000, 1000, 1000, 1000}},
    [SPACING] = {.name = "spacing", .help = "Space below a paragraph.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                 .initial.number = 6, .maximum.number = 1000},
    [ITEM_HEIGHT] = {.name = "itemHeight", .help = "Height of a paragraph without its own.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 70, .maximum.number = 100000},
    [ESTIMATE] = {.name = "estimatedHeight", .help = "Height of a paragraph until it is measured; 0 turns measuring off.",
                  .unit = "pt", .type = TESSERA_TYPE_NUMBER, .maximum.number = 100000},
    [HEADLINE] = {.name = "headlineHeight", .help = "Height of a headline; 0: no headline.", .unit = "pt",
                  .type = TESSERA_TYPE_NUMBER, .initial.number = 40, .maximum.number = 10000},
    [RULED] = {.name = "ruled", .help = "Whether there is a rule between columns.", .type = TESSERA_TYPE_BOOL,
               .initial.boolean = 1},
    [STARTS_PAGE] = {.name = "startsPage", .help = "Whether each story starts a page.", .type = TESSERA_TYPE_BOOL},
    [PROGRESSION] = {.name = "progression", .help = "Where the next page is.", .type = TESSERA_TYPE_ENUM,
                     .choices = progressions, .choice_count = 2}};

static const tessera_value_declaration values[VALUES] = {
    [V_HEIGHT] = {.name = "height", .help = "Height of the paragraph.", .fallback = "itemHeight",
                  .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [V_HEADLINE] = {.name = "headlineHeight", .help = "Height of the story's headline.", .fallback = "headlineHeight",
                    .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [V_STARTS_PAGE] = {.name = "startsPage", .help = "Whether the story starts a page.", .fallback = "startsPage",
                       .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_parameter page_columns[L_COLUMNS] = {
    [L_MASTHEAD] = {.name = "masthead", .help = "Room kept free at the top.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                    .maximum.number = 10000},
    [L_PLAIN] = {.name = "plain", .help = "Whether the page has no rules.", .type = TESSERA_TYPE_BOOL}};

static const tessera_list_declaration lists[] = {
    {.name = "pages", .help = "How pages look, which take the records in turn; none: no mastheads.",
     .column_count = L_COLUMNS, .column_size = sizeof(tessera_parameter), .columns = page_columns}};

static const tessera_attribute attributes[ATTRIBUTES] = {
    [A_PAGE] = {.name = "page", .help = "The page, from 0.", .type = TESSERA_TYPE_INT,
                .interpolation = TESSERA_INTERPOLATION_STEP},
    [A_COLUMN] = {.name = "column", .help = "The column of the page, from 0.", .type = TESSERA_TYPE_INT,
                  .interpolation = TESSERA_INTERPOLATION_STEP}};

static const tessera_kind kinds[KINDS] = {
    [K_HEADLINE] = {.name = "headline", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [K_SHEET] = {.name = "sheet", .shows = "page", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
    [K_RULE] = {.name = "columnRule", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};

// The place of an element in the order of reading: 0 is the headline of the section, 1 its first paragraph.
typedef struct { uint32_t section; uint64_t element; } place;
typedef struct { const tessera_rows *cells, *headline; } story;

struct tessera_layout {
  const tessera_host *host;
  place *pages; // the first element of each page
  uint64_t page_count, page_room;
  uint64_t *starts; // of the sections
  uint32_t section_count;
  double width, height; // of a page
  int32_t progression;
};

typedef struct {
  tessera_layout *layout;
  const tessera_input *in;
  tessera_insets inset;
  double width, gap, spacing; // of columns
  uint64_t columns;
  uint64_t page, column;
  double y;
  int filled; // whether the column has an element
  tessera_size content;
} press;

static double number(tessera_column of, uint64_t index) {
  return *(const double *)((const char *)of.data + index * of.stride);
}
static uint8_t boolean(tessera_column of, uint64_t index) {
  return *((const uint8_t *)of.data + index * of.stride);
}
static double extent(double length, double before, double after) { return fmax(0, length - before - after); }
static int is_before(place a, place b) {
  return a.section < b.section || (a.section == b.section && a.element < b.element);
}

static tessera_rect page_rect(const tessera_layout *layout, uint64_t page) {
  const double at = (double)page;
  if (layout->progression == DOWN) return (tessera_rect){0, at * layout->height, layout->width, layout->height};
  return (tessera_rect){at * layout->width, 0, layout->width, layout->height};
}

static double room(const press *p, double top) { return fmax(0, p->layout->height - p->inset.top - p->inset.bottom - top); }

static double masthead(const press *p) {
  const tessera_list *list = &p->in->lists[0];
  if (list->count == 0) return 0;
  return fmin(number(list->columns[L_MASTHEAD], p->page % list->count), room(p, 0));
}

static tessera_status open_page(tessera_layout *layout, place first) {
  if (layout->page_count == layout->page_room) {
    const uint64_t more = layout->page_room ? layout->page_room * 2 : 64;
    place *grown = realloc(layout->pages, more * sizeof *grown);
    if (!grown) return TESSERA_ERROR_NO_SPACE;
    layout->pages = grown;
    layout->page_room = more;
  }
  layout->pages[layout->page_count++] = first;
  return TESSERA_OK;
}

static tessera_status next_page(press *p, place first) {
  p->page++;
  p->column = 0;
  p->y = 0;
  p->filled = 0;
  return open_page(p->layout, first);
}

static tessera_status next_column(press *p, place first) {
  if (p->column + 1 == p->columns) return next_page(p, first);
  p->column++;
  p->y = 0;
  p->filled = 0;
  return TESSERA_OK;
}

// Makes room for an element, and for the length that must stay with it.
static tessera_status fit(press *p, double height, double follows, place first) {
  const double most = room(p, masthead(p));
  const double both = fmin(height, most) + follows;
  if (p->filled && p->y + both > most) return next_column(p, first);
  return TESSERA_OK;
}

static void put(press *p, double height, const tessera_rows *rows, uint64_t row) {
  const tessera_rect sheet = page_rect(p->layout, p->page);
  const double top = masthead(p);
  const double length = fmax(0, fmin(height, room(p, top) - p->y));
  const double x = sheet.x + p->inset.left + (double)p->column * (p->width + p->gap);
  const double y = sheet.y + p->inset.top + top + p->y;
  rows->frame[row] = (tessera_rect){x, y, p->width, length};
  ((int64_t *)rows->attributes[A_PAGE])[row] = (int64_t)p->page;
  ((int64_t *)rows->attributes[A_COLUMN])[row] = (int64_t)p->column;
  p->content.width = fmax(p->content.width, x + p->width);
  p->content.height = fmax(p->content.height, y + length);
  p->y = fmin(p->y + length + p->spacing, room(p, top));
  p->filled = 1;
}

// The first element that has to be laid out again; everything before it is as it was.
static place first_change(const tessera_input *in, const story *stories) {
  const uint32_t kinds_of_change = in->change.what;
  place first = {0, 0};
  if (kinds_of_change & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) return first;
  first.section = in->section_count;
  if (kinds_of_change) {
    first.section = in->change.first_section;
    first.element = in->change.first_item ? in->change.first_item + 1 : 0;
  }
  for (uint32_t section = 0; section < in->section_count && section <= first.section; section++) {
    const story *of = &stories[section];
    place lost = {section, of->cells->kept + 1};
    if (of->headline && of->headline->kept == 0) lost.element = 0;
    const int complete = lost.element > of->cells->count;
    if (!complete && is_before(lost, first)) return lost;
  }
  return first;
}

static tessera_status add(tessera_output *out, tessera_run run, const tessera_rows **rows) { return out->add(out, &run, rows); }

static tessera_status add_stories(const tessera_input *in, tessera_output *out, story *stories) {
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
    tessera_run cells = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    tessera_status status = add(out, cells, &stories[section].cells);
    if (status != TESSERA_OK) return status;
    if (number(in->values[V_HEADLINE], section) <= 0) continue;
    tessera_run headline = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = K_HEADLINE, .section = section, .count = 1};
    status = add(out, headline, &stories[section].headline);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status add_sheets(press *p, tessera_output *out) {
  const tessera_input *in = p->in;
  for (uint64_t page = 0; page < p->layout->page_count; page++) {
    const tessera_rect sheet = page_rect(p->layout, page);
    const uint32_t section = p->layout->pages[page].section;
    const tessera_rows *rows = 0;
    tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .kind = K_SHEET, .section = section, .first_item = page, .count = 1};
    tessera_status status = add(out, run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = sheet;
    ((int64_t *)rows->attributes[A_PAGE])[0] = (int64_t)page;
    rows->z_index[0] = -1;
    const tessera_list *list = &in->lists[0];
    if (!in->parameters[RULED].boolean || (list->count && boolean(list->columns[L_PLAIN], page % list->count))) continue;
    p->page = page;
    const double top = masthead(p);
    run = (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .kind = K_RULE, .section = section};
    run.first_item = page * (p->columns - 1);
    run.count = p->columns - 1;
    if (run.count == 0) continue;
    status = add(out, run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t rule = 0; rule < run.count; rule++) {
      const double x = sheet.x + p->inset.left + (double)(rule + 1) * (p->width + p->gap) - p->gap / 2;
      rows->frame[rule] = (tessera_rect){x, sheet.y + p->inset.top + top, 1, room(p, top)};
      ((int64_t *)rows->attributes[A_PAGE])[rule] = (int64_t)page;
      ((int64_t *)rows->attributes[A_COLUMN])[rule] = (int64_t)rule;
      rows->z_index[rule] = 1;
    }
  }
  return TESSERA_OK;
}

static tessera_status set_story(press *p, uint32_t section, uint64_t from, const story *of) {
  const tessera_input *in = p->in;
  const uint64_t start = in->section_starts[section], count = in->section_starts[section + 1] - start;
  const double total = (double)in->section_starts[in->section_count];
  const tessera_function breaks = in->functions[0];
  tessera_status status = TESSERA_OK;
  if (from == 0) {
    const int fresh = p->column == 0 && !p->filled;
    if (boolean(in->values[V_STARTS_PAGE], section) && !fresh) status = next_page(p, (place){section, 0});
    if (status != TESSERA_OK) return status;
    if (of->headline) {
      const double height = number(in->values[V_HEADLINE], section);
      const double first = count ? p->spacing + fmax(0, number(in->values[V_HEIGHT], start)) : 0;
      status = fit(p, height, fmin(first, 100), (place){section, 0});
      if (status != TESSERA_OK) return status;
      put(p, height, of->headline, 0);
    }
  }
  for (uint64_t item = from ? from - 1 : 0; item < count; item++) {
    if ((start + item) % 4096 == 0 && !in->host->progress(in->host, (double)(start + item) / total))
      return TESSERA_ERROR_CANCELLED;
    const place here = {section, item + 1};
    const double height = fmax(0, number(in->values[V_HEIGHT], start + item));
    if (breaks.call && p->filled && ((uint8_t(*)(void *, uint32_t, uint64_t))breaks.call)(breaks.context, section, item))
      status = next_column(p, here);
    else
      status = fit(p, height, 0, here);
    if (status != TESSERA_OK) return status;
    put(p, height, of->cells, item);
  }
  return TESSERA_OK;
}

static tessera_status lay_out(press *p, tessera_output *out, story *stories) {
  const tessera_input *in = p->in;
  tessera_layout *layout = p->layout;
  tessera_status status = add_stories(in, out, stories);
  if (status != TESSERA_OK) return status;

  // Go on at the last page that begins before the change.
  const place changed = first_change(in, stories);
  uint64_t low = 0, high = layout->page_count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (is_before(layout->pages[middle], changed)) low = middle + 1;
    else high = middle;
  }
  const place from = low ? layout->pages[low - 1] : (place){0, 0};
  layout->page_count = low;
  if (low == 0 && in->section_count) status = open_page(layout, from);
  if (status != TESSERA_OK) return status;
  p->page = layout->page_count ? layout->page_count - 1 : 0;

  for (uint32_t section = 0; section < from.section; section++)
    out->leave(out, stories[section].cells, stories[section].cells->count);
  for (uint32_t section = from.section; section < in->section_count; section++) {
    const uint64_t element = section == from.section ? from.element : 0;
    if (element > 1) out->leave(out, stories[section].cells, element - 1);
    status = set_story(p, section, element, &stories[section]);
    if (status != TESSERA_OK) return status;
  }
  status = add_sheets(p, out);
  if (status != TESSERA_OK) return status;
  const double pages = (double)layout->page_count;
  const tessera_size all = layout->progression == DOWN ? (tessera_size){layout->width, pages * layout->height}
                                                       : (tessera_size){pages * layout->width, layout->height};
  out->set_content_size(out, (tessera_size){fmax(all.width, p->content.width), fmax(all.height, p->content.height)});
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_insets outer = in->content_insets;
  layout->width = extent(in->viewport.width, outer.left, outer.right);
  layout->height = extent(in->viewport.height, outer.top, outer.bottom);
  layout->progression = in->parameters[PROGRESSION].choice;
  const tessera_insets asked = in->parameters[PAGE_INSET].insets;
  press p = {.layout = layout, .in = in, .spacing = in->parameters[SPACING].number};
  p.inset.left = fmin(asked.left, layout->width);
  p.inset.right = fmin(asked.right, layout->width - p.inset.left);
  p.inset.top = fmin(asked.top, layout->height);
  p.inset.bottom = fmin(asked.bottom, layout->height - p.inset.top);
  p.columns = (uint64_t)in->parameters[COLUMNS].integer;
  const double across = layout->width - p.inset.left - p.inset.right;
  const double gaps = fmin((double)(p.columns - 1) * in->parameters[COLUMN_GAP].number, across);
  p.gap = p.columns > 1 ? gaps / (double)(p.columns - 1) : 0;
  p.width = fmax(0, (across - gaps) / (double)p.columns);

  const uint64_t bytes = ((uint64_t)in->section_count + 1) * sizeof(uint64_t);
  uint64_t *starts = realloc(layout->starts, bytes);
  if (!starts) return TESSERA_ERROR_NO_SPACE;
  layout->starts = starts;
  memcpy(layout->starts, in->section_starts, bytes);
  layout->section_count = in->section_count;

  story *stories = calloc((uint64_t)in->section_count + 1, sizeof *stories);
  if (!stories) return TESSERA_ERROR_NO_SPACE;
  const tessera_status status = lay_out(&p, out, stories);
  free(stories);
  return status;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  const tessera_insets outer = in->content_insets;
  return layout->width == extent(in->viewport.width, outer.left, outer.right) &&
         layout->height == extent(in->viewport.height, outer.top, outer.bottom);
}

// ---------------------------------------------------------------- published functions

static int64_t page_of(tessera_layout *layout, uint32_t section, uint64_t item) {
  if (section >= layout->section_count || item >= layout->starts[section + 1] - layout->starts[section]) {
    layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "pageOf: there is no such item");
    return 0;
  }
  const place wanted = {section, item + 1};
  uint64_t low = 0, high = layout->page_count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (!is_before(wanted, layout->pages[middle])) low = middle + 1;
    else high = middle;
  }
  return (int64_t)low - 1;
}

static tessera_rect rect_of_page(tessera_layout *layout, int64_t page) {
  if (page < 0 || (uint64_t)page >= layout->page_count) {
    layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "pageRect: there is no such page");
    return (tessera_rect){0, 0, 0, 0};
  }
  return page_rect(layout, (uint64_t)page);
}

static const tessera_function_declaration functions[] = {
    {.name = "breaksBefore", .signature = "bool(u32,u64)", .help = "Whether a column ends before an item."},
    {.name = "pageOf", .signature = "i64(u32,u64)", .help = "The page of an item.", .published = (void (*)(void))page_of},
    {.name = "pageRect", .signature = "rect(i64)", .help = "Where a page is.", .published = (void (*)(void))rect_of_page}};

// ---------------------------------------------------------------- extensions

static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity,
                                     tessera_point *resting) {
  const int down = layout->progression == DOWN;
  const double pitch = down ? layout->height : layout->width;
  if (pitch <= 0) return TESSERA_OK;
  const double speed = down ? velocity.y : velocity.x;
  const double inset = down ? in->content_insets.top : in->content_insets.left;
  const double now = ((down ? in->viewport.y : in->viewport.x) + inset) / pitch;
  double page = round(((down ? resting->y : resting->x) + inset) / pitch);
  if (speed > 300) page = fmin(fmax(page, floor(now) + 1), floor(now) + 1);
  if (speed < -300) page = fmax(fmin(page, ceil(now) - 1), ceil(now) - 1);
  if (down) resting->y = page * pitch - inset;
  else resting->x = page * pitch - inset;
  return TESSERA_OK;
}

static tessera_status estimates(tessera_layout *layout, const tessera_input *in, const tessera_run *run,
                                tessera_size *sizes, uint64_t *count) {
  (void)layout, (void)run;
  const double estimate = in->parameters[ESTIMATE].number;
  *count = estimate > 0 ? 1 : 0;
  if (*count) sizes[0] = (tessera_size){0, estimate};
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *layout, const tessera_input *in, const tessera_run *run,
                                tessera_size *sizes, uint64_t *count) {
  (void)layout, (void)run;
  const double width = extent(in->viewport.width, in->content_insets.left, in->content_insets.right);
  const tessera_insets asked = in->parameters[PAGE_INSET].insets;
  const double across = fmax(0, width - asked.left - asked.right);
  const double columns = (double)in->parameters[COLUMNS].integer;
  const double gaps = fmin((columns - 1) * in->parameters[COLUMN_GAP].number, across);
  sizes[0] = (tessera_size){(across - gaps) / columns, 0};
  *count = 1;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};
static const tessera_measured measured[] = {{.value = "height"}};
static const tessera_sizing sizing = {.struct_size = sizeof(tessera_sizing), .measured_count = 1, .measured = measured,
                                      .estimates = estimates, .proposals = proposals};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  if (strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
  return 0;
}

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) {
  if (!layout) return;
  free(layout->pages);
  free(layout->starts);
  free(layout);
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.broadsheet", .name = "Broadsheet", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Stories flow through the columns of pages.",
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .lists = lists, .list_count = 1, .list_size = sizeof(tessera_list_declaration),
    .functions = functions, .function_count = 3, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KINDS, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
