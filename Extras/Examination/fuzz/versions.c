// One engine in versions 1, 2, 3 whose declarations differ in order, types or existence. 1 is
// incremental and adjusts, 2 picks drop targets, 3 is lazy. Frames depend on all values by name, to
// detect swapped values.
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

// ---------------------------------------------------------------- Differences

#define HELP(text) .name = text, .help = "What " text " is."
#define CHOICES(...) .choices = (const char *const[]){__VA_ARGS__}, .choice_count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)
#define NUMBER(text, most) {HELP(text), .type = TESSERA_TYPE_NUMBER, .initial.number = 5, .maximum.number = most}
#define OF(text, kind) {HELP(text), .type = TESSERA_TYPE_##kind}
#define ENUM(text, ...) {HELP(text), .type = TESSERA_TYPE_ENUM, CHOICES(__VA_ARGS__)}
#define OFFER {HELP("offer"), .type = TESSERA_TYPE_NUMBER, .initial.number = 50, .maximum.number = 500}
#define VALUE(text, kind, where) {HELP(text), .type = TESSERA_TYPE_##kind, .scope = TESSERA_SCOPE_##where}
#define ENUM_VALUE(text, where) {HELP(text), .type = TESSERA_TYPE_ENUM, .scope = TESSERA_SCOPE_##where, .fallback = "mode"}
#define KIND(text, what) {.name = text, .category = TESSERA_CATEGORY_##what}

static double answer_of_one(tessera_layout *, double);
static tessera_rect rect_of_one(tessera_layout *, double);
static double answer_of_two(tessera_layout *, double, double);
static tessera_insets insets_of_one(tessera_layout *, double, uint32_t);
static void nothing_of_one(tessera_layout *, double);
#define PUBLISHED(text, sort, function) {HELP(text), .signature = sort, .published = (void (*)(void))function}
#define DELEGATE(text, sort) {HELP(text), .signature = sort}

#if VERSION == 1
static const tessera_parameter parameters[] = {
    NUMBER("gap", 100), OF("pad", SIZE), ENUM("mode", "a", "b", "c"), OF("flag", BOOL), OF("many", INT), OFFER, OF("edge", INSETS)};
static const tessera_value_declaration values[] = {
    VALUE("weight", NUMBER, ITEM), VALUE("extent", SIZE, ITEM), ENUM_VALUE("tint", ITEM), VALUE("head", NUMBER, SECTION)};
static const tessera_kind kinds[] = {KIND("header", SUPPLEMENTARY), KIND("mark", DECORATION), KIND("ring", DECORATION)};
static const tessera_attribute attributes[] = {OF("shade", NUMBER), ENUM("label", "x", "y"), OF("lit", BOOL)};
static const tessera_function_declaration functions[] = {
    DELEGATE("bias", "f64(u32,u64)"), PUBLISHED("answer", "f64(f64)", answer_of_one), PUBLISHED("box", "rect(f64)", rect_of_one)};
static const tessera_parameter columns[] = {NUMBER("width", 50), OF("level", INT), ENUM("kind", "p", "q")};
static const tessera_measured measured[] = {{"extent", NULL}, {"head", "header"}};
#define TRAITS (TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_INCREMENTAL | TESSERA_TRAIT_VIEWPORT)
#elif VERSION == 2
static const tessera_parameter parameters[] = {
    OF("edge", RECT), OFFER, OF("many", NUMBER), ENUM("mode", "c", "a", "d"), OF("more", POINT), NUMBER("gap", 40)};
static const tessera_value_declaration values[] = {
    ENUM_VALUE("tint", ITEM), VALUE("head", NUMBER, SECTION), VALUE("weight", INT, ITEM), VALUE("extent", SIZE, ITEM), VALUE("span", BOOL, ITEM)};
static const tessera_kind kinds[] = {KIND("halo", DECORATION), KIND("mark", SUPPLEMENTARY), KIND("header", SUPPLEMENTARY)};
static const tessera_attribute attributes[] = {OF("lit", NUMBER), OF("shade", RECT)};
static const tessera_function_declaration functions[] = {
    PUBLISHED("answer", "rect(f64)", rect_of_one), DELEGATE("tone", "rect(f64)"), DELEGATE("bias", "f64(u32,u64)")};
static const tessera_parameter columns[] = {OF("width", INT), NUMBER("level", 9)};
static const tessera_measured measured[] = {{"extent", NULL}};
#define TRAITS TESSERA_TRAIT_MIRRORS
#else
static const tessera_parameter parameters[] = {ENUM("mode", "a", "b", "c"), OFFER, NUMBER("gap", 100), OF("pad", SIZE)};
static const tessera_value_declaration values[] = {
    VALUE("head", NUMBER, SECTION), VALUE("extent", SIZE, ITEM), VALUE("weight", NUMBER, ITEM), ENUM_VALUE("tint", ITEM)};
static const tessera_kind kinds[] = {KIND("header", SUPPLEMENTARY)};
static const tessera_attribute attributes[] = {ENUM("label", "y", "z", "x")};
static const tessera_function_declaration functions[] = {
    PUBLISHED("box", "insets(f64,u32)", insets_of_one), PUBLISHED("answer", "f64(f64,f64)", answer_of_two), DELEGATE("bias", "f32(u32,u32)"),
    PUBLISHED("rest", "void(f64)", nothing_of_one)};
static const tessera_parameter columns[] = {NUMBER("width", 50), OF("level", INT), ENUM("kind", "p", "q")};
static const tessera_measured measured[] = {{"head", "header"}, {"extent", NULL}};
#define TRAITS (TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT)
#endif

static const tessera_list_declaration lists[] = {
    {HELP("bands"), .columns = columns, .column_count = sizeof columns / sizeof *columns, .column_size = sizeof *columns}};

// ---------------------------------------------------------------- Numbers that depend on names

static double limited(double number) { return number > -1e9 && number < 1e9 ? number : 1e9; }
static double part(double number) {
  const double found = limited(number) - 997 * (double)(int64_t)(limited(number) / 997);
  return found < 0 ? found + 997 : found;
}

static double weight(const char *name) {
  double sum = 1;
  for (; *name; name++) sum = part(sum * 31 + *name);
  return sum;
}

static const size_t sizes[] = {0, 1, 8, 8, 4, 16, 16, 32, 32};

static double digest(const char *name, tessera_type type, const char *const *choices, const void *at) {
  if (!at) return 0;
  tessera_value value = {0};
  memcpy(&value, at, sizes[type]);
  const double factor = weight(name);
  if (type == TESSERA_TYPE_BOOL) return part(factor * value.boolean);
  if (type == TESSERA_TYPE_INT) return part(factor * limited((double)value.integer));
  if (type == TESSERA_TYPE_ENUM) return part(factor * weight(choices[value.choice]));
  double sum = 0;
  const double *numbers = &value.rect.x;
  for (size_t i = 0; i < sizes[type] / 8; i++) sum = part(sum * 7 + factor * limited(numbers[i]));
  return sum;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define EACH(array, index) for (size_t index = 0; index < COUNT(array); index++)

static const void *at(const tessera_column *column, uint64_t place) {
  return column->data ? (const char *)column->data + place * column->stride : NULL;
}

static const char *const *choices_of(const tessera_value_declaration *value) {
  EACH(parameters, i) if (value->fallback && !strcmp(parameters[i].name, value->fallback)) return parameters[i].choices;
  return NULL;
}

static double of_parameters(const tessera_input *in) {
  double sum = 0;
  EACH(parameters, i) sum = part(sum + digest(parameters[i].name, parameters[i].type, parameters[i].choices, &in->parameters[i]));
  for (uint64_t record = 0; record < in->lists->count; record++)
    EACH(columns, i) sum = part(sum * 3 + digest(columns[i].name, columns[i].type, columns[i].choices, at(&in->lists->columns[i], record)));
  const double *insets = &in->content_insets.top;
  for (int i = 0; i < 12; i++) sum = part(sum + (i + 1) * limited(insets[i]));
  return part(sum + limited(in->viewport.width) + in->scale);
}

static double of_values(const tessera_input *in, uint32_t scope, uint64_t place) {
  double sum = 0;
  EACH(values, i) {
    if (values[i].scope != scope || !strcmp(values[i].name, "extent") || !strcmp(values[i].name, "head")) continue;
    sum = part(sum + digest(values[i].name, values[i].type, choices_of(&values[i]), at(&in->values[i], place)));
  }
  return sum;
}

static double asked(const tessera_input *in, uint32_t section, uint64_t item) {
  double found = 0;
  int place = 0;
  EACH(functions, i) {
    if (functions[i].published) continue;
    const tessera_function function = in->functions[place++];
    if (!function.call) continue;
    if (!strcmp(functions[i].signature, "f64(u32,u64)"))
      found += limited(((double (*)(void *, uint32_t, uint64_t))function.call)(function.context, section, item));
    else if (!strcmp(functions[i].signature, "f32(u32,u32)"))
      found += limited(((float (*)(void *, uint32_t, uint32_t))function.call)(function.context, section, (uint32_t)item));
    else if (item == 0)
      found += limited(((tessera_rect (*)(void *, double))function.call)(function.context, section).y);
  }
  return part(found);
}

// ---------------------------------------------------------------- The layout

typedef struct { tessera_run run; tessera_rect frame; double digest; } element;
struct tessera_layout { const tessera_host *host; element *elements; uint64_t count, room; double sum, width, height; int lacks_memory; };

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout) {
  (void)self;
  if (!(*layout = calloc(1, sizeof **layout))) return TESSERA_ERROR_NO_SPACE;
  (*layout)->host = host;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) {
  free(layout->elements);
  free(layout);
}

static void put(tessera_layout *to, tessera_category category, uint32_t kind, uint32_t section, uint64_t item, tessera_rect frame, double found) {
  if (to->count == to->room) {
    element *larger = realloc(to->elements, (2 * to->room + 64) * sizeof *larger);
    to->lacks_memory |= !larger;
    if (!larger) return;
    to->elements = larger, to->room = 2 * to->room + 64;
  }
  to->elements[to->count++] = (element){{category, kind, section, 0, item, 1}, frame, found};
}

static double fit(double length) { return length >= 0 && length <= 1000 ? length : 3; }

static const void *value_named(const tessera_input *in, const char *name, uint64_t place) {
  EACH(values, i) if (!strcmp(values[i].name, name)) return at(&in->values[i], place);
  return NULL;
}

// Cells first, so elements before a change keep their indexes.
static void compute(tessera_layout *to, const tessera_input *in) {
  const double sum = of_parameters(in);
  double y = 0;
  to->count = 0, to->lacks_memory = 0, to->sum = sum, to->width = 1000 + sum;
  uint64_t *const cells = &to->count;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const double *head = value_named(in, "head", section);
    y += head ? fit(*head) : 0;
    for (uint64_t i = in->section_starts[section]; i < in->section_starts[section + 1]; i++) {
      const tessera_size *extent = value_named(in, "extent", i);
      const double height = fit(extent->height), found = part(of_values(in, TESSERA_SCOPE_ITEM, i) + asked(in, section, i - in->section_starts[section]));
      put(to, TESSERA_CATEGORY_CELL, 0, section, i - in->section_starts[section], (tessera_rect){part(sum + found), y, fit(extent->width), height}, found);
      y += height;
    }
  }
  to->height = y;
  const uint64_t all = *cells;
  EACH(kinds, kind) {
    y = 0;
    uint64_t cell = 0;
    for (uint32_t section = 0; section < in->section_count; section++) {
      const double *head = value_named(in, "head", section);
      const double height = head ? fit(*head) : 0, found = part(weight(kinds[kind].name) + of_values(in, TESSERA_SCOPE_SECTION, section));
      if (!strcmp(kinds[kind].name, "header")) put(to, kinds[kind].category, (uint32_t)kind, section, 0, (tessera_rect){0, y, 100, height}, found);
      for (y += height; cell < all && to->elements[cell].run.section == section; cell++) {
        y += to->elements[cell].frame.height;
        if (strcmp(kinds[kind].name, "header") && cell % 3 == 0)
          put(to, kinds[kind].category, (uint32_t)kind, section, cell, to->elements[cell].frame, part(found + to->elements[cell].digest));
      }
    }
  }
}

static void write_attributes(const tessera_rows *rows, uint64_t row, double found) {
  EACH(attributes, i) {
    void *column = rows->attributes ? rows->attributes[i] : NULL;
    if (!column) continue;
    const double number = part(found + weight(attributes[i].name));
    tessera_value value = {0};
    if (attributes[i].type == TESSERA_TYPE_BOOL) value.boolean = (int)number % 2;
    else if (attributes[i].type == TESSERA_TYPE_ENUM) value.choice = (int)number % (int)attributes[i].choice_count;
    else value.rect = (tessera_rect){number, number / 2, number / 3, number / 4};
    memcpy((char *)column + row * sizes[attributes[i].type], &value, sizes[attributes[i].type]);
  }
}

static void write_row(const tessera_rows *rows, uint64_t row, const element *from) {
  rows->frame[row] = from->frame;
  if (rows->alpha) rows->alpha[row] = part(from->digest) / 997;
  if (rows->z_index) rows->z_index[row] = (int32_t)part(from->digest) % 7;
  if (rows->hidden) rows->hidden[row] = from->run.category == TESSERA_CATEGORY_DECORATION && (int)part(from->digest) % 5 == 0;
  write_attributes(rows, row, from->digest);
}

// Number of unchanged first cells of a section.
static uint64_t kept(const tessera_input *in, uint32_t section, uint64_t count) {
  const tessera_change *change = &in->change;
  if (!(TRAITS & TESSERA_TRAIT_INCREMENTAL) || change->what & ~(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)) return 0;
  const uint64_t same = section < change->first_section ? count : section > change->first_section ? 0 : change->first_item;
  return same < count ? same : count;
}

static tessera_status add_all(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  for (uint64_t first = 0, next; first < layout->count; first = next) {
    tessera_run run = layout->elements[first].run;
    for (next = first + 1; next < layout->count; next++) {
      const tessera_run *other = &layout->elements[next].run;
      if (other->category != run.category || other->kind != run.kind || other->section != run.section) break;
      if (other->first_item != run.first_item + (next - first)) break;
    }
    run.count = next - first;
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    uint64_t row = run.category == TESSERA_CATEGORY_CELL ? kept(in, run.section, run.count) : 0;
    for (row = row < rows->kept ? row : rows->kept; row < run.count; row++) write_row(rows, row, &layout->elements[first + row]);
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  if (!in->host->progress(in->host, 0.5)) return TESSERA_ERROR_CANCELLED;
  compute(layout, in);
  if (layout->lacks_memory) return TESSERA_ERROR_NO_SPACE;
  out->set_content_size(out, (tessera_size){layout->width, layout->height});
  return TRAITS & TESSERA_TRAIT_LAZY ? TESSERA_OK : add_all(layout, in, out);
}

#if VERSION != 2
// The first header is pinned.
static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout, (void)rect;
  for (uint64_t i = 0, count = out->run_count(out); i < count; i++) {
    tessera_run run;
    const tessera_rows *rows;
    if (out->get(out, i, &run, &rows) != TESSERA_OK) return TESSERA_ERROR_NOT_FOUND;
    if (run.category != TESSERA_CATEGORY_SUPPLEMENTARY || run.section != 0) continue;
    for (uint64_t row = 0; row < run.count; row++)
      if (rows->frame[row].y < in->viewport.y) rows->frame[row].y = in->viewport.y;
  }
  return TESSERA_OK;
}
#endif

#if VERSION == 3
static tessera_status give(const element *from, tessera_output *out) {
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &from->run, &rows);
  if (status == TESSERA_OK) write_row(rows, 0, from);
  return status;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)in;
  for (uint64_t i = 0; i < layout->count; i++) {
    const tessera_rect frame = layout->elements[i].frame;
    if (frame.y > rect.y + rect.height || frame.y + frame.height < rect.y) continue;
    const tessera_status status = give(&layout->elements[i], out);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status one(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_output *out) {
  const uint64_t cells = in->section_starts[in->section_count];
  if (run->category == TESSERA_CATEGORY_CELL) return give(&layout->elements[in->section_starts[run->section] + run->first_item], out);
  // Only headers follow cells.
  return run->first_item == 0 && cells + run->section < layout->count ? give(&layout->elements[cells + run->section], out) : TESSERA_OK;
}
#endif

// ---------------------------------------------------------------- Functions and abilities

static double answer_of_one(tessera_layout *layout, double number) { return part(layout->sum + number); }
static double answer_of_two(tessera_layout *layout, double one, double other) { return part(layout->sum + one - other); }
static tessera_rect rect_of_one(tessera_layout *layout, double number) { return (tessera_rect){part(number), layout->sum, 1, 2}; }
static tessera_insets insets_of_one(tessera_layout *layout, double number, uint32_t edge) { return (tessera_insets){part(number), layout->sum, edge, 2}; }
static void nothing_of_one(tessera_layout *layout, double number) { layout->width += 0 * limited(number); }
static void *const unused[] __attribute__((unused)) = {
    (void *)answer_of_one, (void *)answer_of_two, (void *)rect_of_one, (void *)insets_of_one, (void *)nothing_of_one};

static tessera_status estimates(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *found, uint64_t *count) {
  (void)layout, (void)in;
  *found = run->category == TESSERA_CATEGORY_CELL ? (tessera_size){40, 10 + VERSION} : (tessera_size){20, 8};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *found, uint64_t *count) {
  (void)layout, (void)run;
  EACH(parameters, i) if (!strcmp(parameters[i].name, "offer")) found->width = in->parameters[i].number;
  found->height = 0;
  *count = 1;
  return TESSERA_OK;
}

static tessera_status resting(tessera_layout *layout, const tessera_input *in, tessera_point velocity, tessera_point *offset) {
  (void)layout, (void)in, (void)velocity;
  offset->y = 10 * (double)(int64_t)(limited(offset->y) / 10);
  return TESSERA_OK;
}

static tessera_status target(tessera_layout *layout, const tessera_input *in, uint32_t section, uint64_t item, tessera_point point,
                             uint32_t *target_section, uint64_t *target_item) {
  (void)layout, (void)point, (void)item;
  // Mostly the proposal; section start if odd.
  if (*target_section == section && *target_item % 2 == 1 && in->section_count > 0) *target_item = 0;
  return TESSERA_OK;
}

static tessera_status begin(tessera_layout *layout, const tessera_input *in, const tessera_update *updates, uint64_t count) {
  (void)layout, (void)in, (void)updates, (void)count;
  return TESSERA_OK;
}

static tessera_status shape(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout, (void)in;
  for (uint64_t i = 0, count = out->run_count(out); i < count; i++) {
    tessera_run run;
    const tessera_rows *rows;
    if (out->get(out, i, &run, &rows) != TESSERA_OK) return TESSERA_ERROR_NOT_FOUND;
    for (uint64_t row = 0; row < run.count; row++) rows->frame[row].x += 10;
  }
  return TESSERA_OK;
}

static void end(tessera_layout *layout) { (void)layout; }

static const void *extension(const tessera_engine *self, const char *id) {
  static const tessera_sizing sizing = {sizeof sizing, COUNT(measured), measured, estimates, proposals};
  static const tessera_snapping snapping = {sizeof snapping, 0, resting};
  static const tessera_reordering reordering = {sizeof reordering, 0, target};
  static const tessera_updates updates = {sizeof updates, 0, begin, shape, shape, end};
  (void)self;
  if (!strcmp(id, TESSERA_EXT_SIZING)) return &sizing;
  if (!strcmp(id, TESSERA_EXT_SNAPPING)) return VERSION == 1 ? &snapping : NULL;
  if (!strcmp(id, TESSERA_EXT_REORDERING)) return VERSION == 2 ? &reordering : NULL;
  if (!strcmp(id, TESSERA_EXT_UPDATES)) return VERSION != 2 ? &updates : NULL;
  return NULL;
}

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)
#define ALL(what) .what##s = what##s, .what##_count = COUNT(what##s), .what##_size = sizeof *what##s
static const tessera_engine engine = {
    .struct_size = sizeof engine, .id = "org.example.versions", .name = "Versions", .version = "1." TEXT(VERSION) ".0", .author = "A test",
    .license = "MIT", .summary = "Depends on all that it is given.", .traits = TRAITS,
    .columns = TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX | TESSERA_COLUMN_HIDDEN,
    ALL(parameter), ALL(value), ALL(list), ALL(function), ALL(attribute), ALL(kind),
    .create = create, .destroy = destroy, .prepare = prepare, .extension = extension,
#if VERSION != 2
    .adjust = adjust,
#endif
#if VERSION == 3
    .elements_in_rect = elements_in_rect, .element = one,
#endif
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
