// An engine that returns its input, and two layers that set their base's input by plan.
#include "engine.h"

static tessera_status fail(const tessera_input *in, const char *message) {
  return plain_refuse(in->host, TESSERA_ERROR_FAILED, "%s", message);
}

static tessera_status add_one(tessera_output *out, tessera_category category, uint32_t kind, uint32_t section, double x) {
  const tessera_run run = {category, kind, section, 0, 0, 1};
  const tessera_rows *rows;
  TRY(out->add(out, &run, &rows));
  rows->frame[0] = (tessera_rect){x, 0, 1, 1};
  return TESSERA_OK;
}

// ---------------------------------------------------------------- echo: its input

enum { PLAIN, NEAR, FAR, OWNED, SHARED, CELL_SIZE, COLOUR, FAILS, ECHO_COUNT };
enum { SIZE_VALUE, GAP_VALUE };
static const char *const colours[] = {"red", "green", "blue"};

#define NUMBER(parameter_name, value)                                                              \
  {.name = parameter_name, .help = "A number.", .type = TESSERA_TYPE_NUMBER, .initial.number = value,   \
   .minimum.number = -1e6, .maximum.number = 1e6}
#define PLAN(parameter_name)                                                                       \
  {.name = parameter_name, .help = "What it gives its base.", .type = TESSERA_TYPE_INT}

static const tessera_parameter echo_parameters[ECHO_COUNT] = {
    [PLAIN] = NUMBER("plain", 1),
    [NEAR] = NUMBER("near", 2),
    [FAR] = NUMBER("far", 3),
    [OWNED] = NUMBER("owned", 4),
    [SHARED] = NUMBER("shared", 5),
    [CELL_SIZE] = {.name = "cellSize", .help = "A size.", .type = TESSERA_TYPE_SIZE, .initial.size = {10, 20}},
    [COLOUR] = {.name = "colour", .help = "An enum.", .type = TESSERA_TYPE_ENUM, .choices = colours,
                .choice_count = 3},
    [FAILS] = {.name = "fails", .help = "Whether it fails.", .type = TESSERA_TYPE_BOOL},
};
static const tessera_value_declaration echo_values[] = {
    [SIZE_VALUE] = {.name = "size", .help = "A size.", .fallback = "cellSize",
                    .type = TESSERA_TYPE_SIZE, .scope = TESSERA_SCOPE_ITEM},
    [GAP_VALUE] = {.name = "gap", .help = "A gap.", .fallback = "plain",
                   .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};
static const tessera_kind echo_kinds[] = {{.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
                                          {.name = "mark", .category = TESSERA_CATEGORY_DECORATION}};
static const tessera_attribute echo_attributes[] = {
    {.name = "seen", .help = "Gap, colour and what is shared.", .type = TESSERA_TYPE_RECT}};

static tessera_status echo_prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const tessera_value *given = in->parameters;
  if (given[FAILS].boolean) return fail(in, "the echo was told to fail; tell it not to");
  out->set_content_size(out, (tessera_size){given[FAR].number, given[OWNED].number});
  for (uint32_t section = 0; section < in->section_count; section++) {
    uint64_t first = in->section_starts[section];
    uint64_t count = in->section_starts[section + 1] - first;
    const tessera_run run = {TESSERA_CATEGORY_CELL, 0, section, 0, 0, count};
    const tessera_rows *rows = 0;
    TRY(out->add(out, &run, &rows));
    double gap = plain_number(in->values[GAP_VALUE], section);
    for (uint64_t i = 0; i < count; i++) {
      const tessera_size *size = plain_at(in->values[SIZE_VALUE], first + i);
      rows->frame[i] =
          (tessera_rect){given[PLAIN].number, given[NEAR].number, size->width, size->height};
      ((tessera_rect *)rows->attributes[0])[i] =
          (tessera_rect){gap, given[COLOUR].choice, given[SHARED].number, 0};
    }
    TRY(add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, 0, section, 0));
    TRY(add_one(out, TESSERA_CATEGORY_DECORATION, 1, section, 0));
  }
  return TESSERA_OK;
}

static tessera_status fade(tessera_output *out, double part) {
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows;
    TRY(out->get(out, i, &run, &rows));
    for (uint64_t row = 0; row < run.count; row++) rows->alpha[row] *= part;
  }
  return TESSERA_OK;
}

static tessera_status echo_adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout, (void)in, (void)rect;
  return fade(out, 0.5);
}

enum { SET_PLAIN = 1, SET_SIZE = 2, SET_SIZES = 4, SET_COLOUR = 8, SET_GAPS = 16, TWICE = 32,
       TRY_ERRORS = 64 };

typedef struct plan {
  double plain, factor, addend, first_gap;
  tessera_size size;
  const char *colour;
} plan;

static tessera_status give(const tessera_input *in, int64_t what, const plan *plan) {
  tessera_super *base = in->super;
  tessera_value value = {0};
  void *data;
  if (what & SET_PLAIN) {
    value.number = plan->plain;
    TRY(base->set(base, "plain", TESSERA_TYPE_NUMBER, &value));
  }
  if (what & SET_SIZE) {
    value.size = plan->size;
    TRY(base->set(base, "cellSize", TESSERA_TYPE_SIZE, &value));
  }
  if (what & SET_SIZES) {
    TRY(base->set_values(base, "size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &data));
    tessera_size *sizes = data;
    for (uint64_t i = 0; i < in->section_starts[in->section_count]; i++) {
      sizes[i].width = sizes[i].width * plan->factor + plan->addend;
      sizes[i].height = sizes[i].height * plan->factor + plan->addend;
    }
  }
  if (what & SET_COLOUR) TRY(base->set_choice(base, "colour", plan->colour));
  if (what & SET_GAPS) {
    TRY(base->set_values(base, "gap", TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER, &data));
    for (uint32_t section = 0; section < in->section_count; section++)
      ((double *)data)[section] = plan->first_gap + section;
  }
  return TESSERA_OK;
}

static tessera_status try_errors(const tessera_input *in, tessera_output *out) {
  tessera_super *base = in->super;
  tessera_value value = {.number = 123}, got;
  tessera_column column;
  void *data;
  if (base->get(base, "nothing", TESSERA_TYPE_NUMBER, &got) != TESSERA_ERROR_NOT_FOUND ||
      base->set(base, "nothing", TESSERA_TYPE_NUMBER, &value) != TESSERA_ERROR_NOT_FOUND ||
      base->set_choice(base, "nothing", "red") != TESSERA_ERROR_NOT_FOUND ||
      base->get_values(base, "size", TESSERA_SCOPE_SECTION, TESSERA_TYPE_SIZE, &column) !=
          TESSERA_ERROR_NOT_FOUND ||
      base->set_values(base, "nothing", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &data) != TESSERA_ERROR_NOT_FOUND)
    return fail(in, "a name that no base has is not NOT_FOUND");
  if (base->get(base, "plain", TESSERA_TYPE_SIZE, &got) != TESSERA_ERROR_INVALID_VALUE ||
      base->set(base, "plain", TESSERA_TYPE_INT, &value) != TESSERA_ERROR_INVALID_VALUE ||
      base->set_choice(base, "plain", "red") != TESSERA_ERROR_INVALID_VALUE ||
      base->set_choice(base, "colour", "pink") != TESSERA_ERROR_INVALID_VALUE ||
      base->get_values(base, "size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_RECT, &column) !=
          TESSERA_ERROR_INVALID_VALUE ||
      base->set_values(base, "gap", TESSERA_SCOPE_SECTION, TESSERA_TYPE_SIZE, &data) !=
          TESSERA_ERROR_INVALID_VALUE)
    return fail(in, "another type is not INVALID_VALUE");
  TRY(base->set(base, "plain", TESSERA_TYPE_NUMBER, &value));
  TRY(base->get(base, "plain", TESSERA_TYPE_NUMBER, &got));
  if (got.number != 123) return fail(in, "what is set is not what is got");
  TRY(base->get_values(base, "gap", TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER, &column));
  if (*(const double *)column.data != 123 || column.stride != 0)
    return fail(in, "a value does not fall back on what its parameter is set to");
  if (base->adjust(base, (tessera_rect){0, 0, 1, 1}, out) != TESSERA_ERROR_WRONG_STATE)
    return fail(in, "adjust in prepare is not WRONG_STATE");
  return TESSERA_OK;
}

// ---------------------------------------------------------------- mid
// Kinds: tag, header, the base's mark. Attributes: weight, the base's seen.

enum { MID_PLAN, MID_SHARED };
static const tessera_parameter mid_parameters[] = {[MID_PLAN] = PLAN("midPlan"), [MID_SHARED] = NUMBER("shared", 9)};
static const tessera_kind mid_kinds[] = {{.name = "tag", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
                                         {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};
static const tessera_attribute mid_attributes[] = {
    {.name = "weight", .help = "A number.", .type = TESSERA_TYPE_NUMBER}};
static const tessera_setting mid_defaults[] = {
    {.name = "near", .type = TESSERA_TYPE_NUMBER, .value.number = 20},
    {.name = "far", .type = TESSERA_TYPE_NUMBER, .value.number = 20},
    {.name = "owned", .type = TESSERA_TYPE_NUMBER, .owned = 1, .value.number = 50}};
static const plan mid_plan = {200, 2, 0, 60, {21, 22}, "green"};

static tessera_status mid_prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  int64_t what = in->parameters[MID_PLAN].integer;
  if (what & TRY_ERRORS) TRY(try_errors(in, out));
  TRY(give(in, what, &mid_plan));
  TRY(in->super->prepare(in->super, out));
  for (uint32_t section = 0; section < in->section_count; section++)
    TRY(add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, 0, section, in->parameters[MID_SHARED].number));
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows;
    TRY(out->get(out, i, &run, &rows));
    if (run.category == TESSERA_CATEGORY_SUPPLEMENTARY && run.kind == 1) rows->frame[0].x = 11;
    if (run.category == TESSERA_CATEGORY_DECORATION && run.kind == 2) rows->frame[0].x = 12;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++)
      ((double *)rows->attributes[0])[row] =
          ((const tessera_rect *)rows->attributes[1])[row].x + 0.5;
  }
  return TESSERA_OK;
}

static tessera_status mid_adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout;
  TRY(in->super->adjust(in->super, rect, out));
  return fade(out, 0.25);
}

// ---------------------------------------------------------------- top
// Kinds: mark, star, the bases' tag and header. Attributes: tint, weight, seen.

static const tessera_parameter top_parameters[] = {PLAN("topPlan")};
static const tessera_kind top_kinds[] = {{.name = "mark", .category = TESSERA_CATEGORY_DECORATION},
                                         {.name = "star", .category = TESSERA_CATEGORY_DECORATION}};
static const tessera_attribute top_attributes[] = {
    {.name = "tint", .help = "An integer.", .type = TESSERA_TYPE_INT},
    {.name = "weight", .help = "A number.", .type = TESSERA_TYPE_NUMBER}};
static const tessera_setting top_defaults[] = {
    {.name = "far", .type = TESSERA_TYPE_NUMBER, .value.number = 30}};
static const plan top_plan = {300, 1, 1, 70, {31, 32}, "blue"};

static tessera_status top_prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  int64_t what = in->parameters[0].integer;
  for (uint32_t section = 0; section < in->section_count; section++)
    TRY(add_one(out, TESSERA_CATEGORY_DECORATION, 1, section, 0));
  if (what & TRY_ERRORS) TRY(try_errors(in, out));
  TRY(give(in, what, &top_plan));
  if (what & TWICE) {
    tessera_value plain = {.number = 1000};
    TRY(in->super->set(in->super, "plain", TESSERA_TYPE_NUMBER, &plain));
    TRY(in->super->prepare(in->super, out));
    plain.number = 2000;
    TRY(in->super->set(in->super, "plain", TESSERA_TYPE_NUMBER, &plain));
  }
  TRY(in->super->prepare(in->super, out));
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows;
    TRY(out->get(out, i, &run, &rows));
    if (run.category != TESSERA_CATEGORY_CELL) {
      rows->frame[0].y = 100 + run.kind;
      continue;
    }
    for (uint64_t row = 0; row < run.count; row++) {
      double *weight = rows->attributes[1];
      ((int64_t *)rows->attributes[0])[row] =
          (int64_t)((const tessera_rect *)rows->attributes[2])[row].x;
      weight[row] += 0.25;
    }
  }
  return TESSERA_OK;
}

REGISTER(
    ENGINE("echo", LIST(parameter, echo_parameters), LIST(value, echo_values), LIST(kind, echo_kinds),
         LIST(attribute, echo_attributes), .prepare = echo_prepare, .adjust = echo_adjust,
         .adjusted_columns = TESSERA_COLUMN_ALPHA, .traits = TESSERA_TRAIT_VIEWPORT),
    ENGINE("mid", .base = "org.example.echo", LIST(parameter, mid_parameters), LIST(kind, mid_kinds),
         LIST(attribute, mid_attributes), LIST(default, mid_defaults), .prepare = mid_prepare, .adjust = mid_adjust,
         .traits = TESSERA_TRAIT_VIEWPORT),
    ENGINE("top", .base = "org.example.mid", LIST(parameter, top_parameters), LIST(kind, top_kinds),
         LIST(attribute, top_attributes), LIST(default, top_defaults), .prepare = top_prepare),
    ENGINE("bare", .base = "org.example.mid"));
