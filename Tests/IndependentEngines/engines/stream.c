// Items of their own sizes in lines, like words. After a change only what comes after it is laid out
// again. Items that are new drop in, items that go shrink away.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ITEM_SIZE, SPACING, INSET, ALIGN, PARAM_COUNT };
enum { SIZE, OWN_INSET, VALUE_COUNT };

static const char *const alignments[] = {"leading", "center", "trailing"};

static const tessera_parameter params[] = {
    {.name = "itemSize", .help = "Size of an item without one.", .unit = "pt",
     .type = TESSERA_TYPE_SIZE, .initial.size = {70, 40}, .minimum.size = {0, 0},
     .maximum.size = {20000, 20000}},
    {.name = "spacing", .help = "Space between items of a line, and between lines.", .unit = "pt",
     .type = TESSERA_TYPE_SIZE, .initial.size = {6, 9}, .minimum.size = {0, 0},
     .maximum.size = {1000, 1000}},
    {.name = "inset", .help = "Space around the items of a section.", .unit = "pt",
     .type = TESSERA_TYPE_INSETS, .initial.insets = {8, 8, 8, 8}, .minimum.insets = {0, 0, 0, 0},
     .maximum.insets = {2000, 2000, 2000, 2000}},
    {.name = "alignment", .help = "Where the items of a line are.", .type = TESSERA_TYPE_ENUM,
     .choices = alignments, .choice_count = 3},
};

static const tessera_value_declaration values[] = {
    {.name = "size", .help = "Size of the item.", .fallback = "itemSize", .type = TESSERA_TYPE_SIZE,
     .scope = TESSERA_SCOPE_ITEM},
    {.name = "inset", .help = "Space around the items of the section.", .fallback = "inset",
     .type = TESSERA_TYPE_INSETS, .scope = TESSERA_SCOPE_SECTION},
};

typedef struct { uint64_t first; double y, right, bottom; } line;
typedef struct { size_t first_line; double top, end; uint64_t count; } block;

// What was laid out: lines, and which of them are whose.
typedef struct {
  line *lines;
  size_t line_count, line_room;
  block *blocks;
  size_t block_count, block_room;
} record;

struct tessera_layout {
  const tessera_host *host;
  record now, before;
  int is_prepared;
  double width;
  tessera_update *batch;
  uint64_t batch_count;
};

static tessera_status create(const tessera_engine *engine, const tessera_host *host,
                             tessera_layout **layout) {
  (void)engine;
  *layout = calloc(1, sizeof **layout);
  if (!*layout) return TESSERA_ERROR_FAILED;
  (*layout)->host = host;
  return TESSERA_OK;
}

static void forget_batch(tessera_layout *self) {
  free(self->batch);
  self->batch = NULL;
  self->batch_count = 0;
}

static void destroy(tessera_layout *self) {
  if (!self) return;
  free(self->now.lines);
  free(self->now.blocks);
  free(self->before.lines);
  free(self->before.blocks);
  forget_batch(self);
  free(self);
}

static tessera_status out_of_memory(tessera_layout *self) {
  self->host->report(self->host, TESSERA_ERROR_FAILED, "there is not enough memory; free some");
  return TESSERA_ERROR_FAILED;
}

static int push_line(record *r, line added) {
  if (r->line_count == r->line_room) {
    size_t room = r->line_room ? r->line_room * 2 : 16;
    line *grown = realloc(r->lines, room * sizeof *grown);
    if (!grown) return 0;
    r->lines = grown;
    r->line_room = room;
  }
  r->lines[r->line_count++] = added;
  return 1;
}

static int push_block(record *r, block added) {
  if (r->block_count == r->block_room) {
    size_t room = r->block_room ? r->block_room * 2 : 4;
    block *grown = realloc(r->blocks, room * sizeof *grown);
    if (!grown) return 0;
    r->blocks = grown;
    r->block_room = room;
  }
  r->blocks[r->block_count++] = added;
  return 1;
}

static double width_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

static tessera_size size_at(const tessera_input *in, uint64_t item) {
  tessera_column c = in->values[SIZE];
  tessera_size size = *(const tessera_size *)((const char *)c.data + c.stride * item);
  return (tessera_size){fmax(0, size.width), fmax(0, size.height)};
}

static tessera_insets inset_at(const tessera_input *in, uint32_t section) {
  tessera_column c = in->values[OWN_INSET];
  tessera_insets i = *(const tessera_insets *)((const char *)c.data + c.stride * section);
  return (tessera_insets){fmax(0, i.top), fmax(0, i.left), fmax(0, i.bottom), fmax(0, i.right)};
}

// How many of a section's items are where they were and as they were.
static uint64_t steady(const tessera_layout *self, const tessera_input *in, uint32_t section,
                       uint64_t kept) {
  const tessera_change change = in->change;
  if (self->width != width_of(in)) return 0;
  if (change.what & (TESSERA_CHANGED_ALL | TESSERA_CHANGED_PARAMETERS)) return 0;
  if (section > change.first_section || section >= self->before.block_count) return 0;
  if (section == change.first_section && kept > change.first_item) kept = change.first_item;
  if (kept > self->before.blocks[section].count) kept = self->before.blocks[section].count;
  return kept;
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  const tessera_size spacing = in->parameters[SPACING].size;
  const int alignment = in->parameters[ALIGN].choice;
  const double width = width_of(in);

  const record swapped = self->before;
  self->before = self->now;
  self->now = swapped;
  self->now.line_count = self->now.block_count = 0;
  if (!self->is_prepared) self->before.line_count = self->before.block_count = 0;
  self->is_prepared = 0;

  double y = 0, widest = width;
  const uint64_t all = in->section_starts[in->section_count];
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section];
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL,
                             .section = section,
                             .count = in->section_starts[section + 1] - start};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;

    const tessera_insets inset = inset_at(in, section);
    const double room = fmax(0, width - inset.left - inset.right);
    block b = {.first_line = self->now.line_count, .top = y, .count = run.count};
    y += inset.top;

    // Lines before the one with the first change stay; that one may take in what comes after it.
    uint64_t item = 0;
    const uint64_t same = run.count > 0 ? steady(self, in, section, rows->kept) : 0;
    if (same > 0) {
      const block old = self->before.blocks[section];
      const size_t end = section + 1u < self->before.block_count
                             ? self->before.blocks[section + 1].first_line
                             : self->before.line_count;
      const int is_whole = same == run.count && same == old.count;
      for (size_t at = old.first_line; at < end && old.top == b.top; at++) {
        const uint64_t next = at + 1 < end ? self->before.lines[at + 1].first : old.count;
        if (next >= same && !(is_whole && next == same)) break;
        const line l = self->before.lines[at];
        if (!push_line(&self->now, l)) return out_of_memory(self);
        item = next;
        y = l.bottom + spacing.height;
        widest = fmax(widest, l.right + inset.right);
      }
    }

    while (item < run.count) {
      line l = {.first = item, .y = y, .bottom = y};
      double x = 0;
      uint64_t last = item;
      for (; last < run.count; last++) {
        const tessera_size size = size_at(in, start + last);
        if (last > item && x + spacing.width + size.width > room + 1e-9) break;
        if (last > item) x += spacing.width;
        x += size.width;
        l.bottom = fmax(l.bottom, y + size.height);
      }
      const double spare = fmax(0, room - x);
      x = inset.left + (alignment == 1 ? spare / 2 : alignment == 2 ? spare : 0);
      for (; item < last; item++) {
        const tessera_size size = size_at(in, start + item);
        rows->frame[item] = (tessera_rect){x, l.bottom - size.height, size.width, size.height};
        l.right = x + size.width;
        x += size.width + spacing.width;
        if ((start + item) % 4096 == 4095 &&
            !self->host->progress(self->host, (double)(start + item) / (double)all))
          return TESSERA_ERROR_CANCELLED;
      }
      if (!push_line(&self->now, l)) return out_of_memory(self);
      widest = fmax(widest, l.right + inset.right);
      y = l.bottom + spacing.height;
    }
    if (run.count > 0) y -= spacing.height;
    y += inset.bottom;
    b.end = y;
    if (!push_block(&self->now, b)) return out_of_memory(self);
  }
  self->width = width;
  self->is_prepared = 1;
  out->set_content_size(out, (tessera_size){widest, y});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  return self->width == width_of(in);
}

// ---- updates

static tessera_status begin(tessera_layout *self, const tessera_input *in,
                            const tessera_update *updates, uint64_t count) {
  (void)in;
  tessera_update *copy = NULL;
  if (count > 0) {
    copy = malloc(count * sizeof *copy);
    if (!copy) return out_of_memory(self);
    memcpy(copy, updates, count * sizeof *copy);
  }
  forget_batch(self);
  self->batch = copy;
  self->batch_count = count;
  return TESSERA_OK;
}

static int is_inserted(const tessera_layout *self, uint32_t section, uint64_t item) {
  for (uint64_t i = 0; i < self->batch_count; i++) {
    const tessera_update *u = &self->batch[i];
    if (u->operation == TESSERA_OPERATION_INSERT_ITEM && u->to_section == section && u->to_item == item)
      return 1;
    if (u->operation == TESSERA_OPERATION_INSERT_SECTION && u->to_section == section) return 1;
  }
  return 0;
}

static tessera_status each_frame(tessera_layout *self, tessera_output *out, int appears) {
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t row = 0; row < run.count; row++) {
      tessera_rect *frame = &rows->frame[row];
      if (!appears) {
        *frame = (tessera_rect){frame->x + frame->width / 2, frame->y + frame->height / 2, 0, 0};
      } else if (is_inserted(self, run.section, run.first_item + row)) {
        frame->y -= frame->height;
      }
    }
  }
  return TESSERA_OK;
}

static tessera_status appear(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  (void)in;
  return each_frame(self, out, 1);
}

static tessera_status disappear(tessera_layout *self, const tessera_input *in,
                                tessera_output *out) {
  (void)in;
  return each_frame(self, out, 0);
}

static void end(tessera_layout *self) { forget_batch(self); }

static const tessera_updates updates_table = {
    .struct_size = sizeof updates_table, .begin = begin, .initial_attributes = appear,
    .final_attributes = disappear, .end = end};

static const void *extension(const tessera_engine *engine, const char *id) {
  (void)engine;
  return strcmp(id, TESSERA_EXT_UPDATES) == 0 ? &updates_table : NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof engine,
    .traits = TESSERA_TRAIT_INCREMENTAL | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .id = "net.example.stream",
    .name = "Stream",
    .version = "1.0.0",
    .author = "R. Iver",
    .license = "MIT",
    .summary = "Items of their own sizes in lines, like words.",
    .parameter_count = PARAM_COUNT, .parameter_size = sizeof *params, .parameters = params,
    .value_count = VALUE_COUNT, .value_size = sizeof *values, .values = values,
    .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid,
    .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
