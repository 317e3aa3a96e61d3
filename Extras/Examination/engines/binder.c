// binder.c: a flow with foldable sections on cards with shadows; headers have a count badge.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/plain.h>

TESSERA_NOTE;

enum { FOLDED, OUTSET, SHADOW, BADGE_SIZE, FADE, CATCH, PARAMETERS };
enum { V_FOLDED, VALUES };
enum { A_ELEVATION, A_COUNT, ATTRIBUTES };
enum { K_CARD, K_SHADOW, K_BADGE, K_HEADER, KINDS };

static const tessera_parameter parameters[PARAMETERS] = {
    [FOLDED] = {.name = "folded", .help = "Whether sections are folded.", .type = TESSERA_TYPE_BOOL},
    [OUTSET] = {.name = "cardOutset", .help = "How far a card reaches beyond its cells.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 4, .maximum.number = 1000},
    [SHADOW] = {.name = "shadow", .help = "How far the shadow of a card falls; 0: no shadows.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 5, .maximum.number = 1000},
    [BADGE_SIZE] = {.name = "badgeSize", .help = "Size of a badge; 0 in either direction: no badges.", .unit = "pt",
                    .type = TESSERA_TYPE_SIZE, .initial.size = {24, 16}, .maximum.size = {1000, 1000}},
    [FADE] = {.name = "fadeLength", .help = "Distance from the lower edge at which cells begin to fade; 0: none do.", .unit = "pt",
              .type = TESSERA_TYPE_NUMBER, .flags = TESSERA_FLAG_IN_ADJUST, .initial.number = 40, .maximum.number = 10000},
    [CATCH] = {.name = "catchLength", .help = "Distance from a card within which scrolling stops at it.", .unit = "pt",
               .type = TESSERA_TYPE_NUMBER, .flags = TESSERA_FLAG_HINT, .initial.number = 30, .maximum.number = 10000}};

static const tessera_value_declaration values[VALUES] = {
    [V_FOLDED] = {.name = "folded", .help = "Whether the section is folded.", .fallback = "folded", .type = TESSERA_TYPE_BOOL,
                  .scope = TESSERA_SCOPE_SECTION}};

static const tessera_attribute attributes[ATTRIBUTES] = {
    [A_ELEVATION] = {.name = "elevation", .help = "How high an element lies above the page.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .interpolation = TESSERA_INTERPOLATION_LINEAR},
    [A_COUNT] = {.name = "itemCount", .help = "The number that a badge shows.", .type = TESSERA_TYPE_INT,
                 .interpolation = TESSERA_INTERPOLATION_STEP}};

static const tessera_kind kinds[KINDS] = {
    [K_CARD] = {.name = "card", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
    [K_SHADOW] = {.name = "shadow", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
    [K_BADGE] = {.name = "countBadge", .shows = "itemCount", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_BADGE},
    [K_HEADER] = {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER}};

static const tessera_setting defaults[] = {
    {.name = "itemSize", .type = TESSERA_TYPE_SIZE, .value.size = {76, 56}},
    {.name = "sectionInset", .type = TESSERA_TYPE_INSETS, .value.insets = {10, 10, 16, 10}},
    {.name = "headerReferenceSize", .type = TESSERA_TYPE_SIZE, .value.size = {30, 30}},
    {.name = "sectionHeadersPinToVisibleBounds", .type = TESSERA_TYPE_BOOL, .value.boolean = 1}};

typedef struct {
  tessera_rect card;
  int found; // section has elements on a card
  int folded;
  tessera_rect header;
  int headed;
} leaf;

struct tessera_layout {
  const tessera_host *host;
  leaf *leaves; // one per section
  uint32_t count;
  uint8_t *inserted; // sections inserted as a whole by the current batch
  uint32_t inserted_count;
};

PLAIN_CREATE;

static int is_folded(const tessera_input *in, uint32_t section) {
  const tessera_function asked = in->functions[0];
  if (asked.call && ((uint8_t(*)(void *, uint32_t))asked.call)(asked.context, section)) return 1;
  return plain_bool(in->values[V_FOLDED], section);
}

// Folded items have no size, their lines no spacing.
static tessera_status fold(const tessera_input *in) {
  tessera_super *base = in->super;
  uint32_t first = 0;
  while (first < in->section_count && !is_folded(in, first)) first++;
  if (first == in->section_count) return TESSERA_OK;
  void *sizes = 0, *lines = 0;
  tessera_status status = base->set_values(base, "size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &sizes);
  if (status != TESSERA_OK) return status;
  status = base->set_values(base, "minimumLineSpacing", TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER, &lines);
  if (status != TESSERA_OK) return status;
  for (uint32_t section = first; section < in->section_count; section++) {
    if (!is_folded(in, section)) continue;
    for (uint64_t item = in->section_starts[section]; item < in->section_starts[section + 1]; item++) {
      ((tessera_size *)sizes)[item] = (tessera_size){0, 0};
    }
    ((double *)lines)[section] = 0;
  }
  return TESSERA_OK;
}

static tessera_rect both(tessera_rect a, tessera_rect b) {
  const double x = fmin(a.x, b.x), y = fmin(a.y, b.y);
  return (tessera_rect){x, y, fmax(a.x + a.width, b.x + b.width) - x, fmax(a.y + a.height, b.y + b.height) - y};
}

static void cover(leaf *of, tessera_rect frame) {
  of->card = of->found ? both(of->card, frame) : frame;
  of->found = 1;
}

static tessera_rect badge_frame(tessera_rect header, tessera_size size) {
  const double width = fmin(size.width, header.width), height = fmin(size.height, header.height);
  return (tessera_rect){header.x + header.width - width, header.y + (header.height - height) / 2, width, height};
}

static tessera_status add_one(tessera_output *out, tessera_category category, uint32_t kind, uint32_t section,
                              const tessera_rows **rows) {
  const tessera_run run = {.category = category, .kind = kind, .section = section, .first_item = 0, .count = 1};
  return out->add(out, &run, rows);
}

static tessera_status decorate(const tessera_input *in, tessera_output *out, uint32_t section, const leaf *of) {
  const double outset = in->parameters[OUTSET].number, shadow = in->parameters[SHADOW].number;
  const tessera_rect card = {of->card.x - outset, of->card.y - outset, of->card.width + 2 * outset, of->card.height + 2 * outset};
  const tessera_rows *rows = 0;
  tessera_status status = add_one(out, TESSERA_CATEGORY_DECORATION, K_CARD, section, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = card;
  rows->z_index[0] = -1;
  ((double *)rows->attributes[A_ELEVATION])[0] = shadow;
  if (shadow <= 0) return TESSERA_OK;
  status = add_one(out, TESSERA_CATEGORY_DECORATION, K_SHADOW, section, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = (tessera_rect){card.x + shadow, card.y + shadow, card.width, card.height};
  rows->z_index[0] = -2;
  ((double *)rows->attributes[A_ELEVATION])[0] = 0;
  return TESSERA_OK;
}

static int has_badges(const tessera_input *in) {
  const tessera_size size = in->parameters[BADGE_SIZE].size;
  return size.width > 0 && size.height > 0;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  leaf *leaves = calloc((uint64_t)in->section_count + 1, sizeof *leaves);
  if (!leaves) return TESSERA_ERROR_NO_SPACE;
  free((void *)layout->leaves);
  layout->leaves = leaves;
  layout->count = in->section_count;
  tessera_status status = fold(in);
  if (status != TESSERA_OK) return status;
  status = in->super->prepare(in->super, out);
  if (status != TESSERA_OK) return status;
  for (uint32_t section = 0; section < in->section_count; section++) leaves[section].folded = is_folded(in, section);

  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    leaf *of = &leaves[run.section];
    if (run.category == TESSERA_CATEGORY_CELL) {
      for (uint64_t row = 0; row < run.count; row++) {
        rows->hidden[row] = of->folded ? 1 : 0;
        if (!of->folded) cover(of, rows->frame[row]);
      }
    } else if (run.category == TESSERA_CATEGORY_SUPPLEMENTARY && run.kind == K_HEADER && run.count) {
      of->header = rows->frame[0];
      of->headed = 1;
      cover(of, of->header);
      for (uint64_t row = rows->kept; row < run.count; row++) rows->hidden[row] = 0;
    } else {
      for (uint64_t row = rows->kept; row < run.count; row++) rows->hidden[row] = 0;
    }
    out->leave(out, rows, rows->kept);
  }

  const tessera_size size = in->parameters[BADGE_SIZE].size;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const leaf *of = &leaves[section];
    if (of->found) status = decorate(in, out, section, of);
    if (status != TESSERA_OK) return status;
    if (!of->headed || !has_badges(in)) continue;
    const tessera_rows *rows = 0;
    status = add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, K_BADGE, section, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = badge_frame(of->header, size);
    rows->z_index[0] = 20;
    ((int64_t *)rows->attributes[A_COUNT])[0] = (int64_t)plain_items(in, section);
  }
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)layout;
  if (fold(in) != TESSERA_OK) return 0;
  return in->super->still_valid(in->super);
}

// Fetches header rows, to move the base's.
static tessera_status fetch_headers(const tessera_layout *layout, tessera_output *out) {
  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_SUPPLEMENTARY || run.kind != K_BADGE) continue;
    if (!layout->leaves[run.section].headed) continue;
    status = add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, K_HEADER, run.section, &rows);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  tessera_status status = fetch_headers(layout, out);
  if (status != TESSERA_OK) return status;
  status = in->super->adjust(in->super, rect, out);
  if (status != TESSERA_OK) return status;
  const double end = in->viewport.y + in->viewport.height - in->content_insets.bottom;
  const double fade = in->parameters[FADE].number;
  const tessera_size size = in->parameters[BADGE_SIZE].size;
  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category == TESSERA_CATEGORY_CELL && fade > 0) {
      for (uint64_t row = 0; row < run.count; row++) {
        const double left = (end - rows->frame[row].y) / fade;
        rows->alpha[row] = fmin(1, fmax(0.2, left));
      }
    }
    if (run.category != TESSERA_CATEGORY_SUPPLEMENTARY || run.kind != K_HEADER || !has_badges(in)) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      const tessera_rect header = rows->frame[row];
      const tessera_rows *badge = 0;
      status = add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, K_BADGE, run.section, &badge);
      if (status != TESSERA_OK) return status;
      badge->frame[0] = badge_frame(header, size);
    }
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- Published functions

static const leaf *leaf_of(tessera_layout *layout, uint32_t section) {
  if (section < layout->count && layout->leaves[section].found) return &layout->leaves[section];
  plain_refuse(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no card for this section");
  return 0;
}
static tessera_rect card_rect(tessera_layout *layout, uint32_t section) {
  const leaf *of = leaf_of(layout, section);
  return of ? of->card : (tessera_rect){0, 0, 0, 0};
}
static uint8_t card_is_folded(tessera_layout *layout, uint32_t section) {
  const leaf *of = leaf_of(layout, section);
  return of && of->folded;
}

static const tessera_function_declaration functions[] = {
    {.name = "isFolded", .signature = "bool(u32)", .help = "Whether a section is folded, too."},
    {.name = "cardRect", .signature = "rect(u32)", .help = "What a card covers.", .published = (void (*)(void))card_rect},
    {.name = "cardIsFolded", .signature = "bool(u32)", .help = "Whether a card is folded.", .published = (void (*)(void))card_is_folded}};

// ---------------------------------------------------------------- Extensions

// Snaps to a near card.
static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  (void)velocity;
  const double y = resting->y + in->content_insets.top, near = in->parameters[CATCH].number;
  double best = INFINITY, at = y;
  for (uint32_t section = 0; section < layout->count; section++) {
    if (!layout->leaves[section].found) continue;
    const double distance = fabs(layout->leaves[section].card.y - y);
    if (distance < best) {
      best = distance;
      at = layout->leaves[section].card.y;
    }
  }
  if (best <= near) resting->y = at - in->content_insets.top;
  return TESSERA_OK;
}

static tessera_status begin(tessera_layout *layout, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)in;
  uint32_t last = 0;
  for (uint64_t i = 0; i < count; i++)
    if (updates[i].operation == TESSERA_OPERATION_INSERT_SECTION && updates[i].to_section >= last) last = updates[i].to_section + 1;
  free((void *)layout->inserted);
  layout->inserted = calloc((uint64_t)last + 1, 1);
  layout->inserted_count = layout->inserted ? last : 0;
  if (!layout->inserted) return TESSERA_ERROR_NO_SPACE;
  for (uint64_t i = 0; i < count; i++)
    if (updates[i].operation == TESSERA_OPERATION_INSERT_SECTION) layout->inserted[updates[i].to_section] = 1;
  return TESSERA_OK;
}

// Inserted sections come from below the viewport; other items grow from their centre.
static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    const int whole = run.section < layout->inserted_count && layout->inserted[run.section];
    for (uint64_t row = 0; row < run.count; row++) {
      if (whole) rows->transform[row].m[13] = in->viewport.height;
      else if (run.category == TESSERA_CATEGORY_CELL) rows->transform[row].m[0] = rows->transform[row].m[5] = 0.3;
    }
  }
  return TESSERA_OK;
}

static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)in;
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->transform[row].m[0] = 0.1;
      rows->transform[row].m[5] = 0.1;
      rows->z_index[row] = -3;
    }
  }
  return TESSERA_OK;
}

static void end(tessera_layout *layout) {
  free((uint8_t *)layout->inserted);
  layout->inserted = 0;
  layout->inserted_count = 0;
}

static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};
static const tessera_updates updating = {.struct_size = sizeof(tessera_updates), .begin = begin, .initial_attributes = initial_attributes,
                                         .final_attributes = final_attributes, .end = end};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updating;
  return 0;
}

static void destroy(tessera_layout *layout) {
  if (!layout) return;
  free(layout->leaves);
  free(layout->inserted);
  free(layout);
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.binder", .name = "Binder", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "A flow whose sections are cards that can be folded.",
    .base = "org.tessera.flow", .base_version = "0.1.0",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_HIDDEN, .adjusted_columns = TESSERA_COLUMN_ALPHA,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 3, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KINDS, .kind_size = sizeof(tessera_kind),
    .defaults = defaults, .default_count = 4, .default_size = sizeof(tessera_setting),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
