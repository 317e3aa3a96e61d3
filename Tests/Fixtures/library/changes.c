// changes FOLDER [ISOLATION [ROUNDS]]: data changes. Frames are calculated by hand from the READMEs.
#include "checks.h"

// Two cells of 50, 10 apart, per line.
static tessera_session *grid_of(tessera_engines *engines, uint64_t items) {
  tessera_session *session = session_of(engines, "grid", items);
  DONE(session, tessera_session_set_bounds(session, 110, 200));
  return session;
}

static void follows_elements(tessera_engines *engines) {
  tessera_session *session = grid_of(engines, 3);
  const tessera_edit edits[] = {{.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .from_item = 0},
                                {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .to_item = 2}};
  const uint64_t items = 3;
  uint64_t count = 0;
  DONE(session, tessera_session_update(session, edits, 2, &items, 1, NULL, NULL, &count));
  CHECK(count == 4);
  tessera_element from[4], to[4];
  uint32_t fates[4];
  DONE(session, tessera_session_copy_tracks(session, 0, from, to, fates, sizeof *from, 4, &count));
  CHECK(count == 4);
  CHECK(fates[0] == TESSERA_HOST_FATE_STAYS && from[0].item == 1 && to[0].item == 0);
  CHECK(is_at(&from[0], 60, 0, 50, 50) && is_at(&to[0], 0, 0, 50, 50));
  CHECK(fates[1] == TESSERA_HOST_FATE_DISAPPEARS && from[1].item == 0 && from[1].alpha == 1 && to[1].alpha == 0);
  CHECK(fates[2] == TESSERA_HOST_FATE_STAYS && from[2].item == 2 && to[2].item == 1);
  CHECK(is_at(&from[2], 0, 60, 50, 50) && is_at(&to[2], 60, 0, 50, 50));
  CHECK(fates[3] == TESSERA_HOST_FATE_APPEARS && to[3].item == 2 && from[3].alpha == 0 && is_at(&to[3], 0, 60, 50, 50));
  DONE(session, tessera_session_copy_tracks(session, 3, from, to, NULL, sizeof *from, 4, &count));
  CHECK(count == 1 && to[0].item == 2);

  tessera_element moment[4];
  DONE(session, tessera_session_query_moment(session, 0.5, moment, sizeof *moment, 4, &count));
  CHECK(count == 4 && is_at(&moment[0], 30, 0, 50, 50) && is_at(&moment[2], 30, 30, 50, 50));
  CHECK(moment[1].alpha == 0.5 && moment[3].alpha == 0.5);
  DONE(session, tessera_session_query_moment(session, 1, moment, sizeof *moment, 4, &count));
  CHECK(count == 3);
  tessera_session_destroy(session);
}

static void refuses_contradictions(tessera_engines *engines) {
  tessera_session *session = grid_of(engines, 3);
  uint64_t items = 3, count = 77;
  tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .from_item = 7};
  INVALID("item 7", tessera_session_update(session, &edit, 1, &items, 1, NULL, NULL, &count));
  edit.from_item = UINT64_MAX;
  INVALID("section 0", tessera_session_update(session, &edit, 1, &items, 1, NULL, NULL, &count));
  edit.from_item = 0;
  INVALID("3", tessera_session_update(session, &edit, 1, &items, 1, NULL, NULL, &count));
  edit.operation = 9;
  INVALID("operation 9", tessera_session_update(session, &edit, 1, &items, 1, NULL, NULL, &count));
  CHECK(count == 77);
  const uint64_t endless[] = {UINT64_MAX, 5};
  INVALID("2^62", tessera_session_update(session, &edit, 0, endless, 2, NULL, NULL, &count));
  MISUSED("call tessera_session_update or", tessera_session_query_moment(session, 0, NULL, sizeof(tessera_element), 0, &count));
  CHECK(count_of(session) == 3);
  tessera_session_destroy(session);
}

static int32_t supply_heights(void *context, tessera_session *session) {
  uint64_t count = 0;
  CHECK(tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count) == TESSERA_HOST_ERROR_MISUSED);
  return tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", context, 1, 2, sizeof(double));
}

static int32_t supply_wrongly(void *context, tessera_session *session) {
  const double height = 5;
  (void)context;
  return tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "hight", &height, 1, 1, 0);
}

static int32_t supply_nothing(void *context, tessera_session *session) {
  (void)context, (void)session;
  return 3;
}

TEST(supplies_values, "table", 1) {
  tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .to_item = 1};
  uint64_t items = 2, count = 0;
  double heights[] = {10, 15};
  DONE(session, tessera_session_update(session, &edit, 1, &items, 1, supply_heights, heights, &count));
  CHECK(height_of(session) == 28 + 10 + 15);
  items = 3;
  INVALID("\"hight\"; did you mean height",
        tessera_session_update(session, &edit, 1, &items, 1, supply_wrongly, NULL, &count));
  edit = (tessera_edit){.operation = TESSERA_HOST_OPERATION_MOVE_ITEM, .from_item = 2, .to_item = 0};
  INVALID("status 3", tessera_session_update(session, &edit, 1, &items, 1, supply_nothing, NULL, &count));
  CHECK(height_of(session) == 28 + 3 * 44);
}

TEST(extends_values, "table", 2) {
  const double heights[] = {10, 15}, more[] = {20, 25};
  double width = 0, height = 0;
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", heights, 1, 2, sizeof(double)));
  DONE(session, tessera_session_content_size(session, &width, &height));
  const uint64_t items = 4;
  DONE(session, tessera_session_set_sections(session, &items, 1));
  DONE(session, tessera_session_set_values_from(session, TESSERA_HOST_SCOPE_ITEM, "height", 2, more, 1, 2, sizeof(double)));
  CHECK(height_of(session) == 28 + 10 + 15 + 20 + 25);
  INVALID("height is set from item 5 on, and it had 4 values before; expected at most 4",
        tessera_session_set_values_from(session, TESSERA_HOST_SCOPE_ITEM, "height", 5, more, 1, 0, sizeof(double)));
  INVALID("height has 1 values for the items from 2 on; give 2",
        tessera_session_set_values_from(session, TESSERA_HOST_SCOPE_ITEM, "height", 2, more, 1, 1, sizeof(double)));
  INVALID("height has one value for the items from 2 on; give 2",
        tessera_session_set_values_from(session, TESSERA_HOST_SCOPE_ITEM, "height", 2, more, 1, 1, 0));
}

TEST(keeps_the_top_in_place, "table", 100) {
  DONE(session, tessera_session_set_bounds(session, 100, 200));
  set(session, "sectionHeaderHeight", 0);
  DONE(session, tessera_session_set_offset(session, 0, 440)); // row 10 is the first visible
  const tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .to_item = 0};
  uint64_t items = 101, count = 0;
  DONE(session, tessera_session_update(session, &edit, 1, &items, 1, NULL, NULL, &count));
  double x = 1, y = 1;
  DONE(session, tessera_session_offset(session, &x, &y));
  CHECK(x == 0 && y == 484);
}

TESTS(follows_elements, refuses_contradictions, supplies_values, extends_values, keeps_the_top_in_place)
