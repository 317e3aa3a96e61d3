// A layout, and what the input says to it.

#ifndef CONFIGURABLE_LAYOUT_H
#define CONFIGURABLE_LAYOUT_H

#include "declared.h"
#include <math.h>
#include <stdlib.h>

// What belongs to a section beside its cells.
typedef struct {
  tessera_rect header, board;
} section_frames;

// What the frames depend on of the surroundings.
typedef struct {
  double width, scale;
  tessera_insets margins;
} basis;

struct tessera_layout {
  const tessera_host *host;
  tessera_rect *cells;      // one an item
  uint64_t *lines;          // for each item the place of the first of its line
  section_frames *sections; // one a section
  uint64_t item_room, section_room, item_count;
  uint32_t section_count, prepares;
  basis basis;
  // What stale caches hold.
  double first_width, first_height, first_scale;
  tessera_size first_space, first_content;
  tessera_insets first_margins;
  double *old_heights;
  uint64_t old_count;
};

// What mutations share between layouts.
static double shared_width, shared_height;
static uint32_t shared_counter;
static tessera_rect shared_cells[64];

static tessera_status create(const tessera_engine *self, const tessera_host *host,
                             tessera_layout **layout) {
  (void)self;
  *layout = calloc(1, sizeof **layout);
  if (!*layout) return TESSERA_ERROR_FAILED;
  (*layout)->host = host;
  return TESSERA_OK;
}

static void destroy(tessera_layout *layout) {
  free(layout->cells);
  free(layout->lines);
  free(layout->sections);
  free(layout->old_heights);
  free(layout);
}

static int make_room(tessera_layout *layout, uint64_t items, uint32_t sections) {
  if (items > layout->item_room) {
    tessera_rect *cells = realloc(layout->cells, items * sizeof *cells);
    if (cells) layout->cells = cells;
    uint64_t *lines = realloc(layout->lines, items * sizeof *lines);
    if (lines) layout->lines = lines;
    if (!cells || !lines) return 0;
    layout->item_room = items;
  }
  if (sections > layout->section_room) {
    section_frames *frames = realloc(layout->sections, sections * sizeof *frames);
    if (!frames) return 0;
    layout->sections = frames;
    layout->section_room = sections;
  }
  return 1;
}

static uint64_t items_of(const tessera_input *in, uint32_t section) {
  return in->section_starts[section + 1] - in->section_starts[section];
}

static int has_header(const tessera_input *in, uint32_t section) {
  return HEADER == 1 || (HEADER == 2 && items_of(in, section) > 0);
}

static double extent_of(const tessera_input *in) {
  const double left = in->viewport.width - in->content_insets.left - in->content_insets.right;
  return MUTATED(negativeWhenNarrow) ? left : fmax(0, left);
}

#if HEIGHTS || COLUMNS == 0
static double value_of(const tessera_input *in, uint32_t which, uint64_t index) {
  const tessera_column column = in->values[which];
  const double value = *(const double *)((const char *)column.data + index * column.stride);
  return fmin(fmax(value, 0), 1e5);
}
#endif

static tessera_size space_of(const tessera_input *in) {
#if SPACING == 1
  return (tessera_size){in->parameters[SPACE].number, in->parameters[SPACE].number};
#elif SPACING == 2
  return in->parameters[SPACE].size;
#elif SPACING == 3
  return (tessera_size){in->parameters[SPACE].point.x, in->parameters[SPACE].point.y};
#elif SPACING == 4
  const double space = 4 * (double)in->parameters[SPACE].choice;
  return (tessera_size){space, space};
#elif SPACING == 5
  const double space = (double)in->parameters[SPACE].integer;
  return (tessera_size){space, space};
#else
  (void)in;
  return (tessera_size){0, 0};
#endif
}

static tessera_insets margins_of(const tessera_input *in) {
#if INSETS == 1
  return in->parameters[INSET].insets;
#elif INSETS == 2
  const tessera_rect rect = in->parameters[INSET].rect;
  return (tessera_insets){rect.y, rect.x, 0, 0};
#elif INSETS == 3
  const double inset = in->parameters[INSET].boolean ? 9 : 0;
  return (tessera_insets){inset, inset, inset, inset};
#elif INSETS == 4
  return in->layout_margins;
#elif INSETS == 5
  return in->safe_area;
#else
  (void)in;
  return (tessera_insets){0, 0, 0, 0};
#endif
}

static basis basis_of(const tessera_input *in) {
  return (basis){extent_of(in), in->scale,
                 INSETS >= 4 ? margins_of(in) : (tessera_insets){0, 0, 0, 0}};
}

// What was remembered for an item, or else what it is now, which is then remembered.
static double remembered(tessera_layout *layout, uint64_t place, double now) {
  if (place >= layout->old_count) layout->old_heights[place] = now;
  return layout->old_heights[place];
}

static double height_of(tessera_layout *layout, const tessera_input *in, uint32_t section,
                        uint64_t place) {
  double height = in->parameters[ROW_HEIGHT].number;
  (void)section, (void)place;
  if (MUTATED(staleHeight)) height = layout->first_height;
  if (MUTATED(sharedParameters)) height = shared_height;
#if HEIGHTS == 1
  height = value_of(in, HEIGHT, place);
#elif HEIGHTS == 2
  height = value_of(in, HEIGHT, section);
#endif
  if (MUTATED(staleValues)) height = remembered(layout, place, height);
#if DELEGATE
  typedef uint8_t (*weight_function)(void *, uint32_t, uint64_t);
  const tessera_function weight = in->functions[0];
  double more = 0;
  if (weight.call) {
    const uint64_t item = place - in->section_starts[section];
    more = 4 * (double)(((weight_function)weight.call)(weight.context, section, item) % 5);
  }
  if (MUTATED(staleAnswers)) more = remembered(layout, place, more);
  height += more;
#endif
  return height;
}

#endif
