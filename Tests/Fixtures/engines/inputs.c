// Returns its input: each cell of section 1 has input numbers as its frame; cells of later sections
// have their item's and section's.

#include <math.h>

#define VERSION "1.2.3-rc.1"
#include "engine.h"

enum { FLAG, COUNT, RATIO, MODE, ANCHOR, EXTENT, AREA, MARGIN, PARAMETER_COUNT };
enum { ITEM_EXTENT, ITEM_WEIGHT, ITEM_MODE, SECTION_MARGIN, ITEM_FLAG, ITEM_COUNT, VALUE_COUNT };

static const char *const modes[] = {"calm", "lively", "wild"};

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [FLAG] = {.name = "flag", .help = "A bool.", .type = TESSERA_TYPE_BOOL, .initial.boolean = 1},
    [COUNT] = {.name = "count", .help = "An integer.", .type = TESSERA_TYPE_INT, .initial.integer = 3,
               .minimum.integer = 1, .maximum.integer = 10},
    [RATIO] = {.name = "ratio", .help = "A number.", .unit = "rad", .type = TESSERA_TYPE_NUMBER,
               .initial.number = 0.5, .minimum.number = -INFINITY, .maximum.number = 1},
    [MODE] = {.name = "mode", .help = "An enum.", .type = TESSERA_TYPE_ENUM, .choices = modes, .choice_count = 3,
              .initial.choice = 1},
    [ANCHOR] = {.name = "anchor", .help = "A point.", .type = TESSERA_TYPE_POINT, .initial.point = {1, 2}},
    [EXTENT] = {.name = "extent", .help = "A size.", .unit = "pt", .type = TESSERA_TYPE_SIZE,
                .initial.size = {30, 40}, .maximum.size = {INFINITY, 50}},
    [AREA] = {.name = "area", .help = "A rect.", .type = TESSERA_TYPE_RECT, .initial.rect = {5, 6, 7, 8}},
    [MARGIN] = {.name = "margin", .help = "Insets.", .type = TESSERA_TYPE_INSETS, .initial.insets = {9, 10, 11, 12}},
};

static const tessera_value_declaration values[VALUE_COUNT] = {
    [ITEM_EXTENT] = {.name = "extent", .help = "A size.", .fallback = "extent",
                     .type = TESSERA_TYPE_SIZE, .scope = TESSERA_SCOPE_ITEM},
    [ITEM_WEIGHT] = {.name = "weight", .help = "A number, 0 where none is given.",
                     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [ITEM_MODE] = {.name = "mode", .help = "An enum.", .fallback = "mode", .type = TESSERA_TYPE_ENUM,
                   .scope = TESSERA_SCOPE_ITEM},
    [SECTION_MARGIN] = {.name = "margin", .help = "Insets.", .fallback = "margin",
                        .type = TESSERA_TYPE_INSETS, .scope = TESSERA_SCOPE_SECTION},
    [ITEM_FLAG] = {.name = "isMarked", .help = "A bool.", .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_ITEM},
    [ITEM_COUNT] = {.name = "rank", .help = "An integer.", .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_ITEM},
};

static tessera_rect rect_of(tessera_insets insets) {
  return (tessera_rect){insets.top, insets.left, insets.bottom, insets.right};
}

static void write_input(const tessera_input *in, tessera_rect *frame, uint64_t count) {
  const tessera_value *p = in->parameters;
  const tessera_rect all[] = {
      in->viewport,
      rect_of(in->content_insets),
      rect_of(in->safe_area),
      rect_of(in->layout_margins),
      {in->scale, in->right_to_left, in->section_count, in->change.what},
      {p[FLAG].boolean, (double)p[COUNT].integer, fabs(p[RATIO].number), p[MODE].choice},
      {p[ANCHOR].point.x, p[ANCHOR].point.y, p[EXTENT].size.width, p[EXTENT].size.height},
      p[AREA].rect,
      rect_of(p[MARGIN].insets),
      {in->super != NULL, in->struct_size == sizeof *in, in->reserved, 0},
  };
  for (uint64_t i = 0; i < count && i < sizeof all / sizeof *all; i++) frame[i] = all[i];
}

static void write_values(const tessera_input *in, uint32_t section, tessera_rect *frame, uint64_t start, uint64_t end) {
  const tessera_insets *margin = plain_at(in->values[SECTION_MARGIN], section);
  for (uint64_t i = start; i < end; i++, frame++) {
    const tessera_size *extent = plain_at(in->values[ITEM_EXTENT], i);
    const double *weight = plain_at(in->values[ITEM_WEIGHT], i);
    const int32_t *mode = plain_at(in->values[ITEM_MODE], i);
    const uint8_t *flag = plain_at(in->values[ITEM_FLAG], i);
    const int64_t *rank = plain_at(in->values[ITEM_COUNT], i);
    *frame = (tessera_rect){*weight + 100 * *mode + 1000 * *flag + 10000 * (double)*rank,
                            margin->left, extent->width, extent->height};
  }
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  if (in->parameters[COUNT].integer == 9) return TESSERA_ERROR_UNSUPPORTED;
  out->set_content_size(out, (tessera_size){1000, 1000});
  for (uint32_t section = 0; section < in->section_count; section++) {
    uint64_t start = in->section_starts[section], end = in->section_starts[section + 1];
    tessera_run run = {.section = section, .count = end - start};
    const tessera_rows *rows;
    TRY(out->add(out, &run, &rows));
    for (uint64_t i = 0; i < run.count; i++) rows->frame[i] = (tessera_rect){0, 0, 0, 0};
    if (section == 0)
      write_input(in, rows->frame, run.count);
    else
      write_values(in, section, rows->frame, start, end);
  }
  return TESSERA_OK;
}

#define INPUTS(its_name, its_traits) \
  ENGINE(its_name, LIST(parameter, parameters), LIST(value, values), .prepare = prepare, .traits = its_traits)
REGISTER(INPUTS("inputs", 0), INPUTS("mirrored-inputs", TESSERA_TRAIT_MIRRORS));
