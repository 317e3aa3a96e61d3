// Engines that lie about one number: eager, lazy and derived. `place` is an index of lies.h,
// `number` an extreme of its type, `turn` the number of truths before. Lies in declarations are
// compiled in.
#define LIAR
#include <string.h>
#include <tessera/ext/query.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>
#include "lies.h"

TESSERA_NOTE;

static volatile struct { char mark[24]; int64_t place, number; } declared_lie = {"the declared lie", -1, 0};
static int64_t place = -1, number, turn;

static void lie(int first, int count, void *value) {
  const int64_t wanted = declared_lie.place >= 0 ? declared_lie.place : place;
  if (wanted < first || wanted >= first + count) return;
  if (turn > 0) { turn--; return; }
  const lie_place *found = &places[wanted];
  const int64_t chosen = declared_lie.place >= 0 ? declared_lie.number : number;
  memcpy((char *)value + found->offset, &ends[found->type].numbers[(uint64_t)chosen % ends[found->type].count], found->size);
}

static void choose(const tessera_input *input) {
  place = input->parameters[0].integer, number = input->parameters[1].integer, turn = input->parameters[2].integer;
}

#define HELP(text) .name = text, .help = "What " text " is."
#define COUNT(array) (sizeof(array) / sizeof *(array))
static const char *const choices[] = {"a", "b"};
static tessera_parameter parameters[] = {
    {HELP("place"), .type = TESSERA_TYPE_INT, .initial.integer = -1, .flags = TESSERA_FLAG_HINT}, {HELP("number"), .type = TESSERA_TYPE_INT}, {HELP("turn"), .type = TESSERA_TYPE_INT},
    {HELP("mode"), .type = TESSERA_TYPE_ENUM, .choices = choices, .choice_count = 2}, {HELP("height"), .type = TESSERA_TYPE_NUMBER, .initial.number = 20}};
static tessera_value_declaration values[] = {
    {HELP("extent"), .type = TESSERA_TYPE_SIZE, .scope = TESSERA_SCOPE_ITEM}, {HELP("head"), .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION}};
static tessera_parameter columns[] = {{HELP("width"), .type = TESSERA_TYPE_NUMBER}};
static tessera_list_declaration lists[] = {{HELP("bands"), .columns = columns, .column_count = 1, .column_size = sizeof *columns}};
#define ATTRIBUTE(text, kind) {HELP(text), .type = TESSERA_TYPE_##kind}
// In the order of types.
static tessera_attribute attributes[] = {
    ATTRIBUTE("ofBool", BOOL), ATTRIBUTE("ofInt", INT), ATTRIBUTE("ofNumber", NUMBER), {HELP("ofEnum"), .type = TESSERA_TYPE_ENUM, .choices = choices, .choice_count = 2},
    ATTRIBUTE("ofPoint", POINT), ATTRIBUTE("ofSize", SIZE), ATTRIBUTE("ofRect", RECT), ATTRIBUTE("ofInsets", INSETS)};
static tessera_kind kinds[] = {{.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY}, {.name = "mark", .category = TESSERA_CATEGORY_DECORATION}};
static tessera_function_declaration functions[] = {{HELP("bias"), .signature = "f64(u32,f64)"}, PUBLISHED};
static tessera_setting defaults[] = {{.name = "height", .type = TESSERA_TYPE_NUMBER, .value.number = 25}};

// ---------------------------------------------------------------- The honest part

static const tessera_host *host;

static tessera_status honest_engine_create(const tessera_engine *self, const tessera_host *given, tessera_layout **layout) {
  (void)self;
  static char none;
  host = given, *layout = (tessera_layout *)&none;
  real_query = given->extension(given, TESSERA_EXT_QUERY);
  return TESSERA_OK;
}
static void destroy(tessera_layout *layout) { (void)layout; }

static double height_of(const tessera_input *in, uint64_t item) {
  const tessera_column *column = &in->values[0];
  const double height = column->data ? ((const tessera_size *)((const char *)column->data + item * column->stride))->height : 0;
  return height >= 0 && height < 1e6 ? height : 0;
}

static void write(const tessera_rows *rows, uint64_t row, double y, double height) {
  rows->frame[row] = (tessera_rect){0, y, 100, height};
}

static tessera_status put(tessera_output *out, tessera_run run, double y, double height) {
  const tessera_rows *rows;
  const tessera_status status = lying_output_add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  // The requested count, not the lie.
  for (uint64_t row = 0; row < run.count && row < rows->count; row++) write(rows, row, y + (double)row * height, height);
  if (rows->kept < rows->count) lying_output_leave(out, rows, 0);
  lie_in_rows();
  return TESSERA_OK;
}

// Adds elements of a rect, or all if null.
static tessera_status put_all(const tessera_input *in, tessera_output *out, const tessera_rect *rect) {
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t first = in->section_starts[section], count = in->section_starts[section + 1] - first;
    const int is_far = rect && (y > rect->y + rect->height);
    if (is_far) break;
    tessera_status status = put(out, (tessera_run){TESSERA_CATEGORY_SUPPLEMENTARY, 0, section, 0, 0, 1}, y, 5);
    for (uint64_t item = 0; status == TESSERA_OK && item < count; item++) {
      const double height = height_of(in, first + item);
      status = put(out, (tessera_run){TESSERA_CATEGORY_CELL, 0, section, 0, item, 1}, y + 5, height);
      y += height;
    }
    if (status == TESSERA_OK && count) status = put(out, (tessera_run){TESSERA_CATEGORY_DECORATION, 1, section, 0, 3, 1}, y, 1);
    if (status != TESSERA_OK) return status;
    y += 6;
  }
  if (!rect) lying_output_set_content_size(out, (tessera_size){100, y});
  return TESSERA_OK;
}

static tessera_status derive(const tessera_input *in, tessera_output *out) {
  tessera_super *super = in->super;
  tessera_value value = {.number = 30};
  tessera_column column;
  void *data = NULL;
  uint64_t count;
  lying_super_get(super, "height", TESSERA_TYPE_NUMBER, &value);
  lying_super_get_values(super, "extent", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &column);
  lying_super_get_list(super, "bands", &count);
  lying_super_get_column(super, "bands", "width", TESSERA_TYPE_NUMBER, &column);
  lying_super_set(super, "height", TESSERA_TYPE_NUMBER, &value);
  lying_super_set_choice(super, "mode", "b");
  lying_super_set_values(super, "extent", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &data);
  lying_super_set_list(super, "bands", 2);
  lying_super_set_column(super, "bands", "width", TESSERA_TYPE_NUMBER, &data);
  lying_super_set_function(super, "bias", "f64(u32,f64)", (tessera_function){0});
  const tessera_status status = lying_super_prepare(super, out);
  if (status != TESSERA_OK) return status;
  lying_output_set_content_size(out, lying_output_content_size(out));
  for (uint64_t run = 0, runs = lying_output_run_count(out); run < runs && run < 4; run++) {
    tessera_run found;
    const tessera_rows *rows;
    lying_output_get(out, run, &found, &rows);
  }
  return TESSERA_OK;
}

static tessera_status honest_engine_prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  if (!lying_host_progress(in->host, 0.5)) return TESSERA_ERROR_CANCELLED;
  lying_host_report(in->host, TESSERA_OK, "a warning");
  if (in->functions[0].call) ((double (*)(void *, uint32_t, double))in->functions[0].call)(in->functions[0].context, 1, 2);
  if (in->super) return derive(in, out);
  return put_all(in, out, NULL);
}

static tessera_status prepare_nothing(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  choose(in);
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    for (uint64_t item = in->section_starts[section]; item < in->section_starts[section + 1]; item++) y += height_of(in, item);
    y += 6;
  }
  lying_output_set_content_size(out, (tessera_size){100, y});
  tessera_status status = TESSERA_OK;
  return status;
}

static tessera_status honest_engine_adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout;
  if (in->super) return lying_super_adjust(in->super, rect, out);
  if (in->section_count == 0) return TESSERA_OK;
  return put(out, (tessera_run){TESSERA_CATEGORY_SUPPLEMENTARY, 0, 0, 0, 0, 1}, in->viewport.y, 5);
}

static tessera_status honest_engine_elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout;
  return in->super ? lying_super_elements_in_rect(in->super, rect, out) : put_all(in, out, &rect);
}

static tessera_status honest_engine_element(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  (void)layout;
  return in->super ? lying_super_element(in->super, run, out) : put(out, *run, 10, 10);
}

static int32_t honest_engine_still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)layout;
  return in->super ? lying_super_still_valid(in->super) : 0;
}

static tessera_status one_size(tessera_size *sizes, uint64_t *count) {
  *sizes = (tessera_size){100, 12}, *count = 1;
  return TESSERA_OK;
}
static tessera_status honest_sizing_estimates(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)layout, (void)in, (void)run;
  return one_size(sizes, count);
}
static tessera_status honest_sizing_proposals(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)layout, (void)in, (void)run;
  return one_size(sizes, count);
}

static tessera_status honest_reordering_target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point,
                                               uint32_t *target_section, uint64_t *target_item) {
  (void)layout, (void)in, (void)section, (void)item, (void)target_section, (void)target_item;
  tessera_output *found;
  if (real_query && lying_query_elements_in_rect(host, (tessera_rect){point.x, point.y, 10, 10}, &found) == TESSERA_OK) found->run_count(found);
  return TESSERA_OK;
}

static tessera_status honest_snapping_resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  (void)layout, (void)in, (void)velocity, (void)resting;
  return TESSERA_OK;
}

static tessera_status honest_updates_begin(tessera_layout *layout, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)layout, (void)in, (void)updates, (void)count;
  return TESSERA_OK;
}
static tessera_status shape(tessera_output *out) {
  for (uint64_t run = 0; run < lying_output_run_count(out); run++) {
    tessera_run found;
    const tessera_rows *rows;
    if (lying_output_get(out, run, &found, &rows) != TESSERA_OK) break;
    lie_in_rows();
  }
  return TESSERA_OK;
}
static tessera_status honest_updates_initial_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) { (void)layout, (void)in; return shape(out); }
static tessera_status honest_updates_final_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) { (void)layout, (void)in; return shape(out); }
static void end(tessera_layout *layout) { (void)layout; }

static const void *extension(const tessera_engine *self, const char *id) {
  static tessera_measured measured[] = {{"extent", NULL}, {"head", "header"}};
  static tessera_sizing sizing = {sizeof sizing, 2, measured, lying_sizing_estimates, lying_sizing_proposals};
  static tessera_snapping snapping = {sizeof snapping, 0, lying_snapping_resting_offset};
  static tessera_reordering reordering = {sizeof reordering, 0, lying_reordering_target};
  static tessera_updates updates = {sizeof updates, 0, lying_updates_begin, lying_updates_initial_attributes, lying_updates_final_attributes, end};
  (void)self;
  if (!strcmp(id, TESSERA_EXT_SIZING)) return lied_tessera_sizing(&sizing);
  if (!strcmp(id, TESSERA_EXT_SNAPPING)) return lied_tessera_snapping(&snapping);
  if (!strcmp(id, TESSERA_EXT_REORDERING)) return lied_tessera_reordering(&reordering);
  if (!strcmp(id, TESSERA_EXT_UPDATES)) return lied_tessera_updates(&updates);
  return NULL;
}

#define ALL(what) .what##s = what##s, .what##_count = COUNT(what##s), .what##_size = sizeof *what##s
#define COMMON(text)                                                                                                                 \
  .struct_size = sizeof(tessera_engine), .id = "org.example." text, .name = text, .version = "1.0.0", .author = "A test", .license = "MIT", \
  .summary = "Lies about a number.", .columns = 15, ALL(parameter), ALL(value), ALL(list), ALL(function), ALL(attribute), ALL(kind),      \
  .create = lying_engine_create, .destroy = destroy, .adjust = lying_engine_adjust, .still_valid = lying_engine_still_valid, .extension = extension
static tessera_engine engines[] = {
    {COMMON("eager"), .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL, .prepare = lying_engine_prepare},
    {COMMON("lazy"), .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_LAZY, .prepare = prepare_nothing,
     .elements_in_rect = lying_engine_elements_in_rect, .element = lying_engine_element},
    {COMMON("derived"), .base = "org.example.eager", .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS, .prepare = lying_engine_prepare,
     .defaults = defaults, .default_count = 1, .default_size = sizeof *defaults},
};

tessera_status tessera_register(const tessera_host *given, tessera_registry *registry) {
  (void)given;
  lie_in_declarations(&engines[declared_lie.place >= 0 ? 2 : 0]);
  for (size_t i = 0; i < COUNT(engines); i++) {
    const tessera_status status = registry->add_engine(registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
