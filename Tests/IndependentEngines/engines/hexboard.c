// hexboard.c: hexagons in rows, every second row shifted by half a hexagon. Lazy: nothing is stored for an item.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { SIDE, GAP, TITLE_HEIGHT, SECTION_GAP, PARAMETER_COUNT };
enum { TITLE_VALUE };
enum { RING, ATTRIBUTE_COUNT };
enum { TITLE };

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [SIDE] = {.name = "hexWidth", .help = "Width of a hexagon.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 60, .minimum.number = 1, .maximum.number = 10000},
    [GAP] = {.name = "gap", .help = "Space between hexagons.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
             .initial.number = 4, .maximum.number = 1000},
    [TITLE_HEIGHT] = {.name = "titleHeight", .help = "Height of titles; 0: none.", .unit = "pt",
                      .type = TESSERA_TYPE_NUMBER, .initial.number = 20, .maximum.number = 1000},
    [SECTION_GAP] = {.name = "sectionGap", .help = "Space after every section.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 12, .maximum.number = 1000}};

static const tessera_value_declaration values[] = {
    [TITLE_VALUE] = {.name = "titleHeight", .help = "The height of the section's title.", .fallback = "titleHeight",
                     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_attribute attributes[ATTRIBUTE_COUNT] = {
    [RING] = {.name = "column", .help = "The column of the hexagon, from 0.", .type = TESSERA_TYPE_INT,
              .interpolation = TESSERA_INTERPOLATION_STEP, .when = TESSERA_WHEN_ADJUSTED, .initial.integer = -1}};

static const tessera_kind kinds[] = {
    {.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER}};

struct tessera_layout {
  const tessera_host *host;
  double *tops; // [sections + 1]
  uint32_t sections;
  uint64_t columns, items; // of the last prepare
  double width;
};

typedef struct {
  tessera_size hex, pitch;
  double shift, extent;
  uint64_t columns;
} board;

static board measure(const tessera_input *in) {
  board b;
  const double gap = in->parameters[GAP].number;
  b.extent = fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
  b.hex.width = in->parameters[SIDE].number;
  b.hex.height = b.hex.width * 2 / sqrt(3);
  b.pitch = (tessera_size){b.hex.width + gap, b.hex.height * 0.75 + gap};
  b.shift = b.pitch.width / 2;
  b.columns = (uint64_t)fmax(1, floor((b.extent + gap - b.shift) / b.pitch.width));
  return b;
}

static double title_of(const tessera_input *in, uint32_t section) {
  const tessera_column column = in->values[TITLE_VALUE];
  const double value = *(const double *)((const char *)column.data + section * column.stride);
  return fmin(fmax(0, value), 1e9);
}

static uint64_t count_of(const tessera_input *in, uint32_t section) {
  return in->section_starts[section + 1] - in->section_starts[section];
}

static uint64_t lines_of(board b, uint64_t items) { return items / b.columns + (items % b.columns != 0); }

static tessera_rect frame_of(board b, double top, uint64_t item) {
  const uint64_t line = item / b.columns, column = item % b.columns;
  return (tessera_rect){(double)column * b.pitch.width + (line % 2 ? b.shift : 0), top + (double)line * b.pitch.height,
                        b.hex.width, b.hex.height};
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
  free(layout->tops);
  free(layout);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const board b = measure(in);
  double *tops = realloc(layout->tops, ((uint64_t)in->section_count + 1) * sizeof *tops);
  if (!tops) return TESSERA_ERROR_NO_SPACE;
  layout->tops = tops;
  layout->sections = 0;
  double y = 0, width = b.extent;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = count_of(in, section), lines = lines_of(b, count);
    tops[section] = y;
    y += title_of(in, section);
    if (lines > 0) {
      y += (double)(lines - 1) * b.pitch.height + b.hex.height;
      const uint64_t widest = count < b.columns ? count : b.columns;
      const double right = (double)(widest - 1) * b.pitch.width + b.hex.width + (lines > 1 ? b.shift : 0);
      width = fmax(width, right);
    }
    if (section + 1 < in->section_count) y += in->parameters[SECTION_GAP].number;
    if ((section & 4095) == 4095 && !in->host->progress(in->host, (double)section / in->section_count))
      return TESSERA_ERROR_CANCELLED;
  }
  tops[in->section_count] = y;
  layout->sections = in->section_count;
  layout->columns = b.columns;
  layout->items = in->section_starts[in->section_count];
  layout->width = b.extent;
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

static uint32_t section_at(const tessera_layout *layout, double y) {
  uint32_t low = 0, high = layout->sections;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (layout->tops[middle] <= y) low = middle;
    else high = middle;
  }
  return low;
}

static tessera_status add_title(tessera_layout *layout, const tessera_input *in, uint32_t section, tessera_output *out) {
  const double title = title_of(in, section);
  if (title <= 0) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = TITLE, .section = section, .count = 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = (tessera_rect){0, layout->tops[section], layout->width, title};
  return TESSERA_OK;
}

static tessera_status add_cells(board b, double top, uint32_t section, uint64_t first, uint64_t end, tessera_output *out) {
  if (first >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first, .count = end - first};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  int64_t *column = rows->attributes ? rows->attributes[RING] : 0;
  for (uint64_t i = 0; i < end - first; i++) {
    rows->frame[i] = frame_of(b, top, first + i);
    if (column) column[i] = (int64_t)((first + i) % b.columns);
  }
  return TESSERA_OK;
}

// The lines, or columns, whose cells may meet low ..< high, with a margin for rounding.
static void between(double low, double high, double length, double pitch, double shift, uint64_t count, uint64_t *first,
                    uint64_t *end) {
  const double from = floor((low - length - shift) / pitch), to = ceil(high / pitch);
  const double margin = 1 + 4e-15 * fmax(fabs(from), fabs(to));
  *first = from - margin <= 0 ? 0 : from - margin >= (double)count ? count : (uint64_t)(from - margin);
  *end = to + margin <= 0 ? 0 : to + margin >= (double)count ? count : (uint64_t)(to + margin);
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const board b = measure(in);
  if (layout->sections == 0) return TESSERA_OK;
  // A section before may have the same top, or end a rounding error lower.
  uint32_t section = section_at(layout, rect.y - 1e-12 * fabs(rect.y));
  while (section > 0 && layout->tops[section] >= rect.y) section--;
  for (; section < layout->sections && layout->tops[section] < rect.y + rect.height; section++) {
    tessera_status status = add_title(layout, in, section, out);
    if (status != TESSERA_OK) return status;
    const uint64_t count = count_of(in, section);
    if (count == 0) continue;
    const double top = layout->tops[section] + title_of(in, section);
    uint64_t line, last, first, end;
    between(rect.y - top, rect.y + rect.height - top, b.hex.height, b.pitch.height, 0, lines_of(b, count), &line, &last);
    between(rect.x, rect.x + rect.width, b.hex.width, b.pitch.width, b.shift, b.columns, &first, &end);
    if (first == 0 && end == b.columns) { // whole lines are one run
      const uint64_t stop = last > count / b.columns ? count : last * b.columns;
      status = add_cells(b, top, section, line * b.columns, stop, out);
      if (status != TESSERA_OK) return status;
      continue;
    }
    for (uint64_t at = line; at < last; at++) {
      const uint64_t base = at * b.columns, left = count - base;
      status = add_cells(b, top, section, base + (first < left ? first : left), base + (end < left ? end : left), out);
      if (status != TESSERA_OK) return status;
      if ((at - line) % 4096 == 4095 &&
          !in->host->progress(in->host, (double)(at - line) / (double)(last - line) / layout->sections))
        return TESSERA_ERROR_CANCELLED;
    }
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  if (run->section >= layout->sections) return TESSERA_OK;
  if (run->category == TESSERA_CATEGORY_SUPPLEMENTARY && run->kind == TITLE && run->first_item == 0)
    return add_title(layout, in, run->section, out);
  if (run->category != TESSERA_CATEGORY_CELL || run->first_item >= count_of(in, run->section)) return TESSERA_OK;
  return add_cells(measure(in), layout->tops[run->section] + title_of(in, run->section), run->section, run->first_item,
                   run->first_item + 1, out);
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return measure(in).extent == layout->width;
}

// The top of the nearest line, of the section in which the offset lies.
static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  if (layout->sections == 0) return TESSERA_OK;
  const board b = measure(in);
  const double y = resting->y + in->content_insets.top;
  const uint32_t section = section_at(layout, y);
  const uint64_t lines = lines_of(b, count_of(in, section));
  const double top = layout->tops[section] + title_of(in, section);
  const double next = layout->tops[section + 1];
  double best = layout->tops[section];
  if (lines > 0 && y > best) {
    double line = (y - top) / b.pitch.height;
    const double nearest = floor(line + 0.5);
    if (fabs(line - nearest) * b.pitch.height < 0.01) line = nearest; // already there
    else if (velocity.y > 0) line = ceil(line);
    else if (velocity.y < 0) line = floor(line);
    else line = nearest;
    line = fmin(fmax(line, 0), (double)(lines - 1));
    const double place = top + line * b.pitch.height;
    if (fabs(place - y) <= fabs(best - y) || line > 0) best = place;
  }
  if (section + 1 < layout->sections && fabs(next - y) < fabs(best - y)) best = next;
  resting->y = best - in->content_insets.top;
  return TESSERA_OK;
}

// A dropped item takes the place of the hexagon whose row and column are nearest.
static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item,
                             tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  (void)item;
  const board b = measure(in);
  const uint32_t to = section_at(layout, point.y);
  const uint64_t count = count_of(in, to), limit = to == section ? count - 1 : count;
  const double top = layout->tops[to] + title_of(in, to);
  const double line = fmin(fmax(0, floor((point.y - top) / b.pitch.height)), (double)lines_of(b, count));
  const double shift = fmod(line, 2) != 0 ? b.shift : 0;
  const double column = fmin(fmax(0, floor((point.x - shift) / b.pitch.width)), (double)(b.columns - 1));
  const double place = line * (double)b.columns + column;
  *target_section = to;
  *target_item = place >= (double)limit ? limit : (uint64_t)place;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};
static const tessera_reordering reordering = {.struct_size = sizeof(tessera_reordering), .target = target};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  if (strcmp(id, TESSERA_EXT_REORDERING) == 0) return &reordering;
  return 0;
}

static uint64_t lines(tessera_layout *layout, uint64_t items) {
  return items / layout->columns + (items % layout->columns != 0);
}

static const tessera_function_declaration functions[] = {
    {.name = "linesFor", .signature = "u64(u64)", .help = "How many lines so many items would take.",
     .published = (void (*)(void))lines}};

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.hexboard", .name = "Hexboard", .version = "1.0.0",
    .author = "An author", .license = "MIT", .summary = "Hexagons in rows, every second one shifted.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = 1, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 1, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTE_COUNT, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .elements_in_rect = elements_in_rect,
    .element = element, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
