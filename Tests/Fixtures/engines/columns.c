// Writes every column, of elements added out of order.

#include "engine.h"

enum { A_BOOL, A_INT, A_NUMBER, A_CHOICE, A_POINT, A_SIZE, A_RECT, A_INSETS, ATTRIBUTE_COUNT };
enum { ZEBRA, APPLE, LEAF, KIND_COUNT };

static const char *const colours[] = {"red", "green", "blue"};

static const tessera_parameter parameters[] = {
    {.name = "which", .help = "Whether the first cell is written: 1.", .type = TESSERA_TYPE_INT}};

static const tessera_kind kinds[KIND_COUNT] = {[ZEBRA] = {.name = "zebra", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
                                               [APPLE] = {.name = "apple", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
                                               [LEAF] = {.name = "leaf", .category = TESSERA_CATEGORY_DECORATION}};

static const tessera_attribute attributes[ATTRIBUTE_COUNT] = {
    [A_BOOL] = {.name = "isOdd", .help = "A bool.", .type = TESSERA_TYPE_BOOL, .initial.boolean = 1},
    [A_INT] = {.name = "count", .help = "An integer.", .type = TESSERA_TYPE_INT, .initial.integer = INT64_MIN,
               .interpolation = TESSERA_INTERPOLATION_STEP},
    [A_NUMBER] = {.name = "weight", .help = "A number.", .type = TESSERA_TYPE_NUMBER},
    [A_CHOICE] = {.name = "colour", .help = "An enum.", .type = TESSERA_TYPE_ENUM, .choices = colours, .choice_count = 3,
                  .initial.choice = 2, .interpolation = TESSERA_INTERPOLATION_NONE},
    [A_POINT] = {.name = "anchor", .help = "A point.", .type = TESSERA_TYPE_POINT, .initial.point = {1, 2}},
    [A_SIZE] = {.name = "extent", .help = "A size.", .type = TESSERA_TYPE_SIZE, .initial.size = {3, 4}},
    [A_RECT] = {.name = "inner", .help = "A rect.", .type = TESSERA_TYPE_RECT, .initial.rect = {5, 6, 7, 8}},
    [A_INSETS] = {.name = "margin", .help = "Insets.", .type = TESSERA_TYPE_INSETS, .initial.insets = {9, 10, 11, 12}},
};

static tessera_status add(tessera_output *out, tessera_run run, const tessera_rows **rows) {
  TRY(out->add(out, &run, rows));
  for (uint64_t i = 0; i < run.count; i++)
    (*rows)->frame[i] = (tessera_rect){(double)run.section * 100, (double)(run.first_item + i), 10,
                                       run.category == TESSERA_CATEGORY_CELL ? 1 : 2};
  return TESSERA_OK;
}

static void write(const tessera_rows *rows) {
  void *const *own = rows->attributes;
  rows->transform[0].m[12] = 25;
  rows->alpha[0] = 0.25;
  rows->z_index[0] = -7;
  rows->hidden[0] = 1;
  ((uint8_t *)own[A_BOOL])[0] = 0;
  ((int64_t *)own[A_INT])[0] = INT64_MAX;
  ((double *)own[A_NUMBER])[0] = 0.1;
  ((int32_t *)own[A_CHOICE])[0] = 0;
  ((tessera_point *)own[A_POINT])[0] = (tessera_point){-1, -2};
  ((tessera_size *)own[A_SIZE])[0] = (tessera_size){-3, -4};
  ((tessera_rect *)own[A_RECT])[0] = (tessera_rect){-5, -6, -7, -8};
  ((tessera_insets *)own[A_INSETS])[0] = (tessera_insets){-9, -10, -11, -12};
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  out->set_content_size(out, (tessera_size){1000, 1000});
  const tessera_rows *rows;
  for (uint32_t section = in->section_count; section-- > 0;) {
    uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
    uint64_t half = count / 2;
    const tessera_run runs[] = {
        {TESSERA_CATEGORY_SUPPLEMENTARY, ZEBRA, section, 0, 0, 2},
        {TESSERA_CATEGORY_CELL, 0, section, 0, half, count - half},
        {TESSERA_CATEGORY_SUPPLEMENTARY, APPLE, section, 0, 5, 1},
        {TESSERA_CATEGORY_DECORATION, LEAF, section, 0, 3, 1},
        {TESSERA_CATEGORY_CELL, 0, section, 0, 0, half},
        {TESSERA_CATEGORY_DECORATION, LEAF, section, 0, 0, 1},
        {TESSERA_CATEGORY_CELL, 0, section, 0, count, 0},
        {TESSERA_CATEGORY_CELL, 0, section, 0, half / 2, 0},
    };
    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
      TRY(add(out, runs[i], &rows));
      if (section == 0 && i == 4 && half > 0 && in->parameters[0].integer == 1) write(rows);
    }
  }
  return TESSERA_OK;
}

REGISTER(ENGINE("columns", LIST(parameter, parameters), LIST(attribute, attributes), LIST(kind, kinds), .prepare = prepare,
                .columns = TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_HIDDEN,
                .traits = TESSERA_TRAIT_MIRRORS));
