// Hexagons, point up, in rows that interlock. Nothing is stored for an item: a table of where the
// sections begin is all that a layout has.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <tessera/tessera.h>

TESSERA_NOTE;

typedef struct tessera_layout {
	const tessera_host *host;
	double *tops;   // of each section, and the end of the last
	uint64_t *rows; // of each section
	uint32_t count, capacity;
	double extent;
} hexes;

enum { RADIUS, GAP, LABEL, FADE, PARAMETERS };

static const tessera_parameter parameters[PARAMETERS] = {
	[RADIUS] = { .name = "radius", .help = "From the centre of a hexagon to a corner.", .unit = "pt",
		.type = TESSERA_TYPE_NUMBER, .initial.number = 30, .minimum.number = 1, .maximum.number = 2000 },
	[GAP] = { .name = "gap", .help = "Space between hexagons.", .unit = "pt",
		.type = TESSERA_TYPE_NUMBER, .initial.number = 3, .minimum.number = 0, .maximum.number = 500 },
	[LABEL] = { .name = "labelHeight", .help = "Height of the label of a section; 0: none.", .unit = "pt",
		.type = TESSERA_TYPE_NUMBER, .initial.number = 18, .minimum.number = 0, .maximum.number = 1000 },
	[FADE] = { .name = "fade", .help = "How faint hexagons are at the edge of the viewport.",
		.type = TESSERA_TYPE_NUMBER, .initial.number = 0.6, .minimum.number = 0, .maximum.number = 1 },
};

static const tessera_kind kinds[] = { { .name = "label", .category = TESSERA_CATEGORY_SUPPLEMENTARY } };

static const tessera_attribute attributes[] = {
	{ .name = "isShifted", .help = "Whether the hexagon lies in a row that is shifted.",
		.type = TESSERA_TYPE_BOOL, .interpolation = TESSERA_INTERPOLATION_STEP, .when = TESSERA_WHEN_PREPARED },
};

// ---- geometry

typedef struct comb {
	double radius, width, height; // of a hexagon
	double across, down;          // from one to the next
	double label, gap;
	uint64_t n;                   // hexagons in an even row; an odd row has one less
} comb;

static double extent_of(const tessera_input *in)
{
	return fmax(0, in->viewport.width - (in->content_insets.left + in->content_insets.right));
}

static comb comb_of(const tessera_input *in)
{
	comb c = { .radius = in->parameters[RADIUS].number, .gap = in->parameters[GAP].number,
		.label = in->parameters[LABEL].number };
	c.width = sqrt(3) * c.radius;
	c.height = 2 * c.radius;
	c.across = c.width + c.gap;
	c.down = 1.5 * c.radius + c.gap;
	double n = floor((extent_of(in) + c.gap + 1e-6) / c.across);
	c.n = n < 1 ? 1 : (uint64_t)n;
	return c;
}

static uint64_t rows_for(const comb *c, uint64_t items)
{
	if (c->n == 1)
		return items;
	uint64_t pair = 2 * c->n - 1;
	uint64_t rest = items % pair;
	return items / pair * 2 + (rest > 0) + (rest > c->n);
}

// The first item of a row.
static uint64_t row_start(const comb *c, uint64_t row)
{
	if (c->n == 1)
		return row;
	return row / 2 * (2 * c->n - 1) + (row % 2 ? c->n : 0);
}

static uint64_t row_of(const comb *c, uint64_t item)
{
	if (c->n == 1)
		return item;
	uint64_t pair = 2 * c->n - 1;
	return item / pair * 2 + (item % pair >= c->n);
}

static bool is_shifted(const comb *c, uint64_t row)
{
	return c->n > 1 && row % 2 == 1;
}

static tessera_rect frame_of(const comb *c, double top, uint64_t item)
{
	uint64_t row = row_of(c, item);
	uint64_t column = item - row_start(c, row);
	double x = (double)column * c->across + (is_shifted(c, row) ? c->across / 2 : 0);
	return (tessera_rect){ x, top + (double)row * c->down, c->width, c->height };
}

static double body_height(const comb *c, uint64_t rows)
{
	return rows == 0 ? 0 : (double)(rows - 1) * c->down + c->height;
}

static double label_room(const comb *c)
{
	return c->label > 0 ? c->label + c->gap : 0;
}

// ---- the layout

static tessera_status create(const tessera_engine *self, const tessera_host *host, tessera_layout **layout)
{
	(void)self;
	hexes *made = calloc(1, sizeof(hexes));
	if (made == NULL) {
		host->report(host, TESSERA_ERROR_FAILED, "no memory for a layout; free some");
		return TESSERA_ERROR_FAILED;
	}
	made->host = host;
	*layout = made;
	return TESSERA_OK;
}

static void destroy(tessera_layout *layout)
{
	if (layout == NULL)
		return;
	free(layout->tops);
	free(layout->rows);
	free(layout);
}

static bool grow(hexes *self, uint32_t sections)
{
	if (sections < self->capacity)
		return true;
	double *tops = realloc(self->tops, sizeof(double) * ((size_t)sections + 1));
	if (tops != NULL)
		self->tops = tops;
	uint64_t *rows = realloc(self->rows, sizeof(uint64_t) * ((size_t)sections + 1));
	if (rows != NULL)
		self->rows = rows;
	if (tops == NULL || rows == NULL)
		return false;
	self->capacity = sections + 1;
	return true;
}

static tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out)
{
	if (!grow(self, in->section_count)) {
		self->host->report(self->host, TESSERA_ERROR_FAILED, "no memory for the sections; free some");
		return TESSERA_ERROR_FAILED;
	}
	comb c = comb_of(in);
	double y = 0, end = 0;
	for (uint32_t s = 0; s < in->section_count; s++) {
		uint64_t items = in->section_starts[s + 1] - in->section_starts[s];
		self->tops[s] = y;
		self->rows[s] = rows_for(&c, items);
		y += label_room(&c);
		if (c.label > 0)
			end = y - c.gap;
		if (self->rows[s] > 0) {
			end = y + body_height(&c, self->rows[s]);
			y = end + c.gap;
		}
	}
	self->tops[in->section_count] = y;
	self->count = in->section_count;
	self->extent = extent_of(in);
	double width = (double)c.n * c.across - c.gap;
	out->set_content_size(out, (tessera_size){ fmax(self->extent, width), end });
	return TESSERA_OK;
}

static tessera_status add_cells(hexes *self, const comb *c, uint32_t section, uint64_t first, uint64_t end,
	tessera_output *out)
{
	if (first >= end)
		return TESSERA_OK;
	tessera_run run = { .category = TESSERA_CATEGORY_CELL, .section = section, .first_item = first, .count = end - first };
	const tessera_rows *rows = NULL;
	tessera_status status = out->add(out, &run, &rows);
	if (status != TESSERA_OK)
		return status;
	double top = self->tops[section] + label_room(c);
	uint8_t *shifted = rows->attributes[0];
	for (uint64_t i = 0; i < run.count; i++) {
		rows->frame[i] = frame_of(c, top, first + i);
		shifted[i] = is_shifted(c, row_of(c, first + i));
		if (i % 8192 == 8191 && !self->host->progress(self->host, rows->frame[i].y / self->tops[self->count]))
			return TESSERA_ERROR_CANCELLED;
	}
	return TESSERA_OK;
}

static tessera_status add_label(hexes *self, const comb *c, uint32_t section, tessera_output *out)
{
	tessera_run run = { .category = TESSERA_CATEGORY_SUPPLEMENTARY, .kind = 0, .section = section, .count = 1 };
	const tessera_rows *rows = NULL;
	tessera_status status = out->add(out, &run, &rows);
	if (status != TESSERA_OK)
		return status;
	rows->frame[0] = (tessera_rect){ 0, self->tops[section], self->extent, c->label };
	return TESSERA_OK;
}

// The last section that begins at or above a height, the first if there is none.
static uint32_t section_at(const hexes *self, double y)
{
	uint32_t low = 0, high = self->count;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (self->tops[middle] <= y)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static uint64_t whole(double value, uint64_t most)
{
	if (!(value > 0))
		return 0;
	return value < (double)most ? (uint64_t)value : most;
}

static tessera_status elements_in_rect(tessera_layout *self, const tessera_input *in, tessera_rect rect,
	tessera_output *out)
{
	if (self->count == 0)
		return TESSERA_OK;
	comb c = comb_of(in);
	double low = rect.y, high = rect.y + rect.height;
	for (uint32_t s = section_at(self, low); s < self->count && self->tops[s] < high; s++) {
		if (c.label > 0 && self->tops[s] + c.label > low) {
			tessera_status status = add_label(self, &c, s, out);
			if (status != TESSERA_OK)
				return status;
		}
		uint64_t items = in->section_starts[s + 1] - in->section_starts[s];
		double top = self->tops[s] + label_room(&c);
		// One more on each side, for numbers so large that a row is not exact.
		uint64_t first = whole((low - top - c.height) / c.down - 1, self->rows[s]);
		uint64_t last = whole((high - top) / c.down + 2, self->rows[s]);
		if (rect.x <= 0 && rect.x + rect.width >= (double)c.n * c.across) {
			uint64_t end = row_start(&c, last);
			tessera_status status = add_cells(self, &c, s, row_start(&c, first), end < items ? end : items, out);
			if (status != TESSERA_OK)
				return status;
			continue;
		}
		for (uint64_t row = first; row < last; row++) {
			uint64_t start = row_start(&c, row), end = row_start(&c, row + 1);
			if (end > items)
				end = items;
			double shift = is_shifted(&c, row) ? c.across / 2 : 0;
			uint64_t from = start + whole((rect.x - shift - c.width) / c.across, end - start);
			uint64_t to = start + whole((rect.x + rect.width - shift) / c.across + 1, end - start);
			tessera_status status = add_cells(self, &c, s, from, to, out);
			if (status != TESSERA_OK)
				return status;
		}
	}
	return TESSERA_OK;
}

static tessera_status element(tessera_layout *self, const tessera_input *in, const tessera_run *run,
	tessera_output *out)
{
	if (run->section >= self->count)
		return TESSERA_OK;
	comb c = comb_of(in);
	if (run->category == TESSERA_CATEGORY_SUPPLEMENTARY)
		return c.label > 0 && run->kind == 0 && run->first_item == 0
			? add_label(self, &c, run->section, out) : TESSERA_OK;
	if (run->category != TESSERA_CATEGORY_CELL)
		return TESSERA_OK;
	uint64_t items = in->section_starts[run->section + 1] - in->section_starts[run->section];
	if (run->first_item >= items)
		return TESSERA_OK;
	return add_cells(self, &c, run->section, run->first_item, run->first_item + 1, out);
}

// Hexagons are fainter the further they are from the middle.
static tessera_status adjust(tessera_layout *self, const tessera_input *in, tessera_rect rect, tessera_output *out)
{
	(void)self;
	(void)rect;
	double middle = in->viewport.y + in->viewport.height / 2;
	double reach = fmax(1, in->viewport.height / 2);
	uint64_t runs = out->run_count(out);
	for (uint64_t index = 0; index < runs; index++) {
		tessera_run run;
		const tessera_rows *rows = NULL;
		tessera_status status = out->get(out, index, &run, &rows);
		if (status != TESSERA_OK)
			return status;
		if (run.category != TESSERA_CATEGORY_CELL)
			continue;
		for (uint64_t i = 0; i < run.count; i++) {
			tessera_rect frame = rows->frame[i];
			double distance = fmin(1, fabs(frame.y + frame.height / 2 - middle) / reach);
			rows->alpha[i] = 1 - in->parameters[FADE].number * distance;
		}
	}
	return TESSERA_OK;
}

static int32_t still_valid(tessera_layout *self, const tessera_input *in)
{
	return extent_of(in) == self->extent;
}

static const tessera_engine engine = {
	.struct_size = sizeof(tessera_engine),
	.traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS,
	.laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
	.adjusted_columns = TESSERA_COLUMN_ALPHA,
	.id = "dev.example.hexes",
	.name = "Hexes",
	.version = "0.9.0",
	.author = "B. Keeper",
	.license = "BSD-3-Clause",
	.summary = "Hexagons in interlocking rows.",
	.parameter_count = PARAMETERS,
	.parameter_size = sizeof(tessera_parameter),
	.parameters = parameters,
	.attribute_count = 1,
	.attribute_size = sizeof(tessera_attribute),
	.attributes = attributes,
	.kind_count = 1,
	.kind_size = sizeof(tessera_kind),
	.kinds = kinds,
	.create = create,
	.destroy = destroy,
	.prepare = prepare,
	.adjust = adjust,
	.elements_in_rect = elements_in_rect,
	.element = element,
	.still_valid = still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry)
{
	(void)host;
	return registry->add_engine(registry, &engine);
}
