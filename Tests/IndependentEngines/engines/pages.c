/* Pages side by side, each as large as the bounds. A list says how many columns and rows each page has,
   over again from its start in each section. Headers stay in sight, and scrolling stops at pages. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/ext/snapping.h>
#include <tessera/tessera.h>

TESSERA_NOTE;

enum { COLUMNS, ROWS, GAP, HEADER, PINS, N_PARAMETERS };

static const tessera_parameter parameters[N_PARAMETERS] = {
  [COLUMNS] = {.name = "columns", .help = "Columns of a page that the list does not mention.",
               .type = TESSERA_TYPE_INT, .initial.integer = 2, .minimum.integer = 1,
               .maximum.integer = 100},
  [ROWS] = {.name = "rows", .help = "Rows of a page that the list does not mention.",
            .type = TESSERA_TYPE_INT, .initial.integer = 3, .minimum.integer = 1, .maximum.integer = 100},
  [GAP] = {.name = "gap", .help = "Space around each item.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
           .initial.number = 4, .maximum.number = 500},
  [HEADER] = {.name = "headerHeight", .help = "Height of a section's header; 0: none.", .unit = "pt",
              .type = TESSERA_TYPE_NUMBER, .initial.number = 30, .maximum.number = 5000},
  [PINS] = {.name = "pinsHeaders", .help = "Whether headers stay in sight.", .type = TESSERA_TYPE_BOOL,
            .flags = TESSERA_FLAG_IN_ADJUST, .initial.boolean = 1},
};

enum { PAGE_COLUMNS, PAGE_ROWS, N_PAGE_COLUMNS };

static const tessera_parameter page_columns[N_PAGE_COLUMNS] = {
  [PAGE_COLUMNS] = {.name = "columns", .help = "Columns of the page.", .type = TESSERA_TYPE_INT,
                    .initial.integer = 2, .minimum.integer = 1, .maximum.integer = 100},
  [PAGE_ROWS] = {.name = "rows", .help = "Rows of the page.", .type = TESSERA_TYPE_INT,
                 .initial.integer = 2, .minimum.integer = 1, .maximum.integer = 100},
};

static const tessera_list_declaration lists[] = {
  {.name = "pages", .help = "The pages of a section, over again if there are more.",
   .column_count = N_PAGE_COLUMNS, .column_size = sizeof(tessera_parameter), .columns = page_columns},
};

static const tessera_kind kinds[] = {
  {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
};

typedef struct { uint64_t columns, rows, before; } sheet; /* before: the items on the sheets before it */

struct tessera_layout {
  const tessera_host *host;
  sheet *sheets;
  uint64_t sheet_count, sheet_room, round; /* round: the items on all sheets */
  uint64_t *first_pages;                   /* of each section, and the number of all pages */
  uint64_t *counts;
  uint32_t section_count, section_room;
  tessera_size page;
};

static tessera_status no_memory(const tessera_host *host) {
  host->report(host, TESSERA_ERROR_NO_SPACE, "there is not enough memory for the pages; free some");
  return TESSERA_ERROR_NO_SPACE;
}

static tessera_status create(const tessera_engine *engine, const tessera_host *host,
                             tessera_layout **layout) {
  (void)engine;
  tessera_layout *const made = calloc(1, sizeof *made);
  if (!made) return no_memory(host);
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

static void destroy(tessera_layout *self) {
  if (!self) return;
  free(self->sheets);
  free(self->first_pages);
  free(self->counts);
  free(self);
}

static int64_t integer_at(tessera_column column, uint64_t index) {
  return *(const int64_t *)((const char *)column.data + index * column.stride);
}

static tessera_size page_of(const tessera_input *in) {
  const tessera_insets i = in->content_insets;
  return (tessera_size){fmax(0, in->viewport.width - i.left - i.right),
                        fmax(0, in->viewport.height - i.top - i.bottom)};
}

static double header_of(const tessera_input *in, tessera_size page) {
  return fmin(in->parameters[HEADER].number, page.height);
}

/* Copies the list. */
static tessera_status read_sheets(tessera_layout *self, const tessera_input *in) {
  const tessera_list *const list = &in->lists[0];
  const uint64_t count = list->count ? list->count : 1;
  if (count > self->sheet_room) {
    sheet *const grown = realloc(self->sheets, count * sizeof *grown);
    if (!grown) return no_memory(self->host);
    self->sheets = grown;
    self->sheet_room = count;
  }
  self->sheet_count = count;
  self->round = 0;
  for (uint64_t i = 0; i < count; i++) {
    sheet *const s = &self->sheets[i];
    if (list->count) {
      s->columns = (uint64_t)integer_at(list->columns[PAGE_COLUMNS], i);
      s->rows = (uint64_t)integer_at(list->columns[PAGE_ROWS], i);
    } else {
      s->columns = (uint64_t)in->parameters[COLUMNS].integer;
      s->rows = (uint64_t)in->parameters[ROWS].integer;
    }
    s->before = self->round;
    self->round += s->columns * s->rows;
  }
  return TESSERA_OK;
}

/* The sheet, of those in a round, on which the item at a place in the round lies. */
static uint64_t sheet_at(const tessera_layout *self, uint64_t place) {
  uint64_t low = 0, high = self->sheet_count;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (self->sheets[middle].before <= place) low = middle;
    else high = middle;
  }
  return low;
}

/* The page of an item, counted from the first one of its section. */
static uint64_t page_in_section(const tessera_layout *self, uint64_t item) {
  return item / self->round * self->sheet_count + sheet_at(self, item % self->round);
}

static tessera_status reserve_sections(tessera_layout *self, uint32_t count) {
  if (self->first_pages && count <= self->section_room) return TESSERA_OK;
  uint64_t *const pages = realloc(self->first_pages, ((size_t)count + 1) * sizeof *pages);
  if (pages) self->first_pages = pages;
  uint64_t *const counts = realloc(self->counts, ((size_t)count + 1) * sizeof *counts);
  if (counts) self->counts = counts;
  if (!pages || !counts) return no_memory(self->host);
  self->section_room = count;
  return TESSERA_OK;
}

static tessera_status add_header(const tessera_layout *self, const tessera_input *in, uint32_t section,
                                 tessera_output *out) {
  const double height = header_of(in, self->page);
  if (height <= 0) return TESSERA_OK;
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = section, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double x = (double)self->first_pages[section] * self->page.width;
  rows->frame[0] = (tessera_rect){x, 0, self->page.width, height};
  rows->z_index[0] = 1;
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  tessera_status status = read_sheets(self, in);
  if (status == TESSERA_OK) status = reserve_sections(self, in->section_count);
  if (status != TESSERA_OK) return status;
  self->page = page_of(in);
  self->section_count = in->section_count;
  const double gap = in->parameters[GAP].number, top = header_of(in, self->page);
  const uint64_t all = in->section_starts[in->section_count];
  uint64_t pages = 0;
  for (uint32_t s = 0; s < in->section_count; s++) {
    const uint64_t start = in->section_starts[s], count = in->section_starts[s + 1] - start;
    self->first_pages[s] = pages;
    self->counts[s] = count;
    status = add_header(self, in, s, out);
    if (status != TESSERA_OK) return status;
    pages += count ? page_in_section(self, count - 1) + 1 : 1;

    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = s, .count = count};
    const tessera_rows *rows = NULL;
    status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    uint64_t page = self->first_pages[s], on_sheet = 0, place = 0;
    for (uint64_t item = 0; item < count; item++) {
      const sheet *const now = &self->sheets[on_sheet];
      const double width = self->page.width / (double)now->columns;
      const double height = (self->page.height - top) / (double)now->rows;
      const double dx = fmin(gap, width / 2), dy = fmin(gap, height / 2);
      const double x = (double)page * self->page.width + (double)(place % now->columns) * width;
      const double y = top + (double)(place / now->columns) * height;
      rows->frame[item] =
          (tessera_rect){x + dx, y + dy, fmax(0, width - 2 * dx), fmax(0, height - 2 * dy)};
      if (++place == now->columns * now->rows) {
        place = 0;
        page++;
        on_sheet = on_sheet + 1 == self->sheet_count ? 0 : on_sheet + 1;
      }
      if ((start + item) % 2048 == 2047 &&
          !self->host->progress(self->host, (double)(start + item + 1) / (double)all))
        return TESSERA_ERROR_CANCELLED;
    }
  }
  self->first_pages[in->section_count] = pages;
  out->set_content_size(out, (tessera_size){(double)pages * self->page.width, self->page.height});
  return TESSERA_OK;
}

/* The section of a page; there is at least one. */
static uint32_t section_of_page(const tessera_layout *self, double page) {
  uint32_t low = 0, high = self->section_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if ((double)self->first_pages[middle] <= page) low = middle;
    else high = middle;
  }
  return low;
}

static tessera_status adjust(tessera_layout *self, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  (void)rect;
  const double width = self->page.width;
  if (!in->parameters[PINS].boolean || self->section_count == 0 || width <= 0) return TESSERA_OK;
  if (header_of(in, self->page) <= 0) return TESSERA_OK;
  const double edge = in->viewport.x + in->content_insets.left;
  const double last = (double)self->first_pages[self->section_count] * width;
  if (edge <= 0 || edge >= last) return TESSERA_OK;
  const uint32_t section = section_of_page(self, floor(edge / width));
  const tessera_run run = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = section, .count = 1};
  const tessera_rows *rows = NULL;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const double end = (double)self->first_pages[section + 1] * width;
  rows->frame[0].x = fmax((double)self->first_pages[section] * width, fmin(edge, end - width));
  return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  const tessera_size page = page_of(in);
  return page.width == self->page.width && page.height == self->page.height;
}

/* ---- functions for programs */

static int64_t page_of_item(tessera_layout *self, uint32_t section, uint64_t item) {
  if (section >= self->section_count || item >= self->counts[section]) return -1;
  return (int64_t)(self->first_pages[section] + page_in_section(self, item));
}

static tessera_rect page_rect(tessera_layout *self, int64_t page) {
  if (page < 0 || (uint64_t)page >= self->first_pages[self->section_count]) {
    self->host->report(self->host, TESSERA_ERROR_NOT_FOUND, "there is no such page; pages begin at 0");
    return (tessera_rect){0, 0, 0, 0};
  }
  return (tessera_rect){(double)page * self->page.width, 0, self->page.width, self->page.height};
}

static const tessera_function_declaration functions[] = {
  {.name = "pageOf", .signature = "i64(u32,u64)", .help = "The page of an item; -1: there is no such item.",
   .published = (void (*)(void))page_of_item},
  {.name = "pageRect", .signature = "rect(i64)", .help = "Where a page lies in the content.",
   .published = (void (*)(void))page_rect},
};

/* ---- scrolling */

static tessera_status resting_offset(tessera_layout *self, const tessera_input *in, tessera_point velocity,
                                     tessera_point *resting) {
  const double width = self->page.width;
  if (width <= 0 || self->section_count == 0) return TESSERA_OK;
  const double left = in->content_insets.left;
  const double page = (resting->x + left) / width;
  const double most = (double)(self->first_pages[self->section_count] - 1);
  const double target = velocity.x > 0 ? ceil(page - 1e-6) : velocity.x < 0 ? floor(page + 1e-6) : round(page);
  resting->x = fmax(0, fmin(most, target)) * width - left;
  return TESSERA_OK;
}

static const tessera_snapping snapping = {.struct_size = sizeof snapping, .resting_offset = resting_offset};

static const void *extension(const tessera_engine *engine, const char *id) {
  (void)engine;
  return strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : NULL;
}

static const tessera_engine engine = {
  .struct_size = sizeof(tessera_engine),
  .traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
  .columns = TESSERA_COLUMN_Z_INDEX,
  .id = "org.example.pages", .name = "Pages", .version = "2.0.1", .author = "P. Turner",
  .license = "MIT", .summary = "Pages side by side, with rows and columns from a list.",
  .parameter_count = N_PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
  .list_count = 1, .list_size = sizeof(tessera_list_declaration), .lists = lists,
  .function_count = 2, .function_size = sizeof(tessera_function_declaration), .functions = functions,
  .kind_count = 1, .kind_size = sizeof(tessera_kind), .kinds = kinds,
  .create = create, .destroy = destroy, .prepare = prepare, .adjust = adjust,
  .still_valid = still_valid, .extension = extension,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
