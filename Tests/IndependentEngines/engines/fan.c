// Cells in rows that fan out: each turned a little further than the one before, on a plate, with spokes between
// them. It lays out right to left by itself, on the pixel grid.
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { CELL, PER_ROW, TURN, RADIUS, PLATE, LIMIT, FRONT, PARAMETER_COUNT };
enum { FRONT_LAST, FRONT_FIRST };
static const char *const fronts[] = {"last", "first"};
static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [CELL] = {.name = "cellSize", .help = "Size of a cell.", .unit = "pt", .type = TESSERA_TYPE_SIZE,
              .initial.size = {48, 72}, .minimum.size = {1, 1}, .maximum.size = {4000, 4000}},
    [PER_ROW] = {.name = "perRow", .help = "How many cells a row has.", .type = TESSERA_TYPE_INT, .initial.integer = 6,
                 .minimum.integer = 1, .maximum.integer = 64},
    [TURN] = {.name = "turn", .help = "Angle between neighbours.", .unit = "rad", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 0.12, .maximum.number = 0.5},
    [RADIUS] = {.name = "radius", .help = "Radius of the arc on which the cells lie.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 320, .minimum.number = 1, .maximum.number = 10000},
    [PLATE] = {.name = "platePadding", .help = "Room between the cells of a section and the edges of its plate.",
               .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .maximum.number = 500},
    [LIMIT] = {.name = "limit", .help = "How many cells of a section are shown; 0: all.", .type = TESSERA_TYPE_INT,
               .initial.integer = 0, .maximum.integer = 1000000},
    [FRONT] = {.name = "front", .help = "Which cell of a row is in front.", .type = TESSERA_TYPE_ENUM,
               .choices = fronts, .choice_count = 2, .initial.choice = FRONT_LAST},
};

enum { OWN_SIZE, OWN_PADDING, OWN_LIMIT, VALUE_COUNT };
static const tessera_value_declaration values[VALUE_COUNT] = {
    [OWN_SIZE] = {.name = "size", .help = "The item's own size, up to that of cellSize.", .fallback = "cellSize",
                  .type = TESSERA_TYPE_SIZE, .scope = TESSERA_SCOPE_ITEM},
    [OWN_PADDING] = {.name = "padding", .help = "Room within the cell, from its leading and trailing edges.",
                     .type = TESSERA_TYPE_INSETS, .scope = TESSERA_SCOPE_ITEM},
    [OWN_LIMIT] = {.name = "limit", .help = "How many cells of the section are shown; 0 or less: all.",
                   .fallback = "limit", .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_SECTION},
};

static double section_top(void *context, uint32_t section);
typedef tessera_point (*shift_function)(void *context, uint32_t section, uint64_t item);
static const tessera_function_declaration functions[] = {
    {.name = "shift", .signature = "point(u32,u64)", .help = "How far a cell is moved from its place."},
    {.name = "sectionTop", .signature = "f64(u32)", .help = "Where a section begins.",
     .published = (void (*)(void))section_top},
};

static const tessera_attribute attributes[] = {
    {.name = "tip", .help = "The upper leading corner, where the label starts.", .unit = "pt", .type = TESSERA_TYPE_POINT},
    {.name = "inner", .help = "Room within the cell, as it was given, from its sides.", .unit = "pt",
     .type = TESSERA_TYPE_INSETS},
    {.name = "angle", .help = "By how much the cell is turned clockwise.", .unit = "rad", .type = TESSERA_TYPE_NUMBER},
};

enum { KIND_PLATE, KIND_SPOKE };
static const tessera_kind kinds[] = {
    {.name = "plate", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
    {.name = "spoke", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};

struct tessera_layout {
  const tessera_host *host;
  uint32_t count;
  double *tops; // of the sections
};

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}
static void destroy(tessera_layout *layout) {
  free(layout->tops);
  free(layout);
}

static const void *at(tessera_column column, uint64_t index) {
  return (const char *)column.data + index * column.stride;
}

// What the cells of one call have in common.
typedef struct fan {
  double width, scale, turn, radius;
  tessera_size cell;
  uint64_t per_row;
  int mirrored;
} fan;

static fan measure(const tessera_input *in) {
  fan f = {.scale = in->scale, .turn = in->parameters[TURN].number, .radius = in->parameters[RADIUS].number};
  f.cell = in->parameters[CELL].size;
  f.per_row = (uint64_t)in->parameters[PER_ROW].integer;
  f.mirrored = in->right_to_left;
  f.width = fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
  f.width = fmax(f.width, f.cell.width);
  return f;
}
static double rounded(const fan *f, double length) { return floor(length * f->scale + 0.5) / f->scale; }
static double floored(const fan *f, double length) { return floor(length * f->scale) / f->scale; }

// How far a row of the fan sags at its ends.
static double sag(const fan *f) {
  const double angle = fmin(M_PI / 2, f->turn * (double)(f->per_row - 1) / 2);
  return f->radius * (1 - cos(angle));
}
static double angle_of(const fan *f, uint64_t column) {
  const double angle = f->turn * ((double)column - (double)(f->per_row - 1) / 2);
  return fmax(-M_PI / 2, fmin(M_PI / 2, angle));
}
// Keeps a cell within the width, on the pixel grid.
static double kept_inside(const fan *f, double x, double width) {
  return fmax(0, fmin(rounded(f, x), floored(f, f->width - width)));
}

static tessera_status refuse(const tessera_input *in, const char *what, uint64_t place, const char *rule) {
  char text[160];
  snprintf(text, sizeof text, "%s of item %llu is out of range; %s", what, (unsigned long long)place, rule);
  in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, text);
  return TESSERA_ERROR_INVALID_VALUE;
}

static tessera_transform turned(double angle) {
  const double c = cos(angle), s = sin(angle);
  return (tessera_transform){{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

static tessera_status add_decoration(tessera_output *out, uint32_t kind, uint32_t section, uint64_t item,
                                     tessera_rect frame, double angle, int32_t z) {
  const tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .kind = kind, .section = section,
                           .first_item = item, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = frame;
  rows->z_index[0] = z;
  rows->transform[0] = turned(angle);
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const fan f = measure(in);
  const tessera_function shift = in->functions[0];
  const double padding = in->parameters[PLATE].number, row_height = f.cell.height + sag(&f);
  const uint64_t total = in->section_starts[in->section_count];
  double *tops = realloc(layout->tops, ((size_t)in->section_count + 1) * sizeof *tops);
  if (!tops) return TESSERA_ERROR_NO_SPACE;
  layout->tops = tops;
  layout->count = in->section_count;
  double top = 0, lowest = 0;
  uint64_t done = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    tops[section] = top;
    const uint64_t start = in->section_starts[section], count = in->section_starts[section + 1] - start;
    if (count == 0) continue;
    const uint64_t lines = (count + f.per_row - 1) / f.per_row;
    const int64_t limit = *(const int64_t *)at(in->values[OWN_LIMIT], section);
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    tessera_point *tips = rows->attributes[0];
    tessera_insets *inner = rows->attributes[1];
    double *angles = rows->attributes[2];
    for (uint64_t item = 0; item < count; item++) {
      const uint64_t line = item / f.per_row, column = item % f.per_row;
      const tessera_size own = *(const tessera_size *)at(in->values[OWN_SIZE], start + item);
      if (!(own.width >= 0 && own.height >= 0)) return refuse(in, "size", start + item, "give 0 or more");
      const tessera_size size = {fmin(own.width, f.cell.width), fmin(own.height, f.cell.height)};
      const double angle = angle_of(&f, column);
      double x = f.width / 2 + f.radius * sin(angle) - size.width / 2;
      double y = top + padding + (double)line * row_height + f.radius * (1 - cos(angle));
      if (f.mirrored) x = f.width - x - size.width;
      if (shift.call) {
        const tessera_point by = ((shift_function)shift.call)(shift.context, section, item);
        x += fmax(-1000, fmin(1000, by.x));
        y += fmax(-1000, fmin(1000, by.y));
      }
      x = kept_inside(&f, x, size.width);
      y = fmax(0, rounded(&f, y));
      rows->frame[item] = (tessera_rect){x, y, size.width, size.height};
      rows->transform[item] = turned(f.mirrored ? -angle : angle);
      angles[item] = f.mirrored ? -angle : angle;
      rows->z_index[item] = (int32_t)(in->parameters[FRONT].choice == FRONT_LAST ? column : f.per_row - column);
      rows->hidden[item] = limit > 0 && item >= (uint64_t)limit;
      tips[item] = (tessera_point){f.mirrored ? size.width : 0, 0};
      inner[item] = *(const tessera_insets *)at(in->values[OWN_PADDING], start + item);
      if (f.mirrored) {
        const double left = inner[item].left;
        inner[item].left = inner[item].right;
        inner[item].right = left;
      }
      lowest = fmax(lowest, y + size.height);
      if (++done % 2048 == 0 && !in->host->progress(in->host, (double)done / (double)total))
        return TESSERA_ERROR_CANCELLED;
    }
    for (uint64_t item = 0; item + 1 < count; item++) {
      const uint64_t line = item / f.per_row, column = item % f.per_row;
      if (column + 1 == f.per_row) continue;
      const double angle = angle_of(&f, column) + f.turn / 2;
      const double from_left = f.width / 2 + f.radius * sin(angle) - 0.5;
      const double x = rounded(&f, f.mirrored ? f.width - from_left - 1 : from_left);
      const double y = rounded(&f, top + padding + (double)line * row_height + f.radius * (1 - cos(angle)));
      const tessera_rect frame = {x, y, 1, f.cell.height};
      status = add_decoration(out, KIND_SPOKE, section, item, frame, f.mirrored ? -angle : angle, -1);
      if (status != TESSERA_OK) return status;
    }
    const double height = 2 * padding + (double)lines * row_height;
    const tessera_rect plate = {0, rounded(&f, top), f.width, height};
    status = add_decoration(out, KIND_PLATE, section, 0, plate, 0, -10);
    if (status != TESSERA_OK) return status;
    top += height;
  }
  out->set_content_size(out, (tessera_size){f.width, fmax(lowest, top)});
  return TESSERA_OK;
}

static double section_top(void *context, uint32_t section) {
  const tessera_layout *layout = context;
  if (section < layout->count) return layout->tops[section];
  layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no such section; ask for one that exists");
  return 0;
}

// Stops at the section that begins nearest.
static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in, tessera_point velocity,
                                     tessera_point *resting) {
  (void)velocity;
  if (layout->count == 0) return TESSERA_OK;
  const double y = resting->y + in->content_insets.top;
  uint32_t low = 0, high = layout->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (layout->tops[middle] <= y)
      low = middle;
    else
      high = middle;
  }
  double best = layout->tops[low];
  if (low + 1 < layout->count && layout->tops[low + 1] - y < y - best) best = layout->tops[low + 1];
  resting->y = best - in->content_insets.top;
  return TESSERA_OK;
}
static const tessera_snapping snapping = {.struct_size = sizeof snapping, .resting_offset = resting_offset};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.fan", .name = "Fan", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Cells in rows that fan out.",
    .traits = TESSERA_TRAIT_PIXEL_ALIGNED,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_HIDDEN,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 3, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 2, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
