// handling FOLDER CRASHING [ROUNDS]: a session as a view uses it: drags, supplied measurements,
// change watching, time limits. Numbers are calculated by hand; supplied sizes must equal measured
// ones.
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "checks.h"

enum { ROOM = 1000 };
static tessera_element found[2][ROOM];

static uint64_t all_of(tessera_session *session, tessera_element *elements) {
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, elements, sizeof *elements, ROOM, &count));
  CHECK(count <= ROOM);
  return count < ROOM ? count : ROOM;
}

static double y_of(tessera_session *session, uint64_t section, uint64_t item) {
  tessera_element element = {.y = -1};
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, section, item, &element, sizeof element));
  return element.y;
}

// Two columns of 50, 10 apart; then rows of varying heights.
static void drags(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "grid", 6);
  tessera_element held;
  tessera_edit edit = {.operation = 77};
  uint64_t section = 9, item = 9, count = 9;
  DONE(session, tessera_session_set_bounds(session, 110, 500));
  NOT_FOUND("no item is held", tessera_session_drag_held(session, &held, sizeof held));
  INVALID("no item is held", tessera_session_drag_to(session, 0, 0, &section, &item));
  INVALID("no item is held", tessera_session_drag_end(session, &edit, &count));
  INVALID("no item is held", tessera_session_drag_cancel(session));
  INVALID("item 6", tessera_session_drag_begin(session, 0, 6));
  DONE(session, tessera_session_drag_begin(session, 0, 0));
  INVALID("already held", tessera_session_drag_begin(session, 0, 1));
  INVALID("point", tessera_session_drag_to(session, NAN, 0, &section, &item));
  DONE(session, tessera_session_drag_to(session, 85, 25, &section, &item));
  CHECK(section == 0 && item == 1);
  DONE(session, tessera_session_drag_held(session, &held, sizeof held));
  CHECK(is_at(&held, 60, 0, 50, 50) && held.item == 1 && held.z_index == INT32_MAX);
  DONE(session, tessera_session_drag_to(session, 30, 90, NULL, &item));
  CHECK(item == 2);
  DONE(session, tessera_session_drag_held(session, &held, sizeof held));
  CHECK(is_at(&held, 5, 65, 50, 50));
  DONE(session, tessera_session_drag_end(session, &edit, &count));
  CHECK(count == 1 && edit.operation == TESSERA_HOST_OPERATION_MOVE_ITEM && edit.count == 1 && edit.from_item == 0 && edit.to_item == 2);
  DONE(session, tessera_session_drag_begin(session, 0, 3));
  DONE(session, tessera_session_drag_end(session, &edit, &count));
  CHECK(count == 0 && edit.operation == 0);
  tessera_session_destroy(session);

  session = session_of(engines, "table", 4);
  const double heights[] = {10, 20, 30, 40};
  DONE(session, tessera_session_set_bounds(session, 100, 300));
  set(session, "sectionHeaderHeight", 0);
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", heights, 1, 4, 8));
  DONE(session, tessera_session_drag_begin(session, 0, 0));
  // The second row's middle, 20, is passed; the third's, 45, is not.
  DONE(session, tessera_session_drag_to(session, 50, 30, &section, &item));
  CHECK(section == 0 && item == 1 && y_of(session, 0, 0) == 0 && y_of(session, 0, 1) == 20 && y_of(session, 0, 2) == 30);
  DONE(session, tessera_session_drag_cancel(session));
  CHECK(y_of(session, 0, 1) == 10 && y_of(session, 0, 2) == 30);
  tessera_session_destroy(session);
}

static double height_at(uint64_t item) { return 30 + (double)(item * 7919 % 41); }

static uint64_t asked, last_asked;
static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)context, (void)section;
  asked++, last_asked = item;
  measured[0] = proposed[0], measured[1] = height_at(item);
  return 0;
}

static tessera_session *rows_of(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 100);
  DONE(session, tessera_session_set_bounds(session, 100, 200));
  set(session, "sectionHeaderHeight", 0);
  set(session, "estimatedRowHeight", 44);
  return session;
}

static void takes_sizes(tessera_engines *engines) {
  double width = 9, height = 9, x = 0, y = 0;
  tessera_session *session = session_of(engines, "grid", 3), *other = rows_of(engines);
  INVALID("does not size items by their content", tessera_session_set_measured(session, NULL, 0, 0, (double[]){1, 2}, 1));
  tessera_session_destroy(session);
  session = rows_of(engines);
  DONE(session, tessera_session_proposed_size(session, NULL, 0, 0, &width, &height));
  CHECK(width == 100 && height == 0 && height_of(session) == 4400);
  DONE(session, tessera_session_set_measured(session, NULL, 0, 0, (double[]){100, 10, 100, 20, 100, 30}, 3));
  CHECK(height_of(session) == 97 * 44 + 60 && y_of(session, 0, 3) == 60);
  // A query does not measure item 4 either.
  CHECK(y_of(session, 0, 4) == 104);
  INVALID("measures", tessera_session_set_measured(session, NULL, 0, 7, (double[]){1, -2}, 1));
  INVALID("measures", tessera_session_set_measured(session, NULL, 0, 7, (double[]){NAN, 2}, 1));
  INVALID("no item 100 in section 0", tessera_session_set_measured(session, NULL, 0, 99, (double[]){1, 2, 3, 4}, 2));
  INVALID("nothing", tessera_session_set_measured(session, "nothing", 0, 0, (double[]){1, 2}, 1));
  CHECK(height_of(session) == 97 * 44 + 60);
  DONE(session, tessera_session_withdraw_measured(session, NULL, 0, 1, 1));
  CHECK(height_of(session) == 98 * 44 + 40 && y_of(session, 0, 2) == 54);

  DONE(session, tessera_session_set_offset(session, 0, 1000));
  const double before = y_of(session, 0, 30);
  DONE(session, tessera_session_set_measured(session, NULL, 0, 0, (double[]){100, 110, 100, 120, 100, 130}, 3));
  CHECK(y_of(session, 0, 30) == before + 100 + 76 + 100);
  DONE(session, tessera_session_offset(session, &x, &y));
  CHECK(x == 0 && y == 1000 + 276);

  for (uint64_t item = 0; item < 100; item++)
    DONE(session, tessera_session_set_measured(session, NULL, 0, item, (double[]){100, height_at(item)}, 1));
  DONE(other, tessera_session_set_measure(other, measure, NULL));
  const uint64_t count = all_of(session, found[0]);
  CHECK(asked == 0 && count == all_of(other, found[1]) && asked == 100 && count > 100);
  CHECK(!memcmp(found[0], found[1], count * sizeof **found));
  DONE(other, tessera_session_withdraw_measured(other, NULL, 0, 70, 1));
  CHECK(all_of(other, found[1]) == count && asked == 101 && last_asked == 70 && !memcmp(found[0], found[1], count * sizeof **found));
  DONE(other, tessera_session_set_measured(other, NULL, 0, 70, (double[]){100, 5}, 1));
  const double all = height_of(session);
  CHECK(height_of(other) == all - height_at(70) + 5 && all_of(other, found[1]) == count && asked == 101);

  // Updates keep sizes with their items; another proposed width discards them.
  const tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .to_item = 0};
  const uint64_t more = 101;
  uint64_t tracks = 0;
  DONE(session, tessera_session_update_visible(session, &edit, 1, &more, 1, NULL, NULL, &tracks));
  CHECK(height_of(session) == all + 44 && y_of(session, 0, 1) == 44 && y_of(session, 0, 2) == 44 + height_at(0));
  DONE(session, tessera_session_set_bounds(session, 120, 200));
  CHECK(height_of(session) == 101 * 44);

  set(session, "sectionHeaderHeight", 28);
  set(session, "estimatedSectionHeaderHeight", 20);
  DONE(session, tessera_session_set_measured(session, "header", 0, 0, (double[]){120, 33}, 1));
  CHECK(height_of(session) == 101 * 44 + 33);
  DONE(session, tessera_session_withdraw_measured(session, "header", 0, 0, 1));
  CHECK(height_of(session) == 101 * 44 + 20);
  tessera_session_destroy(session);
  tessera_session_destroy(other);
  asked = 0;
}

TEST(names_tracks, "table", 5) {
  static tessera_element elements[ROOM];
  static uint64_t tracks[ROOM];
  static uint32_t fates[ROOM];
  uint64_t track_count = 0, copied = 0, count = 0, named = 0;
  DONE(session, tessera_session_set_bounds(session, 100, 600));
  const tessera_edit edits[] = {{.operation = TESSERA_HOST_OPERATION_DELETE_ITEM, .from_item = 1},
                                {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM, .count = 2, .to_item = 4},
                                {.operation = TESSERA_HOST_OPERATION_MOVE_ITEM, .from_item = 3, .to_item = 0}};
  const uint64_t after = 6;
  MISUSED("no update", tessera_session_moment_tracks(session, 0, tracks, ROOM, &named));
  DONE(session, tessera_session_update_visible(session, edits, 3, &after, 1, NULL, NULL, &track_count));
  DONE(session, tessera_session_copy_tracks(session, 0, found[0], found[1], fates, sizeof **found, ROOM, &copied));
  CHECK(copied == track_count && copied > 6);
  for (int step = 0; step <= 2; step++) {
    const double progress = step / 2.0;
    DONE(session, tessera_session_query_moment(session, progress, elements, sizeof *elements, ROOM, &count));
    DONE(session, tessera_session_moment_tracks(session, progress, tracks, ROOM, &named));
    CHECK(count == named && count > 5 && count <= copied);
    for (uint64_t i = 0; i < count; i++) {
      const uint64_t track = tracks[i];
      const double y = found[0][track].y + progress * (found[1][track].y - found[0][track].y);
      CHECK(track < copied && (i == 0 || track > tracks[i - 1]) && fabs(elements[i].y - y) < 1e-9);
      CHECK(!(step == 0 && fates[track] == TESSERA_HOST_FATE_APPEARS) && !(step == 2 && fates[track] == TESSERA_HOST_FATE_DISAPPEARS));
    }
  }
  // The first of them, with the total count.
  uint64_t one[2] = {77, 77};
  DONE(session, tessera_session_moment_tracks(session, 0.5, one, 1, &count));
  CHECK(one[1] == 77 && one[0] < copied && count == track_count);
}

static uint32_t events_of(tessera_session *session) {
  int32_t descriptor = -1;
  uint32_t events = 77;
  DONE(session, tessera_session_watch(session, &descriptor, &events));
  return events;
}

static void end_worker(void) {
  // A child of one of the threads.
  FILE *file = popen("cat /proc/$PPID/task/*/children", "r");
  int process = 0, ended = 0;
  while (file && fscanf(file, "%d", &process) == 1) {
    char path[100], name[100] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", process);
    FILE *comm = fopen(path, "r");
    if (comm && fscanf(comm, "%99s", name) == 1 && !strcmp(name, "tessera-worker")) ended += !kill(process, SIGKILL);
    if (comm) fclose(comm);
  }
  if (file) pclose(file);
  CHECK(ended == 1);
}

static void prepare(tessera_session *session) {
  int32_t descriptor = -1;
  DONE(session, tessera_session_prepare_begin(session, &descriptor));
  CHECK(is_readable(descriptor, 20000));
  DONE(session, tessera_session_prepare_finish(session));
}

static void watches(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_engines_set_refusal_time(engines, 0);
  tessera_session *session = session_of(engines, "crashing", 0);
  int32_t descriptor = -1, again = -1;
  double width = 0, height = 0;
  MISUSED("null", tessera_session_watch(session, NULL, NULL));
  DONE(session, tessera_session_watch(session, &descriptor, NULL));
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(!is_readable(descriptor, 0) && events_of(session) == 0);
  set(session, "trap", 1);
  FAILS(session, TESSERA_HOST_ERROR_DIED, "SIGILL", tessera_session_content_size(session, &width, &height));
  CHECK(is_readable(descriptor, 5000) && events_of(session) == TESSERA_HOST_ENGINE_ENDED);
  set(session, "trap", 0);
  prepare(session);
  CHECK(!is_readable(descriptor, 0) && events_of(session) == 0);
  end_worker();
  CHECK(is_readable(descriptor, 5000) && events_of(session) == TESSERA_HOST_ENGINE_ENDED);
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(!is_readable(descriptor, 0) && events_of(session) == 0);
  char command[2000];
  snprintf(command, sizeof command, "echo > '%s/other' && rm '%s/other'", folder, folder);
  CHECK(system(command) == 0 && is_readable(descriptor, 5000) && events_of(session) == 0 && !is_readable(descriptor, 0));
  snprintf(command, sizeof command, "cp '%s/crashing.so' '%s/new' && mv '%s/new' '%s/crashing.so'", folder, folder, folder, folder);
  CHECK(system(command) == 0 && is_readable(descriptor, 5000) && events_of(session) == TESSERA_HOST_ENGINE_REPLACED);
  CHECK(!is_readable(descriptor, 0) && events_of(session) == TESSERA_HOST_ENGINE_REPLACED);
  prepare(session);
  CHECK(!is_readable(descriptor, 0) && events_of(session) == 0);
  end_worker();
  CHECK(is_readable(descriptor, 5000));
  DONE(session, tessera_session_watch(session, &again, NULL));
  CHECK(again == descriptor);
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
}

static void refuses_for_a_while(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  CHECK(!tessera_engines_set_cache(engines, NULL) && !tessera_engines_set_refusal_time(engines, 4));
  tessera_session *session = session_of(engines, "crashing", 0);
  tessera_refusal refusal = {0};
  uint32_t seconds = 77;
  uint64_t count = 0;
  double width = 0, height = 0;
  MISUSED("null", tessera_session_refusal_time(session, NULL));
  set(session, "trap", 1);
  for (int crash = 0; crash < 3; crash++) {
    DONE(session, tessera_session_refusal_time(session, &seconds));
    CHECK(seconds == 0);
    FAILS(session, TESSERA_HOST_ERROR_DIED, "SIGILL", tessera_session_content_size(session, &width, &height));
  }
  set(session, "trap", 0);
  FAILS(session, TESSERA_HOST_ERROR_DIED, "refused for another", tessera_session_content_size(session, &width, &height));
  CHECK(is(tessera_session_code(session), "crashedRepeatedly"));
  DONE(session, tessera_session_refusal_time(session, &seconds));
  CHECK(seconds >= 1 && seconds <= 4);
  CHECK(!tessera_engines_list(engines, NULL, &count) && count >= 1);
  for (uint64_t i = 0; i < count; i++) {
    CHECK(!tessera_engines_get_refusal(engines, i, &refusal));
    const int crashed = strstr(refusal.file, "/crashing.so") != NULL;
    CHECK(crashed ? refusal.seconds >= 1 && refusal.seconds <= 4 && refusal.status == TESSERA_HOST_ERROR_DIED : !refusal.seconds);
  }
  for (int wait = 0; seconds && wait < 1000; wait++) {
    usleep(10000);
    DONE(session, tessera_session_refusal_time(session, &seconds));
  }
  CHECK(has_size(session, 1, 2));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
}

static void limits_time(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_engines_set_refusal_time(engines, 0);
  tessera_session *session = session_of(engines, "crashing", 0);
  struct timespec start, end;
  double width = 0, height = 0;
  INVALID("0.001", tessera_session_set_time_limit(session, 0));
  INVALID("0.001", tessera_session_set_time_limit(session, NAN));
  DONE(session, tessera_session_content_size(session, &width, &height));
  // The limit applies to the running process and its successor.
  DONE(session, tessera_session_set_time_limit(session, 0.1));
  set(session, "hang", 1);
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < 2; i++)
    FAILS(session, TESSERA_HOST_ERROR_DIED, "within 0.1 s", tessera_session_content_size(session, &width, &height));
  clock_gettime(CLOCK_MONOTONIC, &end);
  CHECK(end.tv_sec - start.tv_sec < 8);
  DONE(session, tessera_session_set_time_limit(session, 0.3));
  FAILS(session, TESSERA_HOST_ERROR_DIED, "within 0.3 s", tessera_session_content_size(session, &width, &height));
  set(session, "hang", 0);
  CHECK(has_size(session, 1, 2));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
}

static int32_t cancel(void *context, double progress) {
  (void)progress;
  return ++*(int *)context;
}

TEST(cancels, "mosaic", 1000000) {
  double width = 0, height = 0;
  int calls = 0;
  DONE(session, tessera_session_set_progress(session, cancel, &calls));
  FAILS(session, TESSERA_HOST_ERROR_CANCELLED, "cancelled", tessera_session_content_size(session, &width, &height));
  CHECK(calls == 1 && is(tessera_session_code(session), "cancelled"));
  DONE(session, tessera_session_set_progress(session, NULL, NULL));
  DONE(session, tessera_session_content_size(session, &width, &height));
}

static int32_t measure_header(void *context, const char *kind, uint64_t section, const double proposed[2], double measured[2]) {
  (void)context;
  CHECK(is(kind, "header"));
  measured[0] = proposed[0], measured[1] = 50 + 10 * (double)section;
  return 0;
}

TEST(measures_headers, "table", 0) {
  set_sections(session, 2, 1);
  set(session, "estimatedSectionHeaderHeight", 20);
  DONE(session, tessera_session_set_measure_supplementary(session, measure_header, NULL));
  CHECK(count_of(session) > 4);
  CHECK(height_of(session) == 3 * 44 + 50 + 60);
}

int main(int argc, char **argv) {
  const int rounds = argc > 3 ? atoi(argv[3]) : 1;
  for (int round = 0; round < rounds; round++) {
    tessera_engines *engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_SANDBOX);
    drags(engines);
    takes_sizes(engines);
    measures_headers(engines);
    names_tracks(engines);
    cancels(engines);
    tessera_engines_destroy(engines);
    limits_time(argv[2]);
    refuses_for_a_while(argv[2]);
    watches(argv[2]);
  }
  return failures ? 1 : 0;
}
