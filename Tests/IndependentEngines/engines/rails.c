// rails.c: sections are rails that scroll sideways by themselves; cells that are out of sight wait in piles at both ends.
// Cells and titles can be measured. Handles right-to-left itself, on whole pixels.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { ITEM_SIZE, ESTIMATE, SPACING, RAIL_SPACING, TITLE, PARAMETERS };
enum { SIZE, TITLE_HEIGHT, SCROLLED, VALUES };
enum { PILE_NONE, PILE_BEFORE, PILE_AFTER };

static const tessera_parameter parameters[PARAMETERS] = {
    [ITEM_SIZE] = {.name = "itemSize", .help = "Size of cells without their own size.", .unit = "pt", .type = TESSERA_TYPE_SIZE, .initial.size = {120, 80}, .maximum.size = {10000, 10000}},
    [ESTIMATE] = {.name = "estimatedSize", .help = "Size of a cell until it is measured; 0x0 turns measuring off.", .unit = "pt", .type = TESSERA_TYPE_SIZE, .maximum.size = {10000, 10000}},
    [SPACING] = {.name = "spacing", .help = "Space between the cells of a rail.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .maximum.number = 1000},
    [RAIL_SPACING] = {.name = "railSpacing", .help = "Space between rails.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 12, .maximum.number = 1000},
    [TITLE] = {.name = "titleHeight", .help = "Height of titles; 0: none.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .maximum.number = 10000}};
static const tessera_value_declaration values[VALUES] = {
    [SIZE] = {.name = "size", .help = "The cell's own size.", .fallback = "itemSize", .type = TESSERA_TYPE_SIZE, .scope = TESSERA_SCOPE_ITEM},
    [TITLE_HEIGHT] = {.name = "titleHeight", .help = "Height of the section's title.", .fallback = "titleHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [SCROLLED] = {.name = "scrolled", .help = "How far the rail is scrolled.", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION, .flags = TESSERA_FLAG_IN_ADJUST}};
static const char *const piles[] = {"none", "before", "after"};
static const tessera_attribute attributes[] = {
    {.name = "pile", .help = "The pile in which the cell waits.", .choices = piles, .choice_count = 3, .type = TESSERA_TYPE_ENUM, .interpolation = TESSERA_INTERPOLATION_STEP}};
static const tessera_kind kinds[] = {{.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER}};

typedef struct rail {
  double top, title, end; // of the section; end without the space below
  double widest, limit;   // of its cells; how far it can be scrolled
} rail;
struct tessera_layout {
  const tessera_host *host;
  rail *rails;
  double *places; // of item i of section s at [section_starts[s] + s + i]: where it would be if nothing were scrolled; then the end
  uint32_t section_count;
  uint32_t right_to_left;
  double extent, scale;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void clear(tessera_layout *l) {
  free(l->rails);
  free(l->places);
  l->rails = 0;
  l->places = 0;
  l->section_count = 0;
}

static void destroy(tessera_layout *l) {
  clear(l);
  free(l);
}

static tessera_status refuse(const tessera_layout *l, tessera_status status, const char *why) {
  l->host->report(l->host, status, why);
  return status;
}

static const void *at(tessera_column column, uint64_t index) { return (const char *)column.data + index * column.stride; }
static double number(tessera_column column, uint64_t index) { return *(const double *)at(column, index); }
static double extent_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}
static double on_pixel(double x, double scale) { return floor(fmax(0, x) * scale) / scale; }

// Places one cell whose size and y are known.
static void put(const tessera_layout *l, double place, double scrolled, const tessera_rows *rows, uint64_t row) {
  tessera_rect *frame = &rows->frame[row];
  const double last = l->extent - frame->width, wanted = place - scrolled, x = fmin(last, fmax(0, wanted));
  frame->x = on_pixel(l->right_to_left ? l->extent - x - frame->width : x, l->scale);
  const int32_t pile = wanted < 0 ? PILE_BEFORE : wanted > last ? PILE_AFTER : PILE_NONE;
  ((int32_t *)rows->attributes[0])[row] = pile;
  rows->z_index[row] = pile == PILE_NONE ? 0 : -1;
}

static tessera_status prepare(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  clear(l);
  l->extent = extent_of(in);
  l->scale = in->scale;
  l->right_to_left = in->right_to_left;
  const uint64_t items = in->section_starts[in->section_count];
  l->rails = malloc(((uint64_t)in->section_count + 1) * sizeof *l->rails);
  l->places = items < UINT64_C(1) << 50 ? malloc((items + in->section_count + 1) * sizeof *l->places) : 0;
  if (!l->rails || !l->places) return refuse(l, TESSERA_ERROR_NO_SPACE, "there is no memory for the rails; use fewer items");
  const double spacing = in->parameters[SPACING].number;
  double y = 0, end = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    rail *r = &l->rails[section];
    *r = (rail){.top = y, .title = fmax(0, number(in->values[TITLE_HEIGHT], section))};
    const tessera_rows *rows = 0;
    if (r->title > 0) {
      const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = section, .count = 1};
      const tessera_status status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      rows->frame[0] = (tessera_rect){0, on_pixel(y, l->scale), l->extent, r->title};
      rows->z_index[0] = 1;
    }
    const uint64_t start = in->section_starts[section];
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = in->section_starts[section + 1] - start};
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    double x = 0, height = 0, *places = &l->places[start + section];
    for (uint64_t item = 0; item < run.count; item++) {
      const tessera_size *size = at(in->values[SIZE], start + item);
      const double width = fmin(l->extent, fmax(0, size->width));
      places[item] = x;
      rows->frame[item] = (tessera_rect){0, on_pixel(y + r->title, l->scale), width, fmax(0, size->height)};
      put(l, x, 0, rows, item);
      x += width + spacing;
      height = fmax(height, size->height);
      r->widest = fmax(r->widest, width);
      if (item % 65536 == 65535 && !in->host->progress(in->host, (double)(start + item) / (double)items)) return TESSERA_ERROR_CANCELLED;
    }
    places[run.count] = x;
    r->limit = fmax(0, x - spacing - l->extent);
    end = r->end = y + r->title + height;
    y = end + in->parameters[RAIL_SPACING].number;
  }
  if (!isfinite(y * l->scale)) return refuse(l, TESSERA_ERROR_INVALID_VALUE, "the rails are too high for a finite content; make size or titleHeight smaller");
  l->section_count = in->section_count;
  out->set_content_size(out, (tessera_size){l->extent, end});
  return TESSERA_OK;
}

static double scrolled(const tessera_layout *l, const tessera_input *in, uint32_t section) {
  return fmin(l->rails[section].limit, fmax(0, number(in->values[SCROLLED], section)));
}

// The first of `count` places that is not below a limit.
static uint64_t first_at(const double *places, uint64_t count, double limit) {
  uint64_t low = 0, high = count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (places[middle] >= limit) high = middle; else low = middle + 1;
  }
  return low;
}

// The first section that ends at y or below.
static uint32_t section_at(const tessera_layout *l, double y) {
  uint32_t low = 0, high = l->section_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->rails[middle].end >= y) high = middle; else low = middle + 1;
  }
  return low;
}

static tessera_status adjust(tessera_layout *l, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    const double by = scrolled(l, in, run.section);
    const double *places = &l->places[in->section_starts[run.section] + run.section + run.first_item];
    for (uint64_t row = 0; by > 0 && row < run.count; row++) put(l, places[row], by, rows, row);
  }
  const double slack = 1 + 1 / l->scale;
  const double left = (l->right_to_left ? l->extent - rect.x - rect.width : rect.x) - slack;
  const double right = (l->right_to_left ? l->extent - rect.x : rect.x + rect.width) + slack;
  for (uint32_t s = section_at(l, rect.y); s < l->section_count && on_pixel(l->rails[s].top, l->scale) < rect.y + rect.height; s++) {
    const rail *r = &l->rails[s];
    const uint64_t start = in->section_starts[s], count = in->section_starts[s + 1] - start;
    const double by = scrolled(l, in, s), *places = &l->places[start + s];
    if (by == 0) continue;
    const uint64_t first = left < r->widest ? 0 : first_at(places, count, by + left - r->widest);
    const uint64_t last = right > l->extent - r->widest ? count : first_at(places, count, by + right);
    for (uint64_t item = first; item < last; item++) {
      const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = s, .first_item = item, .count = 1};
      const tessera_rows *rows = 0;
      const tessera_status status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      put(l, places[item], by, rows, 0);
    }
  }
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *l, const tessera_input *in) {
  return extent_of(in) == l->extent && in->scale == l->scale && in->right_to_left == l->right_to_left;
}

static tessera_status estimates(tessera_layout *l, const tessera_input *in, const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)l;
  const tessera_size size = in->parameters[ESTIMATE].size;
  const int on = size.width > 0 || size.height > 0;
  *count = on;
  if (on) sizes[0] = run->category == TESSERA_CATEGORY_CELL ? size : (tessera_size){extent_of(in), in->parameters[TITLE].number};
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *l, const tessera_input *in, const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)l;
  (void)run;
  sizes[0] = (tessera_size){extent_of(in), 0};
  *count = 1;
  return TESSERA_OK;
}

// The rail at the point, before the first cell whose middle lies behind it.
static tessera_status target(tessera_layout *l, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  uint32_t s = section_at(l, point.y);
  if (s == l->section_count) s--;
  const uint64_t count = in->section_starts[s + 1] - in->section_starts[s];
  const double *places = &l->places[in->section_starts[s] + s];
  const double x = (l->right_to_left ? l->extent - point.x : point.x) + scrolled(l, in, s);
  uint64_t low = 0, high = count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if ((places[middle] + places[middle + 1]) / 2 >= x) high = middle; else low = middle + 1;
  }
  *target_section = s;
  *target_item = s == section && item < low ? low - 1 : low;
  return TESSERA_OK;
}

static double scroll_limit(void *context, uint32_t section) {
  const tessera_layout *l = context;
  if (section < l->section_count) return l->rails[section].limit;
  refuse(l, TESSERA_ERROR_INVALID_VALUE, "there is no such section; name one below the number of sections");
  return 0;
}

static const tessera_function_declaration functions[] = {
    {.name = "scrollLimit", .signature = "f64(u32)", .help = "How far the rail of a section can be scrolled.", .published = (void (*)(void))scroll_limit}};
static const tessera_measured measured[] = {{.value = "size"}, {.value = "titleHeight", .kind = "title"}};
static const tessera_sizing sizing = {.struct_size = sizeof sizing, .measured_count = 2, .measured = measured, .estimates = estimates, .proposals = proposals};
static const tessera_reordering reordering = {.struct_size = sizeof reordering, .target = target};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
  return strcmp(id, TESSERA_EXT_REORDERING) == 0 ? &reordering : 0;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.rails", .name = "Rails", .version = "1.0.0", .author = "A stranger", .license = "MIT",
    .summary = "Rails of cells that scroll sideways, with piles at both ends.",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_PIXEL_ALIGNED,
    .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES, .columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 1, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 1, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
