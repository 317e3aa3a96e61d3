// kanban.c: sections are lanes side by side (or bands below one another) with a header each; cards lie in the lanes.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { LANE_WIDTH, CARD_HEIGHT, ESTIMATED, SPACING, HEADER, PINS, ARRANGEMENT, MARGINS, PARAMETERS };
enum { V_HEIGHT, V_HEADER, V_COLLAPSED, VALUES };
enum { K_HEADER, K_LANE, KINDS };
enum { COLUMNS, BANDS };
static const double COLLAPSED_WIDTH = 24, MOST = 1e9;

static const char *const arrangements[] = {"columns", "bands"};
static const tessera_parameter parameters[PARAMETERS] = {
    [LANE_WIDTH] = {.name = "laneWidth", .help = "Width of a lane in columns, and of a card in bands.", .unit = "pt",
                    .type = TESSERA_TYPE_NUMBER, .initial.number = 120, .minimum.number = 1, .maximum.number = 100000},
    [CARD_HEIGHT] = {.name = "cardHeight", .help = "Height of a card without a height of its own.", .unit = "pt",
                     .type = TESSERA_TYPE_NUMBER, .initial.number = 48, .maximum.number = 100000},
    [ESTIMATED] = {.name = "estimatedCardHeight", .help = "Height of a card until it is measured; 0: cards are not measured.",
                   .unit = "pt", .type = TESSERA_TYPE_NUMBER, .maximum.number = 100000},
    [SPACING] = {.name = "spacing", .help = "Space between lanes and between cards.", .unit = "pt",
                 .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .maximum.number = 10000},
    [HEADER] = {.name = "headerLength", .help = "Height of a lane's header; 0 for none.", .unit = "pt",
                .type = TESSERA_TYPE_NUMBER, .initial.number = 28, .maximum.number = 10000},
    [PINS] = {.name = "pinsHeaders", .help = "Whether headers stay in sight while their lane is.",
              .type = TESSERA_TYPE_BOOL, .flags = TESSERA_FLAG_IN_ADJUST, .initial.boolean = 1},
    [ARRANGEMENT] = {.name = "arrangement", .help = "Whether lanes are columns or bands.", .type = TESSERA_TYPE_ENUM,
                     .choices = arrangements, .choice_count = 2},
    [MARGINS] = {.name = "cardMargins", .help = "Room around the cards of a lane.", .unit = "pt",
                 .type = TESSERA_TYPE_INSETS, .initial.insets = {4, 4, 4, 4}, .maximum.insets = {1000, 1000, 1000, 1000}}};
static const tessera_value_declaration values[VALUES] = {
    [V_HEIGHT] = {.name = "height", .help = "The card's height.", .fallback = "cardHeight", .type = TESSERA_TYPE_NUMBER,
                  .scope = TESSERA_SCOPE_ITEM},
    [V_HEADER] = {.name = "headerLength", .help = "The header's height; 0 for none.", .fallback = "headerLength",
                  .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
    [V_COLLAPSED] = {.name = "collapsed", .help = "Whether the lane shows no cards.", .type = TESSERA_TYPE_BOOL,
                     .scope = TESSERA_SCOPE_SECTION}};
static const tessera_attribute attributes[] = {
    {.name = "cards", .help = "Number of cards in the lane.", .type = TESSERA_TYPE_INT, .interpolation = TESSERA_INTERPOLATION_STEP}};
static const tessera_kind kinds[KINDS] = {
    [K_HEADER] = {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [K_LANE] = {.name = "lane", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND}};

typedef struct lane { double start, length, end; } lane; // along the axis of the lanes; and where it ends across it
struct tessera_layout {
  const tessera_host *host;
  lane *lanes;
  uint32_t lane_count;
  double width;     // of the extent, in the last prepare
  int inserts_lane; // during an update
};

static double number(tessera_column column, uint64_t index) {
  return *(const double *)((const char *)column.data + index * column.stride);
}
static double length(tessera_column column, uint64_t index) { return fmin(MOST, fmax(0, number(column, index))); }
static int collapsed(const tessera_input *in, uint32_t section) {
  const tessera_column column = in->values[V_COLLAPSED];
  return *((const uint8_t *)column.data + section * column.stride);
}
static double extent_width(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}
static void destroy(tessera_layout *layout) {
  free(layout->lanes);
  free(layout);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_insets margins = in->parameters[MARGINS].insets;
  const double width = in->parameters[LANE_WIDTH].number, spacing = in->parameters[SPACING].number;
  const int bands = in->parameters[ARRANGEMENT].choice == BANDS;
  const uint64_t total = in->section_starts[in->section_count];
  tessera_size content = {extent_width(in), 0};
  lane *lanes = realloc(layout->lanes, ((size_t)in->section_count + 1) * sizeof *lanes);
  if (!lanes) return TESSERA_ERROR_NO_SPACE;
  layout->lanes = lanes;
  layout->lane_count = in->section_count;
  layout->width = content.width;

  double at = 0; // of the next lane
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t first = in->section_starts[section], count = in->section_starts[section + 1] - first;
    const double header = length(in->values[V_HEADER], section);
    const int closed = collapsed(in, section);
    const double lane_width = bands ? width : closed ? fmin(width, COLLAPSED_WIDTH) : width;
    const double card_width = bands ? width : fmax(0, lane_width - margins.left - margins.right);
    const double x = bands ? margins.left : at + margins.left, y = (bands ? at : 0) + header + margins.top;
    const tessera_rows *rows = 0;
    tessera_status status;

    tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = count};
    if (count && (status = out->add(out, &run, &rows)) != TESSERA_OK) return status;
    double along = 0, deepest = 0; // where the next card begins; the highest card
    for (uint64_t item = 0; item < count; item++) {
      if ((first + item) % 4096 == 0 && !layout->host->progress(layout->host, (double)(first + item) / (double)total))
        return TESSERA_ERROR_CANCELLED;
      const double height = closed ? 0 : length(in->values[V_HEIGHT], first + item);
      rows->hidden[item] = closed ? 1 : 0;
      if (bands)
        rows->frame[item] = (tessera_rect){x + along, y, closed ? 0 : width, height};
      else
        rows->frame[item] = (tessera_rect){x, y + along, card_width, height};
      deepest = fmax(deepest, height);
      if (!closed) along += (bands ? width : height) + spacing;
    }
    if (!closed && count) along -= spacing;

    lane *here = &lanes[section];
    const double depth = bands ? deepest : along;
    here->start = at;
    here->length = bands ? header + margins.top + depth + margins.bottom : lane_width;
    here->end = bands ? margins.left + fmax(along, width) + margins.right : header + margins.top + depth + margins.bottom;
    if (header > 0) {
      run = (tessera_run){.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = K_HEADER, .section = section, .count = 1};
      if ((status = out->add(out, &run, &rows)) != TESSERA_OK) return status;
      rows->frame[0] = bands ? (tessera_rect){0, at, width, header} : (tessera_rect){at, 0, lane_width, header};
      ((int64_t *)rows->attributes[0])[0] = (int64_t)count;
    }
    run = (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .kind = K_LANE, .section = section, .count = 1};
    if ((status = out->add(out, &run, &rows)) != TESSERA_OK) return status;
    rows->frame[0] = bands ? (tessera_rect){0, at, here->end, here->length} : (tessera_rect){at, 0, here->length, here->end};
    ((int64_t *)rows->attributes[0])[0] = (int64_t)count;

    content.width = fmax(content.width, bands ? here->end : at + here->length);
    content.height = fmax(content.height, bands ? at + here->length : here->end);
    if (bands) // a card may reach beyond margins that it does not fit between
      content.width = fmax(content.width, x + along);
    at += here->length + spacing;
    // A lane narrower than its left margin pushes its cards out.
    if (!bands && count) content.width = fmax(content.width, x + card_width);
  }
  out->set_content_size(out, content);
  return TESSERA_OK;
}

// The first lane that ends after a place along the axis.
static uint32_t first_lane(const tessera_layout *layout, double after) {
  uint32_t low = 0, high = layout->lane_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (layout->lanes[middle].start + layout->lanes[middle].length > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  if (!in->parameters[PINS].boolean) return TESSERA_OK;
  const int bands = in->parameters[ARRANGEMENT].choice == BANDS;
  const double from = bands ? rect.y : rect.x, to = from + (bands ? rect.height : rect.width);
  const double edge = bands ? in->viewport.x + in->content_insets.left : in->viewport.y + in->content_insets.top;
  const double width = in->parameters[LANE_WIDTH].number;
  for (uint32_t section = first_lane(layout, from); section < layout->lane_count; section++) {
    const lane here = layout->lanes[section];
    if (here.start >= to) break;
    const double header = length(in->values[V_HEADER], section);
    if (header <= 0) continue;
    const double last = fmax(0, here.end - (bands ? width : header));
    const double at = fmin(fmax(0, edge), last);
    if (at <= 0) continue;
    const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = K_HEADER, .section = section, .count = 1};
    const tessera_rows *rows = 0;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (bands) rows->frame[0].x = at;
    else rows->frame[0].y = at;
    rows->z_index[0] = 10;
  }
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) { return extent_width(in) == layout->width; }

// ---------------------------------------------------------------- dragging

static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item, tessera_point at,
                             uint32_t *to_section, uint64_t *to_item) {
  const int bands = in->parameters[ARRANGEMENT].choice == BANDS;
  const double axis = bands ? at.y : at.x, spacing = in->parameters[SPACING].number;
  uint32_t lane = first_lane(layout, axis - spacing / 2);
  if (lane >= layout->lane_count) lane = layout->lane_count - 1;
  const uint64_t first = in->section_starts[lane], count = in->section_starts[lane + 1] - first;
  const tessera_insets margins = in->parameters[MARGINS].insets;
  const double across = bands ? at.x - margins.left : at.y - length(in->values[V_HEADER], lane) - margins.top;
  uint64_t before = 0;
  double along = 0;
  if (collapsed(in, lane)) {
    before = lane == section ? count - 1 : count;
  } else {
    for (uint64_t other = 0; other < count; other++) {
      const double size = bands ? in->parameters[LANE_WIDTH].number : length(in->values[V_HEIGHT], first + other);
      const int dragged = lane == section && other == item;
      if (!dragged && along + size / 2 < across) before++;
      along += size + spacing;
    }
  }
  *to_section = lane;
  *to_item = before;
  return TESSERA_OK;
}
static const tessera_reordering reordering = {.struct_size = sizeof(tessera_reordering), .target = target};

// ---------------------------------------------------------------- measured cards

static tessera_status estimates(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *sizes,
                                uint64_t *count) {
  (void)layout;
  const double estimated = in->parameters[ESTIMATED].number;
  *count = estimated > 0 && !collapsed(in, run->section) ? 1 : 0;
  if (*count) sizes[0] = (tessera_size){in->parameters[LANE_WIDTH].number, estimated};
  return TESSERA_OK;
}
static tessera_status proposals(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *sizes,
                                uint64_t *count) {
  (void)layout, (void)run;
  const tessera_insets margins = in->parameters[MARGINS].insets;
  const double width = in->parameters[LANE_WIDTH].number;
  const int bands = in->parameters[ARRANGEMENT].choice == BANDS;
  sizes[0] = (tessera_size){bands ? width : fmax(0, width - margins.left - margins.right), 0};
  *count = 1;
  return TESSERA_OK;
}
static const tessera_measured measured[] = {{.value = "height"}};
static const tessera_sizing sizing = {.struct_size = sizeof(tessera_sizing), .measured_count = 1, .measured = measured,
                                      .estimates = estimates, .proposals = proposals};

// ---------------------------------------------------------------- updates

static tessera_status begin(tessera_layout *layout, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)in;
  layout->inserts_lane = 0;
  for (uint64_t index = 0; index < count; index++)
    if (updates[index].operation == TESSERA_OPERATION_INSERT_SECTION) layout->inserts_lane = 1;
  return TESSERA_OK;
}
static tessera_status each(const tessera_layout *layout, tessera_output *out, int appears) {
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category == TESSERA_CATEGORY_DECORATION) continue; // lanes fade
    for (uint64_t row = 0; row < run.count; row++)
      if (!appears) {
        rows->transform[row].m[0] = rows->transform[row].m[5] = 0.2;
      } else if (layout->inserts_lane) {
        rows->transform[row].m[12] = 40; // lanes slide in from the right
      } else {
        rows->transform[row].m[13] = -rows->frame[row].height; // cards drop from above
      }
  }
  return TESSERA_OK;
}
static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)in;
  return each(layout, out, 1);
}
static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)in;
  return each(layout, out, 0);
}
static void end(tessera_layout *layout) { layout->inserts_lane = 0; }
static const tessera_updates updates = {.struct_size = sizeof(tessera_updates), .begin = begin,
                                        .initial_attributes = initial_attributes, .final_attributes = final_attributes, .end = end};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (!strcmp(id, TESSERA_EXT_REORDERING)) return &reordering;
  if (!strcmp(id, TESSERA_EXT_SIZING)) return &sizing;
  if (!strcmp(id, TESSERA_EXT_UPDATES)) return &updates;
  return 0;
}

// The lane at a point, or -1.
static int64_t lane_at(tessera_layout *layout, tessera_point at) {
  const uint32_t found = first_lane(layout, at.x);
  if (found < layout->lane_count && layout->lanes[found].start <= at.x) return found;
  return -1;
}
static double length_of(tessera_layout *layout, uint32_t section) {
  if (section < layout->lane_count) return layout->lanes[section].length;
  layout->host->report(layout->host, TESSERA_ERROR_NOT_FOUND, "there is no such lane; give the number of a section");
  return 0;
}
static const tessera_function_declaration functions[] = {
    {.name = "laneAt", .signature = "i64(point)", .help = "The lane in columns at a point, or -1.",
     .published = (void (*)(void))lane_at},
    {.name = "lengthOf", .signature = "f64(u32)", .help = "How long a lane is along the axis of the lanes.",
     .published = (void (*)(void))length_of}};

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.kanban", .name = "Kanban", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "Lanes of cards under headers that stay in sight.",
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_VIEWPORT,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_HIDDEN, .adjusted_columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = 1, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KINDS, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid,
    .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
