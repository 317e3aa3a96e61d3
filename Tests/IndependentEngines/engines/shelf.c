// Sections of uniform cells, each with columns of its own, a header that stays in sight, a background and a
// footer. Nothing is stored for an item; prepare adds up the sections, and queries compute the rest.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { COLUMNS, CELL_HEIGHT, SPACING, HEADER, FOOTER, PIN, REACH, PARAMETER_COUNT };
static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [COLUMNS] = {.name = "columns", .help = "How many cells lie side by side.", .type = TESSERA_TYPE_INT,
                 .initial.integer = 3, .minimum.integer = 1, .maximum.integer = 1000},
    [CELL_HEIGHT] = {.name = "cellHeight", .help = "Height of every cell.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                     .initial.number = 60, .minimum.number = 1, .maximum.number = 10000},
    [SPACING] = {.name = "spacing", .help = "Space between neighbours.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                 .initial.number = 6, .maximum.number = 1000},
    [HEADER] = {.name = "header", .help = "Height of headers; 0: none.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                .initial.number = 28, .maximum.number = 10000},
    [FOOTER] = {.name = "footer", .help = "Height of footers; 0: none.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                .initial.number = 0, .maximum.number = 10000},
    [PIN] = {.name = "pinsHeaders", .help = "Whether the header of a section stays in sight.", .type = TESSERA_TYPE_BOOL,
             .flags = TESSERA_FLAG_IN_ADJUST, .initial.boolean = 1},
    [REACH] = {.name = "reach", .help = "How far from the middle of the viewport a cell is fully shaded.", .unit = "pt",
               .type = TESSERA_TYPE_NUMBER, .flags = TESSERA_FLAG_IN_ADJUST, .initial.number = 300,
               .minimum.number = 1, .maximum.number = 100000},
};

enum { OWN_COLUMNS, OWN_HEADER, OWN_FOOTER, VALUE_COUNT };
static const tessera_value_declaration values[VALUE_COUNT] = {
    [OWN_COLUMNS] = {.name = "columns", .help = "How many cells of the section lie side by side.", .fallback = "columns",
                     .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_SECTION},
    [OWN_HEADER] = {.name = "headerHeight", .help = "Height of the section's header.", .fallback = "header",
                    .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [OWN_FOOTER] = {.name = "footerHeight", .help = "Height of the section's footer.", .fallback = "footer",
                    .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

enum { KIND_HEADER, KIND_FOOTER, KIND_PLATE, KIND_COUNT };
static const tessera_kind kinds[KIND_COUNT] = {
    [KIND_HEADER] = {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [KIND_FOOTER] = {.name = "footer", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_FOOTER},
    [KIND_PLATE] = {.name = "plate", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
};

enum { LINE, BADGE, SHADE, EDGE, ATTRIBUTE_COUNT };
static const char *const edges[] = {"inner", "leading", "trailing"};
static const tessera_attribute attributes[ATTRIBUTE_COUNT] = {
    [LINE] = {.name = "line", .help = "The line of the cell in its section.", .type = TESSERA_TYPE_INT,
              .interpolation = TESSERA_INTERPOLATION_STEP, .initial.integer = -1},
    [BADGE] = {.name = "badge", .help = "Where a badge lies in the cell.", .unit = "pt", .type = TESSERA_TYPE_RECT},
    [SHADE] = {.name = "shade", .help = "Distance from the middle of the viewport, 0 to 1.", .type = TESSERA_TYPE_NUMBER,
               .when = TESSERA_WHEN_ADJUSTED},
    [EDGE] = {.name = "edge", .help = "Whether the cell is the first or last of its line.", .choices = edges,
              .choice_count = 3, .type = TESSERA_TYPE_ENUM, .interpolation = TESSERA_INTERPOLATION_STEP},
};

// Where a section lies.
typedef struct place {
  double top, header, cells, footer, bottom;
  uint64_t columns, items, lines;
} place;

struct tessera_layout {
  const tessera_host *host;
  uint32_t count;
  place *places;
  double width; // the extent of the last prepare
};

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}
static void destroy(tessera_layout *layout) {
  free(layout->places);
  free(layout);
}

static const void *at(tessera_column column, uint64_t index) {
  return (const char *)column.data + index * column.stride;
}
static double extent(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}
static tessera_status refuse(const tessera_input *in, const char *text) {
  in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, text);
  return TESSERA_ERROR_INVALID_VALUE;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const double pitch = in->parameters[CELL_HEIGHT].number + in->parameters[SPACING].number;
  place *places = realloc(layout->places, ((size_t)in->section_count + 1) * sizeof *places);
  if (!places) return TESSERA_ERROR_NO_SPACE;
  layout->places = places;
  layout->count = in->section_count;
  layout->width = extent(in);
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    place *p = &places[section];
    const int64_t columns = *(const int64_t *)at(in->values[OWN_COLUMNS], section);
    p->header = *(const double *)at(in->values[OWN_HEADER], section);
    p->footer = *(const double *)at(in->values[OWN_FOOTER], section);
    if (columns < 1) return refuse(in, "columns of a section is below 1; give 1 or more");
    if (!(p->header >= 0)) return refuse(in, "headerHeight is negative; give 0 or more");
    if (!(p->footer >= 0)) return refuse(in, "footerHeight is negative; give 0 or more");
    p->items = in->section_starts[section + 1] - in->section_starts[section];
    p->columns = (uint64_t)columns;
    p->lines = p->items / p->columns + (p->items % p->columns != 0);
    p->top = y;
    p->cells = y + p->header;
    y = p->cells + (p->lines > 0 ? (double)p->lines * pitch - in->parameters[SPACING].number : 0);
    y += p->footer;
    p->bottom = y;
  }
  if (!isfinite(y)) return refuse(in, "the content is too long for a number; lower cellHeight or spacing");
  out->set_content_size(out, (tessera_size){layout->width, y});
  return TESSERA_OK;
}

// Heights do not depend on the width, but the content size does.
static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return layout->width == extent(in) ? 1 : 0;
}

// ---------------------------------------------------------------- elements

// The width of a cell, which is 0 where spaces leave no room; then the spaces shrink.
static double space_of(const tessera_input *in, const place *p) {
  if (p->columns < 2) return 0;
  return fmin(in->parameters[SPACING].number, extent(in) / (double)(p->columns - 1));
}
static double cell_width(const tessera_input *in, const place *p) {
  return fmax(0, (extent(in) - space_of(in, p) * (double)(p->columns - 1)) / (double)p->columns);
}

static tessera_status add_cells(const tessera_input *in, const place *p, uint32_t section, uint64_t first, uint64_t end,
                                tessera_output *out) {
  if (first >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first, .count = end - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double width = cell_width(in, p), height = in->parameters[CELL_HEIGHT].number;
  const double across = width + space_of(in, p), down = height + in->parameters[SPACING].number;
  int64_t *lines = rows->attributes[LINE];
  tessera_rect *badges = rows->attributes[BADGE];
  int32_t *sides = rows->attributes[EDGE];
  for (uint64_t row = 0; row < run.count; row++) {
    const uint64_t item = first + row, line = item / p->columns, column = item % p->columns;
    rows->frame[row] = (tessera_rect){(double)column * across, p->cells + (double)line * down, width, height};
    lines[row] = (int64_t)line;
    const double badge = fmin(10, width);
    badges[row] = (tessera_rect){width - badge, 0, badge, fmin(10, height)};
    sides[row] = column == 0 ? 1 : column + 1 == p->columns ? 2 : 0;
    const uint64_t index = in->section_starts[section] + item;
    const double total = (double)in->section_starts[in->section_count];
    if (row % 8192 == 8191 && !in->host->progress(in->host, (double)index / total))
      return TESSERA_ERROR_CANCELLED;
  }
  return TESSERA_OK;
}

static tessera_status add_one(const tessera_input *in, tessera_category category, uint32_t kind, uint32_t section,
                              tessera_rect frame, int32_t z, tessera_output *out) {
  const tessera_run run = {.category = category, .kind = kind, .section = section, .count = 1};
  const tessera_rows *rows = NULL;
  (void)in;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = frame;
  rows->z_index[0] = z;
  return TESSERA_OK;
}

static tessera_rect header_frame(const tessera_input *in, const place *p) {
  return (tessera_rect){0, p->top, extent(in), p->header};
}
static tessera_rect footer_frame(const tessera_input *in, const place *p) {
  return (tessera_rect){0, p->bottom - p->footer, extent(in), p->footer};
}
static tessera_rect plate_frame(const tessera_input *in, const place *p) {
  return (tessera_rect){-2, p->top, extent(in) + 4, p->bottom - p->top};
}

// The first section that ends after y.
static uint32_t section_after(const tessera_layout *layout, double y) {
  uint32_t low = 0, high = layout->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (layout->places[middle].bottom > y)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// A number of lines: rounded down, 0 ... limit.
static uint64_t whole(double value, uint64_t limit) {
  if (!(value > 0)) return 0;
  return value >= (double)limit ? limit : (uint64_t)value;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                                       tessera_output *out) {
  const double pitch = in->parameters[CELL_HEIGHT].number + in->parameters[SPACING].number;
  const double low = rect.y, high = rect.y + rect.height;
  for (uint32_t section = section_after(layout, low); section < layout->count; section++) {
    const place *p = &layout->places[section];
    if (p->top >= high) break;
    tessera_status status = TESSERA_OK;
    if (p->bottom > p->top)
      status = add_one(in, TESSERA_CATEGORY_DECORATION, KIND_PLATE, section, plate_frame(in, p), -1, out);
    if (status == TESSERA_OK && p->header > 0)
      status = add_one(in, TESSERA_CATEGORY_SUPPLEMENTARY, KIND_HEADER, section, header_frame(in, p), 2, out);
    if (status == TESSERA_OK && p->footer > 0)
      status = add_one(in, TESSERA_CATEGORY_SUPPLEMENTARY, KIND_FOOTER, section, footer_frame(in, p), 1, out);
    if (status != TESSERA_OK) return status;
    const double slack = 1 + 1e-15 * (fabs(low) + fabs(p->cells)) / pitch;
    const uint64_t first_line = whole((low - p->cells) / pitch - slack, p->lines);
    const uint64_t end_line = whole((high - p->cells) / pitch + 1 + slack, p->lines);
    const uint64_t end = end_line >= p->lines ? p->items : end_line * p->columns;
    status = add_cells(in, p, section, first_line * p->columns, end, out);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  if (run->section >= layout->count) return TESSERA_OK;
  const place *p = &layout->places[run->section];
  if (run->category == TESSERA_CATEGORY_CELL) {
    if (run->first_item >= p->items) return TESSERA_OK;
    return add_cells(in, p, run->section, run->first_item, run->first_item + 1, out);
  }
  if (run->first_item != 0) return TESSERA_OK;
  if (run->kind == KIND_HEADER && p->header > 0)
    return add_one(in, run->category, KIND_HEADER, run->section, header_frame(in, p), 2, out);
  if (run->kind == KIND_FOOTER && p->footer > 0)
    return add_one(in, run->category, KIND_FOOTER, run->section, footer_frame(in, p), 1, out);
  if (run->kind == KIND_PLATE && p->bottom > p->top)
    return add_one(in, run->category, KIND_PLATE, run->section, plate_frame(in, p), -1, out);
  return TESSERA_OK;
}

// ---------------------------------------------------------------- the viewport

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)rect;
  const double middle = in->viewport.y + in->viewport.height / 2, reach = in->parameters[REACH].number;
  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    double *shades = rows->attributes[SHADE];
    for (uint64_t row = 0; row < run.count; row++) {
      const double centre = rows->frame[row].y + rows->frame[row].height / 2;
      shades[row] = fmin(1, fabs(centre - middle) / reach);
    }
  }
  if (!in->parameters[PIN].boolean) return TESSERA_OK;
  const double edge = in->viewport.y + in->content_insets.top;
  const uint32_t section = section_after(layout, edge);
  if (section >= layout->count) return TESSERA_OK; // below the last section
  const place *p = &layout->places[section];
  if (p->header <= 0 || p->top >= edge) return TESSERA_OK;
  tessera_rect frame = header_frame(in, p);
  frame.y = fmin(edge, p->bottom - p->header);
  return add_one(in, TESSERA_CATEGORY_SUPPLEMENTARY, KIND_HEADER, section, frame, 2, out);
}

// Stops where a line, or a section, begins at the top.
static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity,
                                     tessera_point *resting) {
  const double inset = in->content_insets.top, y = resting->y + inset;
  const double pitch = in->parameters[CELL_HEIGHT].number + in->parameters[SPACING].number;
  const uint32_t section = section_after(layout, y);
  if (section >= layout->count) return TESSERA_OK;
  const place *p = &layout->places[section];
  if (y <= p->top) {
    resting->y = p->top - inset;
    return TESSERA_OK;
  }
  double line = (y - p->cells) / pitch;
  line = velocity.y > 0 ? ceil(line - 1e-9) : velocity.y < 0 ? floor(line + 1e-9) : round(line);
  if (line <= 0)
    resting->y = y - p->top < p->header / 2 ? p->top - inset : p->cells - inset;
  else
    resting->y = p->cells + fmin(line, fmax(0, (double)p->lines - 1)) * pitch - inset;
  return TESSERA_OK;
}
static const tessera_snapping snapping = {.struct_size = sizeof snapping, .resting_offset = resting_offset};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.shelf", .name = "Shelf", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Sections with columns of their own under sticky headers.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTE_COUNT, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KIND_COUNT, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust,
    .elements_in_rect = elements_in_rect, .element = element, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
