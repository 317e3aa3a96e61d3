// filmstrip.c: strips of film below each other, one for each section, with perforations and edge numbers. Lazy.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { FRAME_HEIGHT, ASPECT, GAP, BAND, LEADER, STRIP_SPACING, PERFORATIONS, FIRST_NUMBER, NUMBERS_EVERY, FILLS, PINS, ALIGNMENT, PARAMETERS };
enum { SECTION_HEIGHT, EXPOSURE, FLIPPED, VALUES };
enum { KIND_LEADER, KIND_NUMBER, KIND_PERFORATION, KIND_FILM, KINDS };
enum { EDGE_NUMBER, ATTRIBUTES };
enum { IS_DEVELOPED };
enum { ALIGN_LEADING, ALIGN_CENTER };

static const char *const alignments[] = {"leading", "center"};

static const tessera_parameter parameters[PARAMETERS] = {
    [FRAME_HEIGHT] = {.name = "frameHeight", .help = "Height of the frames of a strip.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                      .initial.number = 72, .minimum.number = 1, .maximum.number = 100000},
    [ASPECT] = {.name = "aspectRatio", .help = "Width of a frame for each point of its height.", .type = TESSERA_TYPE_NUMBER,
                .initial.number = 1.5, .minimum.number = 0.05, .maximum.number = 20},
    [GAP] = {.name = "gap", .help = "Space before the first frame and after each.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
             .initial.number = 4, .maximum.number = 1000},
    [BAND] = {.name = "band", .help = "Height of the film above the frames, and of that below.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 16, .minimum.number = 1, .maximum.number = 1000},
    [LEADER] = {.name = "leader", .help = "Width of the film's leader, which has the name of the strip.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 48, .minimum.number = 1, .maximum.number = 1000},
    [STRIP_SPACING] = {.name = "stripSpacing", .help = "Space between two strips.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                       .initial.number = 12, .maximum.number = 1000},
    [PERFORATIONS] = {.name = "perforations", .help = "Perforations of each frame above it, and as many below it.",
                      .type = TESSERA_TYPE_INT, .initial.integer = 4, .maximum.integer = 32},
    [FIRST_NUMBER] = {.name = "firstNumber", .help = "Edge number of the first frame of a strip.", .type = TESSERA_TYPE_INT,
                      .initial.integer = 1, .maximum.integer = 1000000000},
    [NUMBERS_EVERY] = {.name = "numbersEvery", .help = "Every so many frames, from the first, one has its edge number; 0: none has.",
                       .type = TESSERA_TYPE_INT, .initial.integer = 2, .maximum.integer = 1000000},
    [FILLS] = {.name = "fills", .help = "Whether the film of a short strip reaches to the end of the bounds.", .type = TESSERA_TYPE_BOOL,
               .initial.boolean = 1},
    [PINS] = {.name = "pinsLeaders", .help = "Whether the leaders stay in sight, within their strips.", .type = TESSERA_TYPE_BOOL,
              .initial.boolean = 1, .flags = TESSERA_FLAG_IN_ADJUST},
    [ALIGNMENT] = {.name = "restingAlignment", .help = "Where scrolling leaves a frame: at the leading edge, or in the middle.",
                   .type = TESSERA_TYPE_ENUM, .choices = alignments, .choice_count = 2, .flags = TESSERA_FLAG_HINT}};

static const tessera_value_declaration values[VALUES] = {
    [SECTION_HEIGHT] = {.name = "heightOfFrames", .help = "Height of the strip's frames; below 1 is 1.", .fallback = "frameHeight",
                        .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [EXPOSURE] = {.name = "darkness", .help = "How much of a frame is not seen: 0 is opaque, 1 and more is not seen at all.",
                  .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [FLIPPED] = {.name = "flipped", .help = "Whether the frame is seen from behind, left and right exchanged.", .type = TESSERA_TYPE_BOOL,
                 .scope = TESSERA_SCOPE_ITEM}};

static const tessera_attribute attributes[ATTRIBUTES] = {
    [EDGE_NUMBER] = {.name = "edgeNumber", .help = "The number on the edge of the film.", .type = TESSERA_TYPE_INT,
                     .interpolation = TESSERA_INTERPOLATION_STEP, .when = TESSERA_WHEN_PREPARED}};

static const tessera_kind kinds[KINDS] = {
    [KIND_LEADER] = {.name = "leader", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [KIND_NUMBER] = {.name = "number", .shows = "edgeNumber", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_LABEL},
    [KIND_PERFORATION] = {.name = "perforation", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_OTHER},
    [KIND_FILM] = {.name = "film", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

typedef struct strip {
  double top, frame_height, frame_width, pitch, length;
  uint64_t count;
} strip;

// The strips of the last prepare, from the top.
struct tessera_layout {
  const tessera_host *host;
  strip *strips;
  uint32_t count, room;
  double first_x, band, width;
  int fills;
};

static double number(tessera_column of, uint64_t index) { return *(const double *)((const char *)of.data + index * of.stride); }
static int is_set(tessera_column of, uint64_t index) { return ((const uint8_t *)of.data)[index * of.stride] != 0; }
static double width_of(const tessera_input *in) { return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right); }
static double bottom_of(const tessera_layout *at, const strip *of) { return of->top + of->frame_height + 2 * at->band; }
static double x_of(const tessera_layout *at, const strip *of, uint64_t frame) { return at->first_x + (double)frame * of->pitch; }

// The first strip that ends below y, or the number of strips.
static uint32_t strip_at(const tessera_layout *at, double y) {
  uint32_t low = 0, high = at->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (bottom_of(at, &at->strips[middle]) > y) high = middle;
    else low = middle + 1;
  }
  return low;
}

// A number of frames from 0 to the most.
static uint64_t frames(double wanted, uint64_t most) {
  if (!(wanted > 0)) return 0;
  return wanted < (double)most ? (uint64_t)wanted : most;
}

static tessera_rect frame_rect(const tessera_layout *at, const strip *of, uint64_t frame) {
  return (tessera_rect){x_of(at, of, frame), of->top + at->band, of->frame_width, of->frame_height};
}

// ---------------------------------------------------------------- published

static tessera_rect rect_of_frame(tessera_layout *at, uint32_t section, uint64_t frame) {
  if (section >= at->count || frame >= at->strips[section].count) {
    at->host->report(at->host, TESSERA_ERROR_NOT_FOUND, "there is no such frame; ask for one of a strip");
    return (tessera_rect){0, 0, 0, 0};
  }
  return frame_rect(at, &at->strips[section], frame);
}

static int64_t frame_at(tessera_layout *at, tessera_point point) {
  const uint32_t section = strip_at(at, point.y);
  if (section == at->count || point.y < at->strips[section].top) return -1;
  const strip *const of = &at->strips[section];
  const double along = (point.x - at->first_x) / of->pitch;
  if (along < 0 || along >= (double)of->count) return -1;
  return point.x < x_of(at, of, (uint64_t)along) + of->frame_width ? (int64_t)along : -1;
}

static const tessera_function_declaration functions[] = {
    {.name = "isDeveloped", .signature = "bool(u32,u64)", .help = "Whether a frame of a section is developed; others are half as opaque."},
    {.name = "frameRect", .signature = "rect(u32,u64)", .help = "Where a frame of a section lies.", .published = (void (*)(void))rect_of_frame},
    {.name = "frameAt", .signature = "i64(point)", .help = "The frame, counted in its strip, over or under which a point of the film lies, or -1.",
     .published = (void (*)(void))frame_at}};

// ---------------------------------------------------------------- preparing

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *at) {
  free(at->strips);
  free(at);
}

static tessera_status refused(const tessera_input *in, const char *why) {
  in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, why);
  return TESSERA_ERROR_INVALID_VALUE;
}

static tessera_status prepare(tessera_layout *at, const tessera_input *in, tessera_output *out) {
  if (in->section_count > at->room) {
    strip *larger = realloc(at->strips, (size_t)in->section_count * sizeof *larger);
    if (!larger) return TESSERA_ERROR_NO_SPACE;
    at->strips = larger;
    at->room = in->section_count;
  }
  at->count = in->section_count;
  at->band = in->parameters[BAND].number;
  at->first_x = in->parameters[LEADER].number + in->parameters[GAP].number;
  at->width = width_of(in);
  at->fills = in->parameters[FILLS].boolean;
  tessera_size content = {0, 0};
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    strip *const of = &at->strips[section];
    of->top = y;
    of->count = in->section_starts[section + 1] - in->section_starts[section];
    of->frame_height = fmax(1, number(in->values[SECTION_HEIGHT], section));
    of->frame_width = of->frame_height * in->parameters[ASPECT].number;
    of->pitch = of->frame_width + in->parameters[GAP].number;
    of->length = x_of(at, of, of->count);
    if (of->count > UINT64_C(1) << 50 || !(of->length <= 1e15))
      return refused(in, "a strip would be more than 1e15 points long; give a smaller heightOfFrames or aspectRatio, or fewer frames");
    if (at->fills) of->length = fmax(of->length, at->width);
    content.width = fmax(content.width, of->length);
    content.height = bottom_of(at, of);
    if (!(content.height <= 1e15)) return refused(in, "the strips would be more than 1e15 points high; give a smaller heightOfFrames, or fewer strips");
    y = content.height + in->parameters[STRIP_SPACING].number;
  }
  out->set_content_size(out, content);
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *at, const tessera_input *in) { return !at->fills || width_of(in) == at->width; }

// ---------------------------------------------------------------- queries

static tessera_status add_frames(tessera_layout *at, const tessera_input *in, uint32_t section, uint64_t first, uint64_t last, tessera_output *out) {
  const strip *const of = &at->strips[section];
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first, .count = last - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  uint8_t (*const developed)(void *, uint32_t, uint64_t) = (uint8_t (*)(void *, uint32_t, uint64_t))in->functions[IS_DEVELOPED].call;
  for (uint64_t row = 0; row < run.count; row++) {
    const uint64_t item = in->section_starts[section] + first + row;
    rows->frame[row] = frame_rect(at, of, first + row);
    rows->alpha[row] = 1 - fmin(1, fmax(0, number(in->values[EXPOSURE], item)));
    if (developed && !developed(in->functions[IS_DEVELOPED].context, section, first + row)) rows->alpha[row] /= 2;
    if (is_set(in->values[FLIPPED], item)) rows->transform[row].m[0] = -1;
  }
  return TESSERA_OK;
}

// The labels first ..< last of a strip. A label's number is that of its frame, divided by the distance of two labels.
static tessera_status add_numbers(tessera_layout *at, const tessera_input *in, uint32_t section, uint64_t first, uint64_t last, tessera_output *out) {
  const strip *const of = &at->strips[section];
  const uint64_t every = (uint64_t)in->parameters[NUMBERS_EVERY].integer;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_NUMBER, .section = section, .first_item = first, .count = last - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t row = 0; row < run.count; row++) {
    const uint64_t frame = (first + row) * every;
    rows->frame[row] = (tessera_rect){x_of(at, of, frame), bottom_of(at, of) - at->band / 4, of->frame_width, at->band / 4};
    ((int64_t *)rows->attributes[EDGE_NUMBER])[row] = in->parameters[FIRST_NUMBER].integer + (int64_t)frame;
  }
  return TESSERA_OK;
}

// Perforations are numbered from left to right, that above the frame before that below it.
static tessera_status add_perforations(tessera_layout *at, const tessera_input *in, uint32_t section, uint64_t first, uint64_t last, tessera_output *out) {
  const strip *const of = &at->strips[section];
  const uint64_t each = (uint64_t)in->parameters[PERFORATIONS].integer;
  const tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .kind = KIND_PERFORATION, .section = section, .first_item = first, .count = last - first};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double slot = each ? of->frame_width / (double)each : 0;
  for (uint64_t row = 0; row < run.count; row++) {
    const uint64_t column = (first + row) / 2;
    const double x = x_of(at, of, column / each) + ((double)(column % each) + 0.25) * slot;
    const double y = (first + row) % 2 == 0 ? of->top + at->band / 4 : bottom_of(at, of) - at->band * 3 / 4;
    rows->frame[row] = (tessera_rect){x, y, slot / 2, at->band / 2};
  }
  return TESSERA_OK;
}

static tessera_status add_one(uint32_t kind, uint32_t section, tessera_rect frame, tessera_output *out) {
  const tessera_run run = {.category = kinds[kind].category, .kind = kind, .section = section, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = frame;
  rows->z_index[0] = kind == KIND_FILM ? -1 : 0;
  return TESSERA_OK;
}

static tessera_rect film_of(const tessera_layout *at, const strip *of) {
  return (tessera_rect){0, of->top, of->length, bottom_of(at, of) - of->top};
}

static tessera_rect leader_of(const tessera_layout *at, const tessera_input *in, const strip *of) {
  return (tessera_rect){0, of->top, in->parameters[LEADER].number, bottom_of(at, of) - of->top};
}

static tessera_status elements_in_rect(tessera_layout *at, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const uint64_t each = 2 * (uint64_t)in->parameters[PERFORATIONS].integer, every = (uint64_t)in->parameters[NUMBERS_EVERY].integer;
  for (uint32_t section = strip_at(at, rect.y); section < at->count; section++) {
    const strip *const of = &at->strips[section];
    if (of->top >= rect.y + rect.height) break;
    // One frame more on both sides, because far away a double is not exact.
    const uint64_t first = frames(floor((rect.x - at->first_x) / of->pitch) - 1, of->count);
    const uint64_t last = frames(ceil((rect.x + rect.width - at->first_x) / of->pitch) + 1, of->count);
    tessera_status status = add_one(KIND_FILM, section, film_of(at, of), out);
    if (status == TESSERA_OK && rect.x < in->parameters[LEADER].number) status = add_one(KIND_LEADER, section, leader_of(at, in, of), out);
    if (status == TESSERA_OK) status = add_frames(at, in, section, first, last, out);
    if (status == TESSERA_OK) status = add_perforations(at, in, section, first * each, last * each, out);
    if (status == TESSERA_OK && every) status = add_numbers(at, in, section, (first + every - 1) / every, (last + every - 1) / every, out);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *at, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  if (run->section >= at->count) return TESSERA_OK;
  const strip *const of = &at->strips[run->section];
  const uint64_t item = run->first_item, each = 2 * (uint64_t)in->parameters[PERFORATIONS].integer;
  if (run->category == TESSERA_CATEGORY_CELL) return item < of->count ? add_frames(at, in, run->section, item, item + 1, out) : TESSERA_OK;
  const uint64_t every = (uint64_t)in->parameters[NUMBERS_EVERY].integer;
  switch (run->kind) {
  case KIND_LEADER: return item == 0 ? add_one(KIND_LEADER, run->section, leader_of(at, in, of), out) : TESSERA_OK;
  case KIND_FILM: return item == 0 ? add_one(KIND_FILM, run->section, film_of(at, of), out) : TESSERA_OK;
  case KIND_NUMBER:
    if (!every || item >= (of->count + every - 1) / every) return TESSERA_OK;
    return add_numbers(at, in, run->section, item, item + 1, out);
  default: return item < of->count * each ? add_perforations(at, in, run->section, item, item + 1, out) : TESSERA_OK;
  }
}

static tessera_status adjust(tessera_layout *at, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  if (!in->parameters[PINS].boolean) return TESSERA_OK;
  const double edge = in->viewport.x + in->content_insets.left;
  uint32_t section = strip_at(at, rect.y);
  for (; section < at->count && at->strips[section].top < rect.y + rect.height; section++) {
    const strip *const of = &at->strips[section];
    const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = KIND_LEADER, .section = section, .count = 1};
    const tessera_rows *rows = NULL;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    tessera_rect frame = leader_of(at, in, of);
    frame.x = fmax(0, fmin(edge, of->length - frame.width));
    rows->frame[0] = frame;
    rows->z_index[0] = frame.x > 0 ? 1 : 0;
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- scrolling and dragging

// A frame of the strip in the middle of the viewport comes to rest: the nearest one.
static tessera_status resting_offset(tessera_layout *at, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  (void)velocity;
  const uint32_t section = strip_at(at, resting->y + in->viewport.height / 2);
  if (section == at->count || at->strips[section].count == 0) return TESSERA_OK;
  const strip *const of = &at->strips[section];
  // How far the frame is from the viewport's left edge.
  const double before = in->parameters[ALIGNMENT].choice == ALIGN_CENTER
                            ? (in->content_insets.left + in->viewport.width - in->content_insets.right - of->frame_width) / 2
                            : in->content_insets.left;
  const double nearest = round((resting->x + before - at->first_x) / of->pitch);
  resting->x = x_of(at, of, frames(nearest, of->count - 1)) - before;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {sizeof(tessera_snapping), 0, resting_offset};

// A frame goes between the frames at the point, or to the end of the strip.
static tessera_status target(tessera_layout *at, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point,
                             uint32_t *target_section, uint64_t *target_item) {
  (void)in, (void)item;
  uint32_t to = strip_at(at, point.y);
  if (to == at->count) to--;
  const strip *const of = &at->strips[to];
  const uint64_t most = to == section ? of->count - 1 : of->count;
  *target_section = to;
  *target_item = frames((point.x - at->first_x) / of->pitch, most);
  return TESSERA_OK;
}

static const tessera_reordering reordering = {sizeof(tessera_reordering), 0, target};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  return strcmp(id, TESSERA_EXT_REORDERING) == 0 ? &reordering : NULL;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.filmstrip", .name = "Film Strip", .version = "2.0.1",
    .author = "A. Author", .license = "0BSD", .summary = "Strips of film with perforations, which may be as long as you like.",
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_Z_INDEX,
    .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
    .value_count = VALUES, .value_size = sizeof(tessera_value_declaration), .values = values,
    .function_count = 3, .function_size = sizeof(tessera_function_declaration), .functions = functions,
    .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute), .attributes = attributes,
    .kind_count = KINDS, .kind_size = sizeof(tessera_kind), .kinds = kinds,
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .elements_in_rect = elements_in_rect,
    .element = element, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
