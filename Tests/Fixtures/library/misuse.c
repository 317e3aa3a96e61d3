// misuse FOLDER [ROUNDS]: calls that are wrong. Each comes back with a status; none traps.
#include "checks.h"

static const uint64_t size = sizeof(tessera_element);

static void takes_null_handles(void) {
  const double number = 0;
  double x, y;
  uint64_t count;
  uint32_t seconds;
  tessera_element element;
  tessera_engine_info info = {0};
  tessera_refusal refusal = {0};
  tessera_columns columns;
  tessera_session *session = NULL;
  const int32_t statuses[] = {
      tessera_engines_add_folder(NULL, "a"),
      tessera_engines_add_standard_folders(NULL),
      tessera_engines_set_isolation(NULL, 0),
      tessera_engines_set_worker(NULL, NULL),
      tessera_engines_set_time_limit(NULL, 1),
      tessera_engines_set_memory_limit(NULL, 1 << 30),
      tessera_engines_set_row_limit(NULL, TESSERA_HOST_ROW_LIMIT),
      tessera_engines_set_kept_workers(NULL, 1),
      tessera_engines_set_refusal_time(NULL, 1),
      tessera_engines_set_cache(NULL, NULL),
      tessera_engines_set_allowlist(NULL, NULL),
      tessera_engines_list(NULL, NULL, NULL),
      tessera_engines_get(NULL, 0, &info, sizeof info),
      tessera_engines_get_refusal(NULL, 0, &refusal),
      tessera_session_create(NULL, "grid", &session),
      tessera_session_close(NULL),
      tessera_session_get_engine(NULL, &info, sizeof info),
      tessera_session_set_bounds(NULL, 1, 1),
      tessera_session_set_offset(NULL, 1, 1),
      tessera_session_set_content_insets(NULL, 1, 1, 1, 1),
      tessera_session_set_safe_area(NULL, 1, 1, 1, 1),
      tessera_session_set_layout_margins(NULL, 1, 1, 1, 1),
      tessera_session_set_scale(NULL, 1),
      tessera_session_set_direction(NULL, 0),
      tessera_session_set_element_limit(NULL, 1),
      tessera_session_set_sections(NULL, NULL, 0),
      tessera_session_set_parameter(NULL, "columns", &number, 1),
      tessera_session_set_parameter_choice(NULL, "a", "b"),
      tessera_session_reset_parameter(NULL, "columns"),
      tessera_session_set_values(NULL, TESSERA_HOST_SCOPE_ITEM, "a", &number, 1, 1, 0),
      tessera_session_set_values_from(NULL, TESSERA_HOST_SCOPE_ITEM, "a", 0, &number, 1, 1, 8),
      tessera_session_set_value_choices(NULL, TESSERA_HOST_SCOPE_ITEM, "a", NULL, 1, 0),
      tessera_session_splice_values(NULL, TESSERA_HOST_SCOPE_ITEM, "a", 0, 0, &number, 1, 1, 8),
      tessera_session_splice_value_choices(NULL, TESSERA_HOST_SCOPE_ITEM, "a", 0, 0, NULL, 0, 8),
      tessera_session_prepare_begin(NULL, NULL),
      tessera_session_prepare_finish(NULL),
      tessera_session_set_time_limit(NULL, 1),
      tessera_session_refusal_time(NULL, &seconds),
      tessera_session_watch(NULL, NULL, NULL),
      tessera_session_set_measured(NULL, NULL, 0, 0, &number, 0),
      tessera_session_withdraw_measured(NULL, NULL, 0, 0, 1),
      tessera_session_proposed_size(NULL, NULL, 0, 0, &x, &y),
      tessera_session_drag_begin(NULL, 0, 0),
      tessera_session_drag_to(NULL, 0, 0, &count, &count),
      tessera_session_drag_held(NULL, &element, size),
      tessera_session_drag_end(NULL, NULL, &count),
      tessera_session_drag_cancel(NULL),
      tessera_session_moment_tracks(NULL, 0, &count, 1, &count),
      tessera_session_set_delegate(NULL, "a", NULL, NULL),
      tessera_session_set_measure(NULL, NULL, NULL),
      tessera_session_set_measure_supplementary(NULL, NULL, NULL),
      tessera_session_content_size(NULL, &x, &y),
      tessera_session_offset(NULL, &x, &y),
      tessera_session_query_rect(NULL, 0, 0, 1, 1, &element, size, 1, &count),
      tessera_session_query_drawn(NULL, 0, 0, 1, 1, 0, &element, size, 1, &count),
      tessera_session_query_viewport(NULL, &element, size, 1, &count),
      tessera_session_query_all(NULL, &element, size, 1, &count),
      tessera_session_query_columns(NULL, NULL, &columns, sizeof columns),
      tessera_session_set_batch_columns(NULL, NULL, 0),
      tessera_session_set_batch_parameter_arrow(NULL, NULL, NULL, NULL),
      tessera_session_copy_elements(NULL, 0, &element, size, 1, &count),
      tessera_session_find(NULL, 0, NULL, 0, 0, &element, size),
      tessera_session_find_at(NULL, 0, 0, &element, size),
      tessera_session_find_next(NULL, 0, 0, 0, &element, size),
      tessera_session_offset_revealing(NULL, 0, 0, 0, &x, &y),
      tessera_session_copy_attribute(NULL, 0, 0, &x, 1, 1, &count),
      tessera_session_resting_offset(NULL, 0, 0, 0, 0, &x, &y),
      tessera_session_update(NULL, NULL, 0, NULL, 0, NULL, NULL, &count),
      tessera_session_update_visible(NULL, NULL, 0, NULL, 0, NULL, NULL, &count),
      tessera_session_copy_tracks(NULL, 0, &element, &element, NULL, size, 1, &count),
      tessera_session_query_moment(NULL, 0, &element, size, 1, &count),
      tessera_session_query_moment_columns(NULL, 0, &columns, sizeof columns),
      tessera_session_moment_content(NULL, 0, &x, &y, NULL, NULL),
      tessera_session_take_moment(NULL, NULL),
      tessera_session_take_animated_moment(NULL, 0, NULL),
      tessera_session_transition(NULL, NULL, &count),
      tessera_session_transition_visible(NULL, NULL, &count),
  };
  for (size_t call = 0; call < sizeof statuses / sizeof *statuses; call++)
    if (statuses[call] != TESSERA_HOST_ERROR_MISUSED) failures++, fprintf(stderr, "call %zu: %d\n", call, statuses[call]);
  CHECK(strstr(tessera_engines_message(NULL), "null") && strstr(tessera_session_message(NULL), "null"));
  CHECK(!tessera_session_kind_name(NULL, 0) && !tessera_session_attribute_name(NULL, 0));
  CHECK(!tessera_session_attribute_choice(NULL, 0, 0) && !tessera_session_attribute_count(NULL));
  tessera_engines_destroy(NULL);
  CHECK(!tessera_engines_copy(NULL));
  tessera_session_destroy(NULL);
  tessera_moment_destroy(NULL);
}

static void takes_null_arguments(tessera_session *session) {
  tessera_element element;
  double number = 0;
  uint64_t count = 0;
#define NULLS(call) FAILS(session, TESSERA_HOST_ERROR_MISUSED, "null", call)
  NULLS(tessera_session_get_engine(session, NULL, sizeof(tessera_engine_info)));
  NULLS(tessera_session_set_sections(session, NULL, 1));
  NULLS(tessera_session_set_parameter(session, NULL, &number, 1));
  NULLS(tessera_session_set_parameter(session, "columns", NULL, 1));
  NULLS(tessera_session_set_parameter_choice(session, NULL, "a"));
  NULLS(tessera_session_set_parameter_choice(session, "columns", NULL));
  NULLS(tessera_session_reset_parameter(session, NULL));
  NULLS(tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, NULL, &number, 1, 1, 0));
  NULLS(tessera_session_set_value_choices(session, TESSERA_HOST_SCOPE_ITEM, "a", NULL, 1, 0));
  NULLS(tessera_session_set_delegate(session, NULL, NULL, NULL));
  NULLS(tessera_session_content_size(session, NULL, &number));
  NULLS(tessera_session_content_size(session, &number, NULL));
  NULLS(tessera_session_offset(session, NULL, &number));
  NULLS(tessera_session_query_all(session, NULL, size, 1, &count));
  NULLS(tessera_session_query_all(session, &element, size, 1, NULL));
  NULLS(tessera_session_query_rect(session, 0, 0, 1, 1, NULL, size, 1, &count));
  NULLS(tessera_session_query_drawn(session, 0, 0, 1, 1, 0, NULL, size, 1, &count));
  NULLS(tessera_session_query_viewport(session, NULL, size, 1, &count));
  NULLS(tessera_session_query_columns(session, NULL, NULL, sizeof(tessera_columns)));
  NULLS(tessera_session_set_batch_columns(session, (const char *[]){NULL}, 1));
  NULLS(tessera_session_set_batch_parameter_arrow(session, NULL, NULL, NULL));
  NULLS(tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, NULL, size));
  NULLS(tessera_session_resting_offset(session, 0, 0, 0, 0, NULL, &number));
  NULLS(tessera_session_update(session, NULL, 1, NULL, 0, NULL, NULL, &count));
  NULLS(tessera_session_update(session, NULL, 0, NULL, 0, NULL, NULL, NULL));
}

static void checks_sizes_and_indexes(tessera_session *session) {
  tessera_element elements[2];
  uint64_t count = 0;
  double numbers[2] = {0, 0};
#define MISUSED(text, call) FAILS(session, TESSERA_HOST_ERROR_MISUSED, text, call)
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
  FAILS(session, TESSERA_HOST_ERROR_INVALID, "not finite", tessera_session_query_columns(session, rect, &columns, sizeof columns));
  DONE(session, tessera_session_query_all(session, elements, size, UINT64_MAX, &count));
  DONE(session, tessera_session_copy_elements(session, UINT64_MAX, elements, size, 1, &count));
  CHECK(count == 0);
  MISUSED("no attribute 0", tessera_session_copy_attribute(session, 0, 0, numbers, 1, 1, &count));
  MISUSED("more than memory", tessera_session_set_sections(session, &count, UINT64_MAX));
  MISUSED("more than memory", tessera_session_update(session, NULL, UINT64_MAX, NULL, 0, NULL, NULL, &count));
  // More than any machine has memory for, which must be known before it is taken.
  const uint64_t many = (uint64_t)1 << 44;
  const char *const texts[] = {"a"};
  const tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_ITEM};
  tessera_batch batch;
  MISUSED("more than memory", tessera_session_set_sections(session, &many, many));
  MISUSED("more than memory", tessera_session_update(session, &edit, many, &many, 1, NULL, NULL, &count));
  MISUSED("more than memory", tessera_session_update(session, &edit, 0, &many, many, NULL, NULL, &count));
  MISUSED("more than memory",
          tessera_session_query_batch(session, &many, NULL, many, &columns, sizeof columns, &batch, sizeof batch));
  MISUSED("more than memory", tessera_session_update_identities(session, texts, texts, &many, 1, NULL, NULL, &count));
}

static void checks_what_it_is_given(tessera_session *session) {
  double numbers[4] = {0.5, NAN, 0, 0}, x = 0, y = 0;
  uint64_t count = 0;
  tessera_element element;
#define INVALID(text, call) FAILS(session, TESSERA_HOST_ERROR_INVALID, text, call)
  INVALID("\"column\"; did you mean columns", tessera_session_set_parameter(session, "column", numbers, 1));
  INVALID("columns is 0.5; give a whole number", tessera_session_set_parameter(session, "columns", numbers, 1));
  INVALID("it is of type size, give 2 (width, height)", tessera_session_set_parameter(session, "itemSize", numbers, 1));
  INVALID("itemSize", tessera_session_set_parameter(session, "itemSize", numbers, 2));
  INVALID("columns", tessera_session_set_parameter_choice(session, "columns", "three"));
  INVALID("no item value \"height\"", tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", numbers, 1, 2, 8));
  INVALID("no delegate function \"a\"", tessera_session_set_delegate(session, "a", NULL, NULL));
  INVALID("UTF-8", tessera_session_reset_parameter(session, "\xc3\x28"));
  INVALID("category is 3", tessera_session_find(session, 3, NULL, 0, 0, &element, size));
  INVALID("direction is 2", tessera_session_set_direction(session, 2));
  INVALID("element limit is 0", tessera_session_set_element_limit(session, 0));
  INVALID("finite", tessera_session_query_rect(session, NAN, 0, 1, 1, NULL, size, 0, &count));
  INVALID("finite", tessera_session_resting_offset(session, INFINITY, 0, 0, 0, &x, &y));
  FAILS(session, TESSERA_HOST_ERROR_NOT_FOUND, "no cell 18446744073709551615 in section 0",
        tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, UINT64_MAX, &element, size));
  DONE(session, tessera_session_set_bounds(session, -1, NAN));
  INVALID("bounds", tessera_session_content_size(session, &x, &y));
  DONE(session, tessera_session_set_bounds(session, 100, 100));
  DONE(session, tessera_session_set_scale(session, 0));
  INVALID("scale is 0", tessera_session_content_size(session, &x, &y));
  DONE(session, tessera_session_set_scale(session, 2));
  DONE(session, tessera_session_set_element_limit(session, 1));
  INVALID("more than 1", tessera_session_query_all(session, NULL, size, 0, &count));
  DONE(session, tessera_session_set_element_limit(session, 2));
  DONE(session, tessera_session_query_all(session, NULL, size, 0, &count));
}

static void checks_columns(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 2);
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
  double width = 0, height = 0;
  DONE(session, VALUES(1, 2, 16));
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(height == 28 + 10 + 30);
  DONE(session, tessera_session_set_sections(session, NULL, 0));
  DONE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "height", NULL, 1, 0, 8));
  tessera_session_destroy(session);
}

// A measuring callback that calls what it may not.
static int32_t meddles(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)section, (void)item, (void)proposed;
  tessera_session *session = context;
  MISUSED("return from the callback first", tessera_session_set_bounds(session, 1, 1));
  MISUSED("return from the callback first", tessera_session_close(session));
  CHECK(is(tessera_session_code(session), "misuse"));
  measured[0] = measured[1] = 10;
  return 0;
}

static void keeps_callbacks_out(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 1);
  const double estimate = 44;
  uint64_t count = 0;
  double width = 0, height = 0;
  DONE(session, tessera_session_set_parameter(session, "estimatedRowHeight", &estimate, 1));
  DONE(session, tessera_session_set_measure(session, meddles, session));
  DONE(session, tessera_session_query_all(session, NULL, size, 0, &count));
  CHECK(is(tessera_session_message(session), ""));
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(width == 375 && height == 28 + 10);
  tessera_session_destroy(session);
}

static int32_t refuses(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)context, (void)section, (void)item, (void)proposed, (void)measured;
  return 1;
}

// A query that fails leaves the last result, and calls that are refused leave the layout.
static void keeps_what_there_was(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 3);
  const double estimate = 20, invalid[] = {10, NAN};
  double width = 0, height = 0;
  uint64_t count = 0;
  tessera_columns columns = {0};
  tessera_element element;
  DONE(session, tessera_session_set_parameter(session, "estimatedRowHeight", &estimate, 1));
  DONE(session, tessera_session_set_parameter(session, "estimatedSectionHeaderHeight", &estimate, 1));
  DONE(session, tessera_session_query_columns(session, NULL, &columns, sizeof columns));
  CHECK(columns.content_height == 28 + 3 * 44);
  INVALID("no item 9 in section 0, which has 3 items", tessera_session_set_measured(session, NULL, 0, 9, (double[]){1, 1}, 1));
  INVALID("no item 3 in section 0", tessera_session_withdraw_measured(session, NULL, 0, 2, 5));
  INVALID("nan", tessera_session_set_measured(session, NULL, 0, 0, invalid, 1));
  INVALID("no item 0 in section 7, but only 1 section", tessera_session_withdraw_measured(session, NULL, 7, 0, 1));
  INVALID("nan", tessera_session_set_measured(session, "header", 0, 0, invalid, 1));
  INVALID("does not size", tessera_session_proposed_size(session, "ceiling", 0, 0, &width, &height));
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(height == 28 + 3 * 44);
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
  tessera_session_destroy(session);
}

int main(int argc, char **argv) {
  const int rounds = argc > 2 ? atoi(argv[2]) : 1;
  for (int round = 0; round < rounds; round++) {
    takes_null_handles();
    tessera_engines *engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_SANDBOX);
    tessera_session *session = session_of(engines, "grid", 2);
    takes_null_arguments(session);
    checks_sizes_and_indexes(session);
    checks_what_it_is_given(session);
    tessera_session_destroy(session);
    checks_columns(engines);
    keeps_callbacks_out(engines);
    keeps_what_there_was(engines);
    tessera_engines_destroy(engines);
  }
  return failures ? 1 : 0;
}
