// A strip per item, with lengths and colours from a list; a derived engine overrides the list. Both
// check their input, to detect host bugs.
#include "engine.h"

enum { LENGTH, COLOUR, PARENT };

static const char *const colours[] = {"red", "green", "blue"};

static const tessera_parameter columns[] = {
    {.name = "length", .help = "How long the strip is.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 10,
     .maximum.number = 1000},
    {.name = "colour", .help = "Its colour.", .choices = colours, .choice_count = 3, .type = TESSERA_TYPE_ENUM,
     .initial.choice = 2},
    {.name = "parent", .help = "The strip whose length is added, or -1.", .type = TESSERA_TYPE_INT, .initial.integer = -1},
};

static const tessera_list_declaration lists[] = {
    {"strips", "The strips that the items take in turn.", 3, sizeof(tessera_parameter), columns},
};

static const tessera_attribute attributes[] = {
    {.name = "colour", .help = "The colour of the strip.", .choices = colours, .choice_count = 3,
     .type = TESSERA_TYPE_ENUM, .interpolation = TESSERA_INTERPOLATION_STEP},
    {.name = "changed", .help = "Whether the host said that lists have changed.", .type = TESSERA_TYPE_INT,
     .interpolation = TESSERA_INTERPOLATION_STEP},
};

// A strip is as long as its record and all ancestors; without records it is 1 long and red.
static tessera_status prepare(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
  (void)layout;
  const tessera_list *strips = &input->lists[0];
  double y = 0;
  uint64_t place = 0;
  for (uint32_t section = 0; section < input->section_count; section++) {
    uint64_t count = input->section_starts[section + 1] - input->section_starts[section];
    const tessera_rows *rows;
    tessera_run run = {TESSERA_CATEGORY_CELL, 0, section, 0, 0, count};
    TRY(output->add(output, &run, &rows));
    for (uint64_t item = 0; item < count; item++, place++) {
      double length = 1;
      int32_t colour = 0;
      if (strips->count > 0) {
        uint64_t row = place % strips->count;
        length = 0;
        colour = plain_choice(strips->columns[COLOUR], row);
        for (int64_t at = (int64_t)row; at >= 0 && (uint64_t)at < strips->count; at = plain_integer(strips->columns[PARENT], (uint64_t)at))
          length += plain_number(strips->columns[LENGTH], (uint64_t)at);
      }
      rows->frame[item] = (tessera_rect){0, y, input->viewport.width, length};
      ((int32_t *)rows->attributes[0])[item] = colour;
      ((int64_t *)rows->attributes[1])[item] = (input->change.what & (TESSERA_CHANGED_ALL | TESSERA_CHANGED_LISTS)) != 0;
      y += length;
    }
  }
  output->set_content_size(output, (tessera_size){input->viewport.width, y});
  return TESSERA_OK;
}

// When narrow: twice the records, at half the length, green.
static tessera_status prepare_halves(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
  (void)layout;
  tessera_super *super = input->super;
  if (input->viewport.width < 200) {
    uint64_t count;
    tessera_column lengths;
    if (super->get_list(super, "strips", &count) != TESSERA_OK) return TESSERA_ERROR_FAILED;
    if (super->get_column(super, "strips", "length", TESSERA_TYPE_NUMBER, &lengths) != TESSERA_OK) return TESSERA_ERROR_FAILED;
    void *data;
    if (super->set_column(super, "strips", "length", TESSERA_TYPE_NUMBER, &data) != TESSERA_ERROR_WRONG_STATE) return TESSERA_ERROR_FAILED;
    if (super->set_list(super, "stripes", 1) != TESSERA_ERROR_NOT_FOUND) return TESSERA_ERROR_FAILED;
    if (super->set_list(super, "strips", UINT64_MAX) != TESSERA_ERROR_NO_SPACE) return TESSERA_ERROR_FAILED;
    TRY(super->set_list(super, "strips", 2 * count));
    if (super->set_column(super, "strips", "length", TESSERA_TYPE_INT, &data) != TESSERA_ERROR_INVALID_VALUE) return TESSERA_ERROR_FAILED;
    if (super->set_column(super, "strips", "width", TESSERA_TYPE_NUMBER, &data) != TESSERA_ERROR_NOT_FOUND) return TESSERA_ERROR_FAILED;
    if (super->set_column(super, "strips", "length", TESSERA_TYPE_NUMBER, &data) != TESSERA_OK) return TESSERA_ERROR_FAILED;
    double *length = data;
    for (uint64_t row = count; row-- > 0;) length[2 * row] = length[2 * row + 1] = length[row] / 2;
    if (super->set_column(super, "strips", "colour", TESSERA_TYPE_ENUM, &data) != TESSERA_OK) return TESSERA_ERROR_FAILED;
    int32_t *colour = data;
    // A width of 100 requests an invalid colour.
    for (uint64_t row = 0; row < 2 * count; row++) colour[row] = input->viewport.width == 100 ? 7 : 1;
  }
  return super->prepare(super, output);
}

REGISTER(ENGINE("strips", LIST(list, lists), LIST(attribute, attributes), .prepare = prepare),
         ENGINE("halves", .base = "org.example.strips", .prepare = prepare_halves));
