// hands FOLDER [STEPS] [SEED]: random edits, sizes that are given and withdrawn, drags, scrolls and switches, against sessions made new for each
// state.
#include "checks.h"

enum { SECTIONS = 2, MOST = 400, ROOM = 2000, SHORTEST = 10 };

static uint64_t state;
static uint64_t below(uint64_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

// The height of each item; 0 if it is not known.
static double heights[SECTIONS][MOST];
static uint64_t counts[SECTIONS];
static double width = 100;

static void set(tessera_session *session, const char *name, double number) {
  DONE(session, tessera_session_set_parameter(session, name, &number, 1));
}

static void give(tessera_session *session, uint64_t section, uint64_t first, uint64_t count) {
  double sizes[2 * MOST];
  for (uint64_t i = 0; i < count; i++) sizes[2 * i] = width, sizes[2 * i + 1] = heights[section][first + i];
  DONE(session, tessera_session_set_measured(session, NULL, section, first, sizes, count));
}

static tessera_session *table(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 0);
  DONE(session, tessera_session_set_sections(session, counts, SECTIONS));
  DONE(session, tessera_session_set_bounds(session, width, 300));
  set(session, "sectionHeaderHeight", 20);
  set(session, "estimatedRowHeight", 44);
  return session;
}

static void insert_in_model(uint64_t section, uint64_t place, double height) {
  memmove(&heights[section][place + 1], &heights[section][place], (counts[section] - place) * sizeof(double));
  heights[section][place] = height;
  counts[section]++;
}

static double delete_from_model(uint64_t section, uint64_t place) {
  const double height = heights[section][place];
  counts[section]--;
  memmove(&heights[section][place], &heights[section][place + 1], (counts[section] - place) * sizeof(double));
  return height;
}

static void forget_all(void) { memset(heights, 0, sizeof heights); }

static void edit(tessera_session *session, uint64_t section, int inserts) {
  const uint64_t place = below(counts[section] + (inserts ? 1 : 0)), left = inserts ? MOST - 100 - counts[section] : counts[section] - place;
  const uint64_t count = 1 + below(left < 4 ? left : 4);
  tessera_edit change = {.operation = inserts ? TESSERA_HOST_OPERATION_INSERT_ITEM : TESSERA_HOST_OPERATION_DELETE_ITEM, .count = (uint32_t)count};
  *(inserts ? &change.to_section : &change.from_section) = section;
  *(inserts ? &change.to_item : &change.from_item) = place;
  for (uint64_t i = 0; i < count; i++) inserts ? insert_in_model(section, place, 0) : (void)delete_from_model(section, place);
  uint64_t tracks = 0;
  DONE(session, tessera_session_update_visible(session, &change, 1, counts, SECTIONS, NULL, NULL, &tracks));
}

static void drag(tessera_session *session, uint64_t section) {
  const uint64_t item = below(counts[section]);
  uint64_t to_section = section, to_item = item, edits = 9;
  double all_width = 0, all_height = 0;
  tessera_element held;
  tessera_edit move;
  DONE(session, tessera_session_drag_begin(session, section, item));
  for (uint64_t step = below(4); step > 0; step--) {
    DONE(session, tessera_session_content_size(session, &all_width, &all_height));
    const double y = (double)below((uint64_t)all_height + 1);
    DONE(session, tessera_session_drag_to(session, width / 2, y, &to_section, &to_item));
    DONE(session, tessera_session_drag_held(session, &held, sizeof held));
    CHECK(held.section == to_section && held.item == to_item && fabs(held.y + held.height / 2 - y) < 1e-9);
    const double height = heights[section][item];
    CHECK(held.height == (height > 0 ? height : 44));
  }
  if (below(3) == 0) {
    DONE(session, tessera_session_drag_cancel(session));
    return;
  }
  DONE(session, tessera_session_drag_end(session, &move, &edits));
  const int has_moved = to_section != section || to_item != item;
  CHECK(edits == (uint64_t)has_moved);
  if (!has_moved) return;
  CHECK(move.from_section == section && move.from_item == item && move.to_section == to_section && move.to_item == to_item);
  insert_in_model(to_section, to_item, delete_from_model(section, item));
}

static void change(tessera_session *session) {
  const uint64_t section = below(SECTIONS), kind = below(8);
  double x = 0, y = 0;
  if (kind == 0 || counts[section] < SHORTEST) {
    if (counts[section] < MOST - 104) edit(session, section, 1);
  } else if (kind == 1) {
    edit(session, section, 0);
  } else if (kind <= 3) {
    const uint64_t first = below(counts[section]), left = counts[section] - first, count = 1 + below(left < 6 ? left : 6);
    for (uint64_t i = 0; i < count; i++) heights[section][first + i] = kind == 2 ? 10 + (double)below(70) : 0;
    if (kind == 2) give(session, section, first, count);
    else DONE(session, tessera_session_withdraw_measured(session, NULL, section, first, count));
  } else if (kind == 4) {
    drag(session, section);
  } else if (kind == 5) {
    DONE(session, tessera_session_content_size(session, &x, &y));
    DONE(session, tessera_session_set_offset(session, 0, (double)below((uint64_t)y + 1)));
  } else if (kind == 6 && below(4) == 0) {
    width = width == 100 ? 140 : 100;
    forget_all();
    DONE(session, tessera_session_set_bounds(session, width, 300));
  } else if (kind == 7 && below(4) == 0) {
    // Without measuring, and with it again.
    set(session, "estimatedRowHeight", 0);
    DONE(session, tessera_session_content_size(session, &x, &y));
    set(session, "estimatedRowHeight", 44);
    forget_all();
  }
}

static tessera_element found[2][ROOM];

static void compare(tessera_session *one, tessera_session *other) {
  uint64_t number[2] = {0, 0};
  double x = 0, y = 0;
  DONE(one, tessera_session_query_all(one, found[0], sizeof **found, ROOM, &number[0]));
  DONE(other, tessera_session_query_all(other, found[1], sizeof **found, ROOM, &number[1]));
  CHECK(number[0] == number[1] && number[0] > SHORTEST && number[0] < ROOM);
  for (uint64_t i = 0; i < number[0] && number[0] == number[1]; i++)
    if (found[0][i].category != TESSERA_HOST_CATEGORY_SUPPLEMENTARY) CHECK(!memcmp(&found[0][i], &found[1][i], sizeof **found));
  // Headers are where the viewport has them.
  DONE(one, tessera_session_offset(one, &x, &y));
  DONE(other, tessera_session_set_offset(other, x, y));
  DONE(one, tessera_session_query_viewport(one, found[0], sizeof **found, ROOM, &number[0]));
  DONE(other, tessera_session_query_viewport(other, found[1], sizeof **found, ROOM, &number[1]));
  CHECK(number[0] == number[1] && !memcmp(found[0], found[1], (number[0] < ROOM ? number[0] : 0) * sizeof **found));
}

int main(int argc, char **argv) {
  const int steps = argc > 2 ? atoi(argv[2]) : 100;
  state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  tessera_engines *engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_SANDBOX);
  CHECK(!tessera_engines_set_kept_workers(engines, 2));
  for (int section = 0; section < SECTIONS; section++) counts[section] = 30;
  tessera_session *session = table(engines);
  for (int step = 0; step < steps && failures == 0; step++) {
    change(session);
    tessera_session *other = table(engines);
    for (uint64_t section = 0; section < SECTIONS; section++)
      for (uint64_t item = 0; item < counts[section]; item++)
        if (heights[section][item] > 0) give(other, section, item, 1);
    compare(session, other);
    tessera_session_destroy(other);
    if (failures) fprintf(stderr, "step %d\n", step);
  }
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return failures ? 1 : 0;
}
