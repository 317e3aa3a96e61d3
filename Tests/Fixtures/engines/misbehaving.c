// Engines that each misbehave in one way that the host must report or survive. Parameter `which`
// selects a variant.

#include "engine.h"

static int64_t which(const tessera_input *in) { return in->parameters[0].integer; }

static uint64_t items(const tessera_input *in) { return in->section_starts[1]; }

static tessera_run cells(uint64_t first, uint64_t count) {
  return (tessera_run){.category = TESSERA_CATEGORY_CELL, .first_item = first, .count = count};
}

static tessera_status add(tessera_output *out, tessera_run run, const tessera_rows **rows) {
  TRY(out->add(out, &run, rows));
  for (uint64_t i = 0; i < run.count; i++)
    (*rows)->frame[i] = (tessera_rect){0, 10.0 * (double)(run.first_item + i), 100, 10};
  return TESSERA_OK;
}

static tessera_status add_all(const tessera_input *in, tessera_output *out, const tessera_rows **rows) {
  out->set_content_size(out, (tessera_size){100, 10.0 * (double)items(in)});
  return add(out, cells(0, items(in)), rows);
}

static tessera_status sound(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const tessera_rows *rows;
  return add_all(in, out, &rows);
}

static tessera_status fails(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)out;
  static const char *const sentences[] = {
      "section 2 has 9 sizes for 12 items; give one size, or 12",
      "größer als 3 × 4 – “nein”, 100 % \\n \"quoted\"",
      "",
      "a broken byte: \xff!",
  };
  in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, sentences[which(in)]);
  return TESSERA_ERROR_FAILED;
}

static tessera_status fails_silently(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)out;
  return (tessera_status)which(in);
}

static tessera_status fails_on_odd_counts(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  if (items(in) % 2 == 0) return sound(layout, in, out);
  in->host->report(in->host, TESSERA_ERROR_FAILED, "an odd count; give an even one");
  return TESSERA_ERROR_FAILED;
}

static tessera_status asks_progress(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_host *host = in->host;
  for (int step = 0; step <= 100; step++)
    if (!host->progress(host, step / 100.0) && which(in) == 0) return TESSERA_ERROR_CANCELLED;
  return sound(layout, in, out);
}

static tessera_status cancels_unasked(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)in, (void)out;
  return TESSERA_ERROR_CANCELLED;
}

static tessera_status warns(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_host *host = in->host;
  if (which(in) == 0) {
    host->report(host, TESSERA_OK, "the first warning");
    host->report(host, TESSERA_OK, "the second warning");
  }
  for (int64_t i = 1; i < which(in); i++) host->report(host, TESSERA_OK, "one of very many");
  return sound(layout, in, out);
}

static tessera_status refuses_creation(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self, (void)layout;
  host->report(host, TESSERA_ERROR_UNSUPPORTED, "it wants another machine; use another engine");
  return TESSERA_ERROR_UNSUPPORTED;
}

// ---------------------------------------------------------------- Engines

static const tessera_parameter parameters[] = {
    {.name = "which", .help = "The way in which it is done.", .type = TESSERA_TYPE_INT}};

#define ODD(its_name, ...) ENGINE(its_name, LIST(parameter, parameters), __VA_ARGS__)
#define EAGER(its_name, its_prepare) ODD(its_name, .prepare = its_prepare)

REGISTER(EAGER("fails", fails), EAGER("fails-silently", fails_silently),
         EAGER("fails-on-odd-counts", fails_on_odd_counts), EAGER("asks-progress", asks_progress),
         EAGER("cancels-unasked", cancels_unasked), EAGER("warns", warns),
         ODD("refuses-creation", .create = refuses_creation, .prepare = sound),
         ODD("lazy-adds-in-prepare", .prepare = sound, .elements_in_rect = nothing_in_rect,
             .element = no_element, .traits = TESSERA_TRAIT_LAZY));
