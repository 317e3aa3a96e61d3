// misuse FOLDER [ISOLATION [ROUNDS]]: wrong calls return a status, without trapping.
#include "checks.h"

static const uint64_t size = sizeof(tessera_element);

static void checks_sizes_and_indexes(tessera_session *session) {
  tessera_element elements[2];
  uint64_t count = 0;
  double numbers[2] = {0, 0};
  MISUSED("query the session first", tessera_session_copy_elements(session, 0, elements, size, 1, &count));
  MISUSED("query the session first", tessera_session_copy_attribute(session, 0, 0, numbers, 1, 1, &count));
  MISUSED("there is no update", tessera_session_copy_tracks(session, 0, elements, elements, NULL, size, 1, &count));
  MISUSED("at least 200", tessera_session_query_all(session, elements, size - 8, 1, &count));
  MISUSED("201 bytes", tessera_session_query_all(session, elements, size + 1, 1, &count));
  tessera_columns columns;
  MISUSED("64 bytes; give sizeof(tessera_columns), at least 96",
          tessera_session_query_columns(session, NULL, &columns, 64));
  MISUSED("0 bytes", tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, elements, 0));
  MISUSED("scope is 2", tessera_session_set_values(session, 2, "a", numbers, 1, 1, 0));
  MISUSED("first index", tessera_session_set_values_from(session, TESSERA_HOST_SCOPE_ITEM, "a", UINT64_MAX, numbers, 1, 1, 8));
  DONE(session, tessera_session_query_all(session, elements, size, 2, &count));
  CHECK(count == 2);
  const double rect[] = {0, NAN, 1, 1};
  INVALID("not finite", tessera_session_query_columns(session, rect, &columns, sizeof columns));
  DONE(session, tessera_session_query_all(session, elements, size, UINT64_MAX, &count));
  DONE(session, tessera_session_copy_elements(session, UINT64_MAX, elements, size, 1, &count));
  CHECK(count == 0);
  MISUSED("no attribute 0", tessera_session_copy_attribute(session, 0, 0, numbers, 1, 1, &count));
  // More than any memory: must fail before allocating.
  const uint64_t many = (uint64_t)1 << 44;
  const char *const texts[] = {"a"};
  const tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM};
  tessera_batch batch;
  MISUSED("more than memory", tessera_session_set_sections(session, &many, many));
  MISUSED("more than memory", tessera_session_update(session, &edit, many, &many, 1, NULL, NULL, &count));
  MISUSED("more than memory", tessera_session_update(session, &edit, 0, &many, many, NULL, NULL, &count));
  MISUSED("more than memory", tessera_session_query_batch(session, &many, NULL, many, &columns, sizeof columns, &batch, sizeof batch));
  MISUSED("more than memory", tessera_session_update_identities(session, texts, texts, &many, 1, NULL, NULL, &count));
}

static void checks_what_it_is_given(tessera_session *session) {
  double numbers[4] = {0.5, NAN, 0, 0}, x = 0, y = 0;
  uint64_t count = 0;
  tessera_element element;
  INVALID("\"column\"; did you mean columns", tessera_session_set_parameter(session, "column", numbers, 1));
  INVALID("columns is 0.5; give a whole number", tessera_session_set_parameter(session, "columns", numbers, 1));
  INVALID("it is of type size, give 2 (width, height)", tessera_session_set_parameter(session, "itemSize", numbers, 1));
  INVALID("no item value \"height\"", tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", numbers, 1, 2, 8));
  INVALID("no delegate function \"a\"", tessera_session_set_delegate(session, "a", NULL, NULL));
  INVALID("UTF-8", tessera_session_reset_parameter(session, "\xc3\x28"));
  INVALID("category is 3", tessera_session_find(session, 3, NULL, 0, 0, &element, size));
  INVALID("element limit is 0", tessera_session_set_element_limit(session, 0));
  INVALID("finite", tessera_session_query_rect(session, NAN, 0, 1, 1, NULL, size, 0, &count));
  INVALID("finite", tessera_session_resting_offset(session, INFINITY, 0, 0, 0, &x, &y));
  NOT_FOUND("no cell 18446744073709551615 in section 0",
        tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, UINT64_MAX, &element, size));
  DONE(session, tessera_session_set_scale(session, 0));
  INVALID("scale is 0", tessera_session_content_size(session, &x, &y));
  DONE(session, tessera_session_set_scale(session, 2));
  DONE(session, tessera_session_set_element_limit(session, 1));
  INVALID("more than 1", tessera_session_query_all(session, NULL, size, 0, &count));
  DONE(session, tessera_session_set_element_limit(session, 2));
  DONE(session, tessera_session_query_all(session, NULL, size, 0, &count));
}

TEST(checks_columns, "table", 2) {
  double heights[4] = {10, 20, 30, NAN};
#define VALUES(components, count, stride) \
  tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", heights, components, count, stride)
  INVALID("3 values for 2 items; give one with stride 0, or 2", VALUES(1, 3, 8));
  INVALID("height is given by 2 numbers; it is of type number, give 1", VALUES(2, 2, 16));
  MISUSED("stride is 4 bytes; a value takes 8", VALUES(1, 2, 4));
  MISUSED("stride is 0 and the count 2", VALUES(1, 2, 0));
  MISUSED("more than memory", VALUES(1, UINT64_MAX, 8));
  INVALID("height of item 1 in section 0 is nan; expected finite numbers", VALUES(1, 2, 24));
  INVALID("enum", tessera_session_set_parameter(session, "style", heights, 1));
  INVALID("plain, grouped", tessera_session_set_parameter_choice(session, "style", "round"));
  const char *names[] = {"a", NULL};
  INVALID("height", tessera_session_set_value_choices(session, TESSERA_HOST_SCOPE_ITEM, "height", names, 1, 0));
  MISUSED("null", tessera_session_set_value_choices(session, TESSERA_HOST_SCOPE_ITEM, "height", names, 2, sizeof *names));
  DONE(session, VALUES(1, 2, 16));
  CHECK(height_of(session) == 28 + 10 + 30);
  DONE(session, tessera_session_set_sections(session, NULL, 0));
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", NULL, 1, 0, 8));
}

static int32_t meddles(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)section, (void)item, (void)proposed;
  tessera_session *session = context;
  MISUSED("return from the callback first", tessera_session_set_bounds(session, 1, 1));
  MISUSED("return from the callback first", tessera_session_close(session));
  CHECK(is(tessera_session_code(session), "misuse"));
  measured[0] = measured[1] = 10;
  return 0;
}

TEST(keeps_callbacks_out, "table", 1) {
  uint64_t count = 0;
  set(session, "estimatedRowHeight", 44);
  DONE(session, tessera_session_set_measure(session, meddles, session));
  DONE(session, tessera_session_query_all(session, NULL, size, 0, &count));
  CHECK(is(tessera_session_message(session), ""));
  CHECK(has_size(session, 375, 28 + 10));
}

static int32_t refuses(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)context, (void)section, (void)item, (void)proposed, (void)measured;
  return 1;
}

// A failed query keeps the last result.
TEST(keeps_what_there_was, "table", 3) {
  uint64_t count = 0;
  tessera_columns columns = {0};
  tessera_element element;
  set(session, "estimatedRowHeight", 20);
  DONE(session, tessera_session_query_columns(session, NULL, &columns, sizeof columns));
  CHECK(columns.content_height == 28 + 3 * 44);
  const uint64_t known = columns.count;
  const double first = columns.frames[1];
  for (int way = 0; way < 4; way++) {
    const double rect[] = {0, 0, NAN, 1};
    if (way == 2) DONE(session, tessera_session_set_scale(session, 0));
    if (way == 3) DONE(session, tessera_session_set_measure(session, refuses, NULL));
    const int32_t status = way == 0   ? tessera_session_query_columns(session, rect, &columns, sizeof columns)
                           : way == 1 ? tessera_session_query_rect(session, 0, 0, NAN, 1, NULL, size, 0, &count)
                                      : tessera_session_query_viewport(session, NULL, size, 0, &count);
    CHECK(status == TESSERA_HOST_ERROR_INVALID);
    DONE(session, tessera_session_copy_elements(session, 0, &element, size, 1, &count));
    DONE(session, tessera_session_get_columns(session, &columns, sizeof columns));
    CHECK(count == 1 && columns.count == known && columns.frames[1] == first && element.y == first);
    DONE(session, tessera_session_set_scale(session, 2));
  }
}

TEST(refuses_wrong_splices, "table", 4) {
  const double heights[] = {10, 11, 12, 13}, more[] = {20, NAN};
  const char *choice = "tall";
  const uint32_t scope = TESSERA_HOST_SCOPE_ITEM;
  double width = 0, height = 0;
  DONE(session, tessera_session_set_values(session, scope, "height", heights, 1, 4, 8));
  CHECK(height_of(session) == 28 + 10 + 11 + 12 + 13);
  INVALID("height is to lose 2 values from item 3 on, and it has 4 values",
        tessera_session_splice_values(session, scope, "height", 3, 2, more, 1, 1, 8));
  MISUSED("more than memory can hold", tessera_session_splice_values(session, scope, "height", UINT64_MAX, 1, more, 1, 1, 8));
  INVALID("height at index 2 is nan", tessera_session_splice_values(session, scope, "height", 1, 2, more, 1, 2, 8));
  CHECK(tessera_session_splice_value_choices(session, scope, "height", 1, 1, &choice, 1, 8) == TESSERA_HOST_ERROR_INVALID);
  CHECK(height_of(session) == 28 + 10 + 11 + 12 + 13);
  // Too many values fail in the query, and stay set.
  DONE(session, tessera_session_splice_values(session, scope, "height", 1, 1, heights, 1, 3, 8));
  INVALID("height has 6 values for 4 items", tessera_session_content_size(session, &width, &height));
  DONE(session, tessera_session_splice_values(session, scope, "height", 4, 2, NULL, 1, 0, 8));
  CHECK(height_of(session) == 28 + 10 + 10 + 11 + 12);
}

TEST(checks_arguments, "grid", 2) {
  checks_sizes_and_indexes(session);
  checks_what_it_is_given(session);
}

TESTS(checks_arguments, checks_columns, keeps_callbacks_out, keeps_what_there_was,
      refuses_wrong_splices)
