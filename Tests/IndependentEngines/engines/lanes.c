/* Cards in lanes side by side, a lane for each section. Cards and headers are as high as what they show,
   cards can be dragged to other lanes, and new cards come from the top of their lane. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/query.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { LEAST_WIDTH, GAP, CARD, HEADER, ESTIMATE, HEADER_ESTIMATE, N_PARAMETERS };
enum { CARD_HEIGHT, HEADER_HEIGHT, N_VALUES };
enum { KIND_HEADER, KIND_LANE, N_KINDS };

static const tessera_parameter parameters[N_PARAMETERS] = {
  [LEAST_WIDTH] = {.name = "laneWidth", .help = "Least width of a lane.", .unit = "pt",
                   .type = TESSERA_TYPE_NUMBER, .initial.number = 120, .minimum.number = 1,
                   .maximum.number = 10000},
  [GAP] = {.name = "gap", .help = "Space between lanes, and between cards.", .unit = "pt",
           .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .maximum.number = 1000},
  [CARD] = {.name = "cardHeight", .help = "Height of a card that has none.", .unit = "pt",
            .type = TESSERA_TYPE_NUMBER, .initial.number = 64, .maximum.number = 100000},
  [HEADER] = {.name = "headerHeight", .help = "Height of a header that has none.", .unit = "pt",
              .type = TESSERA_TYPE_NUMBER, .initial.number = 28, .maximum.number = 10000},
  [ESTIMATE] = {.name = "estimatedCardHeight", .help = "Height of a card until it is measured; 0: none is.",
                .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 0, .maximum.number = 100000},
  [HEADER_ESTIMATE] = {.name = "estimatedHeaderHeight",
                       .help = "Height of a header until it is measured; 0: none is.", .unit = "pt",
                       .type = TESSERA_TYPE_NUMBER, .initial.number = 0, .maximum.number = 10000},
};

static const tessera_value_declaration values[N_VALUES] = {
  [CARD_HEIGHT] = {.name = "height", .help = "Height of the card.", .fallback = "cardHeight",
                   .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
  [HEADER_HEIGHT] = {.name = "headerHeight", .help = "Height of the section's header; 0: none.",
                     .fallback = "headerHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

static const tessera_kind kinds[N_KINDS] = {
  [KIND_HEADER] = {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
  [KIND_LANE] = {.name = "lane", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
};

struct tessera_layout {
  const tessera_host *host;
  const tessera_query *query;
  tessera_size bounds, content;
  double *tops; /* where the cards of each section begin */
  uint32_t section_count, room;
  tessera_update *batch;
  uint64_t batch_count;
};

static tessera_status no_memory(const tessera_host *host) {
  host->report(host, TESSERA_ERROR_NO_SPACE, "there is not enough memory for the lanes; free some");
  return TESSERA_ERROR_NO_SPACE;
}

static tessera_status create(const tessera_engine *engine, const tessera_host *host,
                             tessera_layout **layout) {
  (void)engine;
  tessera_layout *const made = calloc(1, sizeof *made);
  if (!made) return no_memory(host);
  made->host = host;
  made->query = host->extension(host, TESSERA_EXT_QUERY);
  *layout = made;
  return TESSERA_OK;
}

static void forget_batch(tessera_layout *self) {
  free(self->batch);
  self->batch = NULL;
  self->batch_count = 0;
}

static void destroy(tessera_layout *self) {
  if (!self) return;
  forget_batch(self);
  free(self->tops);
  free(self);
}

static double length(double given) { return given > 0 ? fmin(given, 1e12) : 0; }

static double number_at(tessera_column column, uint64_t index) {
  return length(*(const double *)((const char *)column.data + index * column.stride));
}

static tessera_size bounds_of(const tessera_input *in) {
  const tessera_insets i = in->content_insets;
  return (tessera_size){fmax(0, in->viewport.width - i.left - i.right),
                        fmax(0, in->viewport.height - i.top - i.bottom)};
}

/* Lanes share the width if there is enough of it. */
static double lane_width(const tessera_input *in) {
  const double n = in->section_count > 0 ? in->section_count : 1;
  const double shared = (bounds_of(in).width - (n - 1) * in->parameters[GAP].number) / n;
  return fmax(in->parameters[LEAST_WIDTH].number, shared);
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  if (in->section_count > self->room) {
    double *const grown = realloc(self->tops, in->section_count * sizeof *grown);
    if (!grown) return no_memory(self->host);
    self->tops = grown;
    self->room = in->section_count;
  }
  self->section_count = in->section_count;
  self->bounds = bounds_of(in);
  const double gap = in->parameters[GAP].number, width = lane_width(in);
  const uint64_t all = in->section_starts[in->section_count];
  double lowest = 0;
  for (uint32_t s = 0; s < in->section_count; s++) {
    const double x = s * (width + gap), header = number_at(in->values[HEADER_HEIGHT], s);
    const tessera_rows *rows = NULL;
    tessera_run run = {.section = s, .count = 1};
    double end = header;
    if (header > 0) {
      run.category = TESSERA_CATEGORY_SUPPLEMENTARY;
      run.kind = KIND_HEADER;
      const tessera_status status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      rows->frame[0] = (tessera_rect){x, 0, width, header};
    }
    double y = header > 0 ? header + gap : 0;
    self->tops[s] = y;

    const uint64_t start = in->section_starts[s];
    run = (tessera_run){.category = TESSERA_CATEGORY_CELL, .section = s,
                        .count = in->section_starts[s + 1] - start};
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++) {
      const double height = number_at(in->values[CARD_HEIGHT], start + i);
      rows->frame[i] = (tessera_rect){x, y, width, height};
      end = y + height;
      y = end + gap;
      if ((start + i) % 4096 == 4095 &&
          !self->host->progress(self->host, (double)(start + i) / (double)all))
        return TESSERA_ERROR_CANCELLED;
    }
    run = (tessera_run){.category = TESSERA_CATEGORY_DECORATION, .kind = KIND_LANE, .section = s, .count = 1};
    status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = (tessera_rect){x, 0, width, end};
    rows->z_index[0] = -1;
    lowest = fmax(lowest, end);
  }
  const double n = in->section_count;
  self->content = (tessera_size){n > 0 ? n * width + (n - 1) * gap : 0, lowest};
  out->set_content_size(out, self->content);
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  return self->bounds.width == bounds_of(in).width;
}

/* ---- sizing */

static const tessera_measured measured[] = {
  {.value = "height", .kind = NULL},
  {.value = "headerHeight", .kind = "header"},
};

static tessera_status estimates(tessera_layout *self, const tessera_input *in, const tessera_run *run,
                                tessera_size *sizes, uint64_t *count) {
  (void)self;
  const double height =
      in->parameters[run->category == TESSERA_CATEGORY_CELL ? ESTIMATE : HEADER_ESTIMATE].number;
  if (height <= 0) {
    *count = 0;
    return TESSERA_OK;
  }
  sizes[0] = (tessera_size){lane_width(in), height};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *self, const tessera_input *in, const tessera_run *run,
                                tessera_size *sizes, uint64_t *count) {
  (void)self;
  (void)run;
  sizes[0] = (tessera_size){lane_width(in), 0};
  *count = 1;
  return TESSERA_OK;
}

static const tessera_sizing sizing = {.struct_size = sizeof sizing, .measured_count = 2, .measured = measured,
                                      .estimates = estimates, .proposals = proposals};

/* ---- reordering: behind the last card whose middle is above the point */

static tessera_status target(tessera_layout *self, const tessera_input *in, uint32_t section, uint64_t item,
                             tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  if (!self->query || in->section_count == 0) return TESSERA_OK;
  const double width = lane_width(in), pitch = width + in->parameters[GAP].number;
  const double place = floor((point.x + in->parameters[GAP].number / 2) / pitch);
  const uint32_t lane = place <= 0                       ? 0
                        : place >= in->section_count - 1 ? in->section_count - 1
                                                         : (uint32_t)place;
  tessera_output *found = NULL;
  const tessera_rect strip = {lane * pitch, 0, width, self->content.height};
  tessera_status status = self->query->elements_in_rect(self->host, strip, &found);
  if (status != TESSERA_OK) return status;
  uint64_t behind = 0;
  const uint64_t run_count = found->run_count(found);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = found->get(found, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL || run.section != lane) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      const tessera_rect f = rows->frame[row];
      const uint64_t after = run.first_item + row + 1;
      if (f.y + f.height / 2 < point.y && after > behind) behind = after;
    }
  }
  if (lane == section && item < behind) behind--;
  *target_section = lane;
  *target_item = behind;
  return TESSERA_OK;
}

static const tessera_reordering reordering = {.struct_size = sizeof reordering, .target = target};

/* ---- updates: new cards come from the top of their lane, and cards that go fall to its end */

static tessera_status begin(tessera_layout *self, const tessera_input *in, const tessera_update *updates,
                            uint64_t count) {
  (void)in;
  forget_batch(self);
  if (count == 0) return TESSERA_OK;
  self->batch = calloc(count, sizeof *self->batch);
  if (!self->batch) return no_memory(self->host);
  memcpy(self->batch, updates, count * sizeof *self->batch);
  self->batch_count = count;
  return TESSERA_OK;
}

static int order_of_updates(const void *a, const void *b) {
  const tessera_update *const x = a, *const y = b;
  if (x->to_section != y->to_section) return x->to_section < y->to_section ? -1 : 1;
  return x->to_item < y->to_item ? -1 : x->to_item > y->to_item;
}

static int is_new(const tessera_update *inserted, uint64_t count, uint32_t section, uint64_t item) {
  const tessera_update key = {.to_section = section, .to_item = item};
  return count > 0 && bsearch(&key, inserted, count, sizeof key, order_of_updates) != NULL;
}

static tessera_status initial_attributes(tessera_layout *self, const tessera_input *in,
                                         tessera_output *out) {
  (void)in;
  /* The insertions first, in order. */
  uint64_t inserted = 0;
  for (uint64_t i = 0; i < self->batch_count; i++)
    if (self->batch[i].operation == TESSERA_OPERATION_INSERT_ITEM) self->batch[inserted++] = self->batch[i];
  self->batch_count = inserted;
  if (inserted > 0) qsort(self->batch, inserted, sizeof *self->batch, order_of_updates);
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++)
      if (is_new(self->batch, inserted, run.section, run.first_item + row)) {
        rows->frame[row].y = self->tops[run.section];
        rows->z_index[row] = -1;
      }
  }
  return TESSERA_OK;
}

static tessera_status final_attributes(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  (void)in;
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) rows->frame[row].y = self->content.height;
  }
  return TESSERA_OK;
}

static void end(tessera_layout *self) { forget_batch(self); }

static const tessera_updates updates = {.struct_size = sizeof updates, .begin = begin,
                                        .initial_attributes = initial_attributes,
                                        .final_attributes = final_attributes, .end = end};

static const void *extension(const tessera_engine *engine, const char *id) {
  (void)engine;
  if (strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
  if (strcmp(id, TESSERA_EXT_REORDERING) == 0) return &reordering;
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updates;
  return NULL;
}

static const tessera_engine engine = {
  .struct_size = sizeof engine,
  .traits = TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_SCALES,
  .columns = TESSERA_COLUMN_Z_INDEX,
  .id = "org.example.lanes", .name = "Lanes", .version = "1.1.1", .author = "K. Anban", .license = "MIT",
  .summary = "Cards in lanes side by side.",
  .parameter_count = N_PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
  .value_count = N_VALUES, .value_size = sizeof(tessera_value_declaration), .values = values,
  .kind_count = N_KINDS, .kind_size = sizeof(tessera_kind), .kinds = kinds,
  .create = create, .destroy = destroy, .prepare = prepare, .still_valid = still_valid,
  .extension = extension,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
