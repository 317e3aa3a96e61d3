/*
 * Masonry: columns of one width. Each item goes where it comes to lie highest; an item may span
 * several columns. A section begins below the lowest item of the one before, with a header.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

#define MAX_COLUMNS 48

enum { P_COLUMN_WIDTH, P_GUTTER, P_HEIGHT, P_MARGINS, P_ORDER, P_HEADER, P_COUNT };
enum { V_HEIGHT, V_SPAN, V_HEADER, V_COUNT };

static const char *const orders[] = {"shortest", "horizontal"};

static const tessera_parameter params[P_COUNT] = {
    {.name = "columnWidth", .help = "Least width of a column.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 110, .minimum.number = 20, .maximum.number = 5000},
    {.name = "gutter", .help = "Space between items, in both directions.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .minimum.number = 0, .maximum.number = 500},
    {.name = "itemHeight", .help = "Height of an item without a height.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 90, .minimum.number = 0, .maximum.number = 50000},
    {.name = "margins", .help = "Space around all items.", .unit = "pt", .type = TESSERA_TYPE_INSETS,
     .initial.insets = {10, 12, 14, 16}, .minimum.insets = {0, 0, 0, 0},
     .maximum.insets = {1000, 1000, 1000, 1000}},
    {.name = "order", .help = "Which column an item goes to.", .type = TESSERA_TYPE_ENUM,
     .choices = orders, .choice_count = 2},
    {.name = "headerHeight", .help = "Height of headers; 0: there is none.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .minimum.number = 0, .maximum.number = 5000}};

static const tessera_value_declaration vals[V_COUNT] = {
    {.name = "height", .help = "Height of the item.", .fallback = "itemHeight",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    {.name = "span", .help = "How many columns the item spans; 0: one.", .type = TESSERA_TYPE_INT,
     .scope = TESSERA_SCOPE_ITEM},
    {.name = "headerHeight", .help = "Height of the section's header; 0: it has none.",
     .fallback = "headerHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_kind kinds[] = {{.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};

struct tessera_layout {
  const tessera_host *host;
  double width; /* the extent that was laid out for */
  int columns;
  /* for columnOf */
  uint8_t *column;
  uint64_t *starts;
  uint64_t items, item_room;
  uint32_t sections, section_room;
};

static tessera_status make(const tessera_engine *self, const tessera_host *host,
                           tessera_layout **layout) {
  (void)self;
  tessera_layout *l = calloc(1, sizeof *l);
  if (!l) {
    host->report(host, TESSERA_ERROR_FAILED, "no memory is left for a layout; free some");
    return TESSERA_ERROR_FAILED;
  }
  l->host = host;
  l->width = -1;
  *layout = l;
  return TESSERA_OK;
}

static void unmake(tessera_layout *l) {
  if (!l) return;
  free(l->column);
  free(l->starts);
  free(l);
}

static double number_at(tessera_column c, uint64_t i) {
  return *(const double *)((const char *)c.data + i * c.stride);
}

static int64_t integer_at(tessera_column c, uint64_t i) {
  return *(const int64_t *)((const char *)c.data + i * c.stride);
}

static double extent_of(const tessera_input *in) {
  double e = in->viewport.width - in->content_insets.left - in->content_insets.right;
  return e > 0 ? e : 0;
}

static tessera_status reserve(tessera_layout *l, const tessera_input *in) {
  uint64_t items = in->section_starts[in->section_count];
  if (items > l->item_room) {
    uint8_t *grown = realloc(l->column, items);
    if (!grown) goto no_memory;
    l->column = grown;
    l->item_room = items;
  }
  if (in->section_count + 1 > l->section_room) {
    uint64_t *grown = realloc(l->starts, ((size_t)in->section_count + 1) * sizeof *grown);
    if (!grown) goto no_memory;
    l->starts = grown;
    l->section_room = in->section_count + 1;
  }
  memcpy(l->starts, in->section_starts, ((size_t)in->section_count + 1) * sizeof *l->starts);
  l->items = items;
  l->sections = in->section_count;
  return TESSERA_OK;
no_memory:
  l->host->report(l->host, TESSERA_ERROR_FAILED, "no memory is left for this many items; free some");
  return TESSERA_ERROR_FAILED;
}

static double lowest(const double *bottoms, int columns) {
  double y = bottoms[0];
  for (int c = 1; c < columns; c++)
    if (bottoms[c] > y) y = bottoms[c];
  return y;
}

static tessera_status prepare(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  const tessera_value *p = in->parameters;
  const double gutter = p[P_GUTTER].number, least = p[P_COLUMN_WIDTH].number;
  const tessera_insets margins = p[P_MARGINS].insets;
  const int horizontal = p[P_ORDER].choice == 1;
  const double extent = extent_of(in);
  const double inner = fmax(0, extent - margins.left - margins.right);

  double fitting = floor((inner + gutter + 1e-6) / (least + gutter));
  if (fitting < 1) fitting = 1;
  if (fitting > MAX_COLUMNS) fitting = MAX_COLUMNS;
  const int columns = (int)fitting;
  const double width = fmax(0, (inner - gutter * (columns - 1)) / columns);

  tessera_status status = reserve(l, in);
  if (status != TESSERA_OK) return status;

  double bottoms[MAX_COLUMNS];
  double y = margins.top, end = margins.top;
  for (uint32_t s = 0; s < in->section_count; s++) {
    const uint64_t first = in->section_starts[s];
    const uint64_t count = in->section_starts[s + 1] - first;
    const double header = number_at(in->values[V_HEADER], s);
    if (header < 0) {
      l->host->report(l->host, TESSERA_ERROR_INVALID_VALUE,
                      "headerHeight is negative; give 0 for no header, or a height");
      return TESSERA_ERROR_INVALID_VALUE;
    }
    if (header > 0) {
      tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = 0, .section = s, .count = 1};
      const tessera_rows *rows = NULL;
      status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      rows->frame[0] = (tessera_rect){margins.left, y, inner, header};
      end = fmax(end, y + header);
      y += header + gutter;
    }

    tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = s, .count = count};
    const tessera_rows *rows = NULL;
    status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;

    for (int c = 0; c < columns; c++) bottoms[c] = y;
    int next = 0;
    for (uint64_t i = 0; i < count; i++) {
      const double height = number_at(in->values[V_HEIGHT], first + i);
      if (height < 0) {
        char text[160];
        snprintf(text, sizeof text,
                 "height of item %llu in section %u is %g; give one that is not negative",
                 (unsigned long long)i, s, height);
        l->host->report(l->host, TESSERA_ERROR_INVALID_VALUE, text);
        return TESSERA_ERROR_INVALID_VALUE;
      }
      const int64_t wished = integer_at(in->values[V_SPAN], first + i);
      const int span = wished < 1 ? 1 : wished > columns ? columns : (int)wished;

      int column = 0;
      double top = INFINITY;
      if (horizontal) {
        column = next + span > columns ? 0 : next;
        top = lowest(bottoms + column, span);
        next = (column + span) % columns;
      } else {
        for (int c = 0; c + span <= columns; c++) {
          const double t = lowest(bottoms + c, span);
          if (t < top) {
            top = t;
            column = c;
          }
        }
      }
      const double x = margins.left + column * (width + gutter);
      rows->frame[i] = (tessera_rect){x, top, span * width + (span - 1) * gutter, height};
      for (int c = column; c < column + span; c++) bottoms[c] = top + height + gutter;
      end = fmax(end, top + height);
      l->column[first + i] = (uint8_t)column;
      if (i % 4096 == 4095 &&
          !l->host->progress(l->host, (double)(first + i) / (double)l->items))
        return TESSERA_ERROR_CANCELLED;
    }
    if (count > 0) y = lowest(bottoms, columns);
  }

  l->width = extent;
  l->columns = columns;
  const double across = margins.left + columns * width + (columns - 1) * gutter + margins.right;
  out->set_content_size(out, (tessera_size){fmax(extent, across), end + margins.bottom});
  return TESSERA_OK;
}

/* Nothing depends on the height, the offset or the scale. */
static int32_t still_valid(tessera_layout *l, const tessera_input *in) {
  return l->width == extent_of(in);
}

static int64_t column_count(void *context) {
  const tessera_layout *l = context;
  return l->columns;
}

static int64_t column_of(void *context, uint32_t section, uint64_t item) {
  const tessera_layout *l = context;
  if (section >= l->sections) return -1;
  const uint64_t start = l->starts[section];
  if (item >= l->starts[section + 1] - start) return -1;
  return l->column[start + item];
}

static const tessera_function_declaration functions[] = {
    {.name = "columnCount", .signature = "i64()", .help = "How many columns there are.",
     .published = (void (*)(void))column_count},
    {.name = "columnOf", .signature = "i64(u32,u64)",
     .help = "The first column of an item of a section; -1 if there is no such item.",
     .published = (void (*)(void))column_of}};

static const tessera_engine engine = {
    .struct_size = sizeof engine,
    .traits = TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .id = "com.example.masonry",
    .name = "Masonry",
    .version = "1.2.0",
    .author = "A. Mason",
    .license = "MIT",
    .summary = "Columns of one width; items go where they lie highest.",
    .parameter_count = P_COUNT, .parameter_size = sizeof params[0], .parameters = params,
    .value_count = V_COUNT, .value_size = sizeof vals[0], .values = vals,
    .function_count = 2, .function_size = sizeof functions[0], .functions = functions,
    .kind_count = 1, .kind_size = sizeof kinds[0], .kinds = kinds,
    .create = make,
    .destroy = unmake,
    .prepare = prepare,
    .still_valid = still_valid};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
