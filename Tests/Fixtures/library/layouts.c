// layouts FOLDER [ISOLATION [ROUNDS]]: values in, elements out. Frames are calculated by hand from
// the READMEs.
#include "checks.h"

TEST(lays_out_a_grid, "grid", 5) {
  DONE(session, tessera_session_set_bounds(session, 130, 100));
  CHECK(has_size(session, 130, 170)); // two of 50, 10 apart, per line; three lines

  tessera_element elements[5];
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, elements, sizeof *elements, 5, &count));
  CHECK(count == 5);
  for (int item = 0; item < 5; item++) {
    const tessera_element *element = &elements[item];
    CHECK(is_at(element, item % 2 * 60, item / 2 * 60, 50, 50));
    CHECK(element->category == TESSERA_HOST_CATEGORY_CELL && element->kind == TESSERA_HOST_NO_KIND);
    CHECK(element->section == 0 && element->item == (uint64_t)item);
    CHECK(element->alpha == 1 && element->z_index == 0 && element->hidden == 0);
    for (int place = 0; place < 16; place++) CHECK(element->transform[place] == (place % 5 == 0));
  }

  DONE(session, tessera_session_query_rect(session, 0, 0, 60, 60, elements, sizeof *elements, 5, &count));
  CHECK(count == 1 && elements[0].item == 0);

  // A short array gets the first elements, the rest is kept.
  DONE(session, tessera_session_set_offset(session, 0, 55));
  DONE(session, tessera_session_query_viewport(session, elements, sizeof *elements, 1, &count));
  CHECK(count == 3 && elements[0].item == 2);
  DONE(session, tessera_session_copy_elements(session, 1, elements, sizeof *elements, 5, &count));
  CHECK(count == 2 && elements[0].item == 3 && elements[1].item == 4);
  DONE(session, tessera_session_query_viewport(session, NULL, sizeof *elements, 0, &count));
  CHECK(count == 3);

  set(session, "columns", 3);
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 4, elements, sizeof *elements));
  CHECK(is_at(elements, 60, 60, 50, 50));
  set(session, "itemSize", 20, 30);
  DONE(session, tessera_session_reset_parameter(session, "columns"));
  CHECK(has_size(session, 130, 70)); // four of 20, 10 apart; two lines of 30
}

// A later client passes larger elements; unknown members are zeroed.
TEST(leaves_room_for_later, "grid", 2) {
  struct later {
    tessera_element element;
    uint64_t more;
  } elements[2];
  memset(elements, 0xff, sizeof elements);
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, &elements[0].element, sizeof *elements, 2, &count));
  CHECK(count == 2 && elements[0].more == 0 && elements[1].more == 0);
  CHECK(is_at(&elements[1].element, 60, 0, 50, 50));
}

TEST(lays_out_a_table, "org.tessera.table", 0) {
  set_sections(session, 2, 1);
  DONE(session, tessera_session_set_bounds(session, 360, 100));
  const double headers[] = {20, 30}, height = 40;
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_SECTION, "headerHeight", headers, 1, 2, sizeof *headers));
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", &height, 1, 1, 0));
  tessera_element elements[8];
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, elements, sizeof *elements, 8, &count));
  CHECK(count == 6); // two rows, a separator, a header; a row, a header
  CHECK(is_at(&elements[0], 0, 20, 360, 40) && is_at(&elements[1], 0, 60, 360, 40));
  CHECK(elements[2].category == TESSERA_HOST_CATEGORY_DECORATION && is_at(&elements[2], 15, 59.5, 345, 0.5));
  CHECK(elements[3].category == TESSERA_HOST_CATEGORY_SUPPLEMENTARY && is_at(&elements[3], 0, 0, 360, 20));
  CHECK(elements[3].z_index == 1024 && elements[2].z_index == 1);
  CHECK(is_at(&elements[4], 0, 130, 360, 40) && is_at(&elements[5], 0, 100, 360, 30));
  CHECK(is(tessera_session_kind_name(session, elements[2].kind), "separator"));
  CHECK(is(tessera_session_kind_name(session, elements[3].kind), "header"));
  CHECK(!tessera_session_kind_name(session, 7) && !tessera_session_kind_name(session, TESSERA_HOST_NO_KIND));

  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_SUPPLEMENTARY, "header", 1, 0, elements, sizeof *elements));
  CHECK(is_at(elements, 0, 100, 360, 30));
  NOT_FOUND("no footer 0 in section 1",
        tessera_session_find(session, TESSERA_HOST_CATEGORY_SUPPLEMENTARY, "footer", 1, 0, elements, sizeof *elements));

  DONE(session, tessera_session_set_direction(session, TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT));
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_DECORATION, "separator", 0, 0, elements, sizeof *elements));
  CHECK(is_at(elements, 0, 59.5, 345, 0.5));
  DONE(session, tessera_session_set_parameter_choice(session, "style", "grouped"));
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, elements, sizeof *elements));
  CHECK(is_at(elements, 0, 55, 360, 40)); // 35 above the first header
  DONE(session, tessera_session_set_content_insets(session, 0, 10, 0, 50));
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, elements, sizeof *elements));
  CHECK(elements[0].width == 300);

  DONE(session, tessera_session_set_sections(session, NULL, 0));
  DONE(session, tessera_session_query_all(session, elements, sizeof *elements, 8, &count));
  CHECK(count == 0);
}

static int32_t every_second(void *context, const double *arguments, uint32_t argument_count, double *result,
                            uint32_t result_count) {
  CHECK(argument_count == 2 && result_count == 1 && arguments[0] == 0);
  ++*(int *)context;
  *result = (int)arguments[1] % 2;
  return 0;
}

static int32_t gives_up(void *context, const double *arguments, uint32_t argument_count, double *result,
                        uint32_t result_count) {
  (void)context, (void)arguments, (void)argument_count, (void)result, (void)result_count;
  return 7;
}

// Pictures of ratio 2, 1/2 and 1.
TEST(gives_attributes, "aspect-flow", 3) {
  const struct picture {
    const char *name;
    double ratio;
  } pictures[] = {{"wide", 2}, {"high", 0.5}, {"square", 1}};
  DONE(session, tessera_session_set_bounds(session, 320, 480));
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "aspectRatio", &pictures[0].ratio, 1, 3, sizeof *pictures));
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  CHECK(count == 3 && tessera_session_attribute_count(session) == 2);
  CHECK(is(tessera_session_attribute_name(session, 0), "layoutMode"));
  CHECK(is(tessera_session_attribute_name(session, 1), "contentRect"));
  CHECK(!tessera_session_attribute_name(session, 2));
  CHECK(is(tessera_session_attribute_choice(session, 0, 1), "aspectFill"));
  CHECK(!tessera_session_attribute_choice(session, 0, 2) && !tessera_session_attribute_choice(session, 1, 0));
  const double expected[3][4] = {{0, 35, 140, 70}, {35, 0, 70, 140}, {0, 0, 140, 140}};
  double rects[3][4], modes[3] = {9, 9, 9};
  DONE(session, tessera_session_copy_attribute(session, 1, 0, rects[0], 4, 3, &count));
  CHECK(count == 3 && !memcmp(rects, expected, sizeof rects));
  DONE(session, tessera_session_copy_attribute(session, 0, 1, modes, 1, 3, &count));
  CHECK(count == 2 && modes[0] == 0 && modes[1] == 0 && modes[2] == 9);

  int calls = 0;
  DONE(session, tessera_session_set_delegate(session, "layoutModeForItem", every_second, &calls));
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  DONE(session, tessera_session_copy_attribute(session, 0, 0, modes, 1, 3, &count));
  CHECK(count == 3 && modes[0] == 0 && modes[1] == 1 && modes[2] == 0 && calls >= 3);
  DONE(session, tessera_session_copy_attribute(session, 1, 1, rects[0], 4, 1, &count));
  CHECK(count == 1 && !memcmp(rects[0], expected[2], sizeof *rects));
  DONE(session, tessera_session_set_delegate(session, "layoutModeForItem", gives_up, NULL));
  INVALID("layoutModeForItem failed with the status 7", tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  DONE(session, tessera_session_set_delegate(session, "layoutModeForItem", NULL, NULL));
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
}

TEST(rests_where_the_engine_says, "cover-flow", 30) {
  DONE(session, tessera_session_set_bounds(session, 640, 300));
  double x = 0, y = 0;
  DONE(session, tessera_session_resting_offset(session, 1480, 7, 0, 0, &x, &y));
  // Centres at 90 + 120 i; cover 14 at 1770 is nearest to 1800. No vertical scrolling.
  CHECK(x == 1450 && y == 0);
}

static void states_its_version(tessera_engines *engines) {
  (void)engines;
  CHECK(tessera_host_version() == (TESSERA_HOST_MAJOR << 16 | TESSERA_HOST_MINOR));
}

TESTS(states_its_version, lays_out_a_grid, leaves_room_for_later, lays_out_a_table, gives_attributes,
      rests_where_the_engine_says)
