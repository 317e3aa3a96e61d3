// pianoroll.c: the notes of tracks over time, an incremental engine.
//
// The rule. Each section is a track: below its name, a lane for each key from `highest` down to `lowest`. A note begins at its `start`
// and is `length` beats long. A note whose `pitch` has no lane lies in the nearest one, with the attribute isOutOfRange. Notes are as
// opaque as the program's function `loudness` says. A track has a line at every bar up to the end of its last note, at most sixteen a
// note, and a label at each octave's C. Labels and the names of tracks stay in sight at the left edge while the content scrolls, and the
// playhead, a line through each track, moves without a prepare. Scrolling stops at bars.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { LOWEST, HIGHEST, KEY_HEIGHT, KEY_WIDTH, BEAT_WIDTH, BEATS, NAME_HEIGHT, START, LENGTH, PITCH, PLAYHEAD, PARAMETER_COUNT };
enum { START_OF, LENGTH_OF, PITCH_OF, KEY_HEIGHT_OF, VALUE_COUNT };
enum { KEY, IS_OUT_OF_RANGE, BEAT, ATTRIBUTE_COUNT };
enum { NAME, LABEL, BAR, LINE, KIND_COUNT };
static const double longest = 1e9; // in beats, of a start or a length

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [LOWEST] = {.name = "lowest", .help = "The lowest key, 60 is the middle C.", .type = TESSERA_TYPE_INT,
                .initial.integer = 48, .maximum.integer = 127},
    [HIGHEST] = {.name = "highest", .help = "The highest key, at least the lowest.", .type = TESSERA_TYPE_INT,
                 .initial.integer = 72, .maximum.integer = 127},
    [KEY_HEIGHT] = {.name = "keyHeight", .help = "Height of the lane of a key.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                    .initial.number = 8, .minimum.number = 1, .maximum.number = 1000},
    [KEY_WIDTH] = {.name = "keyWidth", .help = "Width of the labels of keys.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                   .initial.number = 36, .minimum.number = 1, .maximum.number = 10000},
    [BEAT_WIDTH] = {.name = "beatWidth", .help = "Width of a beat.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                    .initial.number = 40, .minimum.number = 0.125, .maximum.number = 10000},
    [BEATS] = {.name = "beatsPerBar", .help = "Beats in a bar.", .type = TESSERA_TYPE_INT, .initial.integer = 4,
               .minimum.integer = 1, .maximum.integer = 64},
    [NAME_HEIGHT] = {.name = "nameHeight", .help = "Height of the name of a track.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
                     .initial.number = 20, .minimum.number = 1, .maximum.number = 1000},
    [START] = {.name = "start", .help = "When a note begins that does not say so itself, in beats.", .type = TESSERA_TYPE_NUMBER,
               .initial.number = 0, .maximum.number = 1e6},
    [LENGTH] = {.name = "length", .help = "How long such a note is, in beats.", .type = TESSERA_TYPE_NUMBER,
                .initial.number = 1, .maximum.number = 1e6},
    [PITCH] = {.name = "pitch", .help = "The key of such a note.", .type = TESSERA_TYPE_INT, .initial.integer = 60,
               .maximum.integer = 127},
    [PLAYHEAD] = {.name = "playhead", .help = "Where the playhead is, in beats; -1: nowhere.", .type = TESSERA_TYPE_NUMBER,
                  .flags = TESSERA_FLAG_IN_ADJUST, .initial.number = -1, .minimum.number = -1, .maximum.number = 1e9}};

static const tessera_value_declaration values[VALUE_COUNT] = {
    [START_OF] = {.name = "start", .help = "When the note begins, in beats; from 0.", .fallback = "start",
                  .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [LENGTH_OF] = {.name = "length", .help = "How long the note is, in beats.", .fallback = "length",
                   .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
    [PITCH_OF] = {.name = "pitch", .help = "The key of the note.", .fallback = "pitch",
                  .type = TESSERA_TYPE_INT, .scope = TESSERA_SCOPE_ITEM},
    [KEY_HEIGHT_OF] = {.name = "keyHeight", .help = "Height of the lanes of the track.", .fallback = "keyHeight",
                       .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION}};

static const tessera_attribute attributes[ATTRIBUTE_COUNT] = {
    [KEY] = {.name = "key", .help = "The key of a note or a label.", .type = TESSERA_TYPE_INT,
             .interpolation = TESSERA_INTERPOLATION_STEP},
    [IS_OUT_OF_RANGE] = {.name = "isOutOfRange", .help = "Whether the key of a note has no lane.", .type = TESSERA_TYPE_BOOL,
                         .interpolation = TESSERA_INTERPOLATION_NONE},
    [BEAT] = {.name = "beat", .help = "When a note begins, in beats.", .type = TESSERA_TYPE_NUMBER,
              .interpolation = TESSERA_INTERPOLATION_LINEAR}};

static const tessera_kind kinds[KIND_COUNT] = {
    [NAME] = {.name = "name", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
    [LABEL] = {.name = "label", .shows = "key", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_LABEL},
    [BAR] = {.name = "bar", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR},
    [LINE] = {.name = "playhead", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};

typedef double (*loudness_of)(void *context, uint32_t section, uint64_t item);

struct tessera_layout {
  const tessera_host *host;
  double *ends, *tops; // of each track: where its last note ends, and where it begins; one more top at the end
  uint32_t count;      // of tracks
  double end;          // of all notes
  int64_t lowest, highest;
  double key_width, beat_width;
  tessera_size content;
};

static double limited(double value, double least, double most) { return fmin(fmax(value, least), most); }
static const void *at(tessera_column column, uint64_t index) { return (const char *)column.data + index * column.stride; }
static double number(tessera_column column, uint64_t index) { return *(const double *)at(column, index); }
static double extent_width(const tessera_input *in) {
  return fmax(0, in->viewport.width - in->content_insets.left - in->content_insets.right);
}

// ---------------------------------------------------------------- one track

typedef struct track {
  uint32_t section;
  double lanes, key_height; // the top of the lanes, the height of one
  int64_t lowest, highest;
} track;

static void place_note(const tessera_input *in, const track *t, const tessera_rows *rows, uint64_t item) {
  const tessera_value *is = in->parameters;
  const uint64_t note = in->section_starts[t->section] + item;
  const double start = limited(number(in->values[START_OF], note), 0, longest);
  const double length = limited(number(in->values[LENGTH_OF], note), 0, longest);
  const int64_t pitch = *(const int64_t *)at(in->values[PITCH_OF], note);
  const int64_t lane = pitch < t->lowest ? t->lowest : pitch > t->highest ? t->highest : pitch;
  rows->frame[item] = (tessera_rect){is[KEY_WIDTH].number + start * is[BEAT_WIDTH].number,
                                     t->lanes + (double)(t->highest - lane) * t->key_height,
                                     length * is[BEAT_WIDTH].number, t->key_height};
  ((int64_t *)rows->attributes[KEY])[item] = pitch;
  ((uint8_t *)rows->attributes[IS_OUT_OF_RANGE])[item] = lane != pitch;
  ((double *)rows->attributes[BEAT])[item] = start;
  rows->z_index[item] = 1;
  const tessera_function loudness = in->functions[0];
  rows->alpha[item] = 1;
  if (loudness.call) rows->alpha[item] = limited(((loudness_of)loudness.call)(loudness.context, t->section, item), 0, 1);
}

// How many of the first notes of a track are where they were, as far as the change says.
static uint64_t unchanged(const tessera_change *change, uint32_t section) {
  if (change->what & (TESSERA_CHANGED_ALL | TESSERA_CHANGED_PARAMETERS)) return 0;
  if (!(change->what & (TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES))) return UINT64_MAX;
  if (section > change->first_section) return 0;
  return section < change->first_section ? UINT64_MAX : change->first_item;
}

// Places the notes of a track, and finds where the last one ends.
static tessera_status place_notes(const tessera_input *in, const track *t, tessera_output *out, double *end) {
  const uint64_t start = in->section_starts[t->section], count = in->section_starts[t->section + 1] - start;
  const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = t->section, .count = count};
  const tessera_rows *rows = 0;
  tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK || !count) {
    *end = 0;
    return status;
  }
  const uint64_t same = unchanged(&in->change, t->section), keep = same < rows->kept ? same : rows->kept;
  if (keep && (status = out->leave(out, rows, keep)) != TESSERA_OK) return status;
  if (keep == count && same == UINT64_MAX) return TESSERA_OK; // the end is what it was
  *end = 0;
  for (uint64_t item = 0; item < count; item++) {
    if (item >= keep) place_note(in, t, rows, item);
    *end = fmax(*end, rows->frame[item].x + rows->frame[item].width);
    if (item % 4096 == 4095 && !in->host->progress(in->host, (double)(start + item) / (double)in->section_starts[in->section_count]))
      return TESSERA_ERROR_CANCELLED;
  }
  return TESSERA_OK;
}

static tessera_status place_labels(const tessera_input *in, const track *t, tessera_output *out) {
  const int64_t first = (t->lowest + 11) / 12 * 12; // the lowest C
  if (first > t->highest) return TESSERA_OK;
  const tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, LABEL, t->section, 0, 0, (uint64_t)((t->highest - first) / 12 + 1)};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t octave = 0; octave < run.count; octave++) {
    const int64_t key = first + 12 * (int64_t)octave;
    rows->frame[octave] = (tessera_rect){0, t->lanes + (double)(t->highest - key) * t->key_height,
                                         in->parameters[KEY_WIDTH].number, t->key_height};
    ((int64_t *)rows->attributes[KEY])[octave] = key;
    rows->z_index[octave] = 3;
  }
  return TESSERA_OK;
}

static tessera_status place_bars(const tessera_input *in, const track *t, tessera_output *out, double end) {
  const tessera_value *is = in->parameters;
  const uint64_t items = in->section_starts[t->section + 1] - in->section_starts[t->section];
  const double pitch = (double)is[BEATS].integer * is[BEAT_WIDTH].number;
  const double bars = floor((end - is[KEY_WIDTH].number) / pitch) + 1, most = 16 * (double)items;
  if (!items || bars < 1) return TESSERA_OK;
  const tessera_run run = {TESSERA_CATEGORY_DECORATION, BAR, t->section, 0, 0, (uint64_t)fmin(bars, most)};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  for (uint64_t bar = 0; bar < run.count; bar++) {
    rows->frame[bar] = (tessera_rect){is[KEY_WIDTH].number + (double)bar * pitch - 0.5, t->lanes, 1,
                                      (double)(t->highest - t->lowest + 1) * t->key_height};
    rows->z_index[bar] = -1;
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- the layout

static tessera_status place_name(tessera_layout *roll, const tessera_input *in, tessera_output *out, uint32_t section) {
  const tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, NAME, section, 0, 0, 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = (tessera_rect){0, roll->tops[section], fmin(roll->content.width, 8 * roll->key_width),
                                  in->parameters[NAME_HEIGHT].number};
  rows->z_index[0] = 2;
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *roll, const tessera_input *in, tessera_output *out) {
  const tessera_value *is = in->parameters;
  if (is[LOWEST].integer > is[HIGHEST].integer) {
    in->host->report(in->host, TESSERA_ERROR_INVALID_VALUE, "lowest is above highest; make lowest at most highest");
    return TESSERA_ERROR_INVALID_VALUE;
  }
  const size_t size = ((size_t)in->section_count + 1) * sizeof(double);
  double *ends = realloc(roll->ends, size);
  if (ends) roll->ends = ends;
  double *tops = realloc(roll->tops, size);
  if (tops) roll->tops = tops;
  if (!ends || !tops) return TESSERA_ERROR_NO_SPACE;
  roll->count = in->section_count;
  roll->key_width = is[KEY_WIDTH].number;
  roll->beat_width = is[BEAT_WIDTH].number;
  roll->lowest = is[LOWEST].integer;
  roll->highest = is[HIGHEST].integer;
  tops[0] = 0;
  roll->end = roll->key_width;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const double key_height = limited(number(in->values[KEY_HEIGHT_OF], section), 0, 1e6);
    const track t = {section, tops[section] + is[NAME_HEIGHT].number, key_height, roll->lowest, roll->highest};
    tops[section + 1] = t.lanes + (double)(t.highest - t.lowest + 1) * key_height;
    tessera_status status = place_notes(in, &t, out, &ends[section]);
    if (status == TESSERA_OK) status = place_labels(in, &t, out);
    if (status == TESSERA_OK) status = place_bars(in, &t, out, ends[section]);
    if (status != TESSERA_OK) return status;
    roll->end = fmax(roll->end, ends[section]);
  }
  roll->content = (tessera_size){fmax(extent_width(in), roll->end), tops[roll->count]};
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_status status = place_name(roll, in, out, section);
    if (status != TESSERA_OK) return status;
  }
  out->set_content_size(out, roll->content);
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *roll, const tessera_input *in) {
  return fmax(extent_width(in), roll->end) == roll->content.width;
}

// The last track that begins at or above y, or the first one.
static uint32_t track_at(const tessera_layout *roll, double y) {
  uint32_t low = 0, high = roll->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (roll->tops[middle] < y) low = middle;
    else high = middle;
  }
  return low;
}

// Moves an element to the left edge of what is visible; the query may not have found it there.
static tessera_status pin(const tessera_layout *roll, tessera_output *out, uint32_t kind, uint32_t section, uint64_t item, double left) {
  const tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, kind, section, 0, item, 1};
  const tessera_rows *rows = 0;
  const tessera_status status = out->add(out, &run, &rows);
  if (status == TESSERA_OK) rows->frame[0].x = limited(left, 0, roll->content.width - rows->frame[0].width);
  return status;
}

// The playhead through the lanes of a track.
static tessera_status add_playhead(const tessera_layout *roll, const tessera_input *in, tessera_output *out, uint32_t section) {
  const double beat = in->parameters[PLAYHEAD].number, lanes = roll->tops[section] + in->parameters[NAME_HEIGHT].number;
  const tessera_run run = {TESSERA_CATEGORY_DECORATION, LINE, section, 0, 0, 1};
  const tessera_rows *rows = 0;
  if (beat < 0) return TESSERA_OK;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  rows->frame[0] = (tessera_rect){roll->key_width + beat * roll->beat_width - 0.5, lanes, 1, roll->tops[section + 1] - lanes};
  rows->z_index[0] = 4;
  return TESSERA_OK;
}

// Labels and names follow the left edge of the viewport.
static tessera_status adjust(tessera_layout *roll, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  const double left = in->viewport.x + in->content_insets.left;
  const int64_t first = (roll->lowest + 11) / 12 * 12;
  if (!roll->count) return TESSERA_OK;
  for (uint32_t section = track_at(roll, rect.y); section < roll->count && roll->tops[section] <= rect.y + rect.height; section++) {
    tessera_status status = pin(roll, out, NAME, section, 0, left);
    for (int64_t key = first; key <= roll->highest && status == TESSERA_OK; key += 12)
      status = pin(roll, out, LABEL, section, (uint64_t)((key - first) / 12), left);
    if (status == TESSERA_OK) status = add_playhead(roll, in, out, section);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

// ---------------------------------------------------------------- snapping and functions

// A bar stops beside the labels, which stay at the left edge. The end of the content is a stop, too.
static tessera_status resting_offset(tessera_layout *roll, const tessera_input *in, tessera_point velocity, tessera_point *resting) {
  const double bar = (double)in->parameters[BEATS].integer * roll->beat_width, inset = in->content_insets.left;
  const double end = fmax(-inset, roll->content.width + in->content_insets.right - in->viewport.width);
  if (resting->x >= end || resting->x <= -inset) return TESSERA_OK;
  const double bars = (resting->x + inset) / bar;
  double stop = round(bars);
  if (velocity.x > 0) stop = ceil(bars - 1e-9);
  if (velocity.x < 0) stop = floor(bars + 1e-9);
  double rest = stop * bar - inset;
  // Beyond the last bar before the end, what is nearer: that bar or the end.
  const double last = floor((end + inset) / bar + 1e-9) * bar - inset;
  if (velocity.x == 0 && resting->x > last) rest = resting->x - last <= end - resting->x ? last : end;
  resting->x = fmin(rest, end);
  return TESSERA_OK;
}

static const tessera_snapping snapping = {.struct_size = sizeof(tessera_snapping), .resting_offset = resting_offset};

static double published_beat_at(void *context, tessera_point point) {
  const tessera_layout *roll = context;
  return fmax(0, (point.x - roll->key_width) / roll->beat_width);
}

static double published_end_of(void *context, uint32_t section) {
  const tessera_layout *roll = context;
  if (section < roll->count) return fmax(0, (roll->ends[section] - roll->key_width) / roll->beat_width);
  roll->host->report(roll->host, TESSERA_ERROR_INVALID_VALUE, "endOf was asked for a track that does not exist");
  return 0;
}

static const tessera_function_declaration functions[] = {
    {.name = "loudness", .signature = "f64(u32,u64)", .help = "How loud a note is, 0 to 1; absent: 1."},
    {.name = "beatAt", .signature = "f64(point)", .help = "The time at a point, in beats; from 0.",
     .published = (void (*)(void))published_beat_at},
    {.name = "endOf", .signature = "f64(u32)", .help = "When the last note of a track ends, in beats.",
     .published = (void (*)(void))published_end_of}};

// ---------------------------------------------------------------- the engine

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  tessera_layout *roll = calloc(1, sizeof *roll);
  if (!roll) return TESSERA_ERROR_NO_SPACE;
  roll->host = host;
  *layout = roll;
  return TESSERA_OK;
}

static void destroy(tessera_layout *roll) {
  free(roll->ends);
  free(roll->tops);
  free(roll);
}

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : 0;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.piano-roll", .name = "Piano roll", .version = "1.0.0",
    .author = "Somebody", .license = "MIT", .summary = "The notes of tracks over time, with bars and labels of keys.",
    .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .columns = TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX,
    .parameters = parameters, .parameter_count = PARAMETER_COUNT, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = VALUE_COUNT, .value_size = sizeof(tessera_value_declaration),
    .functions = functions, .function_count = 3, .function_size = sizeof(tessera_function_declaration),
    .attributes = attributes, .attribute_count = ATTRIBUTE_COUNT, .attribute_size = sizeof(tessera_attribute),
    .kinds = kinds, .kind_count = KIND_COUNT, .kind_size = sizeof(tessera_kind),
    .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust, .still_valid = still_valid, .extension = extension};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
