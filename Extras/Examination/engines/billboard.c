/* A flow with every few items larger, and a board behind each section. Items lean back with their
   distance from the middle of the viewport. */

#include <math.h>
#include <tessera/plain.h>

TESSERA_NOTE;

enum { EVERY, FACTOR, MARGIN, LEAN, N_PARAMETERS };

static const tessera_parameter parameters[N_PARAMETERS] = {
  [EVERY] = {.name = "every", .help = "One of how many items is larger.", .type = TESSERA_TYPE_INT,
             .initial.integer = 5, .minimum.integer = 1, .maximum.integer = 100000},
  [FACTOR] = {.name = "factor", .help = "How much larger it is.", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 1.6, .minimum.number = 1, .maximum.number = 8},
  [MARGIN] = {.name = "boardMargin", .help = "How far a board sticks out around its items.",
              .unit = "pt", .type = TESSERA_TYPE_NUMBER, .initial.number = 5, .minimum.number = 0,
              .maximum.number = 200},
  [LEAN] = {.name = "lean", .help = "How far an item at the edge of the viewport leans.",
            .unit = "rad", .type = TESSERA_TYPE_NUMBER, .initial.number = 0.5, .minimum.number = 0,
            .maximum.number = 1.5},
};

static const tessera_kind kinds[] = {{.name = "board", .category = TESSERA_CATEGORY_DECORATION}};

static const tessera_setting defaults[] = {
  {.name = "itemSize", .type = TESSERA_TYPE_SIZE, .value.size = {64, 48}},
  {.name = "minimumLineSpacing", .type = TESSERA_TYPE_NUMBER, .value.number = 12},
  {.name = "scrollDirection", .choice = "vertical", .type = TESSERA_TYPE_ENUM, .owned = 1},
};

static int is_large(uint64_t item, int64_t every) { return (item + 1) % (uint64_t)every == 0; }

static tessera_status enlarge(const tessera_input *in) {
  tessera_super *const base = in->super;
  const int64_t every = in->parameters[EVERY].integer;
  const double factor = in->parameters[FACTOR].number;
  void *data = NULL;
  tessera_status status = base->set_values(base, "size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE, &data);
  if (status != TESSERA_OK) return status;
  tessera_size *const sizes = data;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t start = in->section_starts[section];
    const uint64_t count = plain_items(in, section);
    for (uint64_t item = 0; item < count; item++) {
      if (!is_large(item, every)) continue;
      tessera_size *const size = &sizes[start + item];
      *size = (tessera_size){size->width * factor, size->height * factor};
    }
  }
  return TESSERA_OK;
}

typedef struct span { double left, top, right, bottom; int any; } span;

static void widen(span *s, tessera_rect frame) {
  const double right = frame.x + frame.width, bottom = frame.y + frame.height;
  if (!s->any || frame.x < s->left) s->left = frame.x;
  if (!s->any || frame.y < s->top) s->top = frame.y;
  if (!s->any || right > s->right) s->right = right;
  if (!s->any || bottom > s->bottom) s->bottom = bottom;
  s->any = 1;
}

static tessera_status add_boards(const tessera_input *in, tessera_output *out, span *spans) {
  const double margin = in->parameters[MARGIN].number;
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      widen(&spans[run.section], rows->frame[row]);
      if (is_large(run.first_item + row, in->parameters[EVERY].integer)) rows->z_index[row] += 1;
    }
  }
  const tessera_size content = out->content_size(out);
  for (uint32_t section = 0; section < in->section_count; section++) {
    const span s = spans[section];
    if (!s.any) continue;
    const tessera_run run = {
      .category = TESSERA_CATEGORY_DECORATION, .kind = 0, .section = section, .count = 1};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    const double x = fmax(fmin(0, s.left), s.left - margin);
    const double y = fmax(fmin(0, s.top), s.top - margin);
    const double right = fmin(fmax(content.width, s.right), s.right + margin);
    const double bottom = fmin(fmax(content.height, s.bottom), s.bottom + margin);
    rows->frame[0] = (tessera_rect){x, y, right - x, bottom - y};
    rows->z_index[0] = -1;
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  tessera_status status = enlarge(in);
  if (status != TESSERA_OK) return status;
  status = in->super->prepare(in->super, out);
  if (status != TESSERA_OK) return status;
  if (in->section_count == 0) return TESSERA_OK;
  span *const spans = calloc(in->section_count, sizeof *spans);
  if (!spans) return TESSERA_ERROR_FAILED;
  status = add_boards(in, out, spans);
  free(spans);
  return status;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)layout;
  tessera_status status = in->super->adjust(in->super, rect, out);
  if (status != TESSERA_OK) return status;
  const double middle = in->viewport.y + in->viewport.height / 2;
  const double half = fmax(1, in->viewport.height / 2);
  const double most = in->parameters[LEAN].number;
  const uint64_t run_count = out->run_count(out);
  for (uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = NULL;
    status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t row = 0; row < run.count; row++) {
      const tessera_rect frame = rows->frame[row];
      const double at = (frame.y + frame.height / 2 - middle) / half;
      const double angle = most * fmax(-1, fmin(1, at));
      tessera_transform *const t = &rows->transform[row];
      t->m[5] = cos(angle);
      t->m[6] = sin(angle);
      t->m[9] = -sin(angle);
      t->m[10] = cos(angle);
    }
  }
  return TESSERA_OK;
}

/* Sizes do not depend on the bounds, so the base decides. */
static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)layout;
  if (enlarge(in) != TESSERA_OK) return 0;
  return in->super->still_valid(in->super);
}

static const tessera_engine engine = {
  .struct_size = sizeof(tessera_engine),
  .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_SCALES,
  .columns = TESSERA_COLUMN_Z_INDEX,
  .adjusted_columns = TESSERA_COLUMN_TRANSFORM,
  .id = "org.example.billboard",
  .name = "Billboard",
  .version = "1.0.2",
  .author = "Q. Sign",
  .license = "MIT",
  .summary = "A flow on boards, with larger items in between.",
  .base = "org.tessera.flow",
  .base_version = "0.1.0",
  .parameter_count = N_PARAMETERS,
  .parameter_size = sizeof(tessera_parameter),
  .parameters = parameters,
  .kind_count = 1,
  .kind_size = sizeof(tessera_kind),
  .kinds = kinds,
  .default_count = 3,
  .default_size = sizeof(tessera_setting),
  .defaults = defaults,
  .prepare = prepare,
  .adjust = adjust,
  .still_valid = still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
