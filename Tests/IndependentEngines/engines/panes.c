// panes.c: a tree of panes divides a page; items go into the leaves in turn, page after page.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { PAGE_HEIGHT, GUTTER, PAGE_GAP, SHOWS_FRAMES, PARAMETER_COUNT };
enum { PARENT, AXIS, WEIGHT, MARGIN, COLUMN_COUNT };
enum { ROW, STACK };
enum { FRAME_KIND };
enum { PANE, ATTRIBUTE_COUNT };

static const char *const axes[] = {"row", "stack"};

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [PAGE_HEIGHT] = {.name = "pageHeight", .help = "Height of a page; 0: that of the bounds.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 0, .maximum.number = 100000},
    [GUTTER] = {.name = "gutter", .help = "Space between the children of a pane.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 6, .maximum.number = 1000},
    [PAGE_GAP] = {.name = "pageGap", .help = "Space between pages.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                  .initial.number = 10, .maximum.number = 1000},
    [SHOWS_FRAMES] = {.name = "showsFrames", .help = "Whether every page has a background.", .type = TESSERA_TYPE_BOOL,
                      .initial.boolean = 1}};

static const tessera_parameter columns[COLUMN_COUNT] = {
    [PARENT] = {.name = "parent", .help = "The place of the pane around it; -1: the page.", .type = TESSERA_TYPE_INT,
                .initial.integer = -1, .minimum.integer = -1, .maximum.integer = INT64_MAX},
    [AXIS] = {.name = "axis", .help = "How the pane's children lie.", .type = TESSERA_TYPE_ENUM, .choices = axes,
              .choice_count = 2},
    [WEIGHT] = {.name = "weight", .help = "The share of the room that the pane gets.", .type = TESSERA_TYPE_NUMBER,
                .initial.number = 1, .maximum.number = 1000000},
    [MARGIN] = {.name = "margin", .help = "Room within the pane.", .unit = "pt", .type = TESSERA_TYPE_INSETS,
                .maximum.insets = {1000, 1000, 1000, 1000}}};

static const tessera_list_declaration lists[] = {
    {.name = "panes", .help = "The panes of a page; none: one that fills it.", .column_count = COLUMN_COUNT,
     .column_size = sizeof(tessera_parameter), .columns = columns}};

static const tessera_attribute attributes[ATTRIBUTE_COUNT] = {
    [PANE] = {.name = "pane", .help = "The pane that an item lies in.", .type = TESSERA_TYPE_INT,
              .interpolation = TESSERA_INTERPOLATION_NONE, .initial.integer = -1}};

static const tessera_kind kinds[] = {
    {.name = "page", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

typedef struct {
  tessera_rect frame;
  uint64_t record;
} leaf;

struct tessera_layout {
  const tessera_host *host;
  leaf *leaves; // of the last prepare, relative to the page
  uint64_t leaf_count;
  double page, gap; // height of a page and the space below it
  uint64_t *first_pages; // [sections + 1]
  uint32_t sections;
};

static const void *at(tessera_column column, uint64_t index) { return (const char *)column.data + index * column.stride; }

static tessera_status refuse(const tessera_input *in, const char *format, uint64_t record, int64_t other) {
  char text[160];
  snprintf(text, sizeof text, format, (unsigned long long)record, (long long)other);
  in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, text);
  return TESSERA_ERROR_INVALID_VALUE;
}

// The children of record r are order[starts[r + 1] ..< starts[r + 2]]; those of the page are at starts[0].
typedef struct {
  uint64_t *starts, *order, *queue;
  tessera_rect *frames;
} tree;

static void drop(tree *t) {
  free(t->starts);
  free(t->order);
  free(t->queue);
  free(t->frames);
}

static void divide(const tree *t, const tessera_list *list, tessera_rect room, int32_t axis, uint64_t first, uint64_t end,
                   double gutter) {
  double weights = 0;
  for (uint64_t i = first; i < end; i++) weights += *(const double *)at(list->columns[WEIGHT], t->order[i]);
  const double length = axis == ROW ? room.width : room.height;
  const double rest = fmax(0, length - (double)(end - first - 1) * gutter);
  gutter = end - first > 1 ? fmin(gutter, length / (double)(end - first - 1)) : gutter;
  double place = 0, sum = 0;
  for (uint64_t i = first; i < end; i++) {
    const uint64_t record = t->order[i];
    const double weight = *(const double *)at(list->columns[WEIGHT], record);
    const double from = weights > 0 ? rest * (sum / weights) : rest * ((double)(i - first) / (double)(end - first));
    sum += weight;
    const double to = weights > 0 ? rest * (sum / weights) : rest * ((double)(i - first + 1) / (double)(end - first));
    place = from + (double)(i - first) * gutter;
    t->frames[record] = axis == ROW ? (tessera_rect){room.x + place, room.y, to - from, room.height}
                                    : (tessera_rect){room.x, room.y + place, room.width, to - from};
    const tessera_insets m = *(const tessera_insets *)at(list->columns[MARGIN], record);
    tessera_rect *f = &t->frames[record];
    const double left = fmin(m.left, f->width), top = fmin(m.top, f->height);
    f->x += left, f->y += top;
    f->width = fmax(0, f->width - left - m.right);
    f->height = fmax(0, f->height - top - m.bottom);
  }
}

static tessera_status plan(tessera_layout *layout, const tessera_input *in, tessera_size page) {
  const tessera_list *list = &in->lists[0];
  const uint64_t count = list->count;
  leaf *leaves = malloc((count ? count : 1) * sizeof *leaves);
  if (!leaves) return TESSERA_ERROR_NO_SPACE;
  free(layout->leaves);
  layout->leaves = leaves;
  layout->leaf_count = 0;
  if (count == 0) {
    leaves[layout->leaf_count++] = (leaf){{0, 0, page.width, page.height}, UINT64_MAX};
    return TESSERA_OK;
  }
  tree t = {calloc(count + 3, sizeof(uint64_t)), malloc(count * sizeof(uint64_t)), malloc(count * sizeof(uint64_t)),
            malloc(count * sizeof(tessera_rect))};
  tessera_status status = TESSERA_ERROR_NO_SPACE;
  if (!t.starts || !t.order || !t.queue || !t.frames) goto end;
  for (uint64_t r = 0; r < count; r++) {
    const int64_t parent = *(const int64_t *)at(list->columns[PARENT], r);
    if (parent < -1 || parent >= (int64_t)count) {
      status = refuse(in, "pane %llu has the parent %lld, which is no pane; use the place of one, or -1", r, parent);
      goto end;
    }
    t.starts[parent + 3]++;
  }
  for (uint64_t i = 2; i < count + 3; i++) t.starts[i] += t.starts[i - 1];
  for (uint64_t r = 0; r < count; r++) t.order[t.starts[*(const int64_t *)at(list->columns[PARENT], r) + 2]++] = r;

  uint64_t head = 0, tail = 0;
  for (uint64_t i = t.starts[0]; i < t.starts[1]; i++) t.queue[tail++] = t.order[i];
  if (tail) divide(&t, list, (tessera_rect){0, 0, page.width, page.height}, STACK, t.starts[0], t.starts[1], in->parameters[GUTTER].number);
  while (head < tail) {
    const uint64_t r = t.queue[head++], first = t.starts[r + 1], end = t.starts[r + 2];
    if (first == end) continue;
    divide(&t, list, t.frames[r], *(const int32_t *)at(list->columns[AXIS], r), first, end, in->parameters[GUTTER].number);
    for (uint64_t i = first; i < end; i++) t.queue[tail++] = t.order[i];
  }
  if (tail < count) {
    status = refuse(in, "of %llu panes, %lld are in no page: a pane is its own ancestor; end the circle with a parent of -1",
                    count, (int64_t)(count - tail));
    goto end;
  }
  for (uint64_t r = 0; r < count; r++)
    if (t.starts[r + 1] == t.starts[r + 2]) leaves[layout->leaf_count++] = (leaf){t.frames[r], r};
  status = TESSERA_OK;
end:
  drop(&t);
  return status;
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
  free(layout->leaves);
  free(layout->first_pages);
  free(layout);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_insets insets = in->content_insets;
  const double width = fmax(0, in->viewport.width - insets.left - insets.right);
  const double bounds = fmax(0, in->viewport.height - insets.top - insets.bottom);
  const double given = in->parameters[PAGE_HEIGHT].number, gap = in->parameters[PAGE_GAP].number;
  const tessera_size page = {width, given > 0 ? given : bounds};
  layout->sections = 0;
  tessera_status status = plan(layout, in, page);
  if (status != TESSERA_OK) return status;
  uint64_t *pages = realloc(layout->first_pages, ((uint64_t)in->section_count + 1) * sizeof *pages);
  if (!pages) return TESSERA_ERROR_NO_SPACE;
  layout->first_pages = pages;
  layout->page = page.height;
  layout->gap = gap;
  const uint64_t leaves = layout->leaf_count, total = in->section_starts[in->section_count];
  uint64_t number = 0, done = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
    const uint64_t used = count / leaves + (count % leaves != 0);
    pages[section] = number;
    if (count == 0) continue;
    tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    const tessera_rows *rows = 0;
    status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    int64_t *pane = rows->attributes[PANE];
    for (uint64_t item = 0; item < count; item++) {
      const leaf *place = &layout->leaves[item % leaves];
      tessera_rect frame = place->frame;
      frame.y += (double)(number + item / leaves) * (page.height + gap);
      rows->frame[item] = frame;
      pane[item] = (int64_t)place->record;
      if ((++done & 8191) == 0 && !in->host->progress(in->host, (double)done / (double)total)) return TESSERA_ERROR_CANCELLED;
    }
    if (in->parameters[SHOWS_FRAMES].boolean) {
      run = (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .kind = FRAME_KIND, .section = section, .count = used};
      status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      for (uint64_t i = 0; i < used; i++) {
        rows->frame[i] = (tessera_rect){0, (double)(number + i) * (page.height + gap), page.width, page.height};
        rows->z_index[i] = -1;
      }
    }
    number += used;
  }
  pages[in->section_count] = number;
  layout->sections = in->section_count;
  const double height = number ? (double)number * page.height + (double)(number - 1) * gap : 0;
  out->set_content_size(out, (tessera_size){width, height});
  return TESSERA_OK;
}

static double distance(tessera_rect r, tessera_point p) {
  const double dx = fmax(0, fmax(r.x - p.x, p.x - r.x - r.width)), dy = fmax(0, fmax(r.y - p.y, p.y - r.y - r.height));
  return hypot(dx, dy);
}

// The item whose pane is nearest on the page at the point.
static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item,
                             tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  (void)item;
  const uint64_t pages = layout->first_pages[layout->sections];
  if (pages == 0) return TESSERA_OK;
  const double pitch = layout->page + layout->gap;
  const double number = pitch > 0 ? fmin(fmax(0, floor(point.y / pitch)), (double)(pages - 1)) : 0;
  uint32_t low = 0, high = layout->sections;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if ((double)layout->first_pages[middle] <= number) low = middle;
    else high = middle;
  }
  while (low > 0 && layout->first_pages[low] == layout->first_pages[low + 1]) low--;
  point.y -= number * pitch;
  uint64_t best = 0;
  for (uint64_t i = 1; i < layout->leaf_count; i++)
    if (distance(layout->leaves[i].frame, point) < distance(layout->leaves[best].frame, point)) best = i;
  uint64_t place = ((uint64_t)number - layout->first_pages[low]) * layout->leaf_count + best;
  const uint64_t count = in->section_starts[low + 1] - in->section_starts[low];
  const uint64_t limit = low == section ? count - 1 : count;
  *target_section = low;
  *target_item = place < limit ? place : limit;
  return TESSERA_OK;
}

static tessera_rect pane_frame(tessera_layout *layout, uint32_t section, uint64_t item) {
  if (section >= layout->sections) {
    layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no such section; ask for one of the data");
    return (tessera_rect){0, 0, 0, 0};
  }
  tessera_rect frame = layout->leaves[item % layout->leaf_count].frame;
  frame.y += (double)(layout->first_pages[section] + item / layout->leaf_count) * (layout->page + layout->gap);
  return frame;
}

static const tessera_reordering reordering = {.struct_size = sizeof(tessera_reordering), .target = target};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_REORDERING) == 0 ? &reordering : 0;
}

static const tessera_function_declaration functions[] = {
    {.name = "place", .signature = "rect(u32,u64)", .help = "The frame of an item of a section, also after the last one.",
     .published = (void (*)(void))pane_frame}};

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.panes", .name = "Panes", .version = "1.0.0",
    .author = "An author", .license = "MIT", .summary = "A tree of panes divides pages.",
    .traits = TESSERA_TRAIT_MIRRORS, .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .lists = lists, .list_count = 1, .list_size = sizeof(tessera_list_declaration),
    .functions = functions, .function_count = 1, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTE_COUNT, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
