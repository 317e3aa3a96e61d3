// A flow with captions below cells and per-item zoom; every few cells are set back. Cells fade near
// the viewport's edges. Flow reserves the captions' space.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/updates.h>
#include <tessera/plain.h>

TESSERA_NOTE;

enum { CAPTION, CAPTION_GAP, EVERY, INSET, FADE_LENGTH, ZOOM, PARAMETER_COUNT };
static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [CAPTION] = {.name = "captionHeight", .help = "Height of the caption under a cell; 0: none.", .unit = "pt",
                 .type = TESSERA_TYPE_NUMBER, .initial.number = 16, .maximum.number = 1000},
    [CAPTION_GAP] = {.name = "captionGap", .help = "Space between a cell and its caption.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 2, .maximum.number = 1000},
    [EVERY] = {.name = "every", .help = "Sets back one of this many cells.", .type = TESSERA_TYPE_INT,
               .initial.integer = 4, .minimum.integer = 1, .maximum.integer = 100000},
    [INSET] = {.name = "setBack", .help = "How far the edges of a cell that is set back move inwards.", .unit = "pt",
               .type = TESSERA_TYPE_NUMBER, .initial.number = 3, .maximum.number = 1000},
    [FADE_LENGTH] = {.name = "fadeLength", .help = "How far from the edges of the viewport cells fade; 0: not at all.",
                     .unit = "pt", .type = TESSERA_TYPE_NUMBER, .flags = TESSERA_FLAG_IN_ADJUST,
                     .initial.number = 40, .maximum.number = 10000},
    [ZOOM] = {.name = "zoom", .help = "The size of a cell as a multiple of its own.", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 1, .minimum.number = 0.1, .maximum.number = 10},
};

static const tessera_value_declaration values[] = {
    {.name = "zoom", .help = "The item's own zoom.", .fallback = "zoom", .type = TESSERA_TYPE_NUMBER,
     .scope = TESSERA_SCOPE_ITEM},
    {.name = "margin", .help = "Additional room around the section.", .type = TESSERA_TYPE_NUMBER,
     .scope = TESSERA_SCOPE_SECTION},
};

static const tessera_attribute attributes[] = {
    {.name = "weight", .help = "How important the cell is: 1, or less if it is set back.", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 1}};

static const tessera_kind kinds[] = {
    {.name = "caption", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_BADGE}};

static const tessera_setting defaults[] = {
    {.name = "itemSize", .type = TESSERA_TYPE_SIZE, .value.size = {90, 60}},
    {.name = "minimumInteritemSpacing", .type = TESSERA_TYPE_NUMBER, .value.number = 12},
    {.name = "scrollDirection", .choice = "vertical", .type = TESSERA_TYPE_ENUM, .owned = 1},
    {.name = "estimatedItemSize", .type = TESSERA_TYPE_SIZE, .owned = 1},
};

static double below(const tessera_input *in) {
  return in->parameters[CAPTION].number > 0 ? in->parameters[CAPTION].number + in->parameters[CAPTION_GAP].number : 0;
}
static tessera_status refuse(const tessera_input *in, const char *name, uint64_t place, double found) {
  return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE,
                      "%s %llu is %g, which makes no length; give a finite number that is not negative", name,
                      (unsigned long long)place, found);
}

// Sets zoomed sizes and caption space, in prepare and still_valid.
static tessera_status override_base(const tessera_input *in) {
  tessera_super *super = in->super;
  const uint64_t items = in->section_starts[in->section_count];
  void *data = NULL;
  tessera_status status = super->set_values(super, "size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &data);
  if (status != TESSERA_OK) return status;
  tessera_size *sizes = data;
  for (uint64_t index = 0; index < items; index++) {
    const double zoom = plain_number(in->values[0], index);
    const double high = sizes[index].height * zoom;
    if (!(zoom >= 0) || !isfinite(high)) return refuse(in, "zoom of item", index, zoom);
    sizes[index].width = fmin(1e12, sizes[index].width * zoom);
    sizes[index].height = high;
  }
  status = super->set_values(super, "sectionInset", TESSERA_SCOPE_SECTION, TESSERA_TYPE_INSETS, &data);
  if (status != TESSERA_OK) return status;
  tessera_insets *insets = data;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const double margin = plain_number(in->values[1], section);
    if (!(margin >= 0) || margin > 1e12) return refuse(in, "margin of section", section, margin);
    insets[section].top += margin;
    insets[section].left += margin;
    insets[section].bottom += margin + below(in);
    insets[section].right += margin;
  }
  status = super->set_values(super, "minimumLineSpacing", TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER, &data);
  if (status != TESSERA_OK) return status;
  double *spacings = data;
  for (uint32_t section = 0; section < in->section_count; section++)
    spacings[section] = fmax(0, spacings[section]) + below(in);
  return TESSERA_OK;
}

// Insets a rect, at most to its centre.
static tessera_rect shrunk(tessera_rect from, double inset) {
  const double x = fmin(inset, from.width / 2), y = fmin(inset, from.height / 2);
  return (tessera_rect){from.x + x, from.y + y, from.width - 2 * x, from.height - 2 * y};
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  tessera_status status = override_base(in);
  if (status != TESSERA_OK) return status;
  status = in->super->prepare(in->super, out);
  if (status != TESSERA_OK) return status;

  const uint64_t every = (uint64_t)in->parameters[EVERY].integer;
  const double caption = in->parameters[CAPTION].number, between = in->parameters[CAPTION_GAP].number;
  const double inset = in->parameters[INSET].number;
  const uint64_t runs = out->run_count(out), total = in->section_starts[in->section_count];
  uint64_t done = 0;
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    const tessera_rows *captions = NULL;
    const tessera_run under = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = 0, .section = run.section,
                               .first_item = run.first_item, .count = run.count};
    if (caption > 0) {
      status = out->add(out, &under, &captions);
      if (status != TESSERA_OK) return status;
    }
    double *weights = rows->attributes[0];
    for (uint64_t row = 0; row < run.count; row++) {
      const tessera_rect whole = rows->frame[row];
      if (captions) {
        captions->frame[row] = (tessera_rect){whole.x, whole.y + whole.height + between, whole.width, caption};
        captions->z_index[row] = 1;
      }
      if ((run.first_item + row + 1) % every == 0) {
        rows->frame[row] = shrunk(whole, inset);
        weights[row] = 0.5;
      }
      if (++done % 8192 == 0 && !in->host->progress(in->host, 0.5 + 0.5 * (double)done / (double)total))
        return TESSERA_ERROR_CANCELLED;
    }
  }
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)layout;
  if (override_base(in) != TESSERA_OK) return 0;
  return in->super->still_valid(in->super);
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout;
  tessera_status status = in->super->adjust(in->super, rect, out);
  if (status != TESSERA_OK) return status;
  const double length = in->parameters[FADE_LENGTH].number;
  if (length <= 0) return TESSERA_OK;
  const double top = in->viewport.y + in->content_insets.top;
  const double bottom = in->viewport.y + in->viewport.height - in->content_insets.bottom;
  const uint64_t runs = out->run_count(out);
  for (uint64_t index = 0; index < runs; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      const double middle = rows->frame[row].y + rows->frame[row].height / 2;
      const double inside = fmin(middle - top, bottom - middle);
      rows->alpha[row] = fmax(0.25, fmin(1, 0.25 + 0.75 * inside / length));
    }
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- Extensions

// Cells grow from half size; captions, headers and footers only fade.
static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  (void)in;
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      rows->transform[row].m[0] *= 0.5;
      rows->transform[row].m[5] *= 0.5;
    }
  }
  return TESSERA_OK;
}
static const tessera_updates updates = {.struct_size = sizeof updates, .initial_attributes = initial_attributes};

// A set-back cell keeps its place: drops from other sections are refused.
static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item,
                             tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  (void)layout;
  (void)item;
  (void)point;
  if (*target_section == section) return TESSERA_OK;
  const uint64_t every = (uint64_t)in->parameters[EVERY].integer;
  const uint64_t count = plain_items(in, *target_section);
  if (every > 1 && (*target_item + 1) % every == 0 && *target_item < count) *target_item += 1;
  return TESSERA_OK;
}
static const tessera_reordering reordering = {.struct_size = sizeof reordering, .target = target};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updates;
  if (strcmp(id, TESSERA_EXT_REORDERING) == 0) return &reordering;
  return NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.caption", .name = "Caption", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "A flow with captions under its cells.",
    .base = "org.tessera.flow", .base_version = "0.1.0",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_Z_INDEX,
    .adjusted_columns = TESSERA_COLUMN_ALPHA,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = 2, .value_size = sizeof(tessera_value_declaration),
    .attributes = attributes, .attribute_count = 1, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 1, .kind_size = sizeof(tessera_kind),
    .defaults = defaults, .default_count = 4, .default_size = sizeof(tessera_setting),
    .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
