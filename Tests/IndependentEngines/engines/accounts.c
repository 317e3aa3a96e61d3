// ledger.c: rows of their own heights under section headers that stay in sight. Eager, incremental.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ROW_HEIGHT, ROW_SPACING, HEADER_HEIGHT, INDENT_STEP, PINS, PARAMETER_COUNT };
enum { HEIGHT, SECTION_HEADER, VALUE_COUNT };
enum { HEADER };
#define LARGEST 1e9

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [ROW_HEIGHT] = {.name = "rowHeight", .help = "Height of a row without its own height.", .unit = "pt",
                    .type = TESSERA_TYPE_NUMBER, .initial.number = 40, .maximum.number = 10000},
    [ROW_SPACING] = {.name = "rowSpacing", .help = "Space between the rows of a section.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 2, .maximum.number = 1000},
    [HEADER_HEIGHT] = {.name = "headerHeight", .help = "Height of headers; 0: none.", .unit = "pt",
                       .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .maximum.number = 1000},
    [INDENT_STEP] = {.name = "indentStep", .help = "How far a level of indentation moves a row.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 16, .maximum.number = 1000},
    [PINS] = {.name = "pinsHeaders", .help = "Whether headers stay in sight while their section is.",
              .type = TESSERA_TYPE_BOOL, .initial.boolean = 1, .flags = TESSERA_FLAG_IN_ADJUST}};

static const tessera_value_declaration values[VALUE_COUNT] = {
    [HEIGHT] = {.name = "height", .help = "The row's own height.", .fallback = "rowHeight",
                .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [SECTION_HEADER] = {.name = "headerHeight", .help = "The height of the section's header.",
                        .fallback = "headerHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_kind kinds[] = {
    {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER}};

struct tessera_layout {
  const tessera_host *host;
  double *tops;       // [sections + 1], where each section begins
  uint32_t sections;  // of the last prepare
  double extent;
};

static double number(tessera_column column, uint64_t index) {
  return *(const double *)((const char *)column.data + index * column.stride);
}

static double length_of(double value) { return fmin(fmax(0, value), LARGEST); }

static double extent_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

typedef uint32_t (*level_function)(void *context, uint32_t section, uint64_t item);

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
  const double extent = extent_of(in), spacing = in->parameters[ROW_SPACING].number;
  const double step = in->parameters[INDENT_STEP].number;
  const tessera_function level = in->functions[0];
  const uint64_t total = in->section_starts[in->section_count];
  const uint32_t small = TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES;
  const int partial = (in->change.what & ~small) == 0;

  // What is known to be unchanged: sections before first_section, and in it the items before first_item.
  uint32_t first_section = 0;
  uint64_t first_item = 0;
  if (partial && in->change.what) {
    first_section = in->change.first_section;
    first_item = in->change.first_item;
  } else if (partial) {
    first_section = in->section_count;
  }
  if (first_section > layout->sections) first_section = layout->sections, first_item = 0;
  if (first_section > in->section_count) first_section = in->section_count, first_item = 0;

  double *tops = realloc(layout->tops, ((uint64_t)in->section_count + 1) * sizeof *tops);
  if (!tops) return TESSERA_ERROR_NO_SPACE;
  layout->tops = tops;
  layout->sections = first_section; // until this prepare has succeeded, no more is known
  layout->extent = extent;
  tops[0] = 0;

  uint64_t done = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section];
    const uint64_t count = in->section_starts[section + 1] - start;
    const double header = length_of(number(in->values[SECTION_HEADER], section));
    const tessera_rows *rows = 0;
    tessera_status status;
    double y = tops[section];
    if (header > 0) {
      const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = HEADER, .section = section, .count = 1};
      status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      if (section < first_section && rows->kept == 1) {
        status = out->leave(out, rows, 1);
        if (status != TESSERA_OK) return status;
      } else {
        rows->frame[0] = (tessera_rect){0, y, extent, header};
      }
      y += header;
    }
    if (count > 0) {
      const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
      status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      uint64_t known = section < first_section ? count : section == first_section ? first_item : 0;
      if (known > rows->kept) known = rows->kept;
      if (known > count) known = count;
      if (known > 0) {
        status = out->leave(out, rows, known);
        if (status != TESSERA_OK) return status;
        y = rows->frame[known - 1].y + rows->frame[known - 1].height;
        if (known < count) y += spacing;
      }
      for (uint64_t item = known; item < count; item++) {
        const double height = length_of(number(in->values[HEIGHT], start + item));
        double x = 0;
        if (level.call) x = fmin(extent, step * ((level_function)level.call)(level.context, section, item));
        rows->frame[item] = (tessera_rect){x, y, extent - x, height};
        y += height;
        if (item + 1 < count) y += spacing;
        if ((++done & 4095) == 0 && !in->host->progress(in->host, (double)(start + item) / (double)total))
          return TESSERA_ERROR_CANCELLED;
      }
    }
    tops[section + 1] = y;
  }
  layout->sections = in->section_count;
  out->set_content_size(out, (tessera_size){extent, tops[in->section_count]});
  return TESSERA_OK;
}

// The last section that begins at or above y.
static uint32_t section_at(const tessera_layout *layout, double y) {
  uint32_t low = 0, high = layout->sections;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (layout->tops[middle] <= y) low = middle;
    else high = middle;
  }
  return low;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)rect;
  if (!in->parameters[PINS].boolean || layout->sections == 0) return TESSERA_OK;
  const double top = in->viewport.y + in->content_insets.top;
  const uint32_t section = section_at(layout, top);
  const double natural = layout->tops[section], end = layout->tops[section + 1];
  const double header = length_of(number(in->values[SECTION_HEADER], section));
  if (header <= 0 || top <= natural || top >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = HEADER, .section = section, .count = 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0].y = fmax(natural, fmin(top, end - header));
  rows->z_index[0] = 10;
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return extent_of(in) == layout->extent;
}

static double section_top(tessera_layout *layout, uint32_t section) {
  if (section >= layout->sections) {
    char text[120];
    snprintf(text, sizeof text, "there is no section %u; ask for one below %u", section, layout->sections);
    layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, text);
    return 0;
  }
  return layout->tops[section];
}

static uint32_t section_below(tessera_layout *layout, double y) { return section_at(layout, y); }

static const tessera_function_declaration functions[] = {
    {.name = "level", .signature = "u32(u32,u64)", .help = "How many levels an item is indented; by default none."},
    {.name = "sectionTop", .signature = "f64(u32)", .help = "Where a section begins.",
     .published = (void (*)(void))section_top},
    {.name = "sectionAt", .signature = "u32(f64)", .help = "The last section that begins at or above a place; else 0.",
     .published = (void (*)(void))section_below}};

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.accounts", .name = "Accounts", .version = "1.0.0",
    .author = "An author", .license = "MIT", .summary = "Rows under headers that stay in sight.",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES, .adjusted_columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 3, .function_size = sizeof(tessera_function_declaration),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
