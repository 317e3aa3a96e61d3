// A mirrored engine whose functions pass geometry on.
#include "engine.h"

// Last input as numbers, which hosts do not mirror.
struct tessera_layout {
  const tessera_host *host;
  tessera_function corner, box, edges;
  double seen[4];
  double prepared;
};

PLAIN_CREATE;

static tessera_point ask_point(tessera_function function, tessera_point point) {
  return ((tessera_point(*)(void *, tessera_point))function.call)(function.context, point);
}

// Three columns of 100, 20 high. Prepare asks about (10, 0) before and after setting the width.
static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  layout->corner = in->functions[0];
  layout->box = in->functions[1];
  layout->edges = in->functions[2];
  if (layout->corner.call) {
    layout->prepared = ask_point(layout->corner, (tessera_point){10, 0}).x;
    out->set_content_size(out, (tessera_size){300, 20});
    layout->prepared += 1000 * ask_point(layout->corner, (tessera_point){10, 0}).x;
  }
  out->set_content_size(out, (tessera_size){300, 20});
  const uint64_t count = in->section_count > 0 ? in->section_starts[1] : 0;
  const tessera_run run = {.count = count};
  const tessera_rows *rows;
  TRY(out->add(out, &run, &rows));
  for (uint64_t i = 0; i < count; i++)
    rows->frame[i] = (tessera_rect){100 * (double)(i % 3), 0, 100, 20};
  return TESSERA_OK;
}

// Published: the delegate's result for a point, a rect, insets.
static tessera_point point_of(tessera_layout *layout, tessera_point point) {
  layout->seen[0] = point.x;
  const tessera_point answer = ask_point(layout->corner, point);
  layout->seen[1] = answer.x;
  return answer;
}

static tessera_rect rect_of(tessera_layout *layout, tessera_rect rect) {
  layout->seen[0] = rect.x;
  const tessera_rect answer = ((tessera_rect(*)(void *, tessera_rect))layout->box.call)(
      layout->box.context, rect);
  layout->seen[1] = answer.x;
  return answer;
}

static tessera_insets insets_of(tessera_layout *layout, tessera_insets insets) {
  layout->seen[0] = insets.left;
  const tessera_insets answer = ((tessera_insets(*)(void *, tessera_insets))layout->edges.call)(
      layout->edges.context, insets);
  layout->seen[1] = answer.left;
  return answer;
}

static double seen(tessera_layout *layout, uint32_t which) {
  return which < 4 ? layout->seen[which] : layout->prepared;
}

static const tessera_function_declaration functions[] = {
    {.name = "corner", .signature = "point(point)", .help = "A point."},
    {.name = "box", .signature = "rect(rect)", .help = "A rect."},
    {.name = "edges", .signature = "insets(insets)", .help = "Insets."},
    {.name = "pointOf", .signature = "point(point)", .help = "A point.", .published = (void (*)(void))point_of},
    {.name = "rectOf", .signature = "rect(rect)", .help = "A rect.", .published = (void (*)(void))rect_of},
    {.name = "insetsOf", .signature = "insets(insets)", .help = "Insets.", .published = (void (*)(void))insets_of},
    {.name = "seen", .signature = "f64(u32)", .help = "What the engine saw.", .published = (void (*)(void))seen},
};

REGISTER(ENGINE("geometric", LIST(function, functions), .create = create, .destroy = plain_destroy, .prepare = prepare,
                .traits = TESSERA_TRAIT_MIRRORS));
