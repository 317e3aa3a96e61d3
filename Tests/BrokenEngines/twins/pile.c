// An eager pile: row heights follow the index in the section. Snaps to rows and publishes their
// tops.

#include "twin.h"

#include <tessera/ext/snapping.h>

TESSERA_NOTE;

enum { BASE };

static const tessera_parameter parameters[] = {
    {.name = "base", .help = "The height of the lowest row.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 24, .minimum.number = 1, .maximum.number = 400},
};

static const tessera_kind kinds[] = {{.name = "cap", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};

// Tops of all rows, then the bottom of the last.
struct tessera_layout {
  const tessera_host *host;
  double *tops;
  uint64_t count;
};

PLAIN_CREATE;

static void destroy(tessera_layout *layout) {
  free(layout->tops);
  free(layout);
}

static double height_of(const tessera_input *in, uint64_t place) {
  return in->parameters[BASE].number + (double)(place % 5) * 4;
}

static tessera_status measure(tessera_layout *layout, const tessera_input *in) {
  const uint64_t count = in->section_starts[in->section_count];
  double *tops = realloc(layout->tops, (count + 1) * sizeof *tops);
  if (tops == NULL) return TESSERA_ERROR_FAILED;
  layout->tops = tops;
  layout->count = count;
  tops[0] = 0;
  for (uint64_t i = 0; i < count; i++) tops[i + 1] = tops[i] + height_of(in, i);
  return TESSERA_OK;
}

static tessera_status add_cap(tessera_output *out, uint32_t section, tessera_rect frame) {
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = section, .count = 1};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = frame;
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  tessera_status status = measure(layout, in);
  if (status != TESSERA_OK) return status;
  const double width = plain_extent(in).width;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.section = section, .count = plain_items(in, section)};
    if (run.count == 0) continue;
    const double *tops = layout->tops + in->section_starts[section];
    status = add_cap(out, section, (tessera_rect){0, tops[0], width, 1});
    if (status != TESSERA_OK) return status;
    const tessera_rows *rows;
    status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++)
      rows->frame[i] = (tessera_rect){0, tops[i], width, tops[i + 1] - tops[i]};
  }
  out->set_content_size(out, (tessera_size){width, layout->tops[layout->count]});
  return TESSERA_OK;
}

static double top_of(tessera_layout *layout, uint64_t place) {
  if (layout->tops == NULL) return 0;
  return layout->tops[place < layout->count ? place : layout->count];
}

static const tessera_function_declaration functions[] = {
    {.name = "topOf", .signature = "f64(u64)", .help = "Where a row starts.",
     .published = (void (*)(void))top_of},
};

static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in,
                                     tessera_point velocity, tessera_point *resting) {
  (void)in, (void)velocity;
  if (layout->tops == NULL) return TESSERA_ERROR_WRONG_STATE;
  uint64_t i = 0;
  while (i < layout->count && layout->tops[i] < resting->y) i++;
  resting->y = layout->tops[i];
  return TESSERA_OK;
}

static const tessera_snapping snapping = {
    .struct_size = sizeof snapping,
    .resting_offset = resting_offset,
};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : NULL;
}

static const tessera_engine engine = {
    TWIN("pile"),
    PARAMETERS,
    .function_count = COUNT(functions),
    .function_size = sizeof *functions,
    KINDS,
    .functions = functions,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .extension = extension,
};

REGISTERS(engine)
