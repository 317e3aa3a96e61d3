// splices FOLDER [ROUNDS] [SEED]: random edits of ranges, whose values are spliced, against sessions made new for each state.
#include "checks.h"

enum { SECTIONS = 3, MOST = 4000, MOST_EDITS = 64, MOST_TRACKS = 8192 };

static uint64_t state;
static uint64_t below(uint64_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

// The ids of the items of each section; what an item is like follows from its id.
typedef struct Data {
  uint64_t counts[SECTIONS];
  uint32_t ids[SECTIONS][MOST];
} Data;

static double length_of(uint32_t id) { return 20 + id * 7919 % 61; }

// The values of a value with `components` numbers for all items; returns how many items there are.
static uint64_t fill(const Data *data, uint32_t components, double *numbers) {
  uint64_t total = 0;
  for (int section = 0; section < SECTIONS; section++)
    for (uint64_t item = 0; item < data->counts[section]; item++, total++)
      for (uint32_t part = 0; part < components; part++)
        numbers[total * components + part] = length_of(data->ids[section][item]) + part;
  return total;
}

typedef struct Case {
  const char *engine, *value; // the value may be null
  uint32_t components;
  int measures;
} Case;

typedef struct Splice {
  uint64_t place, removed, added;
} Splice;

// A change of data, as edits and as splices from the first place on.
typedef struct Change {
  Data before, after;
  tessera_edit edits[MOST_EDITS];
  uint64_t edit_count;
  Splice splices[MOST_EDITS];
  uint64_t splice_count;
} Change;

typedef struct Supply {
  const Case *test;
  const Change *change;
  int splices; // whether it splices, or sets all
} Supply;

static const Data *measured; // the data that are measured
static double numbers[SECTIONS * MOST * 2];

static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double size[2]) {
  (void)context;
  size[0] = proposed[0];
  size[1] = length_of(measured->ids[section][item]);
  return 0;
}

static int32_t supply(void *context, tessera_session *session) {
  const Supply *supply = context;
  const Case *test = supply->test;
  measured = &supply->change->after;
  if (!test->value) return 0;
  const uint64_t total = fill(&supply->change->after, test->components, numbers);
  if (!supply->splices)
    return tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, test->value, numbers, test->components, total,
                                      8 * test->components);
  // Values that no edit touches are spliced, too: with none.
  int32_t status = tessera_session_splice_values(session, TESSERA_HOST_SCOPE_ITEM, test->value, 0, 0, NULL, test->components, 0, 0);
  for (uint64_t i = 0; i < supply->change->splice_count && !status; i++) {
    const Splice *splice = &supply->change->splices[i];
    status = tessera_session_splice_values(session, TESSERA_HOST_SCOPE_ITEM, test->value, splice->place, splice->removed,
                                           numbers + splice->place * test->components, test->components, splice->added,
                                           8 * test->components);
  }
  return status;
}

// Deletes and inserts some ranges in each section, from the front on.
static void change(Change *change, const Data *before) {
  static uint32_t next_id = 1;
  change->before = *before;
  change->edit_count = change->splice_count = 0;
  uint64_t start = 0;
  for (uint64_t section = 0; section < SECTIONS; section++) {
    uint64_t from = 0, to = 0;
    const uint64_t count = before->counts[section];
    for (int edit = 0; edit < 6 && change->edit_count + 2 < MOST_EDITS; edit++) {
      uint64_t kept = below(4) ? below(count - from + 1) / 3 : 0;
      for (; kept; kept--) change->after.ids[section][to++] = before->ids[section][from++];
      const uint64_t removed = below(2) ? below((count - from) / (below(5) ? 8 : 1) + 1) : 0;
      const uint64_t added = below(2) && to < MOST - 300 ? below(below(5) ? 5 : 200) : 0;
      if (removed)
        change->edits[change->edit_count++] = (tessera_edit){.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .count = (uint32_t)removed,
                                                             .from_section = section, .from_item = from};
      if (added)
        change->edits[change->edit_count++] = (tessera_edit){.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .count = (uint32_t)added,
                                                             .to_section = section, .to_item = to};
      if (removed || added) change->splices[change->splice_count++] = (Splice){start + to, removed, added};
      from += removed;
      for (uint64_t i = 0; i < added; i++) change->after.ids[section][to++] = next_id++;
    }
    while (from < count && to < MOST) change->after.ids[section][to++] = before->ids[section][from++];
    if (from < count) {
      change->edits[change->edit_count++] = (tessera_edit){.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .count = (uint32_t)(count - from),
                                                           .from_section = section, .from_item = from};
      change->splices[change->splice_count++] = (Splice){start + to, count - from, 0};
    }
    change->after.counts[section] = to;
    start += to;
  }
}

static tessera_session *session_with(tessera_engines *engines, const Case *test, const Data *data, double x, double y, uint64_t seed) {
  tessera_session *session = session_of(engines, test->engine, 0);
  DONE(session, tessera_session_set_direction(session, seed % 3 == 0));
  DONE(session, tessera_session_set_bounds(session, 320, 480));
  DONE(session, tessera_session_set_sections(session, data->counts, SECTIONS));
  const double estimate = 33;
  measured = data;
  if (test->measures) {
    DONE(session, tessera_session_set_parameter(session, "estimatedRowHeight", &estimate, 1));
    DONE(session, tessera_session_set_measure(session, measure, NULL));
  }
  if (test->value) {
    const uint64_t total = fill(data, test->components, numbers);
    DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, test->value, numbers, test->components, total,
                                             8 * test->components));
  }
  DONE(session, tessera_session_set_offset(session, x, y));
  return session;
}

static tessera_element all[2][3 * SECTIONS * MOST];

static void compare_all(tessera_session *one, tessera_session *other, const Case *test, uint64_t seed) {
  uint64_t counts[2];
  double sizes[4];
  DONE(one, tessera_session_query_all(one, all[0], sizeof **all, sizeof *all / sizeof **all, &counts[0]));
  DONE(other, tessera_session_query_all(other, all[1], sizeof **all, sizeof *all / sizeof **all, &counts[1]));
  DONE(one, tessera_session_content_size(one, &sizes[0], &sizes[1]));
  DONE(other, tessera_session_content_size(other, &sizes[2], &sizes[3]));
  CHECK(sizes[0] == sizes[2] && sizes[1] == sizes[3]);
  CHECK(counts[0] == counts[1]);
  // Pinned headers are where the viewport is.
  double x = 0, y = 0;
  DONE(one, tessera_session_offset(one, &x, &y));
  for (uint64_t i = 0; i < counts[0] && counts[0] == counts[1]; i++) {
    const tessera_element *a = &all[0][i], *b = &all[1][i];
    if (a->category == b->category && a->section == b->section && a->item == b->item &&
        (a->z_index > 1 || is_at(a, b->x, b->y, b->width, b->height)))
      continue;
    failures++;
    fprintf(stderr, "%s, seed %llu: element %llu of section %llu is at %g, %g and not at %g, %g\n", test->engine,
            (unsigned long long)seed, (unsigned long long)b->item, (unsigned long long)b->section, a->x, a->y, b->x, b->y);
    return;
  }
}

static tessera_element from[2][MOST_TRACKS * 4], to[2][MOST_TRACKS * 4];
static uint32_t fates[2][MOST_TRACKS * 4];

// A number for the name of a kind that is the same for every session: that of its declaration.
static uint32_t kind_in(tessera_session *session, const char *name) {
  tessera_declaration declared;
  for (uint32_t i = 0; name && !tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_KINDS, i, &declared, sizeof declared); i++)
    if (is(declared.name, name)) return i;
  return TESSERA_HOST_NO_KIND;
}

static int is_in_sight(const tessera_element *element, const double offset[2]) {
  return element->x < offset[0] + 320 && element->x + element->width > offset[0] && element->y < offset[1] + 480 &&
         element->y + element->height > offset[1];
}

static void edit_at_random(tessera_engines *engines, const Case *test, uint64_t seed) {
  static Data data;
  static Change edits;
  state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int section = 0; section < SECTIONS; section++) {
    data.counts[section] = below(4) ? below(600) : below(3);
    for (uint64_t item = 0; item < data.counts[section]; item++) data.ids[section][item] = (uint32_t)below(1 << 20);
  }
  tessera_session *session = session_with(engines, test, &data, 0, (double)below(12000), seed);
  for (int step = 0; step < 4; step++) {
    double start[2], end[2] = {0, 0}, width = 0, height = 0;
    measured = &data;
    DONE(session, tessera_session_content_size(session, &width, &height));
    if (step > 1 && height > 480) DONE(session, tessera_session_set_offset(session, 0, (double)below((uint64_t)height - 480)));
    if (step > 1 && width > 320 && height <= 480) DONE(session, tessera_session_set_offset(session, (double)below((uint64_t)width - 320), 0));
    DONE(session, tessera_session_offset(session, &start[0], &start[1]));
    change(&edits, &data);
    // All tracks of a session made new, of which those in sight count.
    uint64_t count = 0, tracks = 0, expected = 0;
    if (!test->measures) {
      tessera_session *other = session_with(engines, test, &data, start[0], start[1], seed);
      Supply whole = {test, &edits, 0};
      DONE(other, tessera_session_update(other, edits.edits, edits.edit_count, edits.after.counts, SECTIONS, supply, &whole, &count));
      DONE(other, tessera_session_offset(other, &end[0], &end[1]));
      DONE(other, tessera_session_copy_tracks(other, 0, from[1], to[1], fates[1], sizeof **from, MOST_TRACKS * 4, &count));
      for (uint64_t i = 0; i < count; i++) {
        const int before = fates[1][i] != TESSERA_HOST_FATE_APPEARS && is_in_sight(&from[1][i], start);
        const int after = fates[1][i] != TESSERA_HOST_FATE_DISAPPEARS && is_in_sight(&to[1][i], end);
        if (!before && !after) continue;
        from[1][expected] = from[1][i], to[1][expected] = to[1][i], fates[1][expected++] = fates[1][i];
      }
      // Each session numbers kinds for itself.
      for (uint64_t i = 0; i < expected; i++) from[1][i].kind = to[1][i].kind = kind_in(session, tessera_session_kind_name(other, to[1][i].kind));
      tessera_session_destroy(other);
    }
    measured = &data;
    Supply spliced = {test, &edits, 1};
    DONE(session, tessera_session_update_visible(session, edits.edits, edits.edit_count, edits.after.counts, SECTIONS, supply, &spliced,
                                                 &tracks));
    DONE(session, tessera_session_copy_tracks(session, 0, from[0], to[0], fates[0], sizeof **from, MOST_TRACKS * 4, &count));
    for (uint64_t i = 0; i < count; i++) from[0][i].kind = to[0][i].kind = kind_in(session, tessera_session_kind_name(session, to[0][i].kind));
    if (!test->measures) {
      if (tracks != expected) {
        failures++;
        fprintf(stderr, "%s, seed %llu, step %d: %llu tracks and not %llu\n", test->engine, (unsigned long long)seed, step,
                (unsigned long long)tracks, (unsigned long long)expected);
      }
      for (uint64_t i = 0; i < tracks && tracks == expected; i++)
        if (fates[0][i] != fates[1][i] || memcmp(&from[0][i], &from[1][i], sizeof **from) || memcmp(&to[0][i], &to[1][i], sizeof **to)) {
          failures++;
          fprintf(stderr, "%s, seed %llu, step %d: track %llu of item %llu is from %g to %g and not from %g to %g\n", test->engine,
                  (unsigned long long)seed, step, (unsigned long long)i, (unsigned long long)to[1][i].item, from[0][i].y, to[0][i].y,
                  from[1][i].y, to[1][i].y);
          break;
        }
    }
    data = edits.after;
    DONE(session, tessera_session_offset(session, &end[0], &end[1]));
    tessera_session *other = session_with(engines, test, &data, end[0], end[1], seed);
    compare_all(session, other, test, seed);
    tessera_session_destroy(other);
  }
  tessera_session_destroy(session);
}

static void refuses_wrong_splices(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 4);
  const double heights[] = {10, 11, 12, 13}, more[] = {20, NAN};
  const char *choice = "tall";
  const uint32_t scope = TESSERA_HOST_SCOPE_ITEM;
  double width = 0, height = 0;
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "height is to lose 1 value from item 0 on, and it has 0 values",
        tessera_session_splice_values(session, scope, "height", 0, 1, more, 1, 1, 8));
  DONE(session, tessera_session_set_values(session, scope, "height", heights, 1, 4, 8));
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(height == 28 + 10 + 11 + 12 + 13);
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "height is to lose 2 values from item 3 on, and it has 4 values",
        tessera_session_splice_values(session, scope, "height", 3, 2, more, 1, 1, 8));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "from item 5 on", tessera_session_splice_values(session, scope, "height", 5, 0, more, 1, 1, 8));
  FAILS(session, TESSERA_HOST_ERROR_MISUSED, "more than memory can hold",
        tessera_session_splice_values(session, scope, "height", UINT64_MAX, 1, more, 1, 1, 8));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "height at index 2 is nan",
        tessera_session_splice_values(session, scope, "height", 1, 2, more, 1, 2, 8));
  FAILS(session, TESSERA_HOST_ERROR_MISUSED, "the numbers is null", tessera_session_splice_values(session, scope, "height", 1, 2, NULL, 1, 2, 8));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "did you mean height", tessera_session_splice_values(session, scope, "hight", 1, 2, more, 1, 1, 8));
  FAILS(session, TESSERA_HOST_ERROR_MISUSED, "the scope is 7", tessera_session_splice_values(session, 7, "height", 1, 2, more, 1, 1, 8));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "one value for all items",
        tessera_session_splice_values(session, scope, "height", 1, 1, more, 1, 1, 0));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "given by 2 numbers", tessera_session_splice_values(session, scope, "height", 1, 1, more, 2, 1, 16));
  CHECK(tessera_session_splice_value_choices(session, scope, "height", 1, 1, &choice, 1, 8) == TESSERA_HOST_ERROR_INVALID);
  // Nothing was changed.
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(height == 28 + 10 + 11 + 12 + 13);
  // Too many values are an error of the query, and stay.
  DONE(session, tessera_session_splice_values(session, scope, "height", 1, 1, heights, 1, 3, 8));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "height has 6 values for 4 items", tessera_session_content_size(session, &width, &height));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "height has 6 values for 4 items", tessera_session_content_size(session, &width, &height));
  DONE(session, tessera_session_splice_values(session, scope, "height", 4, 2, NULL, 1, 0, 8));
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(height == 28 + 10 + 10 + 11 + 12);
  const double one = 5;
  DONE(session, tessera_session_set_values(session, scope, "height", &one, 1, 1, 0));
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "one value for all items",
        tessera_session_splice_values(session, scope, "height", 1, 1, more, 1, 1, 8));
  CHECK(tessera_session_splice_values(NULL, scope, "height", 0, 0, more, 1, 1, 8) == TESSERA_HOST_ERROR_MISUSED);
  tessera_session_destroy(session);
}

static void refuses_wrong_ranges(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 10);
  uint64_t items = 10, count = 0;
  tessera_edit edits[] = {{.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .count = 4, .from_item = 7},
                          {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .count = 4, .to_item = 0}};
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "item 10 of section 0",
        tessera_session_update_visible(session, edits, 2, &items, 1, NULL, NULL, &count));
  edits[0].count = UINT32_MAX;
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "item 10 of section 0",
        tessera_session_update_visible(session, edits, 2, &items, 1, NULL, NULL, &count));
  edits[0].count = 3;
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "10", tessera_session_update_visible(session, edits, 2, &items, 1, NULL, NULL, &count));
  items = 11;
  DONE(session, tessera_session_update_visible(session, edits, 2, &items, 1, NULL, NULL, &count));
  // Ten rows of 44 points below a header; seven stay, four come, three go, and separators between them.
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  CHECK(count == 1 + 11 + 10);
  // Sections have counts, too.
  const uint64_t counts[] = {11, 2, 3};
  const tessera_edit sections = {.operation = TESSERA_HOST_OPERATION_INSERT_SECTION, .count = 2, .to_section = 1};
  DONE(session, tessera_session_update_visible(session, &sections, 1, counts, 3, NULL, NULL, &count));
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  CHECK(count == 3 + 16 + 10 + 1 + 2);
  tessera_session_destroy(session);
}

int main(int argc, char **argv) {
  // An engine that scrolls parts by itself, such as the timetable, brings more into the viewport than a query of it returns.
  static const Case cases[] = {{"table", "height", 1, 0}, {"waterfall", "height", 1, 0}, {"flow", "size", 2, 0},
                               {"mosaic", NULL, 0, 0},    {"grid", NULL, 0, 0},          {"even-flow", "size", 2, 0},
                               {"table", NULL, 0, 1},      {"stagger", NULL, 0, 0},
                               {"column-flow", NULL, 0, 0}, {"justified", NULL, 0, 0},   {"treemap", NULL, 0, 0},
                               {"compositional", NULL, 0, 0}, {"aspect-flow", NULL, 0, 0}};
  const int rounds = argc > 2 ? atoi(argv[2]) : 1;
  const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  tessera_engines *engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_SANDBOX);
  CHECK(!tessera_engines_set_kept_workers(engines, 4));
  refuses_wrong_splices(engines);
  refuses_wrong_ranges(engines);
  for (int round = 0; round < rounds && failures < 20; round++)
    for (size_t number = 0; number < sizeof cases / sizeof *cases; number++)
      edit_at_random(engines, &cases[number], seed + (uint64_t)round);
  tessera_engines_destroy(engines);
  return failures ? 1 : 0;
}
