// arrow FOLDER [ISOLATION [ROUNDS]]: exports equal queries and transitions, everything is released
// once in any order, and imports equal plain values.
#include "checks.h"

static const char *text_of(const struct ArrowArray *texts, int64_t index, char *room) {
  const int32_t *ends = texts->buffers[1];
  const size_t length = (size_t)(ends[index + 1] - ends[index]);
  memcpy(room, (const char *)texts->buffers[2] + ends[index], length);
  room[length] = 0;
  return room;
}

static int64_t place_of(const struct ArrowSchema *schema, const char *name) {
  for (int64_t place = 0; place < schema->n_children; place++)
    if (!strcmp(schema->children[place]->name, name)) return place;
  return -1;
}

static const double *doubles(const struct ArrowSchema *schema, const struct ArrowArray *array, const char *name, const char *format) {
  const int64_t place = place_of(schema, name);
  if (place < 0) return NULL;
  const struct ArrowArray *column = array->children[place];
  CHECK(!strcmp(schema->children[place]->format, format) && column->length == array->length && column->null_count == 0);
  if (column->n_children == 0) return column->buffers[1];
  CHECK(!strcmp(schema->children[place]->children[0]->format, "g") && column->n_buffers == 1);
  CHECK(column->children[0]->length == array->length * atoi(format + 3));
  return column->children[0]->buffers[1];
}

static int bit(const struct ArrowArray *column, int buffer, int64_t row) {
  return ((const uint8_t *)column->buffers[buffer])[row / 8] >> row % 8 & 1;
}

static void compares(tessera_session *session) {
  static const char *const categories[] = {"cell", "supplementary", "decoration"};
  static tessera_element elements[2000];
  uint64_t count = 0, copied = 0;
  struct ArrowSchema schema;
  struct ArrowArray array;
  DONE(session, tessera_session_query_all(session, elements, sizeof *elements, 2000, &count));
  CHECK(count <= 2000);
  DONE(session, tessera_session_export(session, &schema, &array));
  CHECK(!strcmp(schema.format, "+s") && array.length == (int64_t)count && array.n_children == schema.n_children);
  CHECK(array.n_buffers == 1 && !array.buffers[0] && array.offset == 0);
  const double *frames = doubles(&schema, &array, "frame", "+w:4"), *transforms = doubles(&schema, &array, "transform", "+w:16");
  const double *alphas = doubles(&schema, &array, "alpha", "g");
  const int64_t z_indexes = place_of(&schema, "z_index"), hidden = place_of(&schema, "hidden");
  const struct ArrowArray *category = array.children[0], *kind = array.children[1];
  CHECK(!strcmp(schema.children[1]->name, "kind") && schema.children[1]->flags == ARROW_FLAG_NULLABLE);
  int64_t nulls = 0;
  char room[64];
  for (uint64_t place = 0; place < count; place++) {
    const tessera_element *element = &elements[place];
    CHECK(is_at(element, frames[4 * place], frames[4 * place + 1], frames[4 * place + 2], frames[4 * place + 3]));
    CHECK(is(text_of(category->dictionary, ((const int8_t *)category->buffers[1])[place], room), categories[element->category]));
    if (bit(kind, 0, (int64_t)place))
      CHECK(is(text_of(kind->dictionary, ((const int32_t *)kind->buffers[1])[place], room), tessera_session_kind_name(session, element->kind)));
    else
      CHECK(element->kind == TESSERA_HOST_NO_KIND), nulls++;
    CHECK(((const int64_t *)array.children[2]->buffers[1])[place] == (int64_t)element->section);
    CHECK(((const int64_t *)array.children[3]->buffers[1])[place] == (int64_t)element->item);
    CHECK(element->alpha == (alphas ? alphas[place] : 1));
    CHECK(!transforms || !memcmp(element->transform, &transforms[16 * place], sizeof element->transform));
    CHECK(element->z_index == (z_indexes < 0 ? 0 : ((const int32_t *)array.children[z_indexes]->buffers[1])[place]));
    CHECK((int)element->hidden == (hidden < 0 ? 0 : bit(array.children[hidden], 1, (int64_t)place)));
  }
  CHECK(kind->null_count == nulls);
  for (uint32_t number = 0; number < tessera_session_attribute_count(session); number++) {
    tessera_declaration declared;
    DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_ATTRIBUTES, number, &declared, sizeof declared));
    CHECK(is(declared.name, tessera_session_attribute_name(session, number)) && declared.components <= 4);
    const void *values = NULL;
    DONE(session, tessera_session_get_attribute(session, number, &values));
    const int64_t at = place_of(&schema, declared.name);
    CHECK((at >= 0) == (values != NULL));
    if (at < 0) continue;
    const struct ArrowArray *column = array.children[at];
    for (uint64_t place = 0; place < count; place++) {
      double numbers[4];
      DONE(session, tessera_session_copy_attribute(session, number, place, numbers, declared.components, 1, &copied));
      if (is(declared.type, "bool")) {
        CHECK(bit(column, 1, (int64_t)place) == (int)numbers[0] && ((const uint8_t *)values)[place] == (uint8_t)numbers[0]);
      } else if (is(declared.type, "enum")) {
        const int32_t choice = ((const int32_t *)column->buffers[1])[place];
        CHECK(choice == (int32_t)numbers[0] && ((const int32_t *)values)[place] == choice);
        CHECK(is(text_of(column->dictionary, choice, room), tessera_session_declared_choice(session, TESSERA_HOST_DECLARED_ATTRIBUTES, number, (uint32_t)choice)));
      } else {
        const double *found = column->n_children ? column->children[0]->buffers[1] : column->buffers[1];
        CHECK(found == values && !memcmp(&found[place * declared.components], numbers, declared.components * sizeof(double)));
      }
    }
  }
  // A consumer may move a child and release the parent, and vice versa.
  struct ArrowArray moved = *array.children[4];
  array.children[4]->release = NULL;
  struct ArrowSchema moved_schema = *schema.children[4];
  schema.children[4]->release = NULL;
  array.release(&array);
  schema.release(&schema);
  CHECK(!array.release && !schema.release);
  CHECK(count == 0 || ((const double *)moved.children[0]->buffers[1])[0] == elements[0].x);
  CHECK(!strcmp(moved_schema.name, "frame"));
  moved.release(&moved);
  moved_schema.release(&moved_schema);
  CHECK(!moved.release && !moved_schema.release);
}

static void compares_engines(tessera_engines *engines) {
  const char *const names[] = {"grid", "flow", "mosaic", "table", "cover-flow", "aspect-flow"};
  for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
    tessera_session *session = session_of(engines, names[name], 1);
    set_sections(session, 120, 0, 3, 77);
    compares(session);
    DONE(session, tessera_session_set_direction(session, TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT));
    compares(session);
    DONE(session, tessera_session_set_sections(session, NULL, 0));
    compares(session);
    tessera_session_destroy(session);
  }
}

// From the README of grid: cells of 50, 10 apart, two per line of 130.
static void outlives_the_session(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "grid", 3);
  struct ArrowArray array;
  struct ArrowArrayStream stream;
  MISUSED("query the session first", tessera_session_export(session, NULL, &array));
  DONE(session, tessera_session_set_bounds(session, 130, 100));
  tessera_columns columns;
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  DONE(session, tessera_session_get_columns(session, &columns, sizeof columns));
  CHECK(count == 3 && columns.count == 3);
  DONE(session, tessera_session_export(session, NULL, &array));
  DONE(session, tessera_session_export_stream(session, &stream));
  CHECK(array.children[4]->children[0]->buffers[1] == columns.frames);
  DONE(session, tessera_session_set_bounds(session, 60, 100));
  DONE(session, tessera_session_query_columns(session, NULL, &columns, sizeof columns));
  CHECK(array.children[4]->children[0]->buffers[1] != columns.frames);
  tessera_session_destroy(session);
  const double expected[] = {0, 0, 50, 50, 60, 0, 50, 50, 0, 60, 50, 50};
  CHECK(!memcmp(array.children[4]->children[0]->buffers[1], expected, sizeof expected));
  struct ArrowArray again, third;
  CHECK(tessera_arrow_share(&array, NULL, &again, NULL) == TESSERA_HOST_OK);
  array.release(&array);
  CHECK(tessera_arrow_share(&array, NULL, &third, NULL) == TESSERA_HOST_ERROR_MISUSED);
  CHECK(tessera_arrow_share(&again, NULL, &third, NULL) == TESSERA_HOST_OK);
  again.release(&again);
  CHECK(third.n_children == 9 && !memcmp(third.children[4]->children[0]->buffers[1], expected, sizeof expected));
  for (int part = 0; part < 4; part++)
    for (int row = 0; row < 3; row++) CHECK(((const double *)third.children[5 + part]->buffers[1])[row] == expected[4 * row + part]);
  third.release(&third);

  struct ArrowSchema schema;
  CHECK(stream.get_schema(&stream, &schema) == 0 && !strcmp(schema.format, "+s") && schema.n_children == 5);
  schema.release(&schema);
  CHECK(stream.get_next(&stream, &array) == 0 && array.length == 3);
  struct ArrowArray end;
  CHECK(stream.get_next(&stream, &end) == 0 && !end.release && !stream.get_last_error(&stream));
  stream.release(&stream);
  CHECK(!stream.release && !memcmp(array.children[4]->children[0]->buffers[1], expected, sizeof expected));
  array.release(&array);
}

static int32_t import(tessera_session *session, const char *name, const char *format, int width, const void *values, int64_t offset, int64_t count) {
  struct ArrowSchema item = {.format = format, .release = keep_schema}, *items = &item;
  char list[16];
  snprintf(list, sizeof list, "+w:%d", width);
  struct ArrowSchema lists = {.format = list, .n_children = 1, .children = &items, .release = keep_schema};
  const void *buffers[] = {NULL, values};
  struct ArrowArray numbers = {.length = width ? count * width : count, .n_buffers = 2, .buffers = buffers, .release = keep_array};
  struct ArrowArray *children = &numbers;
  const void *none[] = {NULL};
  struct ArrowArray array = {.length = count, .offset = offset, .n_buffers = 1, .n_children = 1, .buffers = none, .children = &children, .release = keep_array};
  if (width) {
    numbers.length = (offset + count) * width;
    return tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, name, &lists, &array);
  }
  numbers.offset = offset;
  return tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, name, &item, &numbers);
}

// From the README of table: rows of given heights below each other.
static void imports(tessera_engines *engines) {
  tessera_session *session = session_of(engines, "table", 3);
  const double doubles[] = {9, 10, 20, 30};
  const float floats[] = {9, 10, 20, 30};
  const int8_t bytes[] = {9, 10, 20, 30};
  const uint16_t words[] = {9, 10, 20, 30};
  const int64_t longs[] = {9, 10, 20, 30};
  const struct { const char *format; const void *values; } forms[] = {{"g", doubles}, {"f", floats}, {"c", bytes}, {"S", words}, {"l", longs}};
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
    tessera_element element;
    DONE(session, import(session, "height", forms[form].format, 0, forms[form].values, 1, 3));
    DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 2, &element, sizeof element));
    CHECK(element.height == 30);
    DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, &element, sizeof element));
    CHECK(element.height == 10);
    DONE(session, import(session, "height", "g", 0, (const double[]){1, 1, 1}, 0, 3));
  }
  INVALID("height has 2 values for 3 items", import(session, "height", "g", 0, doubles, 0, 2));
  INVALID("the format \"u\"", import(session, "height", "u", 0, doubles, 0, 3));
  INVALID("the format \"+w:2\"", import(session, "height", "g", 2, doubles, 0, 3));
  INVALID("\"heigth\"", import(session, "heigth", "g", 0, doubles, 0, 3));

  const uint8_t validity = 5;
  const void *buffers[] = {&validity, doubles};
  struct ArrowSchema schema = {.format = "g", .flags = ARROW_FLAG_NULLABLE, .release = keep_schema};
  struct ArrowArray array = {.length = 3, .null_count = -1, .n_buffers = 2, .buffers = buffers, .release = keep_array};
  INVALID("height at index 1 is null; give a value for each",
        tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, "height", &schema, &array));
  array.release = NULL;
  MISUSED("released", tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, "height", &schema, &array));
  tessera_session_destroy(session);

  session = session_of(engines, "flow", 2);
  const float sizes[] = {1, 1, 30, 40, 50, 60};
  tessera_element element;
  DONE(session, import(session, "size", "f", 2, sizes, 1, 2));
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 1, &element, sizeof element));
  CHECK(element.width == 50 && element.height == 60);
  INVALID("a struct or a fixed-size list of 2 numbers (width, height)", import(session, "size", "f", 0, sizes, 0, 2));
  tessera_session_destroy(session);
}

// Structs are read by field names; in a batch, an invalid value fails only its layout.
static void imports_structs(tessera_engines *engines) {
  const double heights[] = {100, 7, 8}, widths[] = {40, 50, NAN};
  const int64_t longs[] = {1, (1ll << 53) + 1, 3};
  const void *height_buffers[] = {NULL, heights}, *width_buffers[] = {NULL, widths}, *long_buffers[] = {NULL, longs}, *none[] = {NULL};
  struct ArrowSchema height = {.format = "g", .name = "height", .release = keep_schema}, width = height, *fields[] = {&height, &width};
  width.name = "width";
  struct ArrowArray height_array = {.length = 3, .n_buffers = 2, .buffers = height_buffers, .release = keep_array}, width_array = height_array;
  struct ArrowArray *columns[] = {&height_array, &width_array};
  width_array.buffers = width_buffers;
  struct ArrowSchema schema = {.format = "+s", .name = "", .n_children = 2, .children = fields, .release = keep_schema};
  struct ArrowArray array = {.length = 3, .n_buffers = 1, .buffers = none, .n_children = 2, .children = columns, .release = keep_array};
  tessera_session *session = session_of(engines, "flow", 3);
  set_sections(session, 1, 2);
  INVALID("size at index 2 is nan; expected finite numbers",
        tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, "size", &schema, &array));
  DONE(session, tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_BATCH, "size", &schema, &array));
  tessera_columns found;
  tessera_batch batch;
  DONE(session, tessera_session_query_batch(session, NULL, NULL, 2, &found, sizeof found, &batch, sizeof batch));
  CHECK(batch.statuses[0] == TESSERA_HOST_OK && batch.statuses[1] == TESSERA_HOST_ERROR_INVALID && batch.ends[0] == 1 && batch.ends[1] == 1);
  CHECK(found.frames[2] == 40 && found.frames[3] == 100);
  CHECK(is(tessera_session_batch_message(session, 1), "size of item 1 in section 0 is nan; expected finite numbers"));
  CHECK(is(tessera_session_batch_code(session, 1), "invalidValue"));
  uint64_t count;
  INVALID("size of item 1 in section 1 is nan", tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  // The same as a parameter, one value per layout; then shared.
  array.length = 2;
  DONE(session, tessera_session_set_batch_parameter_arrow(session, "itemSize", &schema, &array));
  set_sections(session, 1, 2);
  DONE(session, tessera_session_query_batch(session, NULL, NULL, 2, &found, sizeof found, &batch, sizeof batch));
  CHECK(batch.statuses[0] == TESSERA_HOST_OK && batch.ends[0] == 1 && found.frames[2] == 40 && found.frames[3] == 100);
  array.length = 3;
  DONE(session, tessera_session_set_batch_parameter_arrow(session, "itemSize", &schema, &array));
  INVALID("itemSize has 3 values for 2 layouts", tessera_session_query_batch(session, NULL, NULL, 2, &found, sizeof found, &batch, sizeof batch));
  DONE(session, tessera_session_set_batch_parameter_arrow(session, "itemSize", NULL, NULL));
  DONE(session, tessera_session_query_batch(session, NULL, NULL, 2, &found, sizeof found, &batch, sizeof batch));
  CHECK(batch.statuses[0] == TESSERA_HOST_OK && found.frames[2] == 50);
  width.name = "depth";
  INVALID("size is a struct of height, depth; give the fields width, height",
        tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, "size", &schema, &array));
  tessera_session_destroy(session);

  session = session_of(engines, "table", 3);
  height.format = "l";
  height_array.buffers = long_buffers;
  INVALID("height at index 1 is 9007199254740993, which a number cannot hold exactly; give integers of at most 2^53",
        tessera_session_set_values_arrow(session, TESSERA_HOST_SCOPE_ITEM, "height", &height, &height_array));
  tessera_session_destroy(session);
}

TEST(declares, "cover-flow", 5) {
  tessera_declaration declared;
  int seen = 0;
  const uint32_t count = tessera_session_declaration_count(session, TESSERA_HOST_DECLARED_PARAMETERS);
  for (uint32_t index = 0; index < count; index++) {
    DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_PARAMETERS, index, &declared, sizeof declared));
    CHECK(declared.name && declared.help && declared.type && declared.engine && declared.components > 0);
    if (is(declared.name, "itemSize")) {
      seen++;
      CHECK(is(declared.type, "size") && is(declared.unit, "pt") && is(declared.engine, "org.tessera.flow"));
      CHECK(declared.initial[0] == 180 && declared.initial[1] == 180 && declared.minimum[1] == 0 && isinf(declared.maximum[0]));
    }
    CHECK(strcmp(declared.name, "headerReferenceSize") || is(declared.type, "size"));
  }
  CHECK(seen == 1);
  DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_PUBLISHED_FUNCTIONS, 0, &declared, sizeof declared));
  CHECK(is(declared.name, "restingOffset") && is(declared.type, "point(f64,f64)"));
  CHECK(tessera_session_declaration_count(session, TESSERA_HOST_DECLARED_KINDS) == 2);
  DONE(session, tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_KINDS, 0, &declared, sizeof declared));
  CHECK(is(declared.type, "supplementary") && is(declared.role, declared.name) && !declared.shows);
  MISUSED("there is no declaration 2", tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_KINDS, 2, &declared, sizeof declared));

  const double proposed[] = {100, 0};
  double resting[2] = {-1, -1};
  DONE(session, tessera_session_call(session, "restingOffset", proposed, 2, resting, 2));
  CHECK(resting[0] >= 0 && resting[1] == 0);
  INVALID("point(f64,f64), give 2 and 2", tessera_session_call(session, "restingOffset", proposed, 1, resting, 2));
}

// From a, b, c, d: b is deleted, d moves to the front, e is inserted.
TEST(updates, "grid", 4) {
  const char *const before[] = {"a", "b", "c", "d"}, *const after[] = {"d", "a", "c", "e"}, *const twice[] = {"d", "a", "a", "e"};
  const uint64_t counts = 4;
  uint64_t tracks = 0;
  DONE(session, tessera_session_update_identities(session, before, after, &counts, 1, NULL, NULL, &tracks));
  CHECK(tracks == 5);
  tessera_element from[5], to[5];
  uint32_t fates[5];
  DONE(session, tessera_session_copy_tracks(session, 0, from, to, fates, sizeof *from, 5, &tracks));
  int fate_counts[3] = {0, 0, 0};
  for (int track = 0; track < 5; track++) fate_counts[fates[track]]++;
  CHECK(fate_counts[TESSERA_HOST_FATE_STAYS] == 3 && fate_counts[TESSERA_HOST_FATE_APPEARS] == 1 && fate_counts[TESSERA_HOST_FATE_DISAPPEARS] == 1);
  CHECK(fates[0] == TESSERA_HOST_FATE_STAYS && from[0].item == 3 && to[0].item == 0);
  INVALID("\"a\"", tessera_session_update_identities(session, after, twice, &counts, 1, NULL, NULL, &tracks));
}

// From the READMEs: cells of 50, 10 apart; rows of 44 with two separators, below a header of 28.
static void moves_to_another_engine(tessera_engines *engines) {
  tessera_session *grid = session_of(engines, "grid", 3);
  DONE(grid, tessera_session_set_bounds(grid, 110, 200));
  tessera_element from[6], to[6], elements[6];
  uint32_t fates[6];
  uint64_t count = 0;
  tessera_moment *moment = NULL;
  DONE(grid, tessera_session_take_moment(grid, &moment));
  tessera_session_destroy(grid);
  tessera_session *table = session_of(engines, "table", 3);
  DONE(table, tessera_session_set_bounds(table, 110, 200));
  DONE(table, tessera_session_transition(table, moment, &count));
  tessera_moment_destroy(moment);
  CHECK(count == 6);
  DONE(table, tessera_session_copy_tracks(table, 0, from, to, fates, sizeof *from, 6, &count));
  CHECK(count == 6 && fates[1] == TESSERA_HOST_FATE_STAYS && from[1].item == 1 && to[1].item == 1);
  CHECK(is_at(&from[1], 60, 0, 50, 50) && is_at(&to[1], 0, 28 + 44, 110, 44));
  CHECK(fates[5] == TESSERA_HOST_FATE_APPEARS && is(tessera_session_kind_name(table, to[5].kind), "header"));
  CHECK(is_at(&from[5], 0, 0, 110, 28) && from[5].alpha == 0 && to[5].alpha == 1);

  tessera_columns columns;
  DONE(table, tessera_session_query_moment(table, 0.5, elements, sizeof *elements, 6, &count));
  DONE(table, tessera_session_query_moment_columns(table, 0.5, &columns, sizeof columns));
  CHECK(count == 6 && columns.count == 6 && columns.run_count == 3 && columns.runs[0].count == 3);
  for (uint64_t place = 0; place < 6; place++) {
    const double *frame = &columns.frames[4 * place];
    CHECK(is_at(&elements[place], frame[0], frame[1], frame[2], frame[3]));
  }
  CHECK(is_at(&elements[1], 30, 36, 80, 47) && columns.alphas && columns.alphas[5] == 0.5 && elements[5].alpha == 0.5);
  struct ArrowArray array;
  DONE(table, tessera_session_export(table, NULL, &array));
  double width = 0, height = 0, y = -1;
  DONE(table, tessera_session_moment_content(table, 0.5, &width, &height, NULL, &y));
  CHECK(width == 110 && height == (110 + 28 + 3 * 44) / 2.0 && y == 0);

  // Reverses halfway, to another layout of the first engine, without the second session.
  DONE(table, tessera_session_take_animated_moment(table, 0.5, &moment));
  tessera_session_destroy(table);
  grid = session_of(engines, "grid", 3);
  DONE(grid, tessera_session_set_bounds(grid, 50, 200));
  DONE(grid, tessera_session_transition(grid, moment, &count));
  CHECK(count == 6);
  tessera_moment_destroy(moment);
  DONE(grid, tessera_session_copy_tracks(grid, 1, from, to, fates, sizeof *from, 6, &count));
  CHECK(count == 5 && is_at(&from[0], 30, 36, 80, 47) && is_at(&to[0], 0, 60, 50, 50));
  CHECK(fates[2] == TESSERA_HOST_FATE_DISAPPEARS && from[2].alpha == 0.5 && to[2].alpha == 0);
  CHECK(((const double *)array.children[4]->children[0]->buffers[1])[4] == 30);
  array.release(&array);
  CHECK(!array.release);
  tessera_session_destroy(grid);
}

// Visible transition between two sessions of one engine. Workers reserve address space; valgrind has
// enough for one.
static void moves_what_is_visible(tessera_engines *engines) {
  if (isolation != TESSERA_HOST_ISOLATION_INSIDE) return;
  tessera_session *grid = session_of(engines, "grid", 30), *other = session_of(engines, "grid", 40);
  tessera_element from[1], to[1];
  uint32_t fates[1];
  uint64_t count = 0;
  double y = 0;
  DONE(grid, tessera_session_set_bounds(grid, 50, 100));
  DONE(other, tessera_session_set_bounds(other, 110, 100));
  DONE(other, tessera_session_set_offset(other, 0, 600));
  DONE(other, tessera_session_transition_visible(other, grid, &count));
  CHECK(count == 6);
  DONE(other, tessera_session_copy_tracks(other, 2, from, to, fates, sizeof *from, 1, &count));
  CHECK(fates[0] == TESSERA_HOST_FATE_STAYS && from[0].item == 20 && is_at(&from[0], 0, 1200, 50, 50) && is_at(&to[0], 0, 600, 50, 50));
  DONE(other, tessera_session_moment_content(other, 1, NULL, NULL, NULL, &y));
  CHECK(y == 600);
  tessera_session_destroy(other);
  tessera_session_destroy(grid);
}

TESTS(compares_engines, outlives_the_session, imports, imports_structs, declares, updates,
      moves_to_another_engine, moves_what_is_visible)
