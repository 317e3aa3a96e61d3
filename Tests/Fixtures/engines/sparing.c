// An engine that adjusts its rows only where a parameter says so: cells 10 high, one below the other, half transparent and dark
// in the upper half of the viewport.

#include <tessera/ext/adjusting.h>
#include "engine.h"

TESSERA_NOTE;

static const tessera_parameter parameters[] = {{.name = "fades", .help = "Whether cells fade.", .type = TESSERA_TYPE_BOOL}};

static const tessera_attribute attributes[] = {{
    .name = "shade",
    .help = "How dark a cell is.",
    .type = TESSERA_TYPE_NUMBER,
    .when = TESSERA_WHEN_ADJUSTED,
    .initial.number = 0.25,
}};

// The host is all that a layout needs to know.
static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  *layout = (tessera_layout *)(uintptr_t)host;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) { (void)layout; }

static tessera_status spare(tessera_layout *layout) {
  const tessera_host *host = (const tessera_host *)layout;
  const tessera_adjusting *adjusting = host->extension(host, TESSERA_EXT_ADJUSTING);
  return adjusting ? adjusting->not_needed(host) : TESSERA_ERROR_UNSUPPORTED;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
  const uint64_t count = input->section_starts[input->section_count];
  output->set_content_size(output, (tessera_size){100, 10 * (double)count});
  if (!input->parameters[0].boolean && spare(layout) != TESSERA_OK) return TESSERA_ERROR_FAILED;
  for (uint32_t section = 0; section < input->section_count; section++) {
    const uint64_t first = input->section_starts[section];
    const tessera_run run = {.section = section, .count = input->section_starts[section + 1] - first};
    if (run.count == 0) continue;
    const tessera_rows *rows;
    const tessera_status status = output->add(output, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++) rows->frame[i] = (tessera_rect){0, 10 * (double)(first + i), 100, 10};
  }
  return TESSERA_OK;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *input, tessera_rect rect, tessera_output *output) {
  (void)rect;
  // Here nobody may say so.
  if (spare(layout) != TESSERA_ERROR_WRONG_STATE) return TESSERA_ERROR_FAILED;
  if (!input->parameters[0].boolean) return TESSERA_OK;
  for (uint64_t index = 0; index < output->run_count(output); index++) {
    tessera_run run;
    const tessera_rows *rows;
    const tessera_status status = output->get(output, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++) {
      const int is_upper = rows->frame[i].y < input->viewport.y + input->viewport.height / 2;
      rows->alpha[i] = is_upper ? 0.5 : 1;
      ((double *)rows->attributes[0])[i] = is_upper ? 0.75 : 0.25;
    }
  }
  return TESSERA_OK;
}

static const tessera_engine engine = {
    ENGINE("org.example.sparing", "Sparing", "Rows that fade only where a parameter says so."),
    .traits = TESSERA_TRAIT_VIEWPORT,
    .adjusted_columns = TESSERA_COLUMN_ALPHA,
    PARAMETERS,
    ATTRIBUTES,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .adjust = adjust,
};

REGISTERS(engine)
