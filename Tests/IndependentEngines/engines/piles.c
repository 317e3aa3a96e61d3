// piles.c: cards in a flow, gathered into piles by section; derived from org.tessera.flow.
//
// The rule. A section is open, and then a part of the flow, or `gathered`: the flow lays its cards out without space between them, and
// then they all lie in the middle of the area that they covered, each shifted by `shift` and turned by `turn` against the one above it,
// every second one to the other side, as far as the area leaves room. Of a pile, the first `shown` cards are seen, the first on top; the
// others are hidden under the last of them. A tray lies behind each pile. Cards that are added to a pile fall onto it; removed ones
// shrink. A card dropped onto a pile goes on top of it.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { GATHERED, SHOWN, SHIFT, TURN, PADDING, FALL, PARAMETER_COUNT };
enum { GATHERED_OF, SHOWN_OF, VALUE_COUNT };

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [GATHERED] = {.name = "gathered", .help = "Whether a section is gathered that does not say so itself.", .type = TESSERA_TYPE_BOOL,
                  .initial.boolean = 1},
    [SHOWN] = {.name = "shown", .help = "How many cards of a pile are seen.", .type = TESSERA_TYPE_INT, .initial.integer = 4,
               .minimum.integer = 1, .maximum.integer = 1000},
    [SHIFT] = {.name = "shift", .help = "How far a card lies from the one above it.", .unit = "pt", .type = TESSERA_TYPE_POINT,
               .initial.point = {2, 3}, .minimum.point = {-1000, -1000}, .maximum.point = {1000, 1000}},
    [TURN] = {.name = "turn", .help = "How far a card is turned against the one above it.", .unit = "rad", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 0.05, .minimum.number = -3.2, .maximum.number = 3.2},
    [PADDING] = {.name = "padding", .help = "How far a tray extends beyond its pile's area.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                 .initial.number = 4, .maximum.number = 1000},
    [FALL] = {.name = "fall", .help = "From how high a new card falls onto its pile.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
              .flags = TESSERA_FLAG_HINT, .initial.number = 200, .maximum.number = 10000}};

static const tessera_value_declaration values[VALUE_COUNT] = {
    [GATHERED_OF] = {.name = "gathered", .help = "Whether the section is a pile.", .fallback = "gathered", .type = TESSERA_TYPE_BOOL,
                     .scope = TESSERA_SCOPE_SECTION},
    [SHOWN_OF] = {.name = "shown", .help = "How many cards of the pile are seen; at least one.", .fallback = "shown",
                  .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_setting defaults[] = {
    {.name = "itemSize", .type = TESSERA_TYPE_SIZE, .value.size = {80, 110}},
    {.name = "minimumLineSpacing", .type = TESSERA_TYPE_NUMBER, .value.number = 16},
    {.name = "scrollDirection", .choice = "vertical", .type = TESSERA_TYPE_ENUM, .owned = 1}};

static const tessera_attribute attributes[] = {
    {.name = "depth", .help = "How many cards of its pile lie above a card; -1: it lies in no pile.", .type = TESSERA_TYPE_INT,
     .interpolation = TESSERA_INTERPOLATION_STEP, .initial.integer = -1}};

static const tessera_kind kinds[] = {{.name = "tray", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

// The area of a section's cards in the flow.
typedef struct area {
  double left, top, right, bottom;
  uint64_t cards;
  uint8_t is_pile;
} area;

struct tessera_layout {
  const tessera_host *host;
  area *areas; // of each section
  uint32_t count;
  int is_large; // the update that is under way has many changes
};

static const void *at(tessera_column column, uint64_t index) { return (const char *)column.data + index * column.stride; }
static int is_gathered(const tessera_input *in, uint32_t section) { return *(const uint8_t *)at(in->values[GATHERED_OF], section); }
static double limited(double value, double least, double most) { return fmax(least, fmin(value, most)); }

// ---------------------------------------------------------------- the flow below

// Takes the space between the cards of piles away.
static tessera_status override_spacing(const tessera_input *in) {
  static const char *const names[] = {"minimumLineSpacing", "minimumInteritemSpacing"};
  for (int index = 0; index < 2; index++) {
    void *data = 0;
    const tessera_status status = in->super->set_values(in->super, names[index], TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER, &data);
    if (status != TESSERA_OK) return status;
    for (uint32_t section = 0; section < in->section_count; section++)
      if (is_gathered(in, section)) ((double *)data)[section] = 0;
  }
  return TESSERA_OK;
}

static void include(area *a, tessera_rect frame) {
  const double right = frame.x + frame.width, bottom = frame.y + frame.height;
  a->left = a->cards ? fmin(a->left, frame.x) : frame.x;
  a->top = a->cards ? fmin(a->top, frame.y) : frame.y;
  a->right = a->cards ? fmax(a->right, right) : right;
  a->bottom = a->cards ? fmax(a->bottom, bottom) : bottom;
  a->cards++;
}

// ---------------------------------------------------------------- piles

static tessera_transform turned(double angle) {
  const double c = cos(angle), s = sin(angle);
  return (tessera_transform){{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

static void gather(const tessera_input *in, const area *a, int64_t shown, uint64_t card, const tessera_rows *rows, uint64_t row) {
  const tessera_point shift = in->parameters[SHIFT].point;
  const uint64_t lowest = shown < 1 ? 0 : (uint64_t)shown - 1; // of the cards that are seen
  const double depth = (double)(card < lowest ? card : lowest);
  const double side = card < lowest ? (card % 2 ? -1 : 1) : (lowest % 2 ? -1 : 1);
  tessera_rect *frame = &rows->frame[row];
  const double x = (a->left + a->right - frame->width) / 2 + side * depth * shift.x;
  const double y = (a->top + a->bottom - frame->height) / 2 + depth * shift.y;
  frame->x = limited(x, a->left, a->right - frame->width);
  frame->y = limited(y, a->top, a->bottom - frame->height);
  rows->transform[row] = turned(side * depth * in->parameters[TURN].number);
  rows->hidden[row] = card > lowest;
  rows->z_index[row] = card < 1000000 ? -(int32_t)card : -1000000;
  ((int64_t *)rows->attributes[0])[row] = (int64_t)card;
}

static tessera_status add_trays(const tessera_layout *piles, const tessera_input *in, tessera_output *out) {
  const double padding = in->parameters[PADDING].number;
  for (uint32_t section = 0; section < piles->count; section++) {
    const area *a = &piles->areas[section];
    if (!a->is_pile || !a->cards) continue;
    const tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .section = section, .count = 1};
    const tessera_rows *rows = 0;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = (tessera_rect){a->left - padding, a->top - padding, a->right - a->left + 2 * padding,
                                    a->bottom - a->top + 2 * padding};
    rows->z_index[0] = -1000001;
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *piles, const tessera_input *in, tessera_output *out) {
  area *areas = realloc(piles->areas, ((size_t)in->section_count + 1) * sizeof(area));
  if (!areas) return TESSERA_ERROR_NO_SPACE;
  piles->areas = areas;
  piles->count = in->section_count;
  memset(areas, 0, ((size_t)in->section_count + 1) * sizeof(area));
  for (uint32_t section = 0; section < piles->count; section++) areas[section].is_pile = is_gathered(in, section) != 0;
  tessera_status status = override_spacing(in);
  if (status == TESSERA_OK) status = in->super->prepare(in->super, out);
  if (status != TESSERA_OK) return status;
  // First the areas, for a section may have several runs; then the cards.
  const uint64_t runs = out->run_count(out);
  for (int pass = 0; pass < 2; pass++) {
    for (uint64_t index = 0; index < runs; index++) {
      tessera_run run;
      const tessera_rows *rows = 0;
      if ((status = out->get(out, index, &run, &rows)) != TESSERA_OK) return status;
      if (run.category != TESSERA_CATEGORY_CELL) continue;
      area *const a = &areas[run.section];
      const int64_t shown = *(const int64_t *)at(in->values[SHOWN_OF], run.section);
      for (uint64_t row = 0; row < run.count; row++) {
        if (pass == 0) include(a, rows->frame[row]);
        else if (a->is_pile) gather(in, a, shown, run.first_item + row, rows, row);
      }
    }
  }
  return add_trays(piles, in, out);
}

// Piles depend on nothing of the bounds but through the flow.
static int32_t still_valid(tessera_layout *piles, const tessera_input *in) {
  (void)piles;
  return override_spacing(in) == TESSERA_OK && in->super->still_valid(in->super);
}

// ---------------------------------------------------------------- dragging

static tessera_status target(tessera_layout *piles, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point,
                             uint32_t *target_section, uint64_t *target_item) {
  (void)in, (void)section, (void)item;
  // The proposal is the nearest cell; only its section's pile can be meant.
  if (*target_section >= piles->count || !piles->areas[*target_section].is_pile) return TESSERA_OK;
  const area *a = &piles->areas[*target_section];
  if (point.x >= a->left && point.x < a->right && point.y >= a->top && point.y < a->bottom) *target_item = 0;
  return TESSERA_OK;
}

static const tessera_reordering reordering = {.struct_size = sizeof(tessera_reordering), .target = target};

// ---------------------------------------------------------------- appearing and disappearing

static tessera_status begin(tessera_layout *piles, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)in, (void)updates;
  piles->is_large = count > 200;
  return TESSERA_OK;
}

// A new card falls onto its pile; in an open section it grows. In a large update all only fade.
static tessera_status initial_attributes(tessera_layout *piles, const tessera_input *in, tessera_output *out) {
  const uint64_t runs = piles->is_large ? 0 : out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      tessera_transform *transform = &rows->transform[row];
      if (((const int64_t *)rows->attributes[0])[row] < 0) {
        transform->m[0] = transform->m[5] = 0.5;
      } else {
        transform->m[13] -= in->parameters[FALL].number;
        rows->alpha[row] = 1;
      }
    }
  }
  return TESSERA_OK;
}

static tessera_status final_attributes(tessera_layout *piles, const tessera_input *in, tessera_output *out) {
  (void)in;
  const uint64_t runs = piles->is_large ? 0 : out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t row = 0; row < run.count && run.category == TESSERA_CATEGORY_CELL; row++)
      for (int number = 0; number < 8; number++) rows->transform[row].m[number] *= 0.25;
  }
  return TESSERA_OK;
}

static void end(tessera_layout *piles) { piles->is_large = 0; }

static const tessera_updates updates = {.struct_size = sizeof(tessera_updates), .begin = begin,
                                        .initial_attributes = initial_attributes, .final_attributes = final_attributes, .end = end};

// ---------------------------------------------------------------- published functions

static tessera_rect published_area_of(void *context, uint32_t section) {
  const tessera_layout *piles = context;
  if (section >= piles->count) {
    piles->host->report(piles->host, TESSERA_ERROR_INVALID_VALUE, "areaOf was asked for a section that does not exist");
    return (tessera_rect){0, 0, 0, 0};
  }
  const area *a = &piles->areas[section];
  return (tessera_rect){a->left, a->top, a->right - a->left, a->bottom - a->top};
}

static uint64_t published_pile_count(void *context) {
  const tessera_layout *piles = context;
  uint64_t count = 0;
  for (uint32_t section = 0; section < piles->count; section++)
    if (piles->areas[section].is_pile && piles->areas[section].cards) count++;
  return count;
}

static const tessera_function_declaration functions[] = {
    {.name = "areaOf", .signature = "rect(u32)", .help = "The area of the cards of a section; of an empty one without width and height.",
     .published = (void (*)(void))published_area_of},
    {.name = "pileCount", .signature = "u64()", .help = "The number of piles.", .published = (void (*)(void))published_pile_count}};

// ---------------------------------------------------------------- the engine

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *piles = calloc(1, sizeof *piles);
  if (!piles) return TESSERA_ERROR_NO_SPACE;
  piles->host = host;
  *layout = piles;
  return TESSERA_OK;
}

static void destroy(tessera_layout *piles) {
  free(piles->areas);
  free(piles);
}

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updates;
  return strcmp(id, TESSERA_EXT_REORDERING) == 0 ? &reordering : 0;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.piles", .name = "Piles", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Cards in a flow, gathered into piles by section.",
    .base = "org.tessera.flow", .base_version = "0.1.0",
    .traits = TESSERA_TRAIT_MIRRORS, .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_HIDDEN | TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 1, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .defaults = defaults, .default_count = 3, .default_size = sizeof(tessera_setting),
    .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
