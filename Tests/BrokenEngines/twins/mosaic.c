// A lazy mosaic: the items of all sections in rows of four styles, looked up by halving among the rows
// and walking both ways from there.

#include "twin.h"

TESSERA_NOTE;

enum { HEIGHT, SPACING };
enum { FULL, HALVES, TWO_THIRDS, ONE_THIRD };

static const tessera_parameter parameters[] = {
    {.name = "height", .help = "The height of a row.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 200, .minimum.number = 4, .maximum.number = 1000},
    {.name = "spacing", .help = "The space above a row.", .unit = "pt",
     .type = TESSERA_TYPE_NUMBER, .initial.number = 1, .minimum.number = 0, .maximum.number = 100},
};

// An item's frame, and where its row begins and ends.
typedef struct place {
  tessera_rect frame;
  double top, bottom;
} place;

struct tessera_layout {
  const tessera_host *host;
  place *places;
  uint64_t count;
};

PLAIN_CREATE;

static void destroy(tessera_layout *layout) {
  free(layout->places);
  free(layout);
}

// The first and the second slice of a length, one point apart.
static double first_of(double length, double share) {
  return fmin(length, ceil(length * share));
}

static double second_of(double length, double share) {
  return fmax(0, length - ceil(length * share) - 1);
}

// Places the items of a row, and gives how many they are.
static uint64_t fill_row(place *items, uint64_t left, int style, tessera_rect row) {
  const double width = floor(row.width);
  const double share = style == HALVES ? 0.5 : style == TWO_THIRDS ? 2.0 / 3 : 1.0 / 3;
  const double wide = first_of(width, share), rest = second_of(width, share);
  const double upper = first_of(row.height, 0.5), lower = second_of(row.height, 0.5);
  const double x = row.x + wide + 1, y = row.y + upper + 1;
  tessera_rect frames[3] = {row};
  uint64_t count = 1;
  if (style == HALVES) {
    frames[0].width = wide;
    frames[1] = (tessera_rect){x, row.y, rest, row.height};
    count = 2;
  } else if (style == TWO_THIRDS) {
    frames[0].width = wide;
    frames[1] = (tessera_rect){x, row.y, rest, upper};
    frames[2] = (tessera_rect){x, y, rest, lower};
    count = 3;
  } else if (style == ONE_THIRD) {
    frames[0] = (tessera_rect){row.x, row.y, wide, upper};
    frames[1] = (tessera_rect){row.x, y, wide, lower};
    frames[2] = (tessera_rect){x, row.y, rest, row.height};
    count = 3;
  }
  for (uint64_t i = 0; i < count && i < left; i++)
    items[i] = (place){frames[i], row.y, row.y + row.height};
  return count;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const uint64_t count = in->section_starts[in->section_count];
  const double height = in->parameters[HEIGHT].number;
  const double pitch = height + in->parameters[SPACING].number;
  const double width = plain_extent(in).width;
  place *places = realloc(layout->places, (count + 1) * sizeof *places);
  if (places == NULL) return TESSERA_ERROR_FAILED;
  layout->places = places;
  layout->count = count;
  uint64_t rows = 0;
  for (uint64_t done = 0; done < count; rows++) {
    const uint64_t left = count - done;
    int style = rows == 0 || left == 1 ? FULL : left == 2 ? HALVES : HALVES + (int)((rows - 1) % 3);
    const tessera_rect row = {0, pitch - height + (double)rows * pitch, width, height};
    done += fill_row(places + done, left, style, row);
  }
  out->set_content_size(out, (tessera_size){width, (double)rows * pitch});
  return TESSERA_OK;
}

// Adds the item at a place among all, if it meets a rect.
static tessera_status add_place(tessera_layout *layout, const tessera_input *in,
                                tessera_output *out, uint64_t at) {
  const uint32_t section = section_of(in, at);
  const uint64_t item = at - in->section_starts[section];
  const tessera_run run = {.section = section, .first_item = item, .count = 1};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status == TESSERA_OK) rows->frame[0] = layout->places[at].frame;
  return status;
}

// An item of a row that meets a rect, found by halving; the count where there is none.
static uint64_t any_in(const tessera_layout *layout, tessera_rect rect) {
  uint64_t low = 0, high = layout->count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const place *at = &layout->places[middle];
    if (at->bottom <= rect.y) low = middle + 1;
    else if (at->top >= rect.y + rect.height) high = middle;
    else return middle;
  }
  return layout->count;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in,
                                       tessera_rect rect, tessera_output *out) {
  const uint64_t found = any_in(layout, rect);
  for (uint64_t i = found; i < layout->count; i++) {
    if (layout->places[i].top >= rect.y + rect.height) break;
    const tessera_status status = add_place(layout, in, out, i);
    if (status != TESSERA_OK) return status;
  }
  if (found == layout->count) return TESSERA_OK;
  for (uint64_t i = found; i-- > 0;) {
    if (layout->places[i].bottom <= rect.y) break;
    const tessera_status status = add_place(layout, in, out, i);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  if (run->category != TESSERA_CATEGORY_CELL || run->section >= in->section_count) return TESSERA_OK;
  if (run->first_item >= plain_items(in, run->section)) return TESSERA_OK;
  return add_place(layout, in, out, in->section_starts[run->section] + run->first_item);
}

static const tessera_engine engine = {
    TWIN("mosaic"),
    .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS,
    .parameter_count = COUNT(parameters),
    .parameter_size = sizeof *parameters,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .elements_in_rect = elements_in_rect,
    .element = element,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
