// preparing FOLDER [ISOLATION [ROUNDS]]: layouts prepared on another thread.
#include "checks.h"

static const uint64_t items = 50000;
static double sizes[2 * 50000];

static tessera_session *flow_of(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "flow", items);
  for (uint64_t i = 0; i < 2 * items; i++) sizes[i] = 20 + (double)(i * 7919 % 61);
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "size", sizes, 2, items, 16));
  return session;
}

static tessera_element found[2][2000];

static void compare(tessera_session *one, tessera_session *other) {
  uint64_t counts[2] = {0, 1};
  DONE(one, tessera_session_query_viewport(one, found[0], sizeof **found, 2000, &counts[0]));
  DONE(other, tessera_session_query_viewport(other, found[1], sizeof **found, 2000, &counts[1]));
  CHECK(counts[0] == counts[1] && counts[0] > 10 && counts[0] < 2000);
  CHECK(!memcmp(found[0], found[1], counts[0] * sizeof **found));
}

static int32_t supply(void *context, tessera_session *session) {
  (void)context;
  return tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "size", sizes, 2, items, 16);
}

static void prepares_elsewhere(tessera_engines *engines) {
  tessera_session *session = flow_of(engines), *other = flow_of(engines);
  tessera_columns columns, again;
  int32_t descriptor = -1;
  double width = 0, height = 0;
  const tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_MOVE_ITEM, .from_item = 1, .to_item = 2};
  uint64_t copied = 0, tracks = 0;
  DONE(session, tessera_session_update_visible(session, &edit, 1, &items, 1, supply, NULL, &tracks));
  DONE(session, tessera_session_query_columns(session, NULL, &columns, sizeof columns));
  const uint64_t count = columns.count;
  const double first = columns.frames[4 * (count - 1) + 1];
  for (int round = 0; round < 5; round++) {
    DONE(session, tessera_session_set_bounds(session, 400 + 10 * round, 700));
    DONE(other, tessera_session_set_bounds(other, 400 + 10 * round, 700));
    DONE(session, tessera_session_prepare_begin(session, &descriptor));
    MISUSED("call tessera_session_prepare_finish first", tessera_session_content_size(session, &width, &height));
    MISUSED("is being prepared", tessera_session_set_bounds(session, 1, 1));
    if (round == 0) {
      CHECK(columns.count == count && columns.frames[4 * (count - 1) + 1] == first);
      DONE(session, tessera_session_get_columns(session, &again, sizeof again));
      CHECK(again.count == count && again.frames == columns.frames);
    }
    DONE(session, tessera_session_copy_elements(session, 0, found[0], sizeof **found, 2000, &copied));
    CHECK(copied > 10);
    for (double progress = 0; progress <= 1; progress += 0.25) {
      DONE(session, tessera_session_query_moment(session, progress, found[0], sizeof **found, 2000, &copied));
      DONE(session, tessera_session_moment_tracks(session, progress, NULL, 0, &tracks));
      CHECK(copied == tracks && tracks > 10);
    }
    CHECK(is_readable(descriptor, 20000));
    DONE(session, tessera_session_prepare_finish(session));
    compare(session, other);
  }
  MISUSED("call tessera_session_prepare_begin first", tessera_session_prepare_finish(session));
  // Errors of the prepare are reported at its end; the session stays usable.
  DONE(session, tessera_session_set_bounds(session, -1, 700));
  DONE(session, tessera_session_prepare_begin(session, &descriptor));
  INVALID("bounds", tessera_session_prepare_finish(session));
  DONE(session, tessera_session_set_bounds(session, 440, 700));
  compare(session, other);
  DONE(session, tessera_session_set_bounds(session, 300, 700));
  DONE(session, tessera_session_prepare_begin(session, &descriptor));
  tessera_session_destroy(session);
  tessera_session_destroy(other);
}

static tessera_session *busy;

static int32_t never_cancel(void *context, double progress) {
  int32_t descriptor = 0;
  (void)progress;
  ++*(int *)context;
  CHECK(tessera_session_prepare_begin(busy, &descriptor) == TESSERA_HOST_ERROR_MISUSED);
  CHECK(tessera_session_prepare_finish(busy) == TESSERA_HOST_ERROR_MISUSED);
  return 0;
}

// Callbacks run on the program's thread, once the prepare has finished.
static void prepares_here(tessera_engines *engines) {
  tessera_session *session = busy = flow_of(engines), *other = flow_of(engines);
  int calls = 0;
  int32_t descriptor = -1;
  DONE(session, tessera_session_set_progress(session, never_cancel, &calls));
  DONE(session, tessera_session_prepare_begin(session, &descriptor));
  CHECK(is_readable(descriptor, 0) && calls == 0);
  DONE(session, tessera_session_prepare_finish(session));
  CHECK(calls > 0);
  compare(session, other);
  tessera_session_destroy(session);
  tessera_session_destroy(other);
}

TESTS(prepares_elsewhere, prepares_here)
