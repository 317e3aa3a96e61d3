// Rungs under one another, lazy, and a second engine derived from them that uses every function of
// tessera_super.

#include <math.h>
#include <stdlib.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static const void *element_of(const tessera_column *column, uint64_t place) {
  return (const char *)column->data + place * column->stride;
}

static double extent(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

// ---------------------------------------------------------------- the base

enum { RUNG_HEIGHT, INDENT, SIDE, PARAMETER_COUNT };
enum { ITEM_INDENT, LEAD, VALUE_COUNT };
enum { IS_WIDE, FUNCTION_COUNT };

static const char *const sides[] = {"left", "right"};

static const tessera_parameter parameters[] = {
    {.name = "rungHeight", .help = "The height of a rung.", .unit = "pt", .type = TESSERA_NUMBER,
     .initial.number = 20, .minimum.number = 1, .maximum.number = 1000},
    {.name = "indent", .help = "The space left of a rung that has none of its own.", .unit = "pt",
     .type = TESSERA_NUMBER, .maximum.number = 1000},
    {.name = "side", .help = "The side at which rungs lie.", .type = TESSERA_ENUM,
     .choices = sides, .choice_count = 2},
};

static const tessera_value_declaration values[] = {
    {.name = "indent", .help = "The space left of a rung.", .fallback = "indent",
     .type = TESSERA_NUMBER, .scope = TESSERA_ITEM},
    {.name = "lead", .help = "The space above a section.", .type = TESSERA_NUMBER,
     .scope = TESSERA_SECTION},
};

static const tessera_function_declaration functions[] = {
    {.name = "isWide", .signature = "bool(u32,u64)",
     .help = "Whether a rung takes the whole width; by default it takes half."},
};

struct tessera_layout {
  const tessera_host *host;
  double width; // of the last prepare
  int is_prepared;
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

static void destroy(tessera_layout *layout) { free(layout); }

static double lead_of(const tessera_input *in, uint32_t section) {
  return fmax(0, *(const double *)element_of(&in->values[LEAD], section));
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  double height =
      (double)in->section_starts[in->section_count] * in->parameters[RUNG_HEIGHT].number;
  for (uint32_t section = 0; section < in->section_count; section++)
    height += lead_of(in, section);
  if (!isfinite(height)) {
    layout->host->report(layout->host, TESSERA_INVALID_VALUE,
                         "the leads are too large for a number to hold their sum; make them smaller");
    return TESSERA_INVALID_VALUE;
  }
  layout->width = extent(in);
  layout->is_prepared = 1;
  out->set_content_size(out, (tessera_size){extent(in), height});
  return TESSERA_OK;
}

// Adds the rungs first ..< end of a section whose first rung is at y.
static tessera_status add(const tessera_input *in, tessera_output *out, uint32_t section, double y,
                          uint64_t first, uint64_t end) {
  if (first >= end) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CELL, .section = section, .first_item = first,
                           .count = end - first};
  const tessera_rows *rows = NULL;
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const tessera_function function = in->functions[IS_WIDE];
  uint8_t (*is_wide)(void *, uint32_t, uint64_t) =
      (uint8_t(*)(void *, uint32_t, uint64_t))function.call;
  const double width = extent(in), height = in->parameters[RUNG_HEIGHT].number;
  for (uint64_t item = first; item < end; item++) {
    const double indent =
        fmax(0, *(const double *)element_of(&in->values[ITEM_INDENT],
                                            in->section_starts[section] + item));
    const double room = fmax(0, width - indent);
    const double own = is_wide && is_wide(function.context, section, item) ? room : room / 2;
    const double x = in->parameters[SIDE].choice == 1 ? width - own : fmin(indent, width);
    rows->frame[item - first] = (tessera_rect){x, y + (double)item * height, own, height};
  }
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in,
                                       tessera_rect rect, tessera_output *out) {
  if (!layout->is_prepared) return TESSERA_WRONG_STATE;
  const double height = in->parameters[RUNG_HEIGHT].number;
  double y = 0;
  for (uint32_t section = 0; section < in->section_count && y < rect.y + rect.height; section++) {
    const uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
    y += lead_of(in, section);
    // One more on both sides than arithmetic says, because it rounds.
    const double low = floor((rect.y - y) / height) - 1;
    const double high = ceil((rect.y + rect.height - y) / height) + 1;
    const uint64_t first = low <= 0 ? 0 : low >= (double)count ? count : (uint64_t)low;
    const uint64_t end = high <= 0 ? 0 : high >= (double)count ? count : (uint64_t)high;
    tessera_status status = add(in, out, section, y, first, end);
    if (status != TESSERA_OK) return status;
    y += (double)count * height;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  if (!layout->is_prepared) return TESSERA_WRONG_STATE;
  if (run->category != TESSERA_CELL || run->section >= in->section_count) return TESSERA_OK;
  double y = 0;
  for (uint32_t section = 0; section <= run->section; section++) {
    if (section > 0)
      y += (double)(in->section_starts[section] - in->section_starts[section - 1]) *
           in->parameters[RUNG_HEIGHT].number;
    y += lead_of(in, section);
  }
  const uint64_t count = in->section_starts[run->section + 1] - in->section_starts[run->section];
  return add(in, out, run->section, y, run->first_item,
             smaller(count, run->first_item < count ? run->first_item + 1 : count));
}

// Fades the rungs that have begun to leave through the top.
static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)layout, (void)rect;
  const uint64_t count = out->run_count(out);
  for (uint64_t i = 0; i < count; i++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    tessera_status status = out->get(out, i, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++)
      rows->alpha[row] = rows->frame[row].y < in->viewport.y ? 0.5 : 1;
  }
  return TESSERA_OK;
}

// The height does not matter: a new width does, to the content size.
static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  return layout->width == extent(in);
}

// ---------------------------------------------------------------- derived from it, without a layout

enum { STRETCH, ALTERNATES, STEP, DERIVED_PARAMETER_COUNT };

static const tessera_parameter derived_parameters[] = {
    {.name = "stretch", .help = "By how much rungs are higher.", .type = TESSERA_NUMBER,
     .initial.number = 2, .minimum.number = 1, .maximum.number = 8},
    {.name = "alternates", .help = "Whether every second rung is wide, whatever isWide says.",
     .type = TESSERA_BOOL, .initial.boolean = 1},
    {.name = "step", .help = "By how much each rung lies further right.", .unit = "pt",
     .type = TESSERA_NUMBER, .initial.number = 5, .maximum.number = 100},
};

static const tessera_setting defaults[] = {
    {.name = "rungHeight", .type = TESSERA_NUMBER, .value.number = 30},
    {.name = "side", .type = TESSERA_ENUM, .choice = "right", .owned = 1},
};

// Returns the failure of the call, if there is one.
#define TRY(call)                                 \
  do {                                            \
    const tessera_status status = (call);         \
    if (status != TESSERA_OK) return status;      \
  } while (0)

// What the derived engine overrides for a layout, in prepare and still_valid.
static tessera_status override(const tessera_input *in) {
  tessera_super *super = in->super;
  tessera_value height;
  TRY(super->get(super, "rungHeight", TESSERA_NUMBER, &height));
  height.number = fmin(1000, height.number * in->parameters[STRETCH].number);
  TRY(super->set(super, "rungHeight", TESSERA_NUMBER, height));
  if (extent(in) < 80) TRY(super->set_choice(super, "side", "left"));
  void *data = NULL;
  TRY(super->set_values(super, "indent", TESSERA_ITEM, TESSERA_NUMBER, &data));
  double *indents = data;
  for (uint32_t section = 0; section < in->section_count; section++)
    for (uint64_t i = in->section_starts[section]; i < in->section_starts[section + 1]; i++)
      indents[i] += (double)(i - in->section_starts[section]) * in->parameters[STEP].number;
  return TESSERA_OK;
}

// How far down all rungs are: as far again as the first section of the base is.
static tessera_status shift_of(const tessera_input *in, double *shift) {
  tessera_column leads;
  TRY(in->super->get_values(in->super, "lead", TESSERA_SECTION, TESSERA_NUMBER, &leads));
  if (leads.data == NULL && in->section_count > 0) return TESSERA_WRONG_STATE; // not prepared
  *shift = in->section_count > 0 ? fmax(0, *(const double *)element_of(&leads, 0)) : 0;
  return TESSERA_OK;
}

static uint8_t is_even(void *context, uint32_t section, uint64_t item) {
  (void)context, (void)section;
  return item % 2 == 0;
}

static tessera_status derived_prepare(tessera_layout *layout, const tessera_input *in,
                                      tessera_output *out) {
  (void)layout;
  TRY(override(in));
  if (in->parameters[ALTERNATES].boolean) {
    const tessera_function function = {.call = (void (*)(void))is_even};
    TRY(in->super->set_function(in->super, "isWide", "bool(u32,u64)", function));
  }
  double shift;
  TRY(shift_of(in, &shift));
  TRY(in->super->prepare(in->super, out));
  const tessera_size size = out->content_size(out);
  if (!isfinite(size.height + shift)) return TESSERA_INVALID_VALUE;
  out->set_content_size(out, (tessera_size){size.width, size.height + shift});
  return TESSERA_OK;
}

static tessera_status move_down(tessera_output *out, double shift) {
  const uint64_t count = out->run_count(out);
  for (uint64_t i = 0; i < count; i++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    TRY(out->get(out, i, &run, &rows));
    for (uint64_t row = 0; row < run.count; row++) rows->frame[row].y += shift;
  }
  return TESSERA_OK;
}

static tessera_status derived_in_rect(tessera_layout *layout, const tessera_input *in,
                                      tessera_rect rect, tessera_output *out) {
  (void)layout;
  double shift;
  TRY(shift_of(in, &shift));
  rect.y -= shift;
  TRY(in->super->elements_in_rect(in->super, rect, out));
  return move_down(out, shift);
}

static tessera_status derived_element(tessera_layout *layout, const tessera_input *in,
                                      const tessera_run *run, tessera_output *out) {
  (void)layout;
  double shift;
  TRY(shift_of(in, &shift));
  TRY(in->super->element(in->super, run, out));
  return move_down(out, shift);
}

// Brings the rungs to the front that are not faded.
static tessera_status derived_adjust(tessera_layout *layout, const tessera_input *in,
                                     tessera_rect rect, tessera_output *out) {
  (void)layout;
  TRY(in->super->adjust(in->super, rect, out));
  const uint64_t count = out->run_count(out);
  for (uint64_t i = 0; i < count; i++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    TRY(out->get(out, i, &run, &rows));
    for (uint64_t row = 0; row < run.count; row++) rows->z_index[row] = rows->alpha[row] == 1;
  }
  return TESSERA_OK;
}

static int32_t derived_still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)layout;
  return override(in) == TESSERA_OK && in->super->still_valid(in->super);
}

// ---------------------------------------------------------------- both

#define TRAITS (TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS)

static const tessera_engine engines[] = {
    {
        .struct_size = sizeof(tessera_engine),
        .traits = TRAITS,
        .adjusted_columns = TESSERA_COLUMN_ALPHA,
        .id = "org.example.rungs",
        .name = "Rungs",
        .version = "1.2.0",
        .author = "The Tessera authors",
        .license = "MIT",
        .summary = "Rungs under one another.",
        .parameter_count = PARAMETER_COUNT,
        .parameter_size = sizeof *parameters,
        .value_count = VALUE_COUNT,
        .value_size = sizeof *values,
        .function_count = FUNCTION_COUNT,
        .function_size = sizeof *functions,
        .parameters = parameters,
        .values = values,
        .functions = functions,
        .create = create,
        .destroy = destroy,
        .prepare = prepare,
        .adjust = adjust,
        .elements_in_rect = elements_in_rect,
        .element = element,
        .still_valid = still_valid,
    },
    {
        .struct_size = sizeof(tessera_engine),
        .traits = TRAITS,
        .adjusted_columns = TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_ALPHA,
        .id = "org.example.climbing-rungs",
        .name = "Climbing rungs",
        .version = "1.0.0",
        .author = "The Tessera authors",
        .license = "MIT",
        .summary = "Higher rungs, each further right than the one above it.",
        .base = "org.example.rungs",
        .base_version = "1.1.0",
        .parameter_count = DERIVED_PARAMETER_COUNT,
        .parameter_size = sizeof *derived_parameters,
        .default_count = 2,
        .default_size = sizeof *defaults,
        .parameters = derived_parameters,
        .defaults = defaults,
        .prepare = derived_prepare,
        .adjust = derived_adjust,
        .elements_in_rect = derived_in_rect,
        .element = derived_element,
        .still_valid = derived_still_valid,
    },
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
    const tessera_status status = registry->add_engine(registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
