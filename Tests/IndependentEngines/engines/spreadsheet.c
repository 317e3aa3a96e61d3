// spreadsheet.c: a spreadsheet. Each section is a sheet of rows and columns with heads that stay in sight; cells can span columns.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { MOST_TRACKS = 64 };
enum { COLUMN_COUNT, COLUMN_WIDTH, ROW_HEIGHT, HEAD_SIZE, SHEET_GAP, PINNED, PARAMETERS };
enum { L_TRACKS, L_SPANS, LISTS };
enum { S_SECTION, S_ROW, S_COLUMN, S_SPAN, SPAN_COLUMNS };
enum { A_ROW, A_COLUMN, A_SPAN, ATTRIBUTES };
enum { K_COLUMN_HEAD, K_ROW_HEAD, K_CORNER, KINDS };

static const tessera_parameter parameters[PARAMETERS] = {
    [COLUMN_COUNT] = {.name = "columnCount", .help = "Number of columns without tracks.", .type = TESSERA_TYPE_INT,
                      .initial.integer = 6, .minimum.integer = 1, .maximum.integer = 16384},
    [COLUMN_WIDTH] = {.name = "columnWidth", .help = "Width of a column without a track.", .unit = "pt",
                      .type = TESSERA_TYPE_NUMBER, .initial.number = 90, .minimum.number = 1, .maximum.number = 10000},
    [ROW_HEIGHT] = {.name = "rowHeight", .help = "Height of the rows of a sheet without its own.", .unit = "pt",
                    .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .minimum.number = 1, .maximum.number = 10000},
    [HEAD_SIZE] = {.name = "headSize", .help = "Width of the heads of rows, and height of those of columns.", .unit = "pt",
                   .type = TESSERA_TYPE_SIZE, .initial.size = {40, 20}, .maximum.size = {1000, 1000}},
    [SHEET_GAP] = {.name = "sheetGap", .help = "Space below a sheet.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                   .initial.number = 30, .maximum.number = 10000},
    [PINNED] = {.name = "pinned", .help = "Whether heads stay in sight.", .type = TESSERA_TYPE_BOOL,
                .flags = TESSERA_FLAG_IN_ADJUST, .initial.boolean = 1}};

static const tessera_value_declaration values[] = {
    {.name = "rowHeight", .help = "Height of the sheet's rows.", .fallback = "rowHeight", .type = TESSERA_TYPE_NUMBER,
     .scope = TESSERA_SCOPE_SECTION}};

static const tessera_parameter track_columns[] = {
    {.name = "width", .help = "Width of the column.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 90,
     .maximum.number = 10000}};
static const tessera_parameter span_columns[SPAN_COLUMNS] = {
    [S_SECTION] = {.name = "section", .help = "The sheet.", .type = TESSERA_TYPE_INT, .maximum.integer = INT64_MAX},
    [S_ROW] = {.name = "row", .help = "The row of the sheet.", .type = TESSERA_TYPE_INT, .maximum.integer = INT64_MAX},
    [S_COLUMN] = {.name = "column", .help = "The first column.", .type = TESSERA_TYPE_INT, .maximum.integer = INT64_MAX},
    [S_SPAN] = {.name = "columns", .help = "How many columns.", .type = TESSERA_TYPE_INT, .initial.integer = 2,
                .minimum.integer = 1, .maximum.integer = INT64_MAX}};
static const tessera_list_declaration lists[LISTS] = {
    [L_TRACKS] = {.name = "tracks", .help = "The first 64 columns, and no more, from left to right; none: columnCount of columnWidth.",
                  .column_count = 1, .column_size = sizeof(tessera_parameter), .columns = track_columns},
    [L_SPANS] = {.name = "spans", .help = "Cells that span columns, of which the first wins; none: no cell does.",
                 .column_count = SPAN_COLUMNS, .column_size = sizeof(tessera_parameter), .columns = span_columns}};

static const tessera_attribute attributes[ATTRIBUTES] = {
    [A_ROW] = {.name = "row", .help = "The row, from 0.", .type = TESSERA_TYPE_INT,
               .interpolation = TESSERA_INTERPOLATION_NONE, .when = TESSERA_WHEN_ADJUSTED},
    [A_COLUMN] = {.name = "column", .help = "The column, from 0.", .type = TESSERA_TYPE_INT,
                  .interpolation = TESSERA_INTERPOLATION_NONE, .when = TESSERA_WHEN_ADJUSTED},
    [A_SPAN] = {.name = "columns", .help = "How many columns a cell covers.", .type = TESSERA_TYPE_INT,
                .interpolation = TESSERA_INTERPOLATION_STEP, .when = TESSERA_WHEN_ADJUSTED, .initial.integer = 1}};

static const tessera_kind kinds[KINDS] = {
    [K_COLUMN_HEAD] = {.name = "columnHead", .shows = "column", .category = TESSERA_CATEGORY_SUPPLEMENTARY,
                       .role = TESSERA_ROLE_LABEL},
    [K_ROW_HEAD] = {.name = "rowHead", .shows = "row", .category = TESSERA_CATEGORY_SUPPLEMENTARY,
                    .role = TESSERA_ROLE_LABEL},
    [K_CORNER] = {.name = "corner", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER}};

typedef struct { uint32_t section; uint64_t row, column, columns, record; } span;

struct tessera_layout {
  const tessera_host *host;
  uint64_t columns;
  double *edges;  // [columns + 1], of the columns from the heads of rows on
  double *tops;   // [sections + 1], of the sheets
  double *heights; // [sections], of a row
  uint64_t *starts; // [sections + 1]
  uint32_t sections;
  span *spans; // in order, none meets another
  uint64_t span_count;
  tessera_size head, content;
  double scale, width, gap;
};

static double number(tessera_column of, uint64_t index) {
  return *(const double *)((const char *)of.data + index * of.stride);
}
static uint64_t natural(tessera_column of, uint64_t index) {
  return *(const uint64_t *)((const char *)of.data + index * of.stride);
}
static double pixel(const tessera_layout *l, double at) { return round(at * l->scale) / l->scale; }
static uint64_t count_of(const tessera_layout *l, uint32_t section) { return l->starts[section + 1] - l->starts[section]; }
static uint64_t rows_of(const tessera_layout *l, uint32_t section) {
  const uint64_t count = count_of(l, section);
  return count / l->columns + (count % l->columns != 0);
}
static double column_edge(const tessera_layout *l, uint64_t column) { return pixel(l, l->head.width + l->edges[column]); }
static double row_edge(const tessera_layout *l, uint32_t section, uint64_t row) {
  return pixel(l, l->tops[section] + l->head.height + (double)row * l->heights[section]);
}
static double sheet_top(const tessera_layout *l, uint32_t section) { return pixel(l, l->tops[section]); }
static double sheet_end(const tessera_layout *l, uint32_t section) { return row_edge(l, section, rows_of(l, section)); }
static tessera_rect between(double x, double y, double right, double bottom) {
  return (tessera_rect){x, y, right - x, bottom - y};
}
static int meets(tessera_rect a, tessera_rect b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// ---------------------------------------------------------------- prepare

static int in_order(const void *left, const void *right) {
  const span *a = left, *b = right;
  if (a->section != b->section) return a->section < b->section ? -1 : 1;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return a->record < b->record ? -1 : a->record > b->record;
}

static tessera_status read_spans(tessera_layout *l, const tessera_input *in) {
  const tessera_list *list = &in->lists[L_SPANS];
  span *spans = malloc((list->count + 1) * sizeof *spans);
  if (!spans) return TESSERA_ERROR_NO_SPACE;
  uint64_t count = 0;
  for (uint64_t record = 0; record < list->count; record++) {
    const uint64_t section = natural(list->columns[S_SECTION], record), column = natural(list->columns[S_COLUMN], record);
    const uint64_t row = natural(list->columns[S_ROW], record);
    if (section >= in->section_count || column >= l->columns || row >= rows_of(l, (uint32_t)section)) continue;
    uint64_t columns = natural(list->columns[S_SPAN], record);
    if (columns > l->columns - column) columns = l->columns - column;
    spans[count++] = (span){(uint32_t)section, row, column, columns, record};
  }
  qsort(spans, count, sizeof *spans, in_order);
  free(l->spans);
  l->spans = spans;
  l->span_count = 0;
  for (uint64_t i = 0; i < count; i++) {
    const span *last = l->span_count ? &spans[l->span_count - 1] : 0;
    if (last && last->section == spans[i].section && last->row == spans[i].row && spans[i].column < last->column + last->columns) continue;
    spans[l->span_count++] = spans[i];
  }
  return TESSERA_OK;
}

static tessera_status read_columns(tessera_layout *l, const tessera_input *in) {
  const tessera_list *tracks = &in->lists[L_TRACKS];
  const uint64_t tracked = tracks->count < MOST_TRACKS ? tracks->count : MOST_TRACKS;
  l->columns = tracked ? tracked : (uint64_t)in->parameters[COLUMN_COUNT].integer;
  double *edges = realloc(l->edges, (l->columns + 1) * sizeof *edges);
  if (!edges) return TESSERA_ERROR_NO_SPACE;
  l->edges = edges;
  edges[0] = 0;
  for (uint64_t column = 0; column < l->columns; column++) {
    const double width = tracks->count ? number(tracks->columns[0], column) : in->parameters[COLUMN_WIDTH].number;
    edges[column + 1] = edges[column] + width;
  }
  return TESSERA_OK;
}

static tessera_status read_sheets(tessera_layout *l, const tessera_input *in) {
  const uint64_t sections = in->section_count;
  double *tops = realloc(l->tops, (sections + 1) * sizeof *tops);
  if (tops) l->tops = tops;
  double *heights = realloc(l->heights, (sections + 1) * sizeof *heights);
  if (heights) l->heights = heights;
  uint64_t *starts = realloc(l->starts, (sections + 1) * sizeof *starts);
  if (starts) l->starts = starts;
  if (!tops || !heights || !starts) return TESSERA_ERROR_NO_SPACE;
  memcpy(starts, in->section_starts, (sections + 1) * sizeof *starts);
  l->sections = in->section_count;
  double top = 0;
  for (uint32_t section = 0; section < l->sections; section++) {
    tops[section] = top;
    heights[section] = fmin(fmax(1, number(in->values[0], section)), 10000);
    const uint64_t rows = rows_of(l, section);
    if (rows) top += l->head.height + (double)rows * heights[section] + l->gap;
  }
  tops[l->sections] = top;
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  l->scale = in->scale;
  l->head = in->parameters[HEAD_SIZE].size;
  l->gap = in->parameters[SHEET_GAP].number;
  l->width = fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
  tessera_status status = read_columns(l, in);
  if (status == TESSERA_OK) status = read_sheets(l, in);
  if (status == TESSERA_OK) status = read_spans(l, in);
  if (status != TESSERA_OK) return status;
  if (l->tops[l->sections] * l->scale > 4e15) {
    in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, "the rows are too many for their rowHeight; give fewer items, or less height");
    return TESSERA_ERROR_INVALID_VALUE;
  }
  l->content.width = fmax(floor(l->width * l->scale) / l->scale, column_edge(l, l->columns));
  l->content.height = pixel(l, l->tops[l->sections]);
  out->set_content_size(out, l->content);
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *l, const tessera_input *in) {
  return l->scale == in->scale &&
         l->width == fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

// ---------------------------------------------------------------- queries

typedef struct { uint64_t first, last; } range; // last is past the end

// The columns that meet a range of x.
static range columns_in(const tessera_layout *l, double from, double to) {
  range found = {0, l->columns};
  uint64_t low = 0, high = l->columns;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (column_edge(l, middle + 1) <= from) low = middle + 1;
    else high = middle;
  }
  found.first = low;
  for (high = l->columns; low < high;) {
    const uint64_t middle = low + (high - low) / 2;
    if (column_edge(l, middle) < to) low = middle + 1;
    else high = middle;
  }
  found.last = low;
  return found;
}

// The rows of a sheet that meet a range of y, and perhaps one more on each side.
static range rows_in(const tessera_layout *l, uint32_t section, double from, double to) {
  const double rows = (double)rows_of(l, section), top = l->tops[section] + l->head.height;
  const double first = floor((from - top) / l->heights[section]) - 1, last = ceil((to - top) / l->heights[section]) + 1;
  return (range){(uint64_t)fmin(fmax(0, first), rows), (uint64_t)fmin(fmax(0, last), rows)};
}

// The first sheet that ends after y.
static uint32_t first_sheet(const tessera_layout *l, double y) {
  uint32_t low = 0, high = l->sections;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (pixel(l, l->tops[middle + 1]) <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The number of spans that begin at a cell or before it.
static uint64_t spans_until(const tessera_layout *l, uint32_t section, uint64_t row, uint64_t column) {
  const span here = {section, row, column, 0, UINT64_MAX};
  uint64_t low = 0, high = l->span_count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (in_order(&l->spans[middle], &here) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The span that covers a cell, or null.
static const span *span_at(const tessera_layout *l, uint32_t section, uint64_t row, uint64_t column) {
  const uint64_t until = spans_until(l, section, row, column);
  if (until == 0) return 0;
  const span *of = &l->spans[until - 1];
  if (of->section != section || of->row != row || column >= of->column + of->columns) return 0;
  return of;
}

static tessera_rect cell_frame(const tessera_layout *l, uint32_t section, uint64_t row, uint64_t column, const span *of) {
  const double y = row_edge(l, section, row), bottom = row_edge(l, section, row + 1), x = column_edge(l, column);
  if (of && of->column != column) return between(x, y, x, bottom);
  return between(x, y, column_edge(l, column + (of ? of->columns : 1)), bottom);
}

static void describe(const tessera_rows *rows, uint64_t at, uint64_t row, uint64_t column, uint64_t columns) {
  ((int64_t *)rows->attributes[A_ROW])[at] = (int64_t)row;
  ((int64_t *)rows->attributes[A_COLUMN])[at] = (int64_t)column;
  ((int64_t *)rows->attributes[A_SPAN])[at] = (int64_t)columns;
}

static tessera_status add_cells(const tessera_layout *l, tessera_output *out, uint32_t section, uint64_t row, range columns) {
  const uint64_t first = row * l->columns, count = count_of(l, section);
  if (columns.last > count - first) columns.last = count - first;
  if (columns.first >= columns.last) return TESSERA_OK;
  tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first + columns.first};
  run.count = columns.last - columns.first;
  const tessera_rows *rows = 0;
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t column = columns.first; column < columns.last; column++) {
    const span *of = l->span_count ? span_at(l, section, row, column) : 0;
    const uint64_t at = column - columns.first;
    rows->frame[at] = cell_frame(l, section, row, column, of);
    rows->hidden[at] = of && of->column != column;
    describe(rows, at, row, column, of && of->column == column ? of->columns : 1);
  }
  return TESSERA_OK;
}

// The frame of a head where it is prepared. The index is a column or a row.
static tessera_rect head_frame(const tessera_layout *l, uint32_t kind, uint32_t section, uint64_t index) {
  const double top = sheet_top(l, section), bottom = row_edge(l, section, 0);
  if (kind == K_CORNER) return between(0, top, column_edge(l, 0), bottom);
  if (kind == K_COLUMN_HEAD) return between(column_edge(l, index), top, column_edge(l, index + 1), bottom);
  return between(0, row_edge(l, section, index), column_edge(l, 0), row_edge(l, section, index + 1));
}

static tessera_status add_heads(const tessera_layout *l, tessera_output *out, uint32_t kind, uint32_t section, range of) {
  if (of.first >= of.last) return TESSERA_OK;
  tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = kind, .section = section};
  run.first_item = of.first;
  run.count = of.last - of.first;
  const tessera_rows *rows = 0;
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t index = of.first; index < of.last; index++) {
    rows->frame[index - of.first] = head_frame(l, kind, section, index);
    describe(rows, index - of.first, kind == K_ROW_HEAD ? index : 0, kind == K_COLUMN_HEAD ? index : 0, 1);
  }
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *l, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const double right = rect.x + rect.width, bottom = rect.y + rect.height;
  const range columns = columns_in(l, rect.x, right);
  uint64_t added = 0;
  for (uint32_t section = first_sheet(l, rect.y); section < l->sections && sheet_top(l, section) < bottom; section++) {
    if (rows_of(l, section) == 0) continue;
    const range rows = rows_in(l, section, rect.y, bottom);
    const int beside = rect.x < column_edge(l, 0), above = rect.y < row_edge(l, section, 0);
    tessera_status status = TESSERA_OK;
    if (above) status = add_heads(l, out, K_COLUMN_HEAD, section, columns);
    if (status == TESSERA_OK && beside) status = add_heads(l, out, K_ROW_HEAD, section, rows);
    if (status == TESSERA_OK && beside && above) status = add_heads(l, out, K_CORNER, section, (range){0, 1});
    for (uint64_t row = rows.first; status == TESSERA_OK && row < rows.last; row++) {
      range met = columns;
      const span *of = l->span_count && met.first < met.last ? span_at(l, section, row, met.first) : 0;
      if (of) met.first = of->column;
      status = add_cells(l, out, section, row, met);
      if (++added % 4096 == 0 && !in->host->progress(in->host, fmin(1, (double)added / 1e12))) return TESSERA_ERROR_CANCELLED;
    }
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *l, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  (void)in;
  if (run->section >= l->sections || rows_of(l, run->section) == 0) return TESSERA_OK;
  const uint64_t index = run->first_item;
  if (run->category == TESSERA_CATEGORY_CELL) {
    if (index >= count_of(l, run->section)) return TESSERA_OK;
    const uint64_t column = index % l->columns;
    return add_cells(l, out, run->section, index / l->columns, (range){column, column + 1});
  }
  if (run->category != TESSERA_CATEGORY_SUPPLEMENTARY) return TESSERA_OK;
  const uint64_t counts[KINDS] = {[K_COLUMN_HEAD] = l->columns, [K_ROW_HEAD] = rows_of(l, run->section), [K_CORNER] = 1};
  if (run->kind >= KINDS || index >= counts[run->kind]) return TESSERA_OK;
  return add_heads(l, out, run->kind, run->section, (range){index, index + 1});
}

// ---------------------------------------------------------------- adjust

// Where a head is when its sheet is scrolled: at the edges of the viewport, but not beyond the sheet.
static tessera_rect pinned_frame(const tessera_layout *l, const tessera_input *in, uint32_t kind, uint32_t section, uint64_t index) {
  tessera_rect frame = head_frame(l, kind, section, index);
  const double left = pixel(l, in->viewport.x + in->content_insets.left), top = pixel(l, in->viewport.y + in->content_insets.top);
  if (kind != K_COLUMN_HEAD) frame.x = fmax(frame.x, fmin(left, l->content.width - frame.width));
  if (kind != K_ROW_HEAD) frame.y = fmax(frame.y, fmin(top, sheet_end(l, section) - frame.height));
  return frame;
}

static tessera_status pin(const tessera_layout *l, const tessera_input *in, tessera_rect rect, tessera_output *out, uint32_t kind, uint32_t section, range of) {
  for (uint64_t index = of.first; index < of.last; index++) {
    const tessera_rect frame = pinned_frame(l, in, kind, section, index);
    if (!meets(frame, rect)) continue;
    const tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, kind, section, 0, index, 1};
    const tessera_rows *rows = 0;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = frame;
    rows->z_index[0] = kind == K_CORNER ? 2 : 1;
    describe(rows, 0, kind == K_ROW_HEAD ? index : 0, kind == K_COLUMN_HEAD ? index : 0, 1);
  }
  return TESSERA_OK;
}

static tessera_status adjust(tessera_layout *l, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  if (!in->parameters[PINNED].boolean) return TESSERA_OK;
  const uint64_t runs = out->run_count(out);
  for (uint64_t i = 0; i < runs; i++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    tessera_status status = out->get(out, i, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_SUPPLEMENTARY) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->frame[row] = pinned_frame(l, in, run.kind, run.section, run.first_item + row);
      rows->z_index[row] = run.kind == K_CORNER ? 2 : 1;
    }
  }
  const double bottom = rect.y + rect.height;
  const range columns = columns_in(l, rect.x, rect.x + rect.width);
  for (uint32_t section = first_sheet(l, rect.y); section < l->sections && sheet_top(l, section) < bottom; section++) {
    if (rows_of(l, section) == 0) continue;
    tessera_status status = pin(l, in, rect, out, K_COLUMN_HEAD, section, columns);
    if (status == TESSERA_OK) status = pin(l, in, rect, out, K_CORNER, section, (range){0, 1});
    if (status == TESSERA_OK && meets(pinned_frame(l, in, K_ROW_HEAD, section, 0), (tessera_rect){rect.x, -1e300, rect.width, 2e300}))
      status = pin(l, in, rect, out, K_ROW_HEAD, section, rows_in(l, section, rect.y, bottom));
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- published functions and snapping

static tessera_rect cell_rect(tessera_layout *l, uint32_t section, uint64_t item) {
  if (section >= l->sections || item >= count_of(l, section)) {
    l->host->report(l->host, TESSERA_ERROR_NOT_FOUND, "cellRect: there is no such cell");
    return (tessera_rect){0, 0, 0, 0};
  }
  const uint64_t row = item / l->columns, column = item % l->columns;
  const span *of = span_at(l, section, row, column);
  return cell_frame(l, section, row, of ? of->column : column, of);
}

static uint64_t item_at(tessera_layout *l, tessera_point at) {
  const uint32_t section = first_sheet(l, at.y);
  const range columns = columns_in(l, at.x, at.x);
  if (section < l->sections && rows_of(l, section) && columns.first < l->columns && at.x >= column_edge(l, 0)) {
    const range rows = rows_in(l, section, at.y, at.y);
    for (uint64_t row = rows.first; row < rows.last; row++) {
      if (at.y < row_edge(l, section, row) || at.y >= row_edge(l, section, row + 1)) continue;
      const span *of = span_at(l, section, row, columns.first);
      const uint64_t item = row * l->columns + (of ? of->column : columns.first);
      if (item < count_of(l, section)) return l->starts[section] + item;
    }
  }
  l->host->report(l->host, TESSERA_ERROR_NOT_FOUND, "itemAt: there is no cell at the point");
  return 0;
}

static const tessera_function_declaration functions[] = {
    {.name = "cellRect", .signature = "rect(u32,u64)", .help = "Where the cell is that shows an item.", .published = (void (*)(void))cell_rect},
    {.name = "itemAt", .signature = "u64(point)", .help = "The place among all items of the one at a point.", .published = (void (*)(void))item_at}};

// Scrolling stops where a column begins at the heads, and a row below them, or at the ends.
static tessera_status resting_offset(tessera_layout *l, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  (void)velocity;
  const tessera_insets inset = in->content_insets;
  const tessera_point most = {l->content.width - in->viewport.width + inset.right, l->content.height - in->viewport.height + inset.bottom};
  if (resting->x > -inset.left && resting->x < most.x) {
    const double x = resting->x + inset.left + column_edge(l, 0);
    const range met = columns_in(l, x, x);
    const uint64_t left = met.first < l->columns ? met.first : l->columns - 1;
    const double before = column_edge(l, left), after = column_edge(l, left + 1);
    resting->x = (x - before <= after - x ? before : after) - column_edge(l, 0) - inset.left;
  }
  if (resting->y > -inset.top && resting->y < most.y) {
    const double y = resting->y + inset.top;
    const uint32_t section = first_sheet(l, y);
    if (section < l->sections) {
      const double row = fmin(fmax(0, round((y - l->tops[section]) / l->heights[section])), (double)rows_of(l, section));
      resting->y = pixel(l, l->tops[section] + row * l->heights[section]) - inset.top;
    }
  }
  return TESSERA_OK;
}

static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : 0;
}

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *l) {
  if (!l) return;
  free(l->edges);
  free(l->tops);
  free(l->heights);
  free(l->starts);
  free((void *)l->spans);
  free(l);
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.spreadsheet", .name = "Spreadsheet", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Sheets of rows and columns whose heads stay in sight.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_PIXEL_ALIGNED,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_HIDDEN, .adjusted_columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = 1, .value_size = sizeof(tessera_value_declaration),
    .lists = lists, .list_count = LISTS, .list_size = sizeof(tessera_list_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KINDS, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust,
    .elements_in_rect = elements_in_rect, .element = element, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
