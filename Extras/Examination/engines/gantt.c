// ganttlazy.c: up to 10^12 cells: column widths from a list, row heights per section. No per-item
// storage.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/plain.h>

TESSERA_NOTE;

enum { ROW_HEIGHT, HEADER, TITLES, HAIRLINE, FROZEN, SNAPS, PARAMETERS };
enum { V_ROW, V_HEADER, V_COLLAPSED, VALUES };
enum { K_HEADER, K_TITLE, K_LINE, KINDS };
enum { A_TITLE, A_ROW, ATTRIBUTES };
#define MOST 1e6

static const tessera_parameter parameters[PARAMETERS] = {
    [ROW_HEIGHT] = {.name = "rowHeight", .help = "Height of a row.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                    .initial.number = 24, .minimum.number = 1, .maximum.number = MOST},
    [HEADER] = {.name = "headerHeight", .help = "Height of a section's header; 0 for none.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 20, .maximum.number = MOST},
    [TITLES] = {.name = "titleHeight", .help = "Height of the titles of the columns, which stay in sight; 0 for none.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 18, .maximum.number = MOST},
    [HAIRLINE] = {.name = "hairline", .help = "Height of the lines at the bottom of rows, at most that of the row; 0: one pixel of the display.", .unit = "pt",
                  .type = TESSERA_TYPE_NUMBER, .maximum.number = 100},
    [FROZEN] = {.name = "frozenColumns", .help = "Number of columns that stay in sight at the left.", .type = TESSERA_TYPE_INT,
                .flags = TESSERA_FLAG_IN_ADJUST, .maximum.integer = 16},
    [SNAPS] = {.name = "snaps", .help = "Whether scrolling stops at rows; for scrolling only.", .type = TESSERA_TYPE_BOOL,
               .flags = TESSERA_FLAG_HINT, .initial.boolean = 1}};
static const tessera_value_declaration values[VALUES] = {
    [V_ROW] = {.name = "rowHeight", .help = "Height of the section's rows.", .fallback = "rowHeight", .type = TESSERA_TYPE_NUMBER,
               .scope = TESSERA_SCOPE_SECTION},
    [V_HEADER] = {.name = "headerHeight", .help = "Height of the section's header; 0 for none.", .fallback = "headerHeight",
                  .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [V_COLLAPSED] = {.name = "collapsed", .help = "Whether the section's rows have no height.", .type = TESSERA_TYPE_BOOL,
                     .scope = TESSERA_SCOPE_SECTION}};
static const tessera_parameter columns[] = {
    {.name = "width", .help = "Width of the column.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 80,
     .minimum.number = 1, .maximum.number = 10000},
    {.name = "gap", .help = "Space after the column.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .maximum.number = 1000}};
static const tessera_list_declaration lists[] = {
    {.name = "columns", .help = "The columns from left to right; none: one of the full width.", .column_count = 2,
     .column_size = sizeof(tessera_parameter), .columns = columns}};
static const tessera_attribute attributes[ATTRIBUTES] = {
    [A_TITLE] = {.name = "column", .help = "The number of the column.", .type = TESSERA_TYPE_INT,
                 .interpolation = TESSERA_INTERPOLATION_NONE, .initial.integer = -1},
    [A_ROW] = {.name = "row", .help = "The number of the row in its section.", .type = TESSERA_TYPE_INT,
               .interpolation = TESSERA_INTERPOLATION_NONE, .initial.integer = -1}};
static const tessera_kind kinds[KINDS] = {
    [K_HEADER] = {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [K_TITLE] = {.name = "title", .shows = "column", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_LABEL},
    [K_LINE] = {.name = "line", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};

struct tessera_layout {
  const tessera_host *host;
  double *tops;   // of the sections, and the last one's end
  uint32_t sections;
  double *lefts;  // of the columns, and the last one's end with its gap
  double *rights; // of the columns, without gaps
  uint64_t columns;
  double width, room, line; // widths of content and extent; line height
};

static double limited(tessera_column column, uint64_t index) { return fmin(MOST, fmax(0, plain_number(column, index))); }
static double row_height(const tessera_input *in, uint32_t section) {
  if (plain_bool(in->values[V_COLLAPSED], section)) return 0;
  return limited(in->values[V_ROW], section);
}
static uint64_t rows_of(const tessera_layout *layout, const tessera_input *in, uint32_t section) {
  const uint64_t count = plain_items(in, section);
  return count / layout->columns + (count % layout->columns != 0);
}
static double hairline(const tessera_input *in) {
  const double given = in->parameters[HAIRLINE].number;
  return given > 0 ? given : 1 / in->scale;
}

PLAIN_CREATE;
static void destroy(tessera_layout *layout) {
  free(layout->tops);
  free(layout->lefts);
  free(layout->rights);
  free(layout);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_list *list = &in->lists[0];
  const uint64_t count = list->count ? list->count : 1;
  double *tops = realloc(layout->tops, ((size_t)in->section_count + 1) * sizeof *tops);
  if (!tops) return TESSERA_ERROR_NO_SPACE;
  layout->tops = tops;
  double *lefts = realloc(layout->lefts, (count + 1) * sizeof *lefts);
  if (!lefts) return TESSERA_ERROR_NO_SPACE;
  layout->lefts = lefts;
  double *rights = realloc(layout->rights, count * sizeof *rights);
  if (!rights) return TESSERA_ERROR_NO_SPACE;
  layout->rights = rights;
  layout->columns = count;
  layout->room = plain_extent(in).width;
  layout->line = hairline(in);

  double x = 0;
  for (uint64_t column = 0; column < count; column++) {
    lefts[column] = x;
    x += list->count ? plain_number(list->columns[0], column) : layout->room;
    rights[column] = x;
    if (list->count) x += plain_number(list->columns[1], column);
  }
  lefts[count] = x;
  layout->width = fmax(layout->room, rights[count - 1]);

  double y = in->parameters[TITLES].number;
  layout->sections = in->section_count;
  for (uint32_t section = 0; section < in->section_count; section++) {
    tops[section] = y;
    y += limited(in->values[V_HEADER], section) + (double)rows_of(layout, in, section) * row_height(in, section);
  }
  tops[in->section_count] = y;
  out->set_content_size(out, (tessera_size){layout->width, y});
  return TESSERA_OK;
}

// First index of an ascending array above a value.
static uint64_t first_above(const double *array, uint64_t count, double place) {
  uint64_t low = 0, high = count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (array[middle] > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

typedef struct range { uint64_t first, last; } range; // last: exclusive

// Rows between two heights, plus one on each side.
static range rows_between(const tessera_layout *layout, const tessera_input *in, uint32_t section, double from, double to) {
  const uint64_t count = rows_of(layout, in, section);
  const double height = row_height(in, section), top = layout->tops[section] + limited(in->values[V_HEADER], section);
  if (height <= 0 || count == 0) return (range){0, 0};
  const double first = floor((from - top) / height) - 1, last = ceil((to - top) / height) + 1;
  const range found = {first <= 0 ? 0 : first >= (double)count ? count : (uint64_t)first,
                       last <= 0 ? 0 : last >= (double)count ? count : (uint64_t)last};
  return found.first < found.last ? found : (range){0, 0};
}
static double row_top(const tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t row) {
  return layout->tops[section] + limited(in->values[V_HEADER], section) + (double)row * row_height(in, section);
}
static tessera_rect cell(const tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item) {
  const uint64_t column = item % layout->columns;
  return (tessera_rect){layout->lefts[column], row_top(layout, in, section, item / layout->columns),
                        layout->rights[column] - layout->lefts[column], row_height(in, section)};
}

static tessera_status add_cells(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t first, uint64_t last,
                                tessera_output *out) {
  if (first >= last) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first, .count = last - first};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t row = 0; row < run.count; row++) {
    rows->frame[row] = cell(layout, in, section, first + row);
    ((int64_t *)rows->attributes[A_ROW])[row] = (int64_t)((first + row) / layout->columns);
  }
  return TESSERA_OK;
}
static tessera_status add_other(tessera_layout *layout, const tessera_input *in, uint32_t kind, uint32_t section, uint64_t item,
                                tessera_output *out) {
  const tessera_run run = {.category = kind == K_LINE ? TESSERA_CATEGORY_DECORATION : TESSERA_CATEGORY_SUPPLEMENTARY,
                           .kind = kind, .section = section, .first_item = item, .count = 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  if (kind == K_HEADER) {
    rows->frame[0] = (tessera_rect){0, layout->tops[section], layout->width, limited(in->values[V_HEADER], section)};
  } else if (kind == K_TITLE) {
    rows->frame[0] = (tessera_rect){layout->lefts[item], 0, layout->rights[item] - layout->lefts[item], in->parameters[TITLES].number};
    ((int64_t *)rows->attributes[A_TITLE])[0] = (int64_t)item;
  } else {
    const double bottom = row_top(layout, in, section, item + 1), high = fmin(layout->line, row_height(in, section));
    rows->frame[0] = (tessera_rect){0, bottom - high, layout->width, high};
    ((int64_t *)rows->attributes[A_ROW])[0] = (int64_t)item;
  }
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const double top = rect.y - 1, bottom = rect.y + rect.height + 1;
  const uint64_t first_column = first_above(layout->rights, layout->columns, rect.x);
  uint64_t last_column = first_column;
  while (last_column < layout->columns && layout->lefts[last_column] < rect.x + rect.width) last_column++;
  tessera_status status = TESSERA_OK;

  uint64_t section = first_above(layout->tops + (layout->sections ? 1 : 0), layout->sections, top);
  if (rect.y < in->parameters[TITLES].number && in->parameters[TITLES].number > 0 && layout->sections)
    for (uint64_t column = first_column; column < last_column; column++)
      if ((status = add_other(layout, in, K_TITLE, 0, column, out)) != TESSERA_OK) return status;
  for (; section < layout->sections && layout->tops[section] < bottom; section++) {
    const uint32_t here = (uint32_t)section;
    if (limited(in->values[V_HEADER], here) > 0 && (status = add_other(layout, in, K_HEADER, here, 0, out)) != TESSERA_OK)
      return status;
    const range found = rows_between(layout, in, here, top, bottom);
    const uint64_t count = plain_items(in, here);
    if (first_column == 0 && last_column == layout->columns) {
      const uint64_t last = found.last > count / layout->columns ? count : found.last * layout->columns;
      if (found.first < found.last && (status = add_cells(layout, in, here, found.first * layout->columns, last, out)) != TESSERA_OK)
        return status;
    } else {
      for (uint64_t row = found.first; row < found.last; row++) {
        const uint64_t first = row * layout->columns;
        const uint64_t from = first + first_column, to = first + last_column < count ? first + last_column : count;
        if ((status = add_cells(layout, in, here, from, to, out)) != TESSERA_OK) return status;
      }
    }
    for (uint64_t row = found.first; row < found.last; row++) {
      if (row % 4096 == 0 && !layout->host->progress(layout->host, 0)) return TESSERA_ERROR_CANCELLED;
      if ((status = add_other(layout, in, K_LINE, here, row, out)) != TESSERA_OK) return status;
    }
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  if (run->section >= in->section_count) return TESSERA_OK;
  if (run->category == TESSERA_CATEGORY_CELL)
    return run->first_item < plain_items(in, run->section)
               ? add_cells(layout, in, run->section, run->first_item, run->first_item + 1, out)
               : TESSERA_OK;
  int exists = 0;
  if (run->category == TESSERA_CATEGORY_DECORATION)
    exists = run->kind == K_LINE && row_height(in, run->section) > 0 && run->first_item < rows_of(layout, in, run->section);
  else if (run->kind == K_HEADER)
    exists = run->first_item == 0 && limited(in->values[V_HEADER], run->section) > 0;
  else if (run->kind == K_TITLE)
    exists = run->section == 0 && run->first_item < layout->columns && in->parameters[TITLES].number > 0;
  return exists ? add_other(layout, in, run->kind, run->section, run->first_item, out) : TESSERA_OK;
}

// ---------------------------------------------------------------- Pinned elements

static int meets(tessera_rect a, tessera_rect b) {
  return a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;
}
static double frozen_x(const tessera_layout *layout, const tessera_input *in, uint64_t column) {
  const double edge = in->viewport.x + in->content_insets.left;
  const uint64_t frozen = (uint64_t)in->parameters[FROZEN].integer;
  if (column >= frozen || edge <= 0) return layout->lefts[column];
  return fmin(layout->lefts[column] + edge, fmax(layout->lefts[column], layout->width - layout->rights[column] + layout->lefts[column]));
}
// Titles outside the viewport stay at the content's top.
static double title_y(const tessera_layout *layout, const tessera_input *in, uint64_t column) {
  const double x = frozen_x(layout, in, column), end = x + layout->rights[column] - layout->lefts[column];
  if (x >= in->viewport.x + in->viewport.width - in->content_insets.right || end <= in->viewport.x + in->content_insets.left) return 0;
  return fmax(0, in->viewport.y + in->content_insets.top);
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const uint64_t frozen = (uint64_t)in->parameters[FROZEN].integer;
  const double height = in->parameters[TITLES].number;
  tessera_status status = TESSERA_OK;
  const uint64_t count = out->run_count(out);
  for (uint64_t index = 0; index < count; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    if ((status = out->get(out, index, &run, &rows)) != TESSERA_OK) return status;
    if (run.category == TESSERA_CATEGORY_DECORATION || (run.category == TESSERA_CATEGORY_SUPPLEMENTARY && run.kind != K_TITLE)) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      const uint64_t column = (run.first_item + row) % layout->columns;
      const int title = run.category == TESSERA_CATEGORY_SUPPLEMENTARY;
      if (column < frozen) rows->frame[row].x = frozen_x(layout, in, column);
      if (title) rows->frame[row].y = title_y(layout, in, column);
      rows->z_index[row] = (column < frozen ? 1 : 0) + (title ? 2 : 0);
    }
  }
  // Pinned titles and cells of frozen columns that move into the rect.
  if (height > 0 && layout->sections) {
    uint64_t column = 0;
    const uint64_t first = first_above(layout->rights, layout->columns, rect.x);
    for (; column < layout->columns; column++) {
      if (column >= frozen && column < first) column = first;
      if (column >= layout->columns || (column >= frozen && layout->lefts[column] >= rect.x + rect.width)) break;
      const tessera_rect frame = {frozen_x(layout, in, column), title_y(layout, in, column), layout->rights[column] - layout->lefts[column], height};
      if (!meets(frame, rect)) continue;
      const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = K_TITLE, .first_item = column, .count = 1};
      const tessera_rows *rows = 0;
      if ((status = out->add(out, &run, &rows)) != TESSERA_OK) return status;
      rows->frame[0] = frame;
      rows->z_index[0] = (column < frozen ? 1 : 0) + 2;
      ((int64_t *)rows->attributes[A_TITLE])[0] = (int64_t)column;
    }
  }
  for (uint64_t column = 0; column < frozen && column < layout->columns; column++) {
    const double x = frozen_x(layout, in, column), width = layout->rights[column] - layout->lefts[column];
    if (x == layout->lefts[column] || x >= rect.x + rect.width || x + width <= rect.x) continue;
    uint64_t section = first_above(layout->tops + (layout->sections ? 1 : 0), layout->sections, rect.y - 1);
    for (; section < layout->sections && layout->tops[section] < rect.y + rect.height + 1; section++) {
      const range found = rows_between(layout, in, (uint32_t)section, rect.y, rect.y + rect.height);
      for (uint64_t row = found.first; row < found.last; row++) {
        const uint64_t item = row * layout->columns + column;
        if (item >= plain_items(in, (uint32_t)section)) break;
        tessera_rect frame = cell(layout, in, (uint32_t)section, item);
        frame.x = x;
        if (!meets(frame, rect)) continue;
        const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = (uint32_t)section, .first_item = item, .count = 1};
        const tessera_rows *rows = 0;
        if ((status = out->add(out, &run, &rows)) != TESSERA_OK) return status;
        rows->frame[0] = frame;
        rows->z_index[0] = 1;
        ((int64_t *)rows->attributes[A_ROW])[0] = (int64_t)row;
      }
    }
  }
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return plain_extent(in).width == layout->room && hairline(in) == layout->line;
}

// ---------------------------------------------------------------- Snaps to rows

static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  (void)velocity;
  if (!in->parameters[SNAPS].boolean || !layout->sections) return TESSERA_OK;
  // Rows start below the titles.
  const double top = in->content_insets.top + in->parameters[TITLES].number, wanted = resting->y + top;
  const uint64_t above = first_above(layout->tops, layout->sections, wanted);
  if (above == 0) {
    resting->y = layout->tops[0] - top;
    return TESSERA_OK;
  }
  const uint32_t section = (uint32_t)above - 1;
  const double height = row_height(in, section), header = limited(in->values[V_HEADER], section);
  const double start = layout->tops[section] + header, rows = (double)rows_of(layout, in, section);
  double best = layout->tops[section];
  const double after = layout->tops[section + 1];
  if (fabs(after - wanted) < fabs(best - wanted)) best = after;
  if (height > 0 && rows > 0) {
    const double row = start + fmin(rows, fmax(0, round((wanted - start) / height))) * height;
    if (fabs(row - wanted) < fabs(best - wanted)) best = row;
  }
  resting->y = best - top;
  return TESSERA_OK;
}
static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : 0;
}

static double left_of(tessera_layout *layout, uint64_t column) {
  if (column < layout->columns) return layout->lefts[column];
  plain_refuse(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no such column; give the number of a record of columns");
  return 0;
}
static int64_t section_at(tessera_layout *layout, tessera_point at) {
  if (layout->sections == 0 || at.y < layout->tops[0] || at.y >= layout->tops[layout->sections]) return -1;
  return (int64_t)first_above(layout->tops + 1, layout->sections, at.y);
}
static const tessera_function_declaration functions[] = {
    {.name = "leftOf", .signature = "f64(u64)", .help = "How far a column lies from the beginning of the line.",
     .published = (void (*)(void))left_of},
    {.name = "sectionAt", .signature = "i64(point)", .help = "The section at a point, or -1.",
     .published = (void (*)(void))section_at}};

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.gantt", .name = "Gantt", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Rows of a plan in columns of given widths.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_VIEWPORT,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .adjusted_columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .lists = lists, .list_count = 1, .list_size = sizeof(tessera_list_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KINDS, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .elements_in_rect = elements_in_rect,
    .element = element, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
