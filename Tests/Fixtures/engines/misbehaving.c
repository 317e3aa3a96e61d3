// One library of many engines, each of which does one thing that the host must tell or survive.
// All have one parameter, `which`, where an engine has more than one way.

#include <math.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

// The layout is the host that it was made with.
static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)self;
  *layout = (tessera_layout *)(uintptr_t)host;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) { (void)layout; }

static const tessera_host *host_of(tessera_layout *layout) { return (const tessera_host *)layout; }

static int64_t which(const tessera_input *in) { return in->parameters[0].integer; }

static uint64_t items(const tessera_input *in) { return in->section_starts[1]; }

static tessera_run cells(uint64_t first, uint64_t count) {
  return (tessera_run){.category = TESSERA_CATEGORY_CELL, .first_item = first, .count = count};
}

// Adds a run whose frames lie under each other, ten points high.
static tessera_status add(tessera_output *out, tessera_run run, const tessera_rows **rows) {
  tessera_status status = out->add(out, &run, rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t i = 0; i < run.count; i++)
    (*rows)->frame[i] = (tessera_rect){0, 10.0 * (double)(run.first_item + i), 100, 10};
  return TESSERA_OK;
}

static tessera_status add_all(const tessera_input *in, tessera_output *out,
                              const tessera_rows **rows) {
  out->set_content_size(out, (tessera_size){100, 10.0 * (double)items(in)});
  return add(out, cells(0, items(in)), rows);
}

static tessera_status sound(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const tessera_rows *rows;
  return add_all(in, out, &rows);
}

static tessera_status fails(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)out;
  static const char *const sentences[] = {
      "section 2 has 9 sizes for 12 items; give one size, or 12",
      "größer als 3 × 4 – “nein”, 100 % \\n \"quoted\"",
      "",
      "a broken byte: \xff!",
  };
  host_of(layout)->report(host_of(layout), TESSERA_ERROR_INVALID_VALUE, sentences[which(in)]);
  return TESSERA_ERROR_FAILED;
}

static tessera_status fails_silently(tessera_layout *layout, const tessera_input *in,
                                     tessera_output *out) {
  (void)layout, (void)out;
  return (tessera_status)which(in);
}

static tessera_status fails_on_odd_counts(tessera_layout *layout, const tessera_input *in,
                                          tessera_output *out) {
  if (items(in) % 2 == 0) return sound(layout, in, out);
  host_of(layout)->report(host_of(layout), TESSERA_ERROR_FAILED, "an odd count; give an even one");
  return TESSERA_ERROR_FAILED;
}

static tessera_status no_content_size(tessera_layout *layout, const tessera_input *in,
                                      tessera_output *out) {
  (void)layout;
  const tessera_rows *rows;
  return add(out, cells(0, items(in)), &rows);
}

static tessera_status odd_content_size(tessera_layout *layout, const tessera_input *in,
                                       tessera_output *out) {
  const tessera_size sizes[] = {{NAN, 10}, {10, INFINITY}, {-1, 10}, {10, -0.5}};
  tessera_status status = sound(layout, in, out);
  out->set_content_size(out, sizes[which(in)]);
  return status;
}

static tessera_status odd_frame(tessera_layout *layout, const tessera_input *in,
                                tessera_output *out) {
  (void)layout;
  const tessera_rect frames[] = {
      {NAN, 0, 10, 10}, {0, INFINITY, 10, 10}, {0, 0, -1, 10}, {0, 0, 10, NAN}};
  const tessera_rows *rows;
  tessera_status status = add_all(in, out, &rows);
  if (status == TESSERA_OK) rows->frame[3] = frames[which(in)];
  return status;
}

static tessera_status adds_twice(tessera_layout *layout, const tessera_input *in,
                                 tessera_output *out) {
  const tessera_run again[] = {
      cells(0, items(in)), cells(items(in) - 1, 1), cells(2, 1), cells(0, 1)};
  const tessera_rows *rows;
  tessera_status status = sound(layout, in, out);
  return status == TESSERA_OK ? add(out, again[which(in)], &rows) : status;
}

// Passes on what `add` said about a run that this engine may not add.
static tessera_status adds_strangers(tessera_layout *layout, const tessera_input *in,
                                     tessera_output *out) {
  (void)layout;
  const tessera_run runs[] = {
      {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = 1, .count = 1},
      {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = 7, .count = 1},
      {.category = TESSERA_CATEGORY_DECORATION, .kind = 0, .count = 1},
      {.category = TESSERA_CATEGORY_CELL, .kind = 1, .count = 1},
      {.category = 3, .count = 1},
      {.category = -1, .count = 1},
      {.category = TESSERA_CATEGORY_CELL, .section = in->section_count, .count = 1},
      cells(0, items(in) + 1),
      cells(items(in), 1),
      cells(UINT64_MAX, 2),
      cells(2, UINT64_MAX),
      {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .first_item = UINT64_MAX, .count = 1},
  };
  const tessera_rows *rows;
  out->set_content_size(out, (tessera_size){10, 10});
  return out->add(out, &runs[which(in)], &rows);
}

// More rows than any memory holds; afterwards it goes on as if it had them, or says so.
static tessera_status adds_too_many(tessera_layout *layout, const tessera_input *in,
                                    tessera_output *out) {
  tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .count = (uint64_t)1 << 40};
  const tessera_rows *rows;
  tessera_status status = out->add(out, &run, &rows);
  return which(in) ? sound(layout, in, out) : status;
}

static tessera_status asks_progress(tessera_layout *layout, const tessera_input *in,
                                    tessera_output *out) {
  const tessera_host *host = host_of(layout);
  for (int step = 0; step <= 100; step++)
    if (!host->progress(host, step / 100.0) && which(in) == 0) return TESSERA_ERROR_CANCELLED;
  return sound(layout, in, out);
}

static tessera_status cancels_unasked(tessera_layout *layout, const tessera_input *in,
                                      tessera_output *out) {
  (void)layout, (void)in, (void)out;
  return TESSERA_ERROR_CANCELLED;
}

static tessera_status warns(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  const tessera_host *host = host_of(layout);
  if (which(in) == 0) {
    host->report(host, TESSERA_OK, "the first warning");
    host->report(host, TESSERA_OK, "the second warning");
  }
  for (int64_t i = 1; i < which(in); i++) host->report(host, TESSERA_OK, "one of very many");
  return sound(layout, in, out);
}

static tessera_status refuses_creation(const tessera_engine *self, const tessera_host *host,
                                       tessera_layout **layout) {
  (void)self, (void)layout;
  host->report(host, TESSERA_ERROR_UNSUPPORTED, "it wants another machine; use another engine");
  return TESSERA_ERROR_UNSUPPORTED;
}

static tessera_status only_content_size(tessera_layout *layout, const tessera_input *in,
                                        tessera_output *out) {
  (void)layout;
  out->set_content_size(out, (tessera_size){100, 10.0 * (double)items(in)});
  return TESSERA_OK;
}

static tessera_status lazy_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                                tessera_output *out) {
  (void)rect;
  return odd_frame(layout, in, out);
}

static tessera_status lazy_element(tessera_layout *layout, const tessera_input *in,
                                   const tessera_run *run, tessera_output *out) {
  (void)layout, (void)in;
  const tessera_rows *rows;
  return add(out, *run, &rows);
}

// ---------------------------------------------------------------- the engines

static const tessera_parameter parameters[] = {
    {.name = "which", .help = "The way in which it is done.", .type = TESSERA_TYPE_INT}};
static const tessera_kind kinds[] = {{.name = "badge", .category = TESSERA_CATEGORY_SUPPLEMENTARY},
                                     {.name = "ornament", .category = TESSERA_CATEGORY_DECORATION}};

#define ENGINE(symbol, label, ...)                                                                 \
  static const tessera_engine symbol##_engine = {                                                  \
      .struct_size = sizeof(tessera_engine), .id = "org.example." label, .name = label,            \
      .version = "1.0.0", .author = "The Tessera authors", .license = "MIT",                       \
      .summary = "Does one thing that the host must tell or survive.", .parameter_count = 1,       \
      .parameter_size = sizeof(tessera_parameter), .parameters = parameters, .kind_count = 2,      \
      .kind_size = sizeof(tessera_kind), .kinds = kinds, .destroy = destroy, __VA_ARGS__}

ENGINE(sound, "sound", .create = create, .prepare = sound);
ENGINE(fails, "fails", .create = create, .prepare = fails);
ENGINE(silent, "fails-silently", .create = create, .prepare = fails_silently);
ENGINE(odd_counts, "fails-on-odd-counts", .create = create, .prepare = fails_on_odd_counts);
ENGINE(no_size, "no-content-size", .create = create, .prepare = no_content_size);
ENGINE(odd_size, "odd-content-size", .create = create, .prepare = odd_content_size);
ENGINE(odd_frame, "odd-frame", .create = create, .prepare = odd_frame);
ENGINE(twice, "adds-twice", .create = create, .prepare = adds_twice);
ENGINE(strangers, "adds-strangers", .create = create, .prepare = adds_strangers);
ENGINE(too_many, "adds-too-many", .create = create, .prepare = adds_too_many);
ENGINE(progress, "asks-progress", .create = create, .prepare = asks_progress);
ENGINE(cancels, "cancels-unasked", .create = create, .prepare = cancels_unasked);
ENGINE(warns, "warns", .create = create, .prepare = warns);
ENGINE(refuses, "refuses-creation", .create = refuses_creation, .prepare = sound);
ENGINE(eager, "lazy-adds-in-prepare", .create = create, .prepare = sound,
       .traits = TESSERA_TRAIT_LAZY, .elements_in_rect = lazy_rect, .element = lazy_element);
ENGINE(lazy_frame, "lazy-odd-frame", .create = create, .prepare = only_content_size,
       .traits = TESSERA_TRAIT_LAZY, .elements_in_rect = lazy_rect, .element = lazy_element);

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  const tessera_engine *const engines[] = {
      &sound_engine,    &fails_engine,   &silent_engine,    &odd_counts_engine, &no_size_engine,
      &odd_size_engine, &odd_frame_engine, &twice_engine,   &strangers_engine,  &too_many_engine,
      &progress_engine, &cancels_engine, &warns_engine,     &refuses_engine,    &eager_engine,
      &lazy_frame_engine};
  for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
    tessera_status status = registry->add_engine(registry, engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
