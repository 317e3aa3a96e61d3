// An eager shelf that depends on the viewport: sections side by side under pinned headers; cells
// are rotated, faded and tinted by distance from the middle.

#include "twin.h"

TESSERA_NOTE;

enum { WIDTH, HEADER };
enum { HEADER_KIND, BOARD_KIND };
enum { TINT, MOOD };
enum { CALM, GLAD };

static const char *const moods[] = {"calm", "glad"};

static const tessera_parameter parameters[] = {
    {.name = "width", .help = "The width of a cell.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 60, .minimum.number = 1, .maximum.number = 400},
    {.name = "header", .help = "The height of a header.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 20, .minimum.number = 0, .maximum.number = 100},
};

static const tessera_attribute attributes[] = {
    {.name = "tint", .help = "How strongly a cell is tinted.", .type = TESSERA_TYPE_NUMBER},
    {.name = "mood", .help = "What a cell looks like.", .choices = moods,
     .choice_count = COUNT(moods), .type = TESSERA_TYPE_ENUM, .interpolation = TESSERA_INTERPOLATION_STEP,
     .when = TESSERA_WHEN_ADJUSTED},
};

static const tessera_kind kinds[] = {
    {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
    {.name = "board", .category = TESSERA_CATEGORY_DECORATION},
};

static tessera_status add_one(tessera_output *out, tessera_category category, uint32_t kind,
                              uint32_t section, tessera_rect frame) {
  const tessera_run run = {.category = category, .kind = kind, .section = section, .count = 1};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status == TESSERA_OK) rows->frame[0] = frame;
  return status;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  const double width = in->parameters[WIDTH].number;
  const double top = in->parameters[HEADER].number;
  const double height = fmax(plain_extent(in).height, top + 50);
  double x = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t count = plain_items(in, section);
    if (count == 0) continue;
    const double length = (double)count * width;
    const tessera_rect header = {x, 0, length, top};
    tessera_status status = add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, HEADER_KIND, section, header);
    if (status != TESSERA_OK) return status;
    const tessera_rect board = {x, height - 4, length, 4};
    status = add_one(out, TESSERA_CATEGORY_DECORATION, BOARD_KIND, section, board);
    if (status != TESSERA_OK) return status;
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    const tessera_rows *rows;
    status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < count; i++) {
      rows->frame[i] = (tessera_rect){x + (double)i * width, top, width, height - top - 4};
      ((double *)rows->attributes[TINT])[i] = (double)(i % 3) / 2;
    }
    x += length;
  }
  out->set_content_size(out, (tessera_size){x, height});
  return TESSERA_OK;
}

// Distance from the viewport's middle: 0, up to 1 at half its width and beyond.
static double distance_of(const tessera_input *in, tessera_rect frame) {
  const double half = in->viewport.width / 2 + 1;
  const double middle = frame.x + frame.width / 2;
  return fmin(1, fabs(middle - in->viewport.x - half) / half);
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)layout, (void)rect;
  const uint64_t runs = out->run_count(out);
  for (uint64_t r = 0; r < runs; r++) {
    tessera_run run;
    const tessera_rows *rows;
    const tessera_status status = out->get(out, r, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t i = 0; i < run.count; i++) {
      const double away = distance_of(in, rows->frame[i]);
      const double scale = 1 - away / 2;
      rows->transform[i].m[0] = scale;
      rows->transform[i].m[5] = scale;
      rows->alpha[i] = 1 - away / 2;
      rows->z_index[i] = away < 0.5;
      rows->hidden[i] = away >= 1;
      ((int32_t *)rows->attributes[MOOD])[i] = away < 0.5 ? GLAD : CALM;
    }
  }
  return TESSERA_OK;
}

static const tessera_engine engine = {
    TWIN("shelf"),
    .traits = TESSERA_TRAIT_VIEWPORT,
    .adjusted_columns = TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX |
                        TESSERA_COLUMN_HIDDEN,
    PARAMETERS,
    ATTRIBUTES,
    KINDS,
    .prepare = prepare,
    .adjust = adjust,
};

REGISTERS(engine)
