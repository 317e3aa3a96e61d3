// Rows under one another, indented by level, with measured heights, breaks that a delegate asks for,
// and rows that slide in and out of a batch update. Only rows after a change are placed again.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/query.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ROW_HEIGHT, ESTIMATED, INDENT, GAP, BREAK_GAP, HEADER, DIMMED_ALPHA, PARAMETER_COUNT };
static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [ROW_HEIGHT] = {.name = "rowHeight", .help = "Height of a row without a height of its own.", .unit = "pt",
                    .type = TESSERA_TYPE_NUMBER, .initial.number = 40, .maximum.number = 100000},
    [ESTIMATED] = {.name = "estimatedHeight", .help = "Height of a row until it is measured; 0: rows are not measured.",
                   .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 0, .maximum.number = 100000},
    [INDENT] = {.name = "indent", .help = "How far each level moves a row in.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 12, .maximum.number = 1000},
    [GAP] = {.name = "gap", .help = "Space between rows.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
             .initial.number = 2, .maximum.number = 1000},
    [BREAK_GAP] = {.name = "breakGap", .help = "Additional space where the program asks for a break.", .unit = "pt",
                   .type = TESSERA_TYPE_NUMBER, .initial.number = 20, .maximum.number = 1000},
    [HEADER] = {.name = "header", .help = "Height of a section's header; 0: none.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .maximum.number = 10000},
    [DIMMED_ALPHA] = {.name = "dimmedAlpha", .help = "Opacity of a dimmed row.", .type = TESSERA_TYPE_NUMBER,
                      .initial.number = 0.5, .maximum.number = 1},
};

enum { HEIGHT, LEVEL, IS_DIMMED, HEADER_HEIGHT, VALUE_COUNT };
static const tessera_value_declaration values[VALUE_COUNT] = {
    [HEIGHT] = {.name = "height", .help = "The row's own height.", .fallback = "rowHeight",
                .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [LEVEL] = {.name = "level", .help = "How deep the row is; below 0 counts as 0, above 20 as 20.",
               .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_ITEM},
    [IS_DIMMED] = {.name = "isDimmed", .help = "Whether the row is shown with less opacity.",
                   .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_ITEM},
    [HEADER_HEIGHT] = {.name = "headerHeight", .help = "The height of the section's own header.", .fallback = "header",
                       .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

enum { BREAKS_BEFORE, DELEGATE_COUNT };
typedef uint8_t (*breaks_before)(void *context, uint32_t section, uint64_t item);
static int64_t row_at(void *context, double y);
static tessera_rect section_rect(void *context, uint32_t section);
static const tessera_function_declaration functions[] = {
    {.name = "breaksBefore", .signature = "bool(u32,u64)", .help = "Whether there is a break before an item."},
    {.name = "rowAt", .signature = "i64(f64)", .help = "The number among all items of the row at y; -1: none.",
     .published = (void (*)(void))row_at},
    {.name = "sectionRect", .signature = "rect(u32)", .help = "The rectangle of a section with its header.",
     .published = (void (*)(void))section_rect},
};

static const tessera_attribute attributes[] = {
    {.name = "depth", .help = "The level that the row was placed at.", .type = TESSERA_TYPE_INT,
     .interpolation = TESSERA_INTERPOLATION_STEP},
    {.name = "marker", .help = "The mark at the leading edge of the row.", .unit = "pt", .type = TESSERA_TYPE_RECT},
};
static const tessera_kind kinds[] = {
    {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER}};

struct tessera_layout {
  const tessera_host *host;
  double width;                 // of the last prepare
  uint32_t section_count;
  uint64_t *starts;             // [section_count + 1]
  double *tops, *bottoms;       // of each section
  tessera_update *updates;      // of the batch that is being applied
  uint64_t update_count;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  made->width = -1;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) {
  free(layout->starts);
  free(layout->tops);
  free(layout->bottoms);
  free(layout->updates);
  free(layout);
}

static const void *at(tessera_column column, uint64_t index) {
  return (const char *)column.data + index * column.stride;
}
static double extent(const tessera_input *in) {
  const double inner = in->viewport.width - in->content_insets.left - in->content_insets.right;
  return fmax(0, inner);
}
static double depth_of(const tessera_input *in, uint64_t index) {
  const int64_t level = *(const int64_t *)at(in->values[LEVEL], index);
  if (level < 0) return 0;
  return level > 20 ? 20 : (double)level;
}
static double left_of(const tessera_input *in, uint64_t index, double width) {
  return fmin(width, depth_of(in, index) * in->parameters[INDENT].number);
}

static tessera_status refuse(const tessera_input *in, const char *name, uint64_t place, double found) {
  char text[160];
  snprintf(text, sizeof text, "%s %llu is %g; it must be finite and not negative", name, (unsigned long long)place, found);
  in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, text);
  return TESSERA_ERROR_INVALID_VALUE;
}

// How many first items of a section are placed as they were before.
static uint64_t unchanged(const tessera_input *in, uint32_t section) {
  const tessera_change *change = &in->change;
  if (change->what & TESSERA_CHANGED_ALL) return 0;
  if (change->what & (TESSERA_CHANGED_BOUNDS | TESSERA_CHANGED_PARAMETERS)) return 0;
  if (in->functions[BREAKS_BEFORE].call) return 0; // it may answer otherwise than before
  if (!(change->what & (TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES))) return UINT64_MAX;
  if (section < change->first_section) return UINT64_MAX;
  return section == change->first_section ? change->first_item : 0;
}

static int remember(tessera_layout *layout, const tessera_input *in) {
  const size_t count = in->section_count;
  uint64_t *starts = realloc(layout->starts, (count + 1) * sizeof *starts);
  if (!starts) return 0;
  layout->starts = starts;
  double *tops = realloc(layout->tops, (count + 1) * sizeof *tops);
  if (!tops) return 0;
  layout->tops = tops;
  double *bottoms = realloc(layout->bottoms, (count + 1) * sizeof *bottoms);
  if (!bottoms) return 0;
  layout->bottoms = bottoms;
  memcpy(starts, in->section_starts, (count + 1) * sizeof *starts);
  layout->section_count = in->section_count;
  layout->width = extent(in);
  return 1;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const double width = extent(in), gap = in->parameters[GAP].number;
  const double dimmed = in->parameters[DIMMED_ALPHA].number;
  const tessera_function breaks = in->functions[BREAKS_BEFORE];
  const uint64_t total = in->section_starts[in->section_count];
  if (!remember(layout, in)) return TESSERA_ERROR_NO_SPACE;
  double y = 0, bottom = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    layout->tops[section] = y;
    const double header = *(const double *)at(in->values[HEADER_HEIGHT], section);
    if (!(header >= 0)) return refuse(in, "headerHeight of section", section, header);
    const tessera_rows *rows = NULL;
    if (header > 0) {
      const tessera_run above = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = section, .count = 1};
      const tessera_status added = out->add(out, &above, &rows);
      if (added != TESSERA_OK) return added;
      rows->frame[0] = (tessera_rect){0, y, width, header};
      rows->alpha[0] = 1;
      bottom = fmax(bottom, y + header);
      y += header + gap;
    }
    const uint64_t start = in->section_starts[section], count = in->section_starts[section + 1] - start;
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    if (count == 0) {
      layout->bottoms[section] = bottom;
      continue;
    }
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;

    uint64_t first = unchanged(in, section);
    if (first > rows->kept) first = rows->kept;
    if (first > 0) {
      const tessera_rect last = rows->frame[first - 1];
      out->leave(out, rows, first);
      bottom = last.y + last.height;
      y = bottom + gap;
    }
    int64_t *depths = rows->attributes[0];
    tessera_rect *markers = rows->attributes[1];
    for (uint64_t item = first; item < count; item++) {
      const uint64_t index = start + item;
      const double height = *(const double *)at(in->values[HEIGHT], index);
      if (!(height >= 0)) return refuse(in, "height of item", index, height);
      if (breaks.call && ((breaks_before)breaks.call)(breaks.context, section, item))
        y += in->parameters[BREAK_GAP].number;
      const double x = left_of(in, index, width);
      rows->frame[item] = (tessera_rect){x, y, fmax(0, width - x), height};
      const uint8_t is_dimmed = *(const uint8_t *)at(in->values[IS_DIMMED], index);
      rows->alpha[item] = is_dimmed ? dimmed : 1;
      depths[item] = (int64_t)depth_of(in, index);
      markers[item] = (tessera_rect){0, 0, fmin(4, width - x), height};
      bottom = y + height;
      y += height + gap;
      if (index % 4096 == 4095 && !in->host->progress(in->host, (double)index / (double)total))
        return TESSERA_ERROR_CANCELLED;
    }
    layout->bottoms[section] = bottom;
  }
  if (!isfinite(bottom)) return refuse(in, "the height of all rows up to item", total, bottom);
  out->set_content_size(out, (tessera_size){width, bottom});
  return TESSERA_OK;
}

// Only the width matters.
static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return layout->width == extent(in);
}

// ---------------------------------------------------------------- published functions

static int64_t row_at(void *context, double y) {
  const tessera_layout *layout = context;
  const tessera_query *query = layout->host->extension(layout->host, TESSERA_EXT_QUERY);
  if (!query) {
    layout->host->report(layout->host, TESSERA_ERROR_UNSUPPORTED, "the host cannot look up rows; use another");
    return 0;
  }
  tessera_output *found = NULL;
  const tessera_rect line = {0, y, layout->width, 1e-6};
  if (query->elements_in_rect(layout->host, line, &found) != TESSERA_OK) return 0;
  for (uint64_t index = 0; index < found->run_count(found); index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    if (found->get(found, index, &run, &rows) != TESSERA_OK) return 0;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    return (int64_t)(layout->starts[run.section] + run.first_item);
  }
  return -1;
}

static tessera_rect section_rect(void *context, uint32_t section) {
  const tessera_layout *layout = context;
  if (section >= layout->section_count) {
    layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no such section; ask for one that exists");
    return (tessera_rect){0, 0, 0, 0};
  }
  const double top = layout->tops[section];
  return (tessera_rect){0, top, layout->width, fmax(0, layout->bottoms[section] - top)};
}

// ---------------------------------------------------------------- measuring

static tessera_status estimates(tessera_layout *layout, const tessera_input *in, const tessera_run *run,
                                tessera_size *sizes, uint64_t *count) {
  (void)layout;
  const double estimated = in->parameters[ESTIMATED].number;
  if (estimated == 0) {
    *count = 0;
    return TESSERA_OK;
  }
  if (run->category == TESSERA_CATEGORY_SUPPLEMENTARY)
    sizes[0] = (tessera_size){extent(in), in->parameters[HEADER].number};
  else
    sizes[0] = (tessera_size){extent(in), estimated};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *layout, const tessera_input *in, const tessera_run *run,
                                tessera_size *sizes, uint64_t *count) {
  (void)layout;
  const double width = extent(in);
  if (run->category == TESSERA_CATEGORY_SUPPLEMENTARY) {
    sizes[0] = (tessera_size){width, 0};
    *count = 1;
    return TESSERA_OK;
  }
  const uint64_t start = in->section_starts[run->section] + run->first_item;
  for (uint64_t row = 0; row < run->count; row++)
    sizes[row] = (tessera_size){fmax(0, width - left_of(in, start + row, width)), 0};
  *count = run->count;
  return TESSERA_OK;
}

static const tessera_measured measured[] = {{.value = "height"}, {.value = "headerHeight", .kind = "header"}};
static const tessera_sizing sizing = {.struct_size = sizeof sizing, .measured_count = 2, .measured = measured,
                                      .estimates = estimates, .proposals = proposals};

// ---------------------------------------------------------------- batch updates

static tessera_status begin(tessera_layout *layout, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)in;
  free(layout->updates); // of a batch that did not end
  layout->update_count = 0;
  layout->updates = malloc((count + 1) * sizeof *updates);
  if (!layout->updates) return TESSERA_ERROR_NO_SPACE;
  memcpy(layout->updates, updates, count * sizeof *updates);
  layout->update_count = count;
  return TESSERA_OK;
}

// Whether a whole section was inserted or deleted: its rows only fade.
static int is_whole(const tessera_layout *layout, tessera_operation operation, uint32_t section) {
  for (uint64_t index = 0; index < layout->update_count; index++) {
    const tessera_update *update = &layout->updates[index];
    const uint32_t about = operation == TESSERA_OPERATION_INSERT_SECTION ? update->to_section : update->from_section;
    if (update->operation == operation && about == section) return 1;
  }
  return 0;
}

static tessera_status slide(tessera_layout *layout, tessera_output *out, tessera_operation operation, double direction) {
  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL || is_whole(layout, operation, run.section)) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->transform[row].m[12] = direction * rows->frame[row].width;
      rows->z_index[row] = -1;
    }
  }
  return TESSERA_OK;
}

static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)in;
  return slide(layout, out, TESSERA_OPERATION_INSERT_SECTION, -1);
}
static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)in;
  return slide(layout, out, TESSERA_OPERATION_DELETE_SECTION, 1);
}
static void end(tessera_layout *layout) {
  free(layout->updates); // the batch is over
  layout->updates = NULL;
  layout->update_count = 0;
}
static const tessera_updates updates_table = {.struct_size = sizeof updates_table, .begin = begin,
                                              .initial_attributes = initial_attributes,
                                              .final_attributes = final_attributes, .end = end};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updates_table;
  return NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.journal", .name = "Journal", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Indented rows with measured heights and breaks.",
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_ALPHA,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 3, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 2, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
