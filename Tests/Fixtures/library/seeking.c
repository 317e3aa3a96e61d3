// seeking FOLDER [ISOLATION [ROUNDS]]: hit tests, neighbours, scroll targets. Numbers are calculated by hand
// from the READMEs; hits of transformed elements are compared with their corners.
#include "checks.h"

// Two cells of 50, 10 apart, per line; ten lines.
TEST(seeks_in_a_grid, "grid", 20) {
  tessera_element found = {.item = 77};
  const uint64_t size = sizeof found;
  double x = -1, y = -1;
  DONE(session, tessera_session_set_bounds(session, 110, 110));
  DONE(session, tessera_session_find_at(session, 25, 25, &found, size));
  CHECK(found.item == 0);
  DONE(session, tessera_session_find_at(session, 60, 60, &found, size));
  CHECK(found.item == 3 && is_at(&found, 60, 60, 50, 50));
  DONE(session, tessera_session_find_at(session, 70, 575, &found, size)); // not visible
  CHECK(found.item == 19);
  NOT_FOUND("no element at the point (55.0, 25.0)", tessera_session_find_at(session, 55, 25, &found, size));
  NOT_FOUND("no element", tessera_session_find_at(session, 110, 25, &found, size));
  INVALID("point", tessera_session_find_at(session, NAN, 25, &found, size));
  MISUSED("7", tessera_session_find_at(session, 0, 0, &found, 7));

  static const struct { uint64_t from; int32_t toward; uint64_t to; } steps[] = {
    {0, TESSERA_HOST_TOWARD_RIGHT, 1}, {0, TESSERA_HOST_TOWARD_DOWN, 2}, {3, TESSERA_HOST_TOWARD_LEFT, 2}, {3, TESSERA_HOST_TOWARD_UP, 1},
    {17, TESSERA_HOST_TOWARD_DOWN, 19}, {18, TESSERA_HOST_TOWARD_RIGHT, 19}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    DONE(session, tessera_session_find_next(session, 0, steps[i].from, steps[i].toward, &found, size));
    CHECK(found.item == steps[i].to);
  }
  NOT_FOUND("next to item 0", tessera_session_find_next(session, 0, 0, TESSERA_HOST_TOWARD_LEFT, &found, size));
  NOT_FOUND("next to item 19", tessera_session_find_next(session, 0, 19, TESSERA_HOST_TOWARD_DOWN, &found, size));
  INVALID("20", tessera_session_find_next(session, 0, 20, TESSERA_HOST_TOWARD_DOWN, &found, size));
  INVALID("direction is 4", tessera_session_find_next(session, 0, 0, 4, &found, size));

  // Item 10 is at 300 to 350; the content is 590 high.
  static const struct { uint64_t item; int32_t placement; double offset, revealing; } places[] = {
    {10, TESSERA_HOST_PLACEMENT_NEAREST, 0, 240},  {10, TESSERA_HOST_PLACEMENT_NEAREST, 400, 300}, {10, TESSERA_HOST_PLACEMENT_NEAREST, 270, 270},
    {10, TESSERA_HOST_PLACEMENT_START, 0, 300},    {10, TESSERA_HOST_PLACEMENT_CENTRE, 0, 270},    {10, TESSERA_HOST_PLACEMENT_END, 0, 240},
    {19, TESSERA_HOST_PLACEMENT_START, 0, 480},    {0, TESSERA_HOST_PLACEMENT_END, 100, 0}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    DONE(session, tessera_session_set_offset(session, 0, places[i].offset));
    DONE(session, tessera_session_offset_revealing(session, 0, places[i].item, places[i].placement, &x, &y));
    CHECK(x == 0 && y == places[i].revealing);
    DONE(session, tessera_session_offset(session, &x, &y));
    CHECK(y == places[i].offset);
  }
  INVALID("20", tessera_session_offset_revealing(session, 0, 20, 0, &x, &y));
  INVALID("placement is 9", tessera_session_offset_revealing(session, 0, 0, 9, &x, &y));
}

// Rows of 44 below a pinned header of 28.
TEST(reveals_below_headers, "table", 100) {
  double x = 0, y = 0;
  DONE(session, tessera_session_set_bounds(session, 100, 200));
  DONE(session, tessera_session_offset_revealing(session, 0, 50, TESSERA_HOST_PLACEMENT_START, &x, &y));
  CHECK(y == 28 + 50 * 44 - 28);
  DONE(session, tessera_session_set_offset(session, 0, 4000));
  DONE(session, tessera_session_offset_revealing(session, 0, 50, TESSERA_HOST_PLACEMENT_NEAREST, &x, &y));
  CHECK(y == 28 + 50 * 44 - 28);
  DONE(session, tessera_session_set_offset(session, 0, 0));
  DONE(session, tessera_session_offset_revealing(session, 0, 50, TESSERA_HOST_PLACEMENT_NEAREST, &x, &y));
  CHECK(y == 28 + 51 * 44 - 200);
  tessera_columns columns;
  DONE(session, tessera_session_query_columns(session, NULL, &columns, sizeof columns));
  CHECK(columns.content_width == 100 && columns.content_height == 28 + 100 * 44 && columns.offset_x == 0 && columns.offset_y == 0);
  CHECK(tessera_session_needs(session) == (TESSERA_HOST_NEEDS_ITEM_VALUES | TESSERA_HOST_NEEDS_SECTION_VALUES | TESSERA_HOST_NEEDS_MEASURING |
                                           TESSERA_HOST_NEEDS_REORDERING | TESSERA_HOST_NEEDS_SCROLLING));
  CHECK(tessera_session_needs(NULL) == 0);
}

static int32_t measures(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)context;
  measured[0] = proposed[0], measured[1] = 10 + (double)((section * 7 + item * 13) % 60);
  return 0;
}

static double first_cell(tessera_session *session, tessera_element *first) {
  static tessera_element found[100];
  uint64_t count = 0;
  double x = 0, y = 0;
  DONE(session, tessera_session_query_viewport(session, found, sizeof *found, 100, &count));
  DONE(session, tessera_session_offset(session, &x, &y));
  for (uint64_t i = 0; i < count && i < 100; i++)
    if (found[i].category == TESSERA_HOST_CATEGORY_CELL) return *first = found[i], found[i].y - y;
  CHECK(!"no cell is in sight");
  return 0;
}

// Rows are measured only when visible: the offset must be right for the measured sizes.
TEST(reveals_what_is_not_measured, "flow", 0) {
  double x = 0, y = 0;
  set_sections(session, 200, 200);
  DONE(session, tessera_session_set_bounds(session, 300, 400));
  set(session, "estimatedItemSize", 300, 20);
  set(session, "headerReferenceSize", 30, 30);
  set(session, "sectionHeadersPinToVisibleBounds", 1);
  DONE(session, tessera_session_set_measure(session, measures, NULL));
  DONE(session, tessera_session_set_offset(session, 0, 5000));
  for (uint64_t step = 0; step < 40; step++) {
    const uint64_t section = step % 2, item = step * 73 % 200;
    const tessera_host_placement placement = (tessera_host_placement)(step / 2 % 4);
    tessera_element before, after, found;
    const double there = first_cell(session, &before);
    DONE(session, tessera_session_offset_revealing(session, section, item, placement, &x, &y));
    CHECK(fabs(first_cell(session, &after) - there) < 1e-6 && after.section == before.section && after.item == before.item);
    DONE(session, tessera_session_set_offset(session, x, y));
    (void)first_cell(session, &after);
    DONE(session, tessera_session_offset(session, &x, &y));
    DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, section, item, &found, sizeof found));
    CHECK(found.y >= y + (item ? 30 : 0) - 1e-6 && found.y + found.height <= y + 400 + 1e-6);
  }
}

static void find_corners(const tessera_element *element, double corners[4][2]) {
  const double *m = element->transform;
  for (int i = 0; i < 4; i++) {
    const double u = (i == 1 || i == 2 ? 1 : -1) * element->width / 2, v = (i > 1 ? 1 : -1) * element->height / 2;
    const double w = u * m[3] + v * m[7] + m[15];
    corners[i][0] = element->x + element->width / 2 + (u * m[0] + v * m[4] + m[12]) / w;
    corners[i][1] = element->y + element->height / 2 + (u * m[1] + v * m[5] + m[13]) / w;
  }
}

// On one side of all edges between transformed corners.
static int is_hit(const tessera_element *element, double x, double y) {
  double corners[4][2];
  find_corners(element, corners);
  int sides = 0;
  for (int i = 0; i < 4; i++) {
    const double *a = corners[i], *b = corners[(i + 1) % 4];
    sides += (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0 ? 1 : -1;
  }
  return sides == 4 || sides == -4;
}

static int is_drawn_in(const tessera_element *element, double x, double y, double width, double height) {
  double corners[4][2], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  find_corners(element, corners);
  for (int i = 0; i < 4; i++) {
    for (int axis = 0; axis < 2; axis++) {
      low[axis] = fmin(low[axis], corners[i][axis]);
      high[axis] = fmax(high[axis], corners[i][axis]);
    }
  }
  return low[0] < x + width && high[0] > x && low[1] < y + height && high[1] > y;
}

// Side covers are drawn far from their frames.
TEST(finds_what_is_drawn, "cover-flow", 200) {
  static tessera_element all[400], elements[400];
  uint64_t count = 0, found = 0, moved = 0;
  double width = 0, height = 0;
  DONE(session, tessera_session_content_size(session, &width, &height));
  DONE(session, tessera_session_set_offset(session, width / 2, 0));
  DONE(session, tessera_session_query_all(session, all, sizeof *all, 400, &count));
  for (int i = 0; i < 60; i++) {
    const double x = width / 2 - 300 + 17.3 * i, y = 20 + 2.1 * i;
    DONE(session, tessera_session_query_drawn(session, x, y, 4, 40, 1e6, elements, sizeof *elements, 400, &found));
    uint64_t place = 0;
    for (uint64_t each = 0; each < count; each++) {
      if (!is_drawn_in(&all[each], x, y, 4, 40)) continue;
      CHECK(place < found && elements[place].item == all[each].item && elements[place].transform[12] == all[each].transform[12]);
      moved += all[each].x >= x + 4 || all[each].x + all[each].width <= x;
      place++;
    }
    CHECK(place == found);
  }
  CHECK(moved > 5);
  INVALID("the reach is -1.0", tessera_session_query_drawn(session, 0, 0, 1, 1, -1, elements, sizeof *elements, 400, &found));
  INVALID("finite", tessera_session_query_drawn(session, NAN, 0, 1, 1, 9, elements, sizeof *elements, 400, &found));
}

TEST(finds_what_is_transformed, "cover-flow", 200) {
  static tessera_element elements[400];
  uint64_t count = 0, state = 5;
  double width = 0, height = 0;
  int hits = 0;
  DONE(session, tessera_session_content_size(session, &width, &height));
  DONE(session, tessera_session_set_offset(session, (width - 375) / 2 + 31, 0));
  DONE(session, tessera_session_query_viewport(session, elements, sizeof *elements, 400, &count));
  CHECK(count > 3 && count < 400 && elements[0].transform[3] != 0);
  for (int i = 0; i < 400; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double x = (width - 375) / 2 + 31 + (double)(state >> 33) / 0x1p31 * 375;
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double y = (double)(state >> 33) / 0x1p31 * 667;
    const tessera_element *best = NULL;
    for (uint64_t place = 0; place < count; place++)
      if (!elements[place].hidden && elements[place].alpha > 0 && is_hit(&elements[place], x, y) && (!best || elements[place].z_index >= best->z_index))
        best = &elements[place];
    tessera_element found;
    const int32_t status = tessera_session_find_at(session, x, y, &found, sizeof found);
    CHECK(status == (best ? TESSERA_HOST_OK : TESSERA_HOST_ERROR_NOT_FOUND));
    if (best && !status) {
      CHECK(found.item == best->item);
      hits++;
    }
  }
  CHECK(hits > 20);
}

TESTS(seeks_in_a_grid, reveals_below_headers, reveals_what_is_not_measured,
      finds_what_is_transformed, finds_what_is_drawn)
