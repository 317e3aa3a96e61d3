// An eager list with measured heights. Scrolling snaps to rows; dragged rows go to even indexes or
// to the end of another section.

#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>

#include "twin.h"

TESSERA_NOTE;

enum { ESTIMATE };
enum { HEIGHT };

static const tessera_parameter parameters[] = {
    {.name = "estimatedHeight", .help = "The height of a row until it is measured.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 44, .minimum.number = 1, .maximum.number = 400},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "The height of a row.", .fallback = "estimatedHeight",
     .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
};

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
  return fmin(1e6, fmax(0, plain_number(in->values[HEIGHT], place)));
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const uint64_t count = in->section_starts[in->section_count];
  double *tops = realloc(layout->tops, (count + 1) * sizeof *tops);
  if (tops == NULL) return TESSERA_ERROR_FAILED;
  layout->tops = tops;
  layout->count = count;
  const double width = plain_extent(in).width;
  tops[0] = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.section = section, .count = plain_items(in, section)};
    if (run.count == 0) continue;
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    const uint64_t first = in->section_starts[section];
    for (uint64_t i = 0; i < run.count; i++) {
      const double height = height_of(in, first + i);
      rows->frame[i] = (tessera_rect){0, tops[first + i], width, height};
      tops[first + i + 1] = tops[first + i] + height;
    }
  }
  out->set_content_size(out, (tessera_size){width, tops[count]});
  return TESSERA_OK;
}

static tessera_status estimates(tessera_layout *layout, const tessera_input *in,
                                const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)layout, (void)run;
  sizes[0] = (tessera_size){plain_extent(in).width, in->parameters[ESTIMATE].number};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *layout, const tessera_input *in,
                                const tessera_run *run, tessera_size *sizes, uint64_t *count) {
  (void)layout, (void)run;
  sizes[0] = (tessera_size){plain_extent(in).width, 0};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in,
                                     tessera_point velocity, tessera_point *resting) {
  (void)in, (void)velocity;
  uint64_t row = 0;
  while (row < layout->count && layout->tops[row] < resting->y) row++;
  resting->y = layout->tops == NULL ? 0 : layout->tops[row];
  return TESSERA_OK;
}

static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section,
                             uint64_t item, tessera_point point, uint32_t *target_section,
                             uint64_t *target_item) {
  (void)layout, (void)item, (void)point;
  const uint64_t count = plain_items(in, *target_section);
  const int is_last = *target_item + 1 == count;
  *target_item = *target_section != section && is_last ? count : *target_item / 2 * 2;
  return TESSERA_OK;
}

static const tessera_measured measured[] = {{.value = "height"}};

static const tessera_sizing sizing = {
    .struct_size = sizeof sizing,
    .measured_count = 1,
    .measured = measured,
    .estimates = estimates,
    .proposals = proposals,
};

static const tessera_snapping snapping = {
    .struct_size = sizeof snapping,
    .resting_offset = resting_offset,
};

static const tessera_reordering reordering = {
    .struct_size = sizeof reordering,
    .target = target,
};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
  return strcmp(id, TESSERA_EXT_REORDERING) == 0 ? &reordering : NULL;
}

static const tessera_engine engine = {
    TWIN("tray"),
    .traits = TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    PARAMETERS,
    VALUES,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .extension = extension,
};

REGISTERS(engine)
