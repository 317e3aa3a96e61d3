// Columns of equal width, in which items may span several columns. After a change the layout goes on
// from the last checkpoint before it; what comes before that is left as it is.

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

#define MOST_COLUMNS 128
#define STEP 64 // items from one checkpoint to the next

enum { COLUMN_WIDTH, GAP, HEIGHT, HEADER, N_PARAMETERS };
enum { OWN_HEIGHT, OWN_SPAN, OWN_HEADER, N_VALUES };

static const tessera_parameter parameters[] = {
  {.name = "columnWidth", .help = "Least width of a column.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
   .initial.number = 60, .minimum.number = 1, .maximum.number = 100000},
  {.name = "gap", .help = "Space between items.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
   .initial.number = 6, .minimum.number = 0, .maximum.number = 1000},
  {.name = "itemHeight", .help = "Height of an item without one.", .unit = "pt",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 48, .minimum.number = 0, .maximum.number = 100000},
  {.name = "headerHeight", .help = "Height of a header; 0: none.", .unit = "pt",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 20, .minimum.number = 0, .maximum.number = 10000},
};

static const tessera_value_declaration values[] = {
  {.name = "height", .help = "Height of the item.", .fallback = "itemHeight", .type = TESSERA_TYPE_NUMBER,
   .scope = TESSERA_SCOPE_ITEM},
  {.name = "span", .help = "How many columns the item takes; less than 1: one.", .type = TESSERA_TYPE_INT,
   .scope = TESSERA_SCOPE_ITEM},
  {.name = "headerHeight", .help = "Height of the section's header; 0: none.", .fallback = "headerHeight",
   .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

static const tessera_kind kinds[] = {
  {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
};

static const tessera_attribute attributes[] = {
  {.name = "column", .help = "The item's first column, from 0.", .type = TESSERA_TYPE_INT,
   .interpolation = TESSERA_INTERPOLATION_NONE},
};

typedef struct { double body, end; uint64_t count; size_t first; } block; // first: its first checkpoint

struct tessera_layout {
  const tessera_host *host;
  bool prepared;
  double extent;
  uint32_t columns;
  block *blocks;
  size_t block_count, block_room;
  double *checkpoints; // the bottoms of all columns before every STEP-th item of each section
  size_t used, room;   // checkpoints
};

static tessera_status no_memory(const tessera_host *host) {
  host->report(host, TESSERA_ERROR_NO_SPACE, "there is no memory for the mosaic; free some");
  return TESSERA_ERROR_NO_SPACE;
}

static tessera_status create(const tessera_engine *engine, const tessera_host *host, tessera_layout **layout) {
  (void)engine;
  tessera_layout *const made = calloc(1, sizeof *made);
  if (!made) return no_memory(host);
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *self) {
  if (!self) return;
  free(self->blocks);
  free(self->checkpoints);
  free(self);
}

static const void *at(tessera_column column, uint64_t index) {
  return (const char *)column.data + index * column.stride;
}

static double length(double given) { return given > 0 ? fmin(given, 1e12) : 0; }

static double extent_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

static uint32_t columns_of(const tessera_input *in) {
  const double gap = in->parameters[GAP].number;
  const double fitting = floor((extent_of(in) + gap) / (in->parameters[COLUMN_WIDTH].number + gap));
  return fitting < 1 ? 1 : fitting > MOST_COLUMNS ? MOST_COLUMNS : (uint32_t)fitting;
}

static bool push_checkpoint(tessera_layout *self, const double *bottoms) {
  if (self->used == self->room) {
    const size_t room = self->room ? 2 * self->room : 16;
    double *const grown = realloc(self->checkpoints, room * MOST_COLUMNS * sizeof *grown);
    if (!grown) return false;
    self->checkpoints = grown;
    self->room = room;
  }
  memcpy(&self->checkpoints[self->used * self->columns], bottoms, self->columns * sizeof *bottoms);
  self->used++;
  return true;
}

// How many of the first items of a section are as they were.
static uint64_t same_items(const tessera_layout *self, const tessera_input *in, uint32_t section, double body,
                           uint64_t kept) {
  const tessera_change change = in->change;
  if (section >= self->block_count || self->blocks[section].body != body) return 0;
  if (change.what & (TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) {
    if (section > change.first_section) return 0;
    if (section == change.first_section && kept > change.first_item) kept = change.first_item;
  }
  return kept < self->blocks[section].count ? kept : self->blocks[section].count;
}

static double highest(const double *bottoms, uint32_t first, uint32_t count) {
  double bottom = bottoms[first];
  for (uint32_t c = first + 1; c < first + count; c++) bottom = fmax(bottom, bottoms[c]);
  return bottom;
}

// Places the items of a section from `item` on.
static tessera_status fill(tessera_layout *self, const tessera_input *in, const tessera_rows *rows,
                           uint64_t start, uint64_t item, double *bottoms) {
  const uint32_t columns = self->columns;
  const double gap = in->parameters[GAP].number;
  const double width = fmax(0, (self->extent - gap * (columns - 1)) / columns);
  const uint64_t all = in->section_starts[in->section_count];
  int64_t *const column_of = rows->attributes[0];
  for (; item < rows->count; item++) {
    if (item % STEP == 0 && !push_checkpoint(self, bottoms)) return no_memory(self->host);
    const int64_t wished = *(const int64_t *)at(in->values[OWN_SPAN], start + item);
    const uint32_t span = wished < 1 ? 1 : wished > columns ? columns : (uint32_t)wished;
    const double height = length(*(const double *)at(in->values[OWN_HEIGHT], start + item));
    uint32_t best = 0;
    double top = highest(bottoms, 0, span);
    for (uint32_t c = 1; c + span <= columns; c++) {
      const double y = highest(bottoms, c, span);
      if (y < top) {
        top = y;
        best = c;
      }
    }
    rows->frame[item] = (tessera_rect){best * (width + gap), top, span * width + (span - 1) * gap, height};
    column_of[item] = best;
    for (uint32_t c = best; c < best + span; c++) bottoms[c] = top + height + gap;
    if ((start + item) % 2048 == 2047 &&
        !self->host->progress(self->host, (double)(start + item) / (double)all))
      return TESSERA_ERROR_CANCELLED;
  }
  return TESSERA_OK;
}

static tessera_status add_header(const tessera_input *in, uint32_t section, double y, double height,
                                 tessera_output *out) {
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = 0, .section = section, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status == TESSERA_OK) rows->frame[0] = (tessera_rect){0, y, extent_of(in), height};
  return status;
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  const double extent = extent_of(in), gap = in->parameters[GAP].number;
  const uint32_t columns = columns_of(in);
  bool reuses = self->prepared && self->extent == extent && self->columns == columns &&
                !(in->change.what & (TESSERA_CHANGED_ALL | TESSERA_CHANGED_PARAMETERS));
  self->prepared = false;
  self->extent = extent;
  self->columns = columns;
  if (in->section_count > self->block_room) {
    block *const grown = realloc(self->blocks, in->section_count * sizeof *grown);
    if (!grown) return no_memory(self->host);
    self->blocks = grown;
    self->block_room = in->section_count;
  }

  double y = 0, end = 0;
  size_t first = 0; // checkpoint of the section
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section];
    const double header = length(*(const double *)at(in->values[OWN_HEADER], section));
    if (header > 0) {
      const tessera_status status = add_header(in, section, y, header, out);
      if (status != TESSERA_OK) return status;
      end = y + header;
      y = end + gap;
    }
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section,
                             .count = in->section_starts[section + 1] - start};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.count == 0) rows = NULL;

    const block old = reuses && section < self->block_count ? self->blocks[section] : (block){0};
    const uint64_t same = reuses && rows ? same_items(self, in, section, y, rows->kept) : 0;
    block *const now = &self->blocks[section];
    if (rows && same == run.count && same == old.count) {
      status = out->leave(out, rows, same);
      if (status != TESSERA_OK) return status;
    } else {
      // The last checkpoint that exists and has nothing new before it.
      uint64_t from = same / STEP;
      if (from > 0 && from * STEP >= old.count) from--;
      double bottoms[MOST_COLUMNS];
      if (from > 0 || same > 0) {
        memcpy(bottoms, &self->checkpoints[(first + from) * columns], columns * sizeof *bottoms);
      } else {
        for (uint32_t c = 0; c < columns; c++) bottoms[c] = y;
      }
      self->used = first + from;
      if (from > 0) status = out->leave(out, rows, from * STEP);
      if (status == TESSERA_OK && rows) status = fill(self, in, rows, start, from * STEP, bottoms);
      if (status != TESSERA_OK) return status;
      *now = (block){.body = y, .end = rows ? highest(bottoms, 0, columns) - gap : end,
                     .count = run.count, .first = first};
      // An empty section moves nothing if it was empty before, too.
      if (rows || old.count > 0) reuses = false;
    }
    first += (run.count + STEP - 1) / STEP;
    if (rows) {
      end = fmax(end, now->end);
      y = end + gap;
    }
  }
  self->used = first;
  self->block_count = in->section_count;
  self->prepared = true;
  out->set_content_size(out, (tessera_size){extent, end});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  return self->extent == extent_of(in);
}

static const tessera_engine engine = {
  .struct_size = sizeof engine,
  .traits = TESSERA_TRAIT_INCREMENTAL | TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
  .id = "org.example.mosaic", .name = "Mosaic", .version = "1.0.0", .author = "T. Ile", .license = "MIT",
  .summary = "Columns in which items may span several.",
  .parameter_count = N_PARAMETERS, .parameter_size = sizeof *parameters, .parameters = parameters,
  .value_count = N_VALUES, .value_size = sizeof *values, .values = values,
  .attribute_count = 1, .attribute_size = sizeof *attributes, .attributes = attributes,
  .kind_count = 1, .kind_size = sizeof *kinds, .kinds = kinds,
  .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
