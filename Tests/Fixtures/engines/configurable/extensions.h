// How elements come and go, and where a scroll rests.

#ifndef CONFIGURABLE_EXTENSIONS_H
#define CONFIGURABLE_EXTENSIONS_H

#include "layout.h"
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>

#if UPDATES
static tessera_status begin(tessera_layout *layout, const tessera_input *in,
                            const tessera_update *updates, uint64_t count) {
  (void)layout, (void)in, (void)updates, (void)count;
  return TESSERA_OK;
}

static tessera_status move_ends(tessera_output *out, double by) {
  const uint64_t runs = out->run_count(out);
  for (uint64_t r = 0; r < runs; r++) {
    tessera_run run;
    const tessera_rows *rows;
    const tessera_status status = out->get(out, r, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++) {
      rows->frame[i].y += by;
      rows->alpha[i] = 0.25;
      if (MUTATED(nanInitial)) rows->alpha[i] = (double)NAN;
    }
  }
  return TESSERA_OK;
}

static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in,
                                         tessera_output *out) {
  (void)layout, (void)in;
  return move_ends(out, 12);
}

static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in,
                                       tessera_output *out) {
  (void)layout, (void)in;
  return move_ends(out, -8);
}

static void end(tessera_layout *layout) { (void)layout; }

static const tessera_updates updates = {sizeof updates, 0, begin, initial_attributes,
                                        final_attributes, end};
#endif

#if SNAPPING
static tessera_status resting_offset(tessera_layout *layout, const tessera_input *in,
                                     tessera_point velocity, tessera_point *resting) {
  (void)layout, (void)velocity;
  const double height = in->parameters[ROW_HEIGHT].number;
  resting->y = floor(resting->y / height + 0.5) * height;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {sizeof snapping, 0, resting_offset};
#endif

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self, (void)id;
#if UPDATES
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updates;
#endif
#if SNAPPING
  if (strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
#endif
  return NULL;
}

#endif
