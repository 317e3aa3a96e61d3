// A mirrored engine with numbers near the limits, whose mirror images may overflow.

#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/snapping.h>

#include "engine.h"

struct tessera_layout {
  const tessera_host *host;
  double seen;
};

PLAIN_CREATE;

static tessera_function corner;

// Two cells: 100 × 20 at the origin, and one of `length` at `x`, marked at `mark`.
static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_value *set = in->parameters;
  corner = in->functions[0];
  (void)layout;
  out->set_content_size(out, (tessera_size){set[0].number, 20});
  if (corner.call) ((tessera_point(*)(void *, tessera_point))corner.call)(corner.context, (tessera_point){10, 0});
  const tessera_run run = {.count = in->section_count > 0 ? in->section_starts[1] : 0};
  const tessera_rows *rows;
  TRY(out->add(out, &run, &rows));
  for (uint64_t row = 0; row < run.count; row++) {
    rows->frame[row] = row == 0 ? (tessera_rect){0, 0, 100, 20} : (tessera_rect){set[1].number, 0, set[2].number, 20};
    ((tessera_point *)rows->attributes[0])[row] = (tessera_point){row == 0 ? 0 : set[3].number, 0};
  }
  return TESSERA_OK;
}

// Published: a point, and x in the engine's coordinates.
static tessera_point point_at(tessera_layout *layout, double x) {
  (void)layout;
  return (tessera_point){x, 0};
}

static double x_of(tessera_layout *layout, tessera_point point) { return layout->seen = point.x; }

static double seen(tessera_layout *layout) { return layout->seen; }

static tessera_status rest(tessera_layout *layout, const tessera_input *in, tessera_point velocity, tessera_point *offset) {
  (void)velocity;
  layout->seen = offset->x;
  if (in->parameters[4].number != 0) offset->x = in->parameters[4].number;
  return TESSERA_OK;
}

static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point,
                             uint32_t *target_section, uint64_t *target_item) {
  (void)in, (void)section, (void)item, (void)target_section, (void)target_item;
  layout->seen = point.x;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {sizeof snapping, 0, rest};
static const tessera_reordering reordering = {sizeof reordering, 0, target};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  return strcmp(id, TESSERA_EXT_REORDERING) == 0 ? &reordering : NULL;
}

#define NUMBER(its_name, its_initial) {.name = its_name, .help = "A number.", .type = TESSERA_TYPE_NUMBER, .initial.number = its_initial}
static const tessera_parameter parameters[] = {NUMBER("content", 300), NUMBER("x", 100), NUMBER("length", 100), NUMBER("mark", 0),
                                               NUMBER("rest", 0)};
static const tessera_attribute attributes[] = {{.name = "mark", .help = "A point.", .type = TESSERA_TYPE_POINT}};
static const tessera_function_declaration functions[] = {
    {.name = "corner", .signature = "point(point)", .help = "A point."},
    {.name = "pointAt", .signature = "point(f64)", .help = "A point.", .published = (void (*)(void))point_at},
    {.name = "xOf", .signature = "f64(point)", .help = "The x of a point.", .published = (void (*)(void))x_of},
    {.name = "seen", .signature = "f64()", .help = "What the engine saw.", .published = (void (*)(void))seen},
};

REGISTER(ENGINE("outermost", LIST(parameter, parameters), LIST(attribute, attributes), LIST(function, functions),
                .create = create, .destroy = plain_destroy, .prepare = prepare, .extension = extension,
                .traits = TESSERA_TRAIT_MIRRORS));
