// Rows 10 high. Drags go to an even index, found by querying the host for its row at the point.
// `deciding-last` sends items to the end of section 0.

#include <string.h>
#include <tessera/ext/query.h>
#include <tessera/ext/reordering.h>

#include "engine.h"

struct tessera_layout {
  const tessera_host *host;
};

PLAIN_CREATE;

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
    const tessera_run run = {TESSERA_CATEGORY_CELL, 0, section, 0, 0, count};
    const tessera_rows *rows;
    TRY(out->add(out, &run, &rows));
    for (uint64_t row = 0; row < count; row++, y += 10)
      rows->frame[row] = (tessera_rect){0, y, 100, 10};
  }
  out->set_content_size(out, (tessera_size){100, y});
  return TESSERA_OK;
}

static tessera_status to_even(tessera_layout *layout, const tessera_input *in, uint32_t section,
                              uint64_t item, tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  (void)in, (void)section, (void)item;
  const tessera_query *query = layout->host->extension(layout->host, TESSERA_EXT_QUERY);
  if (query == NULL) return TESSERA_ERROR_UNSUPPORTED;
  tessera_output *found;
  TRY(query->elements_in_rect(layout->host, (tessera_rect){point.x, point.y, 1, 1}, &found));
  if (found->run_count(found) == 0) return TESSERA_OK;
  tessera_run run;
  const tessera_rows *rows;
  TRY(found->get(found, 0, &run, &rows));
  *target_section = run.section;
  *target_item = run.first_item / 2 * 2;
  return TESSERA_OK;
}

static tessera_status to_end(tessera_layout *layout, const tessera_input *in, uint32_t section,
                             uint64_t item, tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  (void)layout, (void)section, (void)item, (void)point;
  *target_section = 0;
  *target_item = in->section_starts[1] - 1;
  return TESSERA_OK;
}

static const tessera_reordering even = {sizeof even, 0, to_even};
static const tessera_reordering end = {sizeof end, 0, to_end};

static const void *extension(const tessera_engine *self, const char *id) {
  if (strcmp(id, TESSERA_EXT_REORDERING) != 0) return NULL;
  return self->base == NULL ? &even : &end;
}

#define DECIDING(its_name, ...) \
  ENGINE(its_name, .create = create, .destroy = plain_destroy, .extension = extension, __VA_ARGS__)
REGISTER(DECIDING("deciding", .prepare = prepare), DECIDING("deciding-last", .base = "org.example.deciding"));
