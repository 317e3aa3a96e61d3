// A lazy list: equal rows on whole pixels, with a stripe behind each section.

#include "twin.h"

TESSERA_NOTE;

enum { HEIGHT, GAP };

static const tessera_parameter parameters[] = {
    {.name = "height", .help = "The height of a row.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 40, .minimum.number = 1, .maximum.number = 400},
    {.name = "gap", .help = "The space between rows.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 4, .minimum.number = 0, .maximum.number = 100},
};

static const tessera_kind kinds[] = {{.name = "stripe", .category = TESSERA_CATEGORY_DECORATION}};

static double pitch_of(const tessera_input *in) {
  return in->parameters[HEIGHT].number + in->parameters[GAP].number;
}

static tessera_rect frame_of(const tessera_input *in, uint64_t place) {
  const double y = floor((double)place * pitch_of(in) * in->scale + 0.5) / in->scale;
  return (tessera_rect){0, y, plain_extent(in).width, in->parameters[HEIGHT].number};
}

static tessera_rect stripe_of(const tessera_input *in, uint32_t section) {
  const tessera_rect first = frame_of(in, in->section_starts[section]);
  const tessera_rect last = frame_of(in, in->section_starts[section + 1] - 1);
  return (tessera_rect){0, first.y, first.width, last.y + last.height - first.y};
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  const uint64_t count = in->section_starts[in->section_count];
  const double height = count == 0 ? 0 : frame_of(in, count - 1).y + in->parameters[HEIGHT].number;
  out->set_content_size(out, (tessera_size){plain_extent(in).width, height});
  return TESSERA_OK;
}

static tessera_status add_section(const tessera_input *in, tessera_output *out, uint32_t section,
                                  uint64_t first, uint64_t last) {
  const uint64_t start = in->section_starts[section], end = in->section_starts[section + 1];
  const uint64_t from = first > start ? first : start;
  const uint64_t to = last < end ? last : end;
  if (from >= to) return TESSERA_OK;
  const tessera_run run = {.section = section, .first_item = from - start, .count = to - from};
  const tessera_rows *rows;
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t i = 0; i < run.count; i++) rows->frame[i] = frame_of(in, from + i);
  const tessera_run stripe = {.category = TESSERA_CATEGORY_DECORATION, .section = section, .count = 1};
  status = out->add(out, &stripe, &rows);
  if (status == TESSERA_OK) rows->frame[0] = stripe_of(in, section);
  return status;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in,
                                       tessera_rect rect, tessera_output *out) {
  (void)layout;
  const double count = (double)in->section_starts[in->section_count];
  // One extra row on each side: rounding may have moved a row over the edge.
  const double first = floor(rect.y / pitch_of(in)) - 1;
  const double last = ceil((rect.y + rect.height) / pitch_of(in)) + 1;
  const uint64_t from = (uint64_t)fmin(fmax(first, 0), count);
  const uint64_t to = (uint64_t)fmin(fmax(last, 0), count);
  uint32_t section = section_of(in, from);
  for (; section < in->section_count && in->section_starts[section] <= to; section++) {
    const tessera_status status = add_section(in, out, section, from, to);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  (void)layout;
  const uint64_t count = plain_items(in, run->section);
  const int is_cell = run->category == TESSERA_CATEGORY_CELL;
  if (run->first_item >= (is_cell ? count : count > 0)) return TESSERA_OK;
  const tessera_rows *rows;
  const tessera_status status = out->add(out, run, &rows);
  if (status != TESSERA_OK) return status;
  const uint64_t place = in->section_starts[run->section] + run->first_item;
  rows->frame[0] = is_cell ? frame_of(in, place) : stripe_of(in, run->section);
  return TESSERA_OK;
}

static const tessera_engine engine = {
    TWIN("list"),
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_PIXEL_ALIGNED,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .parameter_count = COUNT(parameters),
    .parameter_size = sizeof *parameters,
    KINDS,
    .parameters = parameters,
    .prepare = prepare,
    .elements_in_rect = elements_in_rect,
    .element = element,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
