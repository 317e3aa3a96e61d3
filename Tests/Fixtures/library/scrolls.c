// scrolls FOLDER [STEPS] [SEED] [ROWS]: random scrolling through rows that are measured when they come into sight, with rows that are
// inserted and deleted: what is in sight stays where it is.
#include "checks.h"

enum { ROOM = 256, MOST_ADDED = 3 };

static const double estimate = 44, bounds = 667;

static uint64_t state;
static uint64_t below(uint64_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

// The ids of the rows, in order; what a row measures follows from its id.
static uint32_t *ids, next_id;
static uint64_t rows;
// By id: whether it was measured.
static uint8_t *is_measured;
// The height of all rows: of those that were not measured the estimate.
static double content;

static double height_of(uint32_t id) { return 20 + id * 7919 % 61; }

static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double size[2]) {
  (void)context, (void)section;
  const uint32_t id = ids[item];
  CHECK(!is_measured[id]);
  is_measured[id] = 1;
  content += height_of(id) - estimate;
  size[0] = proposed[0], size[1] = height_of(id);
  return 0;
}

// The rows in sight, from top to bottom: their ids, and where they are seen.
typedef struct Sight {
  uint64_t count;
  uint32_t ids[ROOM];
  double places[ROOM];
} Sight;

static double offset_of(tessera_session *session) {
  double x = 0, y = 0;
  DONE(session, tessera_session_offset(session, &x, &y));
  return y;
}

static void look(tessera_session *session, Sight *sight) {
  static tessera_element elements[2 * ROOM];
  uint64_t found = 0;
  double width = 0, height = 0;
  DONE(session, tessera_session_query_viewport(session, elements, sizeof *elements, 2 * ROOM, &found));
  const double offset = offset_of(session);
  sight->count = 0;
  for (uint64_t i = 0; i < found && sight->count < ROOM; i++) {
    if (elements[i].category != TESSERA_HOST_CATEGORY_CELL) continue;
    const uint32_t id = ids[elements[i].item];
    CHECK(is_measured[id] && elements[i].height == height_of(id));
    sight->ids[sight->count] = id;
    sight->places[sight->count++] = elements[i].y - offset;
  }
  CHECK(sight->count > 0);
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(height == content);
}

static const double *place_of(const Sight *sight, uint32_t id) {
  for (uint64_t i = 0; i < sight->count; i++)
    if (sight->ids[i] == id) return &sight->places[i];
  return NULL;
}

static double known_height(uint64_t row) { return is_measured[ids[row]] ? height_of(ids[row]) : estimate; }

static uint64_t row_of(uint32_t id) {
  uint64_t row = 0;
  while (ids[row] != id) row++;
  return row;
}

// The first row in sight that is measured stays, and so do those below it up to one that is not.
static void scroll(tessera_session *session, Sight *sight) {
  const double before = offset_of(session);
  const int jumps = !below(50);
  const double target = jumps ? (double)below((uint64_t)(content - bounds)) : fmax(0, fmin(before + (double)below(900) - 450, content - bounds));
  uint64_t row = row_of(sight->ids[0]), count = 0;
  double place = sight->places[0] - (target - before);
  Sight then;
  if (!jumps) {
    while (row > 0 && place > 0) place -= known_height(--row);
    for (; row < rows && place < bounds && count < ROOM && (!count || is_measured[ids[row]]); place += known_height(row++)) {
      if (place + known_height(row) <= 0 || !is_measured[ids[row]]) continue;
      then.ids[count] = ids[row];
      then.places[count++] = place;
    }
  }
  DONE(session, tessera_session_set_offset(session, 0, target));
  look(session, sight);
  for (uint64_t i = 0; i < count; i++) {
    const double *found = place_of(sight, then.ids[i]);
    CHECK(found && fabs(*found - then.places[i]) < 1e-6);
  }
}

// The first row in sight that is not deleted stays, unless the content ends.
static void edit(tessera_session *session, Sight *sight) {
  const uint64_t first = row_of(sight->ids[0]);
  const uint64_t place = below(3) ? first + below(sight->count + 1) : below(rows), count = 1 + below(MOST_ADDED);
  const int inserts = below(2) && next_id + MOST_ADDED < 2 * rows;
  if (!inserts && place + count > rows) return;
  tessera_edit change = {.operation = inserts ? TESSERA_HOST_OPERATION_INSERT_ITEM : TESSERA_HOST_OPERATION_DELETE_ITEM, .count = (uint32_t)count};
  *(inserts ? &change.to_item : &change.from_item) = place;
  const Sight then = *sight;
  if (inserts) {
    memmove(ids + place + count, ids + place, (rows - place) * sizeof *ids);
    for (uint64_t i = 0; i < count; i++) ids[place + i] = next_id++;
    content += (double)count * estimate;
    rows += count;
  } else {
    for (uint64_t i = 0; i < count; i++) content -= is_measured[ids[place + i]] ? height_of(ids[place + i]) : estimate;
    memmove(ids + place, ids + place + count, (rows - place - count) * sizeof *ids);
    rows -= count;
  }
  uint64_t tracks = 0;
  DONE(session, tessera_session_update_visible(session, &change, 1, &rows, 1, NULL, NULL, &tracks));
  CHECK(tracks > 0);
  look(session, sight);
  const double offset = offset_of(session);
  if (offset <= 0 || offset >= content - bounds) return;
  for (uint64_t i = 0; i < then.count; i++) {
    const double *anchor = place_of(sight, then.ids[i]);
    if (!anchor && !inserts && first + i >= place && first + i < place + count) continue;
    CHECK(anchor && fabs(*anchor - then.places[i]) < 1e-6);
    break;
  }
}

int main(int argc, char **argv) {
  const int steps = argc > 2 ? atoi(argv[2]) : 1000;
  state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  rows = argc > 4 ? strtoull(argv[4], NULL, 10) : 1000000;
  ids = malloc(2 * rows * sizeof *ids);
  is_measured = calloc(2 * rows, 1);
  for (; next_id < rows; next_id++) ids[next_id] = next_id;
  content = (double)rows * estimate;
  tessera_engines *engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_session *session = session_of(engines, "table", rows);
  const double none = 0;
  DONE(session, tessera_session_set_parameter(session, "estimatedRowHeight", &estimate, 1));
  DONE(session, tessera_session_set_parameter(session, "sectionHeaderHeight", &none, 1));
  DONE(session, tessera_session_set_measure(session, measure, NULL));
  DONE(session, tessera_session_set_offset(session, 0, content / 2));
  Sight sight;
  look(session, &sight);
  for (int step = 0; step < steps && failures < 20; step++) below(10) ? scroll(session, &sight) : edit(session, &sight);
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  free(ids), free(is_measured);
  return failures ? 1 : 0;
}
