// Derived from shelves.c: featured items get higher rows, wider columns and panes.

#include <math.h>
#include <stdlib.h>
#include <tessera/plain.h>

TESSERA_NOTE;

#define MOST_COLUMNS 1000
#define MOST_WEIGHTS 4096
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

struct tessera_layout {
  const tessera_host *host;
  int64_t featured;
};

PLAIN_CREATE;

static double length(double given) { return given > 0 ? fmin(given, 1e12) : 0; }

enum { FACTOR, WIDE, PANE, DIM, VITRINE_PARAMETER_COUNT };
enum { FEATURED, VITRINE_VALUE_COUNT };

static const tessera_parameter vitrine_parameters[] = {
  {.name = "factor", .help = "How much higher featured items are.", .type = TESSERA_TYPE_NUMBER,
   .initial.number = 1.5, .minimum.number = 1, .maximum.number = 10},
  {.name = "wideColumn", .help = "The column that is wider, from 0; -1: none.", .type = TESSERA_TYPE_INT,
   .initial.integer = 1, .minimum.integer = -1, .maximum.integer = MOST_COLUMNS - 1},
  {.name = "paneMargin", .help = "How far a pane sticks out around a featured item.", .unit = "pt",
   .type = TESSERA_TYPE_NUMBER, .initial.number = 4, .maximum.number = 500},
  {.name = "dimmed", .help = "How visible the other items are.", .type = TESSERA_TYPE_NUMBER,
   .initial.number = 0.75, .minimum.number = 0, .maximum.number = 1},
};

static const tessera_value_declaration vitrine_values[] = {
  {.name = "featured", .help = "Whether the item is featured.", .type = TESSERA_TYPE_BOOL,
   .scope = TESSERA_SCOPE_ITEM},
};

static const tessera_kind vitrine_kinds[] = {
  {.name = "pane", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
};

static const tessera_setting vitrine_defaults[] = {
  {.name = "alignment", .choice = "middle", .type = TESSERA_TYPE_ENUM},
  {.name = "boardHeight", .type = TESSERA_TYPE_NUMBER, .value.number = 0, .owned = 1},
  {.name = "columns", .type = TESSERA_TYPE_INT, .value.integer = 4},
};

static int is_featured(const tessera_input *in, uint64_t position) {
  return plain_bool(in->values[FEATURED], position);
}

static tessera_status override(const tessera_input *in) {
  tessera_super *const base = in->super;
  const double factor = in->parameters[FACTOR].number;
  const int64_t wide = in->parameters[WIDE].integer;
  void *data = NULL;
  tessera_status status = base->set_values(base, "height", TESSERA_SCOPE_ITEM, TESSERA_TYPE_NUMBER, &data);
  if (status != TESSERA_OK) return status;
  double *const heights = data;
  const uint64_t all = in->section_starts[in->section_count];
  for (uint64_t i = 0; i < all; i++)
    if (is_featured(in, i)) heights[i] = length(heights[i]) * factor;
  if (wide < 0) return TESSERA_OK;

  // Whole rounds of the weights up to the wide column.
  uint64_t count = 0;
  status = base->get_list(base, "weights", &count);
  if (status != TESSERA_OK) return status;
  if (count > MOST_WEIGHTS) {
    return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE,
                        "there are more than 4096 weights; give fewer, or set wideColumn to -1");
  }
  const uint64_t round = count > 0 ? count : 1;
  const uint64_t longer = (MOST_COLUMNS + round - 1) / round * round;
  status = base->set_list(base, "weights", longer);
  if (status != TESSERA_OK) return status;
  status = base->set_column(base, "weights", "weight", TESSERA_TYPE_NUMBER, &data);
  if (status != TESSERA_OK) return status;
  double *const weights = data;
  for (uint64_t i = count; i < longer; i++) weights[i] = count > 0 ? weights[i - count] : 1;
  weights[wide] = fmin(weights[wide] * 2, 1000);
  return TESSERA_OK;
}

static tessera_status vitrine_prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  tessera_super *const base = in->super;
  tessera_status status = override(in);
  if (status != TESSERA_OK) return status;
  status = base->prepare(base, out);
  if (status != TESSERA_OK) return status;

  const double margin = in->parameters[PANE].number, dimmed = in->parameters[DIM].number;
  self->featured = 0;
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *cells = NULL, *pane = NULL;
    status = out->get(out, index, &run, &cells);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    const uint64_t start = in->section_starts[run.section] + run.first_item;
    for (uint64_t row = 0; row < run.count; row++) {
      cells->alpha[row] = is_featured(in, start + row) ? 1 : dimmed;
      if (!is_featured(in, start + row)) continue;
      self->featured++;
      const tessera_run added = {.category = TESSERA_CATEGORY_DECORATION, .kind = 0, .section = run.section,
                                 .first_item = run.first_item + row, .count = 1};
      status = out->add(out, &added, &pane);
      if (status != TESSERA_OK) return status;
      const tessera_rect f = cells->frame[row];
      pane->frame[0] =
          (tessera_rect){f.x - margin, f.y - margin, f.width + 2 * margin, f.height + 2 * margin};
      pane->z_index[0] = -1;
    }
  }
  return TESSERA_OK;
}

static int32_t vitrine_still_valid(tessera_layout *self, const tessera_input *in) {
  (void)self;
  if (override(in) != TESSERA_OK) return 0;
  return in->super->still_valid(in->super);
}

static int64_t featured_count(tessera_layout *self) { return self->featured; }

static const tessera_function_declaration vitrine_functions[] = {
  {.name = "featuredCount", .signature = "i64()", .help = "How many items are featured.",
   .published = (void (*)(void))featured_count},
};

static const tessera_engine vitrine = {
  .struct_size = sizeof vitrine,
  .traits = TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
  .columns = TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX,
  .id = "org.example.vitrine", .name = "Vitrine", .version = "1.0.0", .author = "C. Board",
  .license = "MIT", .summary = "Shelves with featured items in panes.",
  .base = "org.example.shelves", .base_version = "1.1.0",
  .parameter_count = VITRINE_PARAMETER_COUNT, .parameter_size = sizeof *vitrine_parameters,
  .parameters = vitrine_parameters,
  .value_count = VITRINE_VALUE_COUNT, .value_size = sizeof *vitrine_values, .values = vitrine_values,
  .function_count = COUNT_OF(vitrine_functions), .function_size = sizeof *vitrine_functions,
  .functions = vitrine_functions,
  .kind_count = COUNT_OF(vitrine_kinds), .kind_size = sizeof *vitrine_kinds, .kinds = vitrine_kinds,
  .default_count = COUNT_OF(vitrine_defaults), .default_size = sizeof *vitrine_defaults,
  .defaults = vitrine_defaults,
  .create = create, .destroy = plain_destroy, .prepare = vitrine_prepare, .still_valid = vitrine_still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &vitrine);
}
