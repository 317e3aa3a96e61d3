// Notices under headers that stay in sight, on boards: adjust, delegate and published functions,
// attributes of all interpolations, both kinds, every built-in column, and tessera.query/1.

#include <math.h>
#include <stdlib.h>
#include <tessera/ext/query.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { INDENT, GAP, HOLE, PARAMETER_COUNT };
enum { HEIGHT_OF_ITEM, HEADER_SIZE, FUNCTION_COUNT };
enum { EMPHASIS, TONE, NAIL, HOLE_IN_BOARD, PULL, ATTRIBUTE_COUNT };
enum { HEADER, BOARD, KIND_COUNT };

static const tessera_parameter parameters[] = {
    {.name = "indent", .help = "The space before a notice.", .unit = "pt", .type = TESSERA_NUMBER,
     .initial.number = 10, .maximum.number = 100},
    {.name = "gap", .help = "The space between sections.", .unit = "pt", .type = TESSERA_NUMBER,
     .initial.number = 6, .maximum.number = 100},
    {.name = "hole", .help = "The hole in a notice.", .unit = "pt", .type = TESSERA_RECT,
     .initial.rect = {1, 2, 3, 4}, .minimum.rect = {0, 0, 0, 0},
     .maximum.rect = {100, 100, 100, 100}},
};

static const char *const tones[] = {"calm", "loud"};

static const tessera_attribute attributes[] = {
    {.name = "emphasis", .help = "How much the notice stands out.", .type = TESSERA_NUMBER,
     .interpolation = TESSERA_LINEAR, .when = TESSERA_PREPARED, .initial.number = 1},
    {.name = "tone", .help = "How the notice sounds.", .choices = tones, .choice_count = 2,
     .type = TESSERA_ENUM, .interpolation = TESSERA_STEP, .when = TESSERA_PREPARED},
    {.name = "nail", .help = "Where the notice is nailed.", .type = TESSERA_POINT,
     .interpolation = TESSERA_NONE, .when = TESSERA_PREPARED},
    {.name = "hole", .help = "The hole in the notice.", .type = TESSERA_RECT,
     .interpolation = TESSERA_LINEAR, .when = TESSERA_PREPARED},
    {.name = "pull", .help = "How far the header is from its place.", .type = TESSERA_NUMBER,
     .interpolation = TESSERA_LINEAR, .when = TESSERA_ADJUSTED},
};

static const tessera_kind kinds[] = {
    {"header", TESSERA_SUPPLEMENTARY, 0},
    {"board", TESSERA_DECORATION, 0},
};

// What the last prepare noted, for adjust and the published functions.
typedef struct section {
  double top, bottom; // of the board
  double header;      // the header's height
} section;

struct tessera_layout {
  const tessera_host *host;
  section *sections;
  double *tops; // of each item
  uint64_t *starts;
  uint32_t count;
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

static void destroy(tessera_layout *layout) {
  free(layout->sections);
  free(layout->tops);
  free(layout->starts);
  free(layout);
}

static tessera_status refuse(const tessera_layout *layout, const char *why) {
  layout->host->report(layout->host, TESSERA_INVALID_VALUE, why);
  return TESSERA_INVALID_VALUE;
}

static int reserve(tessera_layout *layout, const tessera_input *in) {
  const uint64_t items = in->section_starts[in->section_count];
  section *sections = realloc(layout->sections, (in->section_count + 1u) * sizeof *sections);
  if (sections != NULL) layout->sections = sections;
  double *tops = realloc(layout->tops, (items + 1) * sizeof *tops);
  if (tops != NULL) layout->tops = tops;
  uint64_t *starts = realloc(layout->starts, (in->section_count + 1u) * sizeof *starts);
  if (starts != NULL) layout->starts = starts;
  if (sections == NULL || tops == NULL || starts == NULL) return 0;
  for (uint32_t i = 0; i <= in->section_count; i++) starts[i] = in->section_starts[i];
  layout->count = in->section_count;
  return 1;
}

static double height_of(const tessera_input *in, uint32_t section, uint64_t item) {
  const tessera_function f = in->functions[HEIGHT_OF_ITEM];
  return f.call ? ((double (*)(void *, uint32_t, uint64_t))f.call)(f.context, section, item) : 44;
}

static tessera_size header_of(const tessera_input *in, uint32_t section) {
  const tessera_function f = in->functions[HEADER_SIZE];
  return f.call ? ((tessera_size(*)(void *, uint32_t))f.call)(f.context, section)
                : (tessera_size){INFINITY, 24};
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  layout->count = 0;
  const uint64_t items = in->section_starts[in->section_count];
  const double width =
      fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
  const double indent = fmin(width, in->parameters[INDENT].number);
  // This engine lays out right-to-left itself.
  const double x = in->right_to_left ? 0 : indent;
  double y = 0;
  if (!reserve(layout, in)) return TESSERA_FAILED;
  layout->count = 0;
  for (uint32_t s = 0; s < in->section_count; s++) {
    const uint64_t start = in->section_starts[s];
    const tessera_run cells = {.category = TESSERA_CELL, .section = s,
                               .count = in->section_starts[s + 1] - start};
    const tessera_run header = {TESSERA_SUPPLEMENTARY, HEADER, s, 0, 0, 1};
    const tessera_run board = {TESSERA_DECORATION, BOARD, s, 0, 0, 1};
    const tessera_rows *cell_rows = NULL, *header_rows = NULL, *board_rows = NULL;
    tessera_status status = out->add(out, &board, &board_rows);
    if (status == TESSERA_OK) status = out->add(out, &header, &header_rows);
    if (status == TESSERA_OK) status = out->add(out, &cells, &cell_rows);
    if (status != TESSERA_OK) return status;

    const tessera_size size = header_of(in, s);
    if (!(size.width >= 0 && size.height >= 0 && size.height < 1e12))
      return refuse(layout, "headerSize returns a size that is negative or no number; return 0 or "
                            "more");
    const double top = y;
    header_rows->frame[0] = (tessera_rect){in->right_to_left ? width - fmin(width, size.width) : 0,
                                           y, fmin(width, size.width), size.height};
    y += size.height;

    double *emphasis = cell_rows->attributes[EMPHASIS];
    int32_t *tone = cell_rows->attributes[TONE];
    tessera_point *nail = cell_rows->attributes[NAIL];
    tessera_rect *hole = cell_rows->attributes[HOLE_IN_BOARD];
    for (uint64_t i = 0; i < cells.count; i++) {
      const double height = height_of(in, s, i);
      if (!(height >= 0 && height < 1e12))
        return refuse(layout, "heightOfItem returns a height that is negative or no number; return "
                              "0 or more");
      layout->tops[start + i] = y;
      cell_rows->frame[i] = (tessera_rect){x, y, width - indent, height};
      cell_rows->hidden[i] = height == 0;
      emphasis[i] = i == 0 ? 2 : 1;
      tone[i] = i == 0;
      nail[i] = (tessera_point){(width - indent) / 2, 2};
      hole[i] = in->parameters[HOLE].rect;
      y += height;
      if (i % 4096 == 4095 &&
          !layout->host->progress(layout->host, (double)(start + i) / (double)items))
        return TESSERA_CANCELLED;
    }
    board_rows->frame[0] = (tessera_rect){0, top, width, y - top};
    board_rows->alpha[0] = 0.25;
    layout->sections[s] = (section){top, y, size.height};
    y += in->parameters[GAP].number;
  }
  layout->count = in->section_count;
  if (in->section_count > 0) y -= in->parameters[GAP].number;
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

// Keeps the header of the section at the top of the viewport in sight.
static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)rect;
  const double top = in->viewport.y + in->content_insets.top;
  uint32_t low = 0, high = layout->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (layout->sections[middle].bottom <= top) low = middle + 1;
    else high = middle;
  }
  if (low == layout->count || layout->sections[low].top >= top) return TESSERA_OK;
  const section s = layout->sections[low];
  const tessera_run run = {TESSERA_SUPPLEMENTARY, HEADER, low, 0, 0, 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double y = fmin(top, s.bottom - s.header);
  rows->frame[0].y = y;
  rows->z_index[0] = 1;
  rows->transform[0].m[13] = 2;
  *(double *)rows->attributes[PULL] = y - s.top;
  return TESSERA_OK;
}

// Published: where an item is; below 0 for no item.
static double top_of(tessera_layout *layout, uint32_t section, uint64_t item) {
  if (section >= layout->count) return -1;
  const uint64_t start = layout->starts[section];
  return item < layout->starts[section + 1] - start ? layout->tops[start + item] : -1;
}

// Published: how many elements intersect a rect; 0 if the host cannot say.
static uint64_t count_in(tessera_layout *layout, tessera_rect rect) {
  const tessera_query *query = layout->host->extension(layout->host, TESSERA_QUERY);
  tessera_output *found = NULL;
  if (query == NULL || query->elements_in_rect(layout->host, rect, &found) != TESSERA_OK) return 0;
  uint64_t count = 0;
  for (uint64_t i = 0; i < found->run_count(found); i++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    if (found->get(found, i, &run, &rows) != TESSERA_OK) return 0;
    count += run.count;
  }
  return count;
}

// Published: a board with space around it.
static tessera_rect board_of(tessera_layout *layout, int32_t section, tessera_insets space) {
  if (section < 0 || (uint32_t)section >= layout->count) return (tessera_rect){0, 0, 0, 0};
  const double top = layout->sections[section].top, bottom = layout->sections[section].bottom;
  return (tessera_rect){-space.left, top - space.top, space.left + space.right,
                        bottom - top + space.top + space.bottom};
}

static const tessera_function_declaration functions[] = {
    {.name = "heightOfItem", .signature = "f64(u32,u64)", .help = "A notice's height; or 44."},
    {.name = "headerSize", .signature = "size(u32)",
     .help = "A header's size; or the whole width and 24."},
    {.name = "topOf", .signature = "f64(u32,u64)", .help = "Where a notice begins, or -1.",
     .published = (void (*)(void))top_of},
    {.name = "countIn", .signature = "u64(rect)", .help = "How many elements intersect a rect.",
     .published = (void (*)(void))count_in},
    {.name = "boardOf", .signature = "rect(i32,insets)",
     .help = "The left side of a board with space around it.",
     .published = (void (*)(void))board_of},
};

static const tessera_engine engine = {
    .struct_size = sizeof engine,
    .traits = TESSERA_TRAIT_VIEWPORT,
    .columns = TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_HIDDEN,
    .adjusted_columns = TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_TRANSFORM,
    .id = "org.example.notices",
    .name = "Notices",
    .version = "1.0.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Notices under headers that stay in sight.",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof *parameters,
    .function_count = sizeof functions / sizeof *functions,
    .function_size = sizeof *functions,
    .attribute_count = ATTRIBUTE_COUNT,
    .attribute_size = sizeof *attributes,
    .kind_count = KIND_COUNT,
    .kind_size = sizeof *kinds,
    .parameters = parameters,
    .functions = functions,
    .attributes = attributes,
    .kinds = kinds,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .adjust = adjust,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
