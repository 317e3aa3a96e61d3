// A column whose updates fail: in begin if `failsIn` is 1, in initial_attributes if it is 2.
// `recording-derived` passes prepare on.

#include <string.h>
#include <tessera/ext/updates.h>

#include "engine.h"

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  if (in->super != NULL) return in->super->prepare(in->super, out);
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.section = section, .count = plain_items(in, section)};
    const tessera_rows *rows;
    TRY(out->add(out, &run, &rows));
    for (uint64_t row = 0; row < run.count; row++, y += 10) rows->frame[row] = (tessera_rect){0, y, 100, 10};
  }
  out->set_content_size(out, (tessera_size){100, y});
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *layout, const tessera_input *in) { return (void)layout, (void)in, 0; }

static tessera_status fail(const tessera_input *in, int64_t where) {
  if (in->parameters[0].integer != where) return TESSERA_OK;
  return plain_refuse(in->host, TESSERA_ERROR_FAILED, "it was told to fail");
}

static tessera_status begin(tessera_layout *layout, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)layout, (void)updates, (void)count;
  return fail(in, 1);
}

static tessera_status initial_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)out;
  return fail(in, 2);
}

static tessera_status final_attributes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)in;
  tessera_run run;
  const tessera_rows *rows;
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    if (out->get(out, i, &run, &rows) != TESSERA_OK) return TESSERA_ERROR_FAILED;
    for (uint64_t row = 0; row < run.count; row++) rows->transform[row].m[12] += 1;
  }
  return TESSERA_OK;
}

static void end(tessera_layout *layout) { (void)layout; }

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  static const tessera_updates updates = {
      .struct_size = sizeof updates, .begin = begin, .initial_attributes = initial_attributes,
      .final_attributes = final_attributes, .end = end};
  return strcmp(id, TESSERA_EXT_UPDATES) == 0 ? &updates : NULL;
}

static const tessera_parameter parameters[] = {{.name = "failsIn", .help = "The call that fails.", .type = TESSERA_TYPE_INT}};

#define RECORDING(its_name, its_base)                                                                                     \
  ENGINE(its_name, .base = its_base, LIST(parameter, parameters), .prepare = prepare, .adjust = nothing_in_rect,                   \
         .still_valid = still_valid, .extension = extension, .traits = TESSERA_TRAIT_VIEWPORT)
REGISTER(RECORDING("recording", NULL), RECORDING("recording-derived", "org.example.recording"));
