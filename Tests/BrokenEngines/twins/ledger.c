// An incremental ledger: rows below each other, updated from the first change on. Publishes
// look-ups and reports progress.

#include "twin.h"

TESSERA_NOTE;

enum { LINE_HEIGHT };
enum { HEIGHT, MARGIN };

static const tessera_parameter parameters[] = {
    {.name = "lineHeight", .help = "The height of a row that has none of its own.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .minimum.number = 0, .maximum.number = 400},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "The height of a row.", .fallback = "lineHeight",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    {.name = "margin", .help = "The space above the rows of a section.",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

struct tessera_layout {
  const tessera_host *host;
  double *heights; // per row, including the margin above
  double *ends;    // bottom of each row
  uint64_t *starts; // first row of each section; last: the row count
  uint64_t count, sections;
  double width, total;
  int is_prepared;
};

PLAIN_CREATE;

static void destroy(tessera_layout *layout) {
  free(layout->heights);
  free(layout->ends);
  free(layout->starts);
  free(layout);
}

static uint64_t unchanged(const tessera_layout *layout, const tessera_input *in) {
  const tessera_change change = in->change;
  if (!layout->is_prepared) return 0;
  if ((change.what & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) != 0) return 0;
  const uint64_t first = in->section_starts[change.first_section] + change.first_item;
  return first < layout->count ? first : layout->count;
}

static tessera_status reserve(tessera_layout *layout, const tessera_input *in) {
  const uint64_t count = in->section_starts[in->section_count];
  double *heights = realloc(layout->heights, (count + 1) * sizeof *heights);
  if (heights != NULL) layout->heights = heights;
  double *ends = realloc(layout->ends, (count + 1) * sizeof *ends);
  if (ends != NULL) layout->ends = ends;
  uint64_t *starts = realloc(layout->starts, (in->section_count + 1) * sizeof *starts);
  if (starts != NULL) layout->starts = starts;
  if (heights == NULL || ends == NULL || starts == NULL) return TESSERA_ERROR_FAILED;
  memcpy(starts, in->section_starts, (in->section_count + 1) * sizeof *starts);
  return TESSERA_OK;
}

static tessera_status note(tessera_layout *layout, const tessera_input *in, uint32_t section,
                           uint64_t from) {
  const uint64_t start = in->section_starts[section], end = in->section_starts[section + 1];
  const uint64_t count = in->section_starts[in->section_count];
  const double margin = plain_number(in->values[MARGIN], section);
  if (margin < 0) return refuse(layout, "margin is negative; give 0 or more");
  for (uint64_t i = from > start ? from : start; i < end; i++) {
    const double height = plain_number(in->values[HEIGHT], i);
    if (height < 0) return refuse(layout, "height is negative; give 0 or more");
    layout->heights[i] = height + (i == start ? margin : 0);
    layout->ends[i] = (i == 0 ? 0 : layout->ends[i - 1]) + layout->heights[i];
    layout->total += layout->heights[i];
    if (i % 256 != 255) continue;
    if (layout->host->progress(layout->host, (double)i / (double)count)) continue;
    return TESSERA_ERROR_CANCELLED;
  }
  return TESSERA_OK;
}

static tessera_status place(const tessera_layout *layout, const tessera_input *in, uint32_t section,
                            uint64_t from, tessera_output *out) {
  const uint64_t start = in->section_starts[section];
  const tessera_run run = {.section = section, .count = plain_items(in, section)};
  if (run.count == 0) return TESSERA_OK;
  const tessera_rows *rows;
  if (out->add(out, &run, &rows) != TESSERA_OK) return TESSERA_ERROR_NO_SPACE;
  const double margin = plain_number(in->values[MARGIN], section);
  const uint64_t known = from > start ? from - start : 0;
  for (uint64_t i = rows->kept < known ? rows->kept : known; i < run.count; i++) {
    const double height = layout->heights[start + i] - (i == 0 ? margin : 0);
    rows->frame[i] = (tessera_rect){0, layout->ends[start + i] - height, layout->width, height};
  }
  return TESSERA_OK;
}

static tessera_layout *noted(tessera_layout *layout) {
  return layout;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const uint64_t from = unchanged(layout, in);
  layout->total = from == 0 ? 0 : layout->ends[from - 1];
  layout->is_prepared = 0;
  layout->width = plain_extent(in).width;
  tessera_status status = reserve(layout, in);
  for (uint32_t s = 0; status == TESSERA_OK && s < in->section_count; s++)
    status = note(layout, in, s, from);
  for (uint32_t s = 0; status == TESSERA_OK && s < in->section_count; s++)
    status = place(layout, in, s, from, out);
  if (status != TESSERA_OK) return status;
  layout->count = in->section_starts[in->section_count];
  layout->sections = in->section_count;
  noted(layout)->is_prepared = 1;
  out->set_content_size(out, (tessera_size){layout->width, layout->total});
  return TESSERA_OK;
}

// Published: bottom of an item's row; < 0 if there is no such item.
static double end_of(tessera_layout *layout, uint32_t section, uint64_t item) {
  if (section >= layout->sections) return -1;
  if (item >= layout->starts[section + 1] - layout->starts[section]) return -1;
  return layout->ends[layout->starts[section] + item];
}

// Published: an item's row index; < 0 if there is no such item.
static int64_t row_of(tessera_layout *layout, uint32_t section, uint64_t item) {
  const uint64_t *const first = &layout->starts[section < layout->sections ? section : 0];
  const uint64_t rows = section < layout->sections ? first[1] - first[0] : 0;
  return item < rows ? (int64_t)(first[0] + item) : -1;
}

static uint64_t row_at(tessera_layout *layout, double y) {
  uint64_t low = 0, high = layout->count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (layout->ends[middle] <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

static tessera_rect whole(tessera_layout *layout) {
  return (tessera_rect){0, 0, noted(layout)->width, noted(layout)->total};
}

static tessera_rect rect_of(tessera_layout *layout, uint32_t section, uint64_t item) {
  const double end = end_of(layout, section, item);
  if (end < 0) {
    layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no such item; items begin at 0");
    return (tessera_rect){0, 0, 0, 0};
  }
  const double height = layout->heights[layout->starts[section] + item];
  return (tessera_rect){0, end - height, layout->width, height};
}

static const tessera_function_declaration functions[] = {
    {.name = "endOf", .signature = "f64(u32,u64)", .help = "Where an item's row ends.",
     .published = (void (*)(void))end_of},
    {.name = "rowOf", .signature = "i64(u32,u64)", .help = "Which row of all an item has.",
     .published = (void (*)(void))row_of},
    {.name = "rowAt", .signature = "u64(f64)", .help = "Which row lies at a height.",
     .published = (void (*)(void))row_at},
    {.name = "rectOf", .signature = "rect(u32,u64)", .help = "The rect of an item's row, with the margin above.",
     .published = (void (*)(void))rect_of},
    {.name = "whole", .signature = "rect()", .help = "The rect that holds all rows.",
     .published = (void (*)(void))whole},
};

static const tessera_engine engine = {
    TWIN("ledger"),
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    PARAMETERS,
    VALUES,
    FUNCTIONS,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
};

REGISTERS(engine)
