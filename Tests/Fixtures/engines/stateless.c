// A stateless column that reports, shows progress and stops through the input's host.
#include "engine.h"

enum { MOST = 6 };

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  if (layout != NULL || in->struct_size < sizeof(tessera_input)) return TESSERA_ERROR_FAILED;
  const tessera_rows *rows = NULL;
  tessera_run run = {.category = TESSERA_CATEGORY_CELL, .count = in->section_starts[in->section_count]};
  if (run.count > MOST)
    return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE, "there are %d items; give at most %d", (int)run.count, MOST);
  TRY(out->add(out, &run, &rows));
  for (uint64_t item = 0; item < run.count; item++) {
    rows->frame[item] = (tessera_rect){0, 10 * (double)item, 50, 10};
    if (!in->host->progress(in->host, (double)(item + 1) / (double)run.count)) return TESSERA_ERROR_CANCELLED;
  }
  out->set_content_size(out, (tessera_size){50, 10 * (double)run.count});
  return TESSERA_OK;
}

REGISTER(ENGINE("stateless", .prepare = prepare));
