// parts FOLDER: a measuring function in a batch gets the layout's index and the session's sections.
#include "checks.h"

enum { sections = 5, items = 2 };

static tessera_session *session;
static uint64_t asked[sections];

static double length_of(uint64_t section, uint64_t item) { return 21 + 10 * (double)section + (double)item; }

static int32_t measure(void *context, uint64_t section, uint64_t item, const double *proposed, double *size) {
  (void)context;
  uint64_t layout = 99, first = 99;
  CHECK(tessera_session_batch_part(session, &layout, &first) == TESSERA_HOST_OK);
  CHECK(layout == (first == 0 ? 0 : first == 2 ? 1 : 2) && (first == 0 || first == 2 || first == 3));
  CHECK(tessera_session_offset(session, size, size) == TESSERA_HOST_ERROR_MISUSED);
  if (first + section < sections) asked[first + section]++;
  size[0] = proposed[0], size[1] = length_of(first + section, item);
  return 0;
}

static void measures_parts(tessera_engines *engines) {
  session = session_of(engines, "table", 1);
  const double bounds[] = {300, 1000, 300, 1000, 300, 1000};
  const uint64_t counts[sections] = {items, items, items, items, items}, parts[] = {2, 1, 2};
  set(session, "estimatedRowHeight", 20);
  set(session, "sectionHeaderHeight", 0);
  DONE(session, tessera_session_set_measure(session, measure, NULL));
  DONE(session, tessera_session_set_sections(session, counts, sections));
  INVALID("no layout of a batch is being measured", tessera_session_batch_part(session, NULL, NULL));
  tessera_columns columns;
  tessera_batch batch;
  DONE(session, tessera_session_query_batch(session, parts, bounds, 3, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(is(tessera_session_message(session), ""));
  uint64_t cells = 0;
  for (uint64_t run = 0, row = 0; run < columns.run_count; row += columns.runs[run++].count) {
    if (columns.runs[run].category != TESSERA_HOST_CATEGORY_CELL) continue;
    for (uint64_t i = 0; i < columns.runs[run].count; i++, cells++)
      CHECK(columns.frames[4 * (row + i) + 3] == length_of(columns.runs[run].section, columns.runs[run].first_item + i));
  }
  CHECK(cells == sections * items);
  for (int section = 0; section < sections; section++) CHECK(asked[section] >= items);
  tessera_session_destroy(session);
}

TESTS(measures_parts)
