// columns FOLDER [ISOLATION [ROUNDS]]: a column query equals an element query.
#include "checks.h"

static int is_identity(const double *transform) {
  for (int place = 0; place < 16; place++)
    if (transform[place] != (place % 5 == 0)) return 0;
  return 1;
}

static void compares(tessera_session *session, const double *rect) {
  tessera_element elements[600];
  uint64_t count = 0, seen = 0;
  tessera_columns columns;
  DONE(session, rect ? tessera_session_query_rect(session, rect[0], rect[1], rect[2], rect[3], elements, sizeof *elements, 600, &count)
                     : tessera_session_query_viewport(session, elements, sizeof *elements, 600, &count));
  CHECK(count <= 600);
  DONE(session, tessera_session_query_columns(session, rect, &columns, sizeof columns));
  CHECK(columns.count == count && columns.frames);
  for (uint64_t number = 0; number < columns.run_count; number++) {
    const tessera_element_run *run = &columns.runs[number];
    CHECK(run->count > 0);
    for (uint64_t offset = 0; offset < run->count && seen < count; offset++, seen++) {
      const tessera_element *element = &elements[seen];
      const double *frame = &columns.frames[4 * seen];
      CHECK(run->category == element->category && run->kind == element->kind);
      CHECK(run->section == element->section && run->first_item + offset == element->item);
      CHECK(is_at(element, frame[0], frame[1], frame[2], frame[3]));
      CHECK(element->alpha == (columns.alphas ? columns.alphas[seen] : 1));
      CHECK(element->z_index == (columns.z_indexes ? columns.z_indexes[seen] : 0));
      CHECK(element->hidden == (columns.hidden ? columns.hidden[seen] : 0));
      CHECK(columns.transforms ? !memcmp(element->transform, &columns.transforms[16 * seen], sizeof element->transform)
                               : is_identity(element->transform));
    }
  }
  CHECK(seen == count);
}

static void compares_engines(tessera_engines *engines) {
  const char *const names[] = {"grid", "flow", "mosaic", "table", "cover-flow", "aspect-flow"};
  for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
    tessera_session *session = session_of(engines, names[name], 300);
    set_sections(session, 120, 0, 3, 77);
    DONE(session, tessera_session_set_bounds(session, 320, 480));
    for (int direction = 0; direction < 2; direction++) {
      DONE(session, tessera_session_set_direction(session, direction));
      for (int step = 0; step < 6; step++) {
        DONE(session, tessera_session_set_offset(session, step % 2 * 150, step * 110 - 50));
        compares(session, NULL);
        const double rect[] = {step * 31 - 20, step * 300, 90, 1000};
        compares(session, rect);
      }
    }
    const double nowhere[] = {-900, -900, 10, 10};
    compares(session, nowhere);
    tessera_session_destroy(session);
  }
}

// From the README of grid: cells of 50, 10 apart, two per line of 130.
TEST(lasts_until_the_next_query, "grid", 5) {
  DONE(session, tessera_session_set_bounds(session, 130, 100));
  DONE(session, tessera_session_set_offset(session, 0, 55));
  struct later {
    tessera_columns columns;
    uint64_t more;
  } later;
  memset(&later, 0xff, sizeof later);
  DONE(session, tessera_session_query_columns(session, NULL, &later.columns, sizeof later));
  const tessera_columns *columns = &later.columns;
  CHECK(later.more == 0 && columns->count == 3 && columns->run_count == 1);
  CHECK(columns->runs[0].category == TESSERA_HOST_CATEGORY_CELL && columns->runs[0].kind == TESSERA_HOST_NO_KIND);
  CHECK(columns->runs[0].section == 0 && columns->runs[0].first_item == 2 && columns->runs[0].count == 3);
  CHECK(!columns->transforms && !columns->alphas && !columns->z_indexes && !columns->hidden);

  // Settings and look-ups don't invalidate it; elements can be copied from it.
  tessera_element element;
  uint64_t count = 0;
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, &element, sizeof element));
  set(session, "spacing", 7);
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 1, &element, sizeof element));
  CHECK(is_at(&element, 57, 0, 50, 50));
  DONE(session, tessera_session_close(session));
  const double expected[] = {0, 60, 50, 50, 60, 60, 50, 50, 0, 120, 50, 50};
  CHECK(!memcmp(columns->frames, expected, sizeof expected));
  CHECK(columns->runs[0].first_item == 2);
  DONE(session, tessera_session_copy_elements(session, 2, &element, sizeof element, 1, &count));
  CHECK(count == 1 && element.item == 4 && is_at(&element, 0, 120, 50, 50));

  DONE(session, tessera_session_set_sections(session, NULL, 0));
  tessera_columns none;
  DONE(session, tessera_session_query_columns(session, NULL, &none, sizeof none));
  CHECK(none.count == 0 && none.run_count == 0);
}

TEST(chooses_batch_columns, "cover-flow", 3) {
  set_sections(session, 2, 1);
  const char *const some[] = {"item", "z_index"}, *const wrong[] = {"item", "z_indx"};
  tessera_columns columns;
  tessera_batch batch;
  DONE(session, tessera_session_query_batch(session, NULL, NULL, 2, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(columns.transforms && columns.z_indexes && columns.count == 3);
  int32_t z_indexes[3];
  double frames[12];
  memcpy(z_indexes, columns.z_indexes, sizeof z_indexes);
  memcpy(frames, columns.frames, sizeof frames);
  DONE(session, tessera_session_set_batch_columns(session, some, 2));
  DONE(session, tessera_session_query_batch(session, NULL, NULL, 2, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(!columns.transforms && !columns.alphas && !columns.hidden && columns.count == 3);
  CHECK(!memcmp(columns.z_indexes, z_indexes, sizeof z_indexes) && !memcmp(columns.frames, frames, sizeof frames));
  struct ArrowSchema schema;
  struct ArrowArray array;
  DONE(session, tessera_session_export(session, &schema, &array));
  CHECK(schema.n_children == 3 && !strcmp(schema.children[0]->name, "item") && !strcmp(schema.children[1]->name, "frame"));
  CHECK(!strcmp(schema.children[2]->name, "z_index") && ((const int64_t *)array.children[0]->buffers[1])[1] == 1);
  schema.release(&schema);
  array.release(&array);
  INVALID("no column \"z_indx\"; did you mean z_index?",
        tessera_session_set_batch_columns(session, wrong, 2));
  DONE(session, tessera_session_set_batch_columns(session, NULL, 0));
  DONE(session, tessera_session_query_batch(session, NULL, NULL, 2, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(columns.transforms && !memcmp(columns.z_indexes, z_indexes, sizeof z_indexes));
}

// From the README of grid: cells of 50, 10 apart, as many per line as fit.
TEST(lays_out_batches, "grid", 1) {
  const uint64_t sections[] = {2, 1};
  const double bounds[] = {110, 100, 50, 100, 200, 100};
  set_sections(session, 3, 0, 2);
  tessera_columns columns;
  tessera_batch batch;
  DONE(session, tessera_session_query_batch(session, NULL, bounds, 3, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(columns.count == 5 && columns.run_count == 2 && batch.count == 3);
  CHECK(columns.runs[1].section == 2 && columns.runs[1].first_item == 0 && columns.runs[1].count == 2);
  const double frames[] = {0, 0, 50, 50, 60, 0, 50, 50, 0, 60, 50, 50, 0, 0, 50, 50, 60, 0, 50, 50};
  CHECK(!memcmp(columns.frames, frames, sizeof frames));
  const uint64_t ends[] = {3, 3, 5};
  CHECK(!memcmp(batch.ends, ends, sizeof ends));
  for (uint64_t layout = 0; layout < 3; layout++) {
    CHECK(batch.statuses[layout] == TESSERA_HOST_OK && !strcmp(tessera_session_batch_message(session, layout), ""));
    CHECK(batch.content_sizes[2 * layout] <= bounds[2 * layout]);
  }
  CHECK(batch.content_sizes[1] == 110 && !tessera_session_batch_message(session, 3));
  CHECK(is(tessera_session_batch_code(session, 0), "") && !tessera_session_batch_code(session, 3));

  DONE(session, tessera_session_query_batch(session, sections, NULL, 2, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(batch.count == 2 && batch.ends[0] == 3 && batch.ends[1] == 5);
  INVALID("2 layouts for 3 sections", tessera_session_query_batch(session, NULL, NULL, 2, &columns, sizeof columns, &batch, sizeof batch));
  CHECK(is(tessera_session_code(session), "wrongCount"));
}

TESTS(compares_engines, lasts_until_the_next_query, chooses_batch_columns, lays_out_batches)
