// A queue, incremental: items as high as their content says. It uses every extension of an engine:
// new items come from the left, scrolling stops at items, and a dragged item stays in its section.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/query.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ROW_HEIGHT, ESTIMATE, GAP, PARAMETER_COUNT };
enum { HEIGHT, VALUE_COUNT };

static const tessera_parameter parameters[] = {
    {.name = "rowHeight", .help = "The height of an item that has none of its own.", .unit = "pt",
     .type = TESSERA_NUMBER, .initial.number = 44, .maximum.number = 1000},
    {.name = "estimatedHeight", .help = "The height until an item is measured; 0: none is.",
     .unit = "pt", .type = TESSERA_NUMBER, .maximum.number = 1000},
    {.name = "gap", .help = "The space after a section.", .unit = "pt", .type = TESSERA_NUMBER,
     .initial.number = 5, .maximum.number = 1000},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "The height of an item.", .fallback = "rowHeight",
     .type = TESSERA_NUMBER, .scope = TESSERA_ITEM},
};

struct tessera_layout {
  const tessera_host *host;
  double width; // of the last prepare
  tessera_update *batch; // of the batch update that is going on
  uint64_t batch_count;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (made == NULL) return TESSERA_FAILED;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void end(tessera_layout *layout) {
  free(layout->batch);
  layout->batch = NULL;
  layout->batch_count = 0;
}

static void destroy(tessera_layout *layout) {
  end(layout);
  free(layout);
}

static double extent(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

static double height_of(const tessera_input *in, uint64_t item) {
  const tessera_column *column = &in->values[HEIGHT];
  return fmax(0, *(const double *)((const char *)column->data + item * column->stride));
}

// How many rows of a section lie where they lay.
static uint64_t unchanged(const tessera_input *in, uint32_t section, const tessera_rows *rows) {
  const tessera_change *change = &in->change;
  if (change->what & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) return 0;
  if (section > change->first_section) return 0;
  if (section < change->first_section) return rows->kept;
  return rows->kept < change->first_item ? rows->kept : change->first_item;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const uint64_t items = in->section_starts[in->section_count];
  const double width = extent(in);
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section];
    const tessera_run run = {.category = TESSERA_CELL, .section = section,
                             .count = in->section_starts[section + 1] - start};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    uint64_t item = unchanged(in, section, rows);
    // A host of an earlier version has no such function.
    if (out->struct_size > offsetof(tessera_output, leave)) {
      status = out->leave(out, rows, item);
      if (status != TESSERA_OK) return status;
    }
    if (item > 0) y = rows->frame[item - 1].y + rows->frame[item - 1].height;
    for (; item < run.count; item++) {
      const double height = height_of(in, start + item);
      rows->frame[item] = (tessera_rect){0, y, width, height};
      y += height;
      if (item % 4096 == 4095 &&
          !layout->host->progress(layout->host, (double)(start + item) / (double)items))
        return TESSERA_CANCELLED;
    }
    if (run.count > 0) y += in->parameters[GAP].number;
  }
  if (!isfinite(y)) {
    layout->host->report(layout->host, TESSERA_INVALID_VALUE,
                         "the items are too high for a number to hold the sum; make them smaller");
    return TESSERA_INVALID_VALUE;
  }
  layout->width = width;
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return layout->width == extent(in);
}

// ---------------------------------------------------------------- extensions

static tessera_status begin(tessera_layout *layout, const tessera_input *in,
                            const tessera_update *updates, uint64_t count) {
  (void)in;
  end(layout);
  tessera_update *copy = malloc((count + 1) * sizeof *copy);
  if (copy == NULL) return TESSERA_FAILED;
  if (count > 0) memcpy(copy, updates, count * sizeof *copy);
  layout->batch = copy;
  layout->batch_count = count;
  return TESSERA_OK;
}

// Whether the batch inserts an item; one of a new section is not inserted by itself.
static int is_inserted(const tessera_layout *layout, uint32_t section, uint64_t item) {
  for (uint64_t i = 0; i < layout->batch_count; i++) {
    const tessera_update *update = &layout->batch[i];
    if (update->operation == TESSERA_INSERT_ITEM && update->to_section == section &&
        update->to_item == item)
      return 1;
  }
  return 0;
}

static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in,
                                         tessera_output *out) {
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, i, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t row = 0; row < run.count; row++)
      if (is_inserted(layout, run.section, run.first_item + row))
        rows->frame[row].x -= extent(in);
  }
  return TESSERA_OK;
}

static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in,
                                       tessera_output *out) {
  (void)layout, (void)in;
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, i, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t row = 0; row < run.count; row++) rows->frame[row].height = 0;
  }
  return TESSERA_OK;
}

// The first cell that a rect touches, and its frame.
static int cell_in(tessera_layout *layout, tessera_rect rect, tessera_run *cell,
                   tessera_rect *frame) {
  const tessera_query *query = layout->host->extension(layout->host, TESSERA_QUERY);
  tessera_output *found = NULL;
  if (query == NULL || query->elements_in_rect(layout->host, rect, &found) != TESSERA_OK) return 0;
  const tessera_rows *rows = NULL;
  if (found->run_count(found) == 0 || found->get(found, 0, cell, &rows) != TESSERA_OK) return 0;
  *frame = rows->frame[0];
  return 1;
}

static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in,
                                     tessera_point velocity, tessera_point *resting) {
  tessera_run cell;
  tessera_rect frame;
  const tessera_rect line = {0, resting->y + in->content_insets.top, fmax(1, extent(in)), 1};
  if (!cell_in(layout, line, &cell, &frame)) return TESSERA_OK;
  // Onward if it is fast, else to the nearer end of the item.
  const int onward =
      velocity.y != 0 ? velocity.y > 0 : line.y - frame.y > frame.y + frame.height - line.y;
  resting->y = frame.y + (onward ? frame.height : 0) - in->content_insets.top;
  return TESSERA_OK;
}

static int32_t estimate(tessera_layout *layout, const tessera_input *in, tessera_size *size) {
  (void)layout;
  *size = (tessera_size){extent(in), in->parameters[ESTIMATE].number};
  return size->height > 0;
}

static tessera_size proposal(tessera_layout *layout, const tessera_input *in, uint32_t section) {
  (void)layout, (void)section;
  return (tessera_size){extent(in), 0};
}

static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section,
                             uint64_t item, tessera_point point, uint32_t *target_section,
                             uint64_t *target_item) {
  (void)in;
  tessera_run cell;
  tessera_rect frame;
  const int is_in_section =
      cell_in(layout, (tessera_rect){point.x, point.y, 1, 1}, &cell, &frame) &&
      cell.section == section;
  *target_section = section;
  *target_item = is_in_section ? cell.first_item : item;
  return TESSERA_OK;
}

static const tessera_updates updates_table = {
    .struct_size = sizeof updates_table, .begin = begin, .initial_attributes = initial_attributes,
    .final_attributes = final_attributes, .end = end};
static const tessera_snapping snapping_table = {sizeof snapping_table, 0, resting_offset};
static const tessera_sizing sizing_table = {sizeof sizing_table, 0, "height", estimate, proposal};
static const tessera_reordering reordering_table = {sizeof reordering_table, 0, target};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_UPDATES) == 0) return &updates_table;
  if (strcmp(id, TESSERA_SNAPPING) == 0) return &snapping_table;
  if (strcmp(id, TESSERA_SIZING) == 0) return &sizing_table;
  if (strcmp(id, TESSERA_REORDERING) == 0) return &reordering_table;
  return NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof engine,
    .traits = TESSERA_TRAIT_INCREMENTAL | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_FLOWS |
              TESSERA_TRAIT_APPENDS | TESSERA_TRAIT_SCALES,
    .id = "org.example.queue",
    .name = "Queue",
    .version = "1.0.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Items under one another, as high as their content says.",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof *parameters,
    .value_count = VALUE_COUNT,
    .value_size = sizeof *values,
    .parameters = parameters,
    .values = values,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .still_valid = still_valid,
    .extension = extension,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
