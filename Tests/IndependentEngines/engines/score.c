// score.c: incremental; notes in bars, bars in systems that are as wide as the content, on staves. A function breaks systems.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/query.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { BEATS_PER_BAR, BEAT_WIDTH, SYSTEM_HEIGHT, NOTE_SIZE, BAR_GAP, TITLE, PARAMETERS };
enum { BEATS, PITCH, TITLE_HEIGHT, VALUES };
enum { BAR, SYSTEM, ATTRIBUTES };
enum { KIND_TITLE, KIND_STAVE, KIND_BARLINE };

static const tessera_parameter parameters[PARAMETERS] = {
    [BEATS_PER_BAR] = {.name = "beatsPerBar", .help = "Beats after which a bar ends.", .type = TESSERA_TYPE_NUMBER, .initial.number = 4, .minimum.number = 1, .maximum.number = 64},
    [BEAT_WIDTH] = {.name = "beatWidth", .help = "Width of a beat.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .minimum.number = 1, .maximum.number = 1000},
    [SYSTEM_HEIGHT] = {.name = "systemHeight", .help = "Height of a system with the space below it.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 80, .minimum.number = 10, .maximum.number = 10000},
    [NOTE_SIZE] = {.name = "noteHeight", .help = "Height of notes, at most a quarter of the system's.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 8, .minimum.number = 1, .maximum.number = 1000},
    [BAR_GAP] = {.name = "barGap", .help = "Space between bars.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 6, .maximum.number = 1000},
    [TITLE] = {.name = "titleHeight", .help = "Height of titles; 0: none.", .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 30, .maximum.number = 10000}};
static const tessera_value_declaration values[VALUES] = {
    [BEATS] = {.name = "beats", .help = "Length of the note, an eighth to 64 beats; 0: one beat.", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [PITCH] = {.name = "pitch", .help = "Steps above the middle line, -8 to 8.", .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_ITEM},
    [TITLE_HEIGHT] = {.name = "titleHeight", .help = "Height of the section's title.", .fallback = "titleHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION}};
static const tessera_attribute attributes[ATTRIBUTES] = {
    [BAR] = {.name = "bar", .help = "The note's bar in its section.", .type = TESSERA_TYPE_INT, .interpolation = TESSERA_INTERPOLATION_STEP},
    [SYSTEM] = {.name = "system", .help = "The note's system in its section.", .type = TESSERA_TYPE_INT, .interpolation = TESSERA_INTERPOLATION_STEP}};
static const tessera_kind kinds[] = {
    [KIND_TITLE] = {.name = "title", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [KIND_STAVE] = {.name = "stave", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_BACKGROUND},
    [KIND_BARLINE] = {.name = "barline", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};

typedef uint8_t (*breaks_after)(void *context, uint32_t section, uint64_t item);
enum { BREAKS };

typedef struct movement { // a section as it was prepared last
  double top, title;
  uint64_t systems;
} movement;
struct tessera_layout {
  const tessera_host *host;
  movement *movements;
  double end, system_height;
  uint32_t section_count;
  uint32_t *inserted; // sections of the batch that is under way
  uint64_t inserted_count;
};

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *made = calloc(1, sizeof *made);
  if (!made) return TESSERA_ERROR_NO_SPACE;
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *l) {
  free(l->movements);
  free(l->inserted);
  free(l);
}

static tessera_status refuse(const tessera_layout *l, tessera_status status, const char *why) {
  l->host->report(l->host, status, why);
  return status;
}

static const void *at(tessera_column column, uint64_t index) { return (const char *)column.data + index * column.stride; }
static double number(tessera_column column, uint64_t index) { return *(const double *)at(column, index); }
static double extent_of(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}
static double beats_of(const tessera_input *in, uint64_t item) {
  const double beats = number(in->values[BEATS], item);
  return beats == 0 ? 1 : fmin(64, fmax(0.125, beats));
}

typedef struct cursor {
  uint64_t item, bar, system;
  double x; // where the next bar begins
} cursor;

static int breaks(const tessera_input *in, uint32_t section, uint64_t item) {
  const tessera_function f = in->functions[BREAKS];
  return f.call && ((breaks_after)f.call)(f.context, section, item);
}

// Places the notes of a section from the cursor on, where a bar begins.
static tessera_status place(const tessera_input *in, uint32_t section, const movement *m, const tessera_rows *rows, cursor *c) {
  const double beat = in->parameters[BEAT_WIDTH].number, gap = in->parameters[BAR_GAP].number, full = in->parameters[BEATS_PER_BAR].number;
  const double height = in->parameters[SYSTEM_HEIGHT].number, note = fmin(in->parameters[NOTE_SIZE].number, height / 4);
  const double extent = extent_of(in), step = (height * 0.75 - note) / 16;
  const uint64_t start = in->section_starts[section];
  int64_t *bars = rows->attributes[BAR], *systems = rows->attributes[SYSTEM];
  while (c->item < rows->count) {
    uint64_t end = c->item;
    double beats = 0;
    int ends = 0;
    for (; end < rows->count && beats < full && !ends; end++) {
      beats += beats_of(in, start + end);
      ends = breaks(in, section, end);
    }
    if (c->x > 0 && c->x + beats * beat > extent) {
      c->x = 0;
      c->system++;
    }
    const double width = fmin(beat, extent / beats); // of a beat: a bar that is too wide is squeezed
    const double top = m->top + m->title + (double)c->system * height;
    for (double sum = 0; c->item < end; c->item++) {
      const double length = beats_of(in, start + c->item);
      const int64_t given = *(const int64_t *)at(in->values[PITCH], start + c->item);
      const double pitch = (double)(given < -8 ? -8 : given > 8 ? 8 : given);
      rows->frame[c->item] = (tessera_rect){c->x + sum * width, top + (8 - pitch) * step, length * width, note};
      bars[c->item] = (int64_t)c->bar;
      systems[c->item] = (int64_t)c->system;
      sum += length;
      const uint64_t all = start + c->item, count = in->section_starts[in->section_count];
      if (all % 65536 == 65535 && !in->host->progress(in->host, (double)all / (double)count)) return TESSERA_ERROR_CANCELLED;
    }
    rows->z_index[end - 1] = ends; // above those that a squeezed bar leaves no room
    c->x = rows->frame[end - 1].x + rows->frame[end - 1].width + gap;
    c->bar++;
    if (ends && end < rows->count) {
      c->x = 0;
      c->system++;
    }
  }
  return TESSERA_OK;
}

// Where to go on if the first `kept` notes are as they were: where the bar of the last of them begins.
static cursor resume(const tessera_input *in, uint32_t section, const tessera_rows *rows, uint64_t kept) {
  const int64_t *bars = rows->attributes[BAR], *systems = rows->attributes[SYSTEM];
  uint64_t item = kept;
  while (item > 0 && bars[item - 1] == bars[kept - 1]) item--;
  if (item == 0) return (cursor){0};
  cursor c = {.item = item, .bar = (uint64_t)bars[item - 1] + 1, .system = (uint64_t)systems[item - 1]};
  c.x = rows->frame[item - 1].x + rows->frame[item - 1].width + in->parameters[BAR_GAP].number;
  if (breaks(in, section, item - 1)) {
    c.x = 0;
    c.system++;
  }
  return c;
}

static tessera_status add(tessera_output *out, tessera_category category, uint32_t kind, uint32_t section, uint64_t count, const tessera_rows **rows) {
  const tessera_run run = {.category = category, .kind = kind, .section = section, .count = count};
  return out->add(out, &run, rows);
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Lays out one section. `unchanged`: how many of its notes are as they were; `moved`: whether nothing is where it was.
static tessera_status lay_out(const tessera_input *in, uint32_t section, movement *m, uint64_t unchanged, int moved, tessera_output *out) {
  const double extent = extent_of(in), height = in->parameters[SYSTEM_HEIGHT].number;
  const uint64_t count = in->section_starts[section + 1] - in->section_starts[section];
  const tessera_rows *rows = 0;
  tessera_status status = TESSERA_OK;
  if (m->title > 0) {
    status = add(out, TESSERA_CATEGORY_SUPPLEMENTARY, KIND_TITLE, section, 1, &rows);
    if (status != TESSERA_OK) return status;
    if (moved || rows->kept == 0) rows->frame[0] = (tessera_rect){0, m->top, extent, m->title};
    else status = out->leave(out, rows, 1);
  }
  m->systems = 0;
  if (count == 0 || status != TESSERA_OK) return status;
  const tessera_rows *notes = 0;
  status = add(out, TESSERA_CATEGORY_CELL, 0, section, count, &notes);
  if (status != TESSERA_OK) return status;
  const uint64_t kept = moved ? 0 : smaller(unchanged, notes->kept);
  const int64_t *bars = notes->attributes[BAR], *systems = notes->attributes[SYSTEM];
  cursor c = {.item = count};
  if (!moved && unchanged == UINT64_MAX && kept == count) c.bar = (uint64_t)bars[count - 1] + 1, c.system = (uint64_t)systems[count - 1];
  else c = resume(in, section, notes, kept);
  const uint64_t from = c.item, first_bar = c.bar;
  if (from > 0) status = out->leave(out, notes, from);
  if (status == TESSERA_OK) status = place(in, section, m, notes, &c);
  if (status != TESSERA_OK) return status;

  m->systems = c.system + 1;
  status = add(out, TESSERA_CATEGORY_DECORATION, KIND_STAVE, section, m->systems, &rows);
  if (status != TESSERA_OK) return status;
  const uint64_t staves = moved ? 0 : rows->kept;
  for (uint64_t i = staves; i < m->systems; i++) {
    rows->frame[i] = (tessera_rect){0, m->top + m->title + (double)i * height, extent, height * 0.75};
    rows->z_index[i] = -1;
  }
  if (staves > 0) status = out->leave(out, rows, staves);
  if (c.bar < 2 || status != TESSERA_OK) return status;

  status = add(out, TESSERA_CATEGORY_DECORATION, KIND_BARLINE, section, c.bar - 1, &rows);
  if (status != TESSERA_OK) return status;
  const uint64_t lines = moved ? 0 : smaller(rows->kept, first_bar > 0 ? first_bar - 1 : 0);
  uint64_t item = from;
  while (item > 0 && (uint64_t)bars[item - 1] >= lines) item--;
  for (; item + 1 < count; item++) {
    const uint64_t bar = (uint64_t)bars[item];
    if (bars[item + 1] == bars[item] || bar < lines) continue;
    const tessera_rect last = notes->frame[item];
    const double gap = in->parameters[BAR_GAP].number;
    rows->frame[bar] = (tessera_rect){last.x + last.width + gap / 2, m->top + m->title + (double)systems[item] * height, 1, height * 0.75};
  }
  return lines > 0 ? out->leave(out, rows, lines) : TESSERA_OK;
}

static tessera_status prepare(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  const uint32_t known = l->section_count;
  const tessera_change change = in->change;
  const int all = (change.what & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) != 0;
  l->section_count = 0;
  movement *movements = realloc(l->movements, ((uint64_t)in->section_count + 1) * sizeof *movements);
  if (!movements) return refuse(l, TESSERA_ERROR_NO_SPACE, "there is no memory for the sections; use fewer");
  l->movements = movements;
  double y = 0;
  for (uint32_t s = 0; s < in->section_count; s++) {
    movement *m = &movements[s];
    const double title = fmax(0, number(in->values[TITLE_HEIGHT], s));
    const int moved = all || s >= known || m->top != y || m->title != title;
    uint64_t unchanged = UINT64_MAX; // all
    if (change.what != 0 && s >= change.first_section) unchanged = s == change.first_section ? change.first_item : 0;
    m->top = y;
    m->title = title;
    const tessera_status status = lay_out(in, s, m, unchanged, moved, out);
    if (status != TESSERA_OK) return status;
    y += title + (double)m->systems * in->parameters[SYSTEM_HEIGHT].number;
  }
  if (!isfinite(y)) return refuse(l, TESSERA_ERROR_INVALID_VALUE, "the titles are too high for a finite content; make titleHeight smaller");
  l->section_count = in->section_count;
  l->system_height = in->parameters[SYSTEM_HEIGHT].number;
  l->end = y;
  out->set_content_size(out, (tessera_size){extent_of(in), y});
  return TESSERA_OK;
}

// Stops where a title or a system begins.
static tessera_status resting_offset(tessera_layout *l, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  if (l->section_count == 0) return TESSERA_OK;
  const double y = resting->y + in->content_insets.top;
  uint32_t low = 0, high = l->section_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->movements[middle].top <= y) low = middle; else high = middle;
  }
  const movement *m = &l->movements[low];
  double before = m->top, after = low + 1 < l->section_count ? l->movements[low + 1].top : l->end;
  const double notes = m->top + m->title;
  if (m->systems > 0 && y < notes) {
    after = notes;
  } else if (m->systems > 0) {
    const double system = floor((y - notes) / l->system_height);
    before = notes + fmin(system, (double)m->systems - 1) * l->system_height;
    if (system + 1 < (double)m->systems) after = notes + (system + 1) * l->system_height;
  }
  const int down = velocity.y != 0 ? velocity.y > 0 : y - before > after - y;
  resting->y = (down ? after : before) - in->content_insets.top;
  return TESSERA_OK;
}

// Behind the last note at the height of the point whose middle lies before it.
static tessera_status target(tessera_layout *l, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point, uint32_t *target_section, uint64_t *target_item) {
  const tessera_query *query = l->host->extension(l->host, TESSERA_EXT_QUERY);
  if (!query) return TESSERA_OK;
  tessera_output *found = 0;
  const double height = l->system_height;
  tessera_status status = query->elements_in_rect(l->host, (tessera_rect){0, point.y - height / 4, fmax(1, extent_of(in)), height / 2}, &found);
  int any = 0;
  uint64_t place = 0;
  for (uint64_t index = 0; status == TESSERA_OK && index < found->run_count(found); index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    status = found->get(found, index, &run, &rows);
    if (status != TESSERA_OK || run.category != TESSERA_CATEGORY_CELL || (any && run.section != *target_section)) continue;
    if (!any) {
      *target_section = run.section;
      place = run.first_item;
      any = 1;
    }
    for (uint64_t row = 0; row < run.count; row++)
      if (rows->frame[row].x + rows->frame[row].width / 2 < point.x && run.first_item + row + 1 > place) place = run.first_item + row + 1;
  }
  if (any) *target_item = *target_section == section && item < place ? place - 1 : place;
  return status;
}

static int in_order(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void end(tessera_layout *l) {
  free(l->inserted);
  l->inserted = 0;
  l->inserted_count = 0;
}

static tessera_status begin(tessera_layout *l, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)in;
  end(l);
  l->inserted = malloc((count + 1) * sizeof *l->inserted);
  if (!l->inserted) return refuse(l, TESSERA_ERROR_NO_SPACE, "there is no memory for the updates; make fewer at a time");
  for (uint64_t i = 0; i < count; i++)
    if (updates[i].operation == TESSERA_OPERATION_INSERT_SECTION) l->inserted[l->inserted_count++] = updates[i].to_section;
  qsort(l->inserted, l->inserted_count, sizeof *l->inserted, in_order);
  return TESSERA_OK;
}

// Notes fall into sections that were there before.
static tessera_status initial_attributes(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL || (l->inserted_count && bsearch(&run.section, l->inserted, l->inserted_count, sizeof run.section, in_order))) continue;
    for (uint64_t row = 0; row < run.count; row++) rows->frame[row].y -= in->parameters[SYSTEM_HEIGHT].number / 4;
  }
  return TESSERA_OK;
}

static tessera_status final_attributes(tessera_layout *l, const tessera_input *in, tessera_output *out) {
  (void)l;
  (void)in;
  for (uint64_t index = 0; index < out->run_count(out); index++) {
    tessera_run run;
    const tessera_rows *rows = 0;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t row = 0; run.category == TESSERA_CATEGORY_CELL && row < run.count; row++) rows->frame[row].width /= 2;
  }
  return TESSERA_OK;
}

static uint64_t systems_in(void *context, uint32_t section) {
  const tessera_layout *l = context;
  if (section < l->section_count) return l->movements[section].systems;
  refuse(l, TESSERA_ERROR_INVALID_VALUE, "there is no such section; name one below the number of sections");
  return 0;
}

static const tessera_function_declaration functions[] = {
    {.name = "breaksAfter", .signature = "bool(u32,u64)", .help = "Whether the system ends after an item of a section; absent: never."},
    {.name = "systemsIn", .signature = "u64(u32)", .help = "The number of systems of a section.", .published = (void (*)(void))systems_in}};
static const tessera_snapping snapping = {.struct_size = sizeof snapping, .resting_offset = resting_offset};
static const tessera_reordering reordering = {.struct_size = sizeof reordering, .target = target};
static const tessera_updates updates = {.struct_size = sizeof updates, .begin = begin, .initial_attributes = initial_attributes, .final_attributes = final_attributes, .end = end};
static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  if (strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updates;
  if (strcmp(id, TESSERA_EXT_REORDERING) == 0) return &reordering;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : 0;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.score", .name = "Score", .version = "1.0.0", .author = "A stranger", .license = "MIT",
    .summary = "Notes in bars, and bars in systems on staves.",
    .traits = TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL, .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES, .columns = TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETERS, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUES, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 2, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTES, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = 3, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
