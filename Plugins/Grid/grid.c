// Uniform cells, packed from the left, line under line. Nothing is stored for an item: a billion
// items cost nothing until a query returns them.

#include <inttypes.h>
#include <math.h>
#include <tessera/plain.h>

TESSERA_NOTE;

// ---------------------------------------------------------------- declarations

enum { COLUMNS, ITEM_SIZE, SPACING, PARAMETER_COUNT };

static const tessera_parameter parameters[PARAMETER_COUNT] = {
    [COLUMNS] = {.name = "columns",
                 .help = "How many cells lie side by side; 0: as many as fit, at least one.",
                 .type = TESSERA_TYPE_INT,
                 .maximum.integer = INT64_MAX},
    [ITEM_SIZE] = {.name = "itemSize",
                   .help = "Size of every cell.",
                   .unit = "pt",
                   .type = TESSERA_TYPE_SIZE,
                   .initial.size = {50, 50},
                   .maximum.size = {INFINITY, INFINITY}},
    [SPACING] = {.name = "spacing",
                 .help = "Space between neighbours, in both directions.",
                 .unit = "pt",
                 .type = TESSERA_TYPE_NUMBER,
                 .initial.number = 10,
                 .maximum.number = INFINITY},
};

// ---------------------------------------------------------------- arithmetic

typedef struct grid {
  tessera_size cell, pitch; // pitch: distance of origins
  uint64_t items, columns, lines;
} grid;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Rounds down to 0 ... limit.
static uint64_t whole(double value, uint64_t limit) {
  if (!(value > 0)) return 0;
  return value >= (double)limit ? limit : (uint64_t)value;
}

static grid measure(const tessera_input *in) {
  double spacing = in->parameters[SPACING].number;
  grid g = {.cell = in->parameters[ITEM_SIZE].size,
            .items = in->section_starts[in->section_count],
            .columns = (uint64_t)in->parameters[COLUMNS].integer};
  g.pitch = (tessera_size){g.cell.width + spacing, g.cell.height + spacing};
  // Rationale (2026-11-21): a millionth of a point, as in flow, for cells that fill a line exactly:
  // three of (390 - 2 * 5) / 3 and their spaces add up to 390.00000000000006.
  if (g.columns == 0) g.columns = whole((plain_extent(in).width + 1e-6 + spacing) / g.pitch.width, UINT64_MAX);
  if (g.columns == 0) g.columns = 1;
  g.lines = g.items / g.columns + (g.items % g.columns != 0);
  return g;
}

// Of `count` cells and the spaces between them.
static double length(uint64_t count, double cell, double pitch) {
  return count == 0 ? 0 : (double)(count - 1) * pitch + cell;
}

typedef struct range {
  uint64_t start, end;
} range;

// The columns or lines that may intersect low ..< high. If doubles are more than a cell apart, a
// few more on both sides, which the host drops.
static range cells_between(double low, double high, double cell, double pitch, uint64_t count) {
  double slack = 1e-15 * fmax(fabs(low / pitch), fabs(high / pitch));
  uint64_t start = whole((low - cell) / pitch - slack, count);
  uint64_t end = whole(high / pitch + 1 + slack, count);
  return (range){start, end > start ? end : start};
}

// ---------------------------------------------------------------- queries

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  grid g = measure(in);
  if (g.pitch.width == 0 && in->parameters[COLUMNS].integer == 0)
    return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE,
                        "columns is 0, for as many as fit, but itemSize is 0 wide and spacing is "
                        "0, so there is no end of them; make one of the three greater than 0");
  double width = length(smaller(g.columns, g.items), g.cell.width, g.pitch.width);
  double height = length(g.lines, g.cell.height, g.pitch.height);
  tessera_size size = {fmax(plain_extent(in).width, width), height};
  if (!isfinite(size.width) || !isfinite(size.height))
    return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE,
                        "itemSize is %gx%g and spacing %g, too much for %" PRIu64 " items: no number "
                        "is as large as the content; make them smaller",
                        g.cell.width, g.cell.height, in->parameters[SPACING].number, g.items);
  out->set_content_size(out, size);
  return TESSERA_OK;
}

// The last section that starts at or before an item, by position among all.
static uint32_t section_of(const tessera_input *in, uint64_t item) {
  uint32_t low = 0, high = in->section_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (in->section_starts[middle] <= item)
      low = middle;
    else
      high = middle;
  }
  return low;
}

typedef struct query {
  const tessera_input *in;
  tessera_output *out;
  grid grid;
  double expected; // number of cells
  uint64_t added;
} query;

// Adds consecutive items, one run for each section.
static tessera_status add(query *q, uint64_t item, uint64_t end) {
  const uint64_t *starts = q->in->section_starts;
  const grid *g = &q->grid;
  while (item < end) {
    uint32_t section = section_of(q->in, item);
    uint64_t run_end = smaller(starts[section + 1], end);
    tessera_run run = {.category = TESSERA_CATEGORY_CELL,
                       .section = section,
                       .first_item = item - starts[section],
                       .count = run_end - item};
    const tessera_rows *rows = NULL;
    tessera_status status = q->out->add(q->out, &run, &rows);
    if (status != TESSERA_OK) return status;

    uint64_t line = item / g->columns, column = item % g->columns;
    for (tessera_rect *frame = rows->frame; item < run_end; item++, frame++) {
      *frame = (tessera_rect){(double)column * g->pitch.width, (double)line * g->pitch.height,
                              g->cell.width, g->cell.height};
      if (++column == g->columns) column = 0, line++;
      if (++q->added % 65536 == 0 && !q->in->host->progress(q->in->host, (double)q->added / q->expected))
        return TESSERA_ERROR_CANCELLED;
    }
  }
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in,
                                       tessera_rect rect, tessera_output *out) {
  (void)layout;
  grid g = measure(in);
  if (!(rect.width > 0 && rect.height > 0 && g.cell.width > 0 && g.cell.height > 0))
    return TESSERA_OK;
  range columns =
      cells_between(rect.x, rect.x + rect.width, g.cell.width, g.pitch.width, g.columns);
  range lines =
      cells_between(rect.y, rect.y + rect.height, g.cell.height, g.pitch.height, g.lines);
  if (columns.start == columns.end) return TESSERA_OK;
  query q = {.in = in, .out = out, .grid = g};
  q.expected = (double)(columns.end - columns.start) * (double)(lines.end - lines.start);

  // Whole lines are consecutive.
  if (columns.end - columns.start == g.columns)
    return add(&q, lines.start * g.columns, lines.end < g.lines ? lines.end * g.columns : g.items);
  for (uint64_t line = lines.start; line < lines.end; line++) {
    uint64_t first = line * g.columns, count = smaller(g.columns, g.items - first);
    tessera_status status =
        add(&q, first + smaller(columns.start, count), first + smaller(columns.end, count));
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  (void)layout;
  if (run->category != TESSERA_CATEGORY_CELL || run->section >= in->section_count) return TESSERA_OK;
  uint64_t start = in->section_starts[run->section], end = in->section_starts[run->section + 1];
  if (run->first_item >= end - start) return TESSERA_OK;
  query q = {.in = in, .out = out, .grid = measure(in), .expected = 1};
  return add(&q, start + run->first_item, start + run->first_item + 1);
}

// ---------------------------------------------------------------- the engine

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine),
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS,
    .laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
    .id = "org.tessera.grid",
    .name = "Grid",
    .version = "0.1.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Uniform cells, packed from the left; a billion cost nothing until looked at.",
    .parameter_count = PARAMETER_COUNT,
    .parameter_size = sizeof(tessera_parameter),
    .parameters = parameters,
    .prepare = prepare,
    .elements_in_rect = elements_in_rect,
    .element = element,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
