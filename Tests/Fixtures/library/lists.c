// lists: list records set by column. The first argument is the folder of libstrips.so, whose strips
// are as long as their record and all its ancestors.
#include <stdint.h>
#include "checks.h"

static double height(tessera_session *session, uint64_t item) {
  tessera_element elements[3];
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, elements, sizeof *elements, 3, &count));
  CHECK(count == 3 && item < 3);
  return elements[item].height;
}

TEST(sets_lists, "strips", 3) {
  CHECK(tessera_session_declaration_count(session, TESSERA_HOST_DECLARED_LISTS) == 1);
  CHECK(tessera_session_declaration_count(session, TESSERA_HOST_DECLARED_LIST_COLUMNS) == 3);
  tessera_declaration declared;
  DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_LISTS, 0, &declared, sizeof declared));
  CHECK(is(declared.name, "strips") && is(declared.type, "list") && is(declared.engine, "org.example.strips"));
  DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_LIST_COLUMNS, 0, &declared, sizeof declared));
  CHECK(is(declared.name, "strips.length") && is(declared.type, "number") && is(declared.unit, "pt"));
  CHECK(declared.initial[0] == 10 && declared.minimum[0] == 0 && declared.maximum[0] == 1000);
  DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_LIST_COLUMNS, 1, &declared, sizeof declared));
  CHECK(is(declared.name, "strips.colour") && declared.choice_count == 3 && declared.initial[0] == 2);
  CHECK(is(tessera_session_declared_choice(session, TESSERA_HOST_DECLARED_LIST_COLUMNS, 1, 0), "red"));

  CHECK(height(session, 0) == 1);
  DONE(session, tessera_session_set_list(session, "strips", 3));
  CHECK(height(session, 0) == 10);
  // Stride 2; the second record is a child of the first.
  double lengths[] = {5, -1, 6, -1, 7, -1};
  DONE(session, tessera_session_set_list_column(session, "strips", "length", lengths, 1, 3, 16));
  lengths[0] = 500; // copied
  const double parents[] = {-1, 0, -1};
  DONE(session, tessera_session_set_list_column(session, "strips", "parent", parents, 1, 3, 8));
  const char *const colours[] = {"red", "green", "blue"};
  DONE(session, tessera_session_set_list_choices(session, "strips", "colour", colours, 3, sizeof *colours));
  CHECK(height(session, 0) == 5 && height(session, 1) == 11 && height(session, 2) == 7);
  const double four = 4;
  DONE(session, tessera_session_set_list_column(session, "strips", "length", &four, 1, 1, 0));
  CHECK(height(session, 0) == 4 && height(session, 1) == 8);

  INVALID("has no list \"stripes\"", tessera_session_set_list(session, "stripes", 1));
  INVALID("2 values for 3 records of strips", tessera_session_set_list_column(session, "strips", "length", lengths, 1, 2, 8));
  INVALID("length of record 2 of strips is -1; expected 0 to 1000", tessera_session_set_list_column(session, "strips", "length", (double[]){1, 2, -1}, 1, 3, 8));
  INVALID("\"pink\"; expected red, green, blue", tessera_session_set_list_choices(session, "strips", "colour", (const char *const[]){"pink"}, 1, 0));
  CHECK(height(session, 0) == 4 && height(session, 1) == 8);
  DONE(session, tessera_session_set_list(session, "strips", 0));
  CHECK(height(session, 0) == 1);
}

TESTS(sets_lists)
