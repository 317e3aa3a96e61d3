// Where everything goes: line by line, section by section.

#ifndef CONFIGURABLE_PLACING_H
#define CONFIGURABLE_PLACING_H

#include "layout.h"
#include <string.h>
#include <time.h>

static double rounded(tessera_layout *layout, const tessera_input *in, double value) {
  const double scale = MUTATED(staleScale)       ? layout->first_scale
                       : MUTATED(roundsToHalves) ? 2
                                                 : in->scale;
  return ALIGNED ? floor(value * scale + 0.5) / scale : value;
}

// A frame by its edges, so that its mirror image lies on the pixel grid as well.
static tessera_rect frame(tessera_layout *layout, const tessera_input *in, double left, double top,
                          double right, double bottom) {
  const double x = MUTATED(unroundedAcross) ? left : rounded(layout, in, left);
  const double y = MUTATED(unroundedDown) ? top : rounded(layout, in, top);
  const double end = rounded(layout, in, right), foot = rounded(layout, in, bottom);
  if (MUTATED(negativeWhenNarrow)) return (tessera_rect){x, y, end - x, foot - y};
  return (tessera_rect){x, y, fmax(0, end - x), fmax(0, foot - y)};
}

typedef struct {
  double width;             // of the content
  double left, room;        // where cells begin, and how much there is for a line of them
  tessera_size space;
  tessera_insets margins;
  double y, right;          // how far placing is, and the farthest right edge
} pen;

static double width_of(const tessera_input *in, const pen *pen, uint64_t place) {
#if COLUMNS == 0
  return fmin(value_of(in, WIDTH, place), pen->room);
#else
  (void)place;
#if COLUMNS_SET
  const double columns = (double)in->parameters[COLUMN_COUNT].integer;
#else
  const double columns = COLUMNS;
  (void)in;
#endif
  if (MUTATED(nanWhenNarrow)) return pen->room * (pen->room / columns) / pen->room;
  const double width = (pen->room - pen->space.width * (columns - 1)) / columns;
  return MUTATED(negativeWhenNarrow) ? width : fmax(0, width);
#endif
}

// Whether the cell at `place`, the `index`-th of its line, still goes onto it.
static int goes_on(const tessera_input *in, const pen *pen, uint64_t index, double x,
                   double width) {
  if (index == 0) return 1;
#if COLUMNS == 0
  (void)in;
  return x + width <= pen->left + pen->room;
#else
  (void)pen, (void)x, (void)width;
#if COLUMNS_SET
  return index % (uint64_t)in->parameters[COLUMN_COUNT].integer != 0;
#else
  (void)in;
  return index % COLUMNS != 0;
#endif
#endif
}

// Places one line from `first` on; gives the place behind its last cell.
static uint64_t place_line(tessera_layout *layout, const tessera_input *in, pen *pen,
                           uint32_t section, uint64_t first) {
  const uint64_t end = in->section_starts[section + 1];
  double x = pen->left, height = 0;
  uint64_t next = first;
  while (next < end) {
    const double width = width_of(in, pen, next);
    if (!goes_on(in, pen, next - first, x, width)) break;
    layout->cells[next] = (tessera_rect){x, 0, width, 0};
    layout->lines[next] = first;
    height = fmax(height, height_of(layout, in, section, next));
    pen->right = fmax(pen->right, x + width);
    x += width + pen->space.width;
    next++;
  }
  for (uint64_t i = first; i < next; i++) {
    const tessera_rect cell = layout->cells[i];
    layout->cells[i] =
        frame(layout, in, cell.x, pen->y, cell.x + cell.width, pen->y + height);
  }
  pen->y += height;
  return next;
}

static void place_section(tessera_layout *layout, const tessera_input *in, pen *pen,
                          uint32_t section) {
  const double top = pen->y;
  if (has_header(in, section)) {
    pen->y += 20.3;
    layout->sections[section].header =
        MUTATED(roundsHeadersNot)
            ? (tessera_rect){0, top, pen->width, 20.3}
            : frame(layout, in, 0, top, pen->width, pen->y);
  }
  pen->y += pen->margins.top;
  uint64_t next = in->section_starts[section];
  const uint64_t first = next, end = in->section_starts[section + 1];
  while (next < end) {
    if (next > first) pen->y += pen->space.height;
    next = place_line(layout, in, pen, section, next);
  }
  pen->y += pen->margins.bottom;
  layout->sections[section].board = frame(layout, in, 0, top, pen->width, pen->y);
}

// Faults in the frames themselves, once all are placed.
static void spoil(tessera_layout *layout, const tessera_input *in) {
  const uint64_t count = layout->item_count;
  tessera_rect *const cells = layout->cells;
  if (count == 0) return;
  if (MUTATED(offInSecondPrepare) && layout->prepares > 0) cells[count - 1].y += 1;
  if (MUTATED(nanFrame)) cells[count - 1].x = (double)NAN;
  if (MUTATED(negativeHeight)) cells[count / 2].height = -cells[count / 2].height - 1;
  if (MUTATED(byAddress)) cells[0].x += (double)(((uintptr_t)layout >> 12) & 63) / 64;
  if (MUTATED(byCounter)) cells[count / 2].x += (double)(shared_counter++ & 1);
  if (MUTATED(byClock)) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    cells[count / 2].x += (double)(now.tv_nsec & 1023) / 1024;
  }
  if (MUTATED(mirrorsItself) && in->right_to_left) {
    const double width = extent_of(in);
    for (uint64_t i = 0; i < count; i++) cells[i].x = width - cells[i].x - cells[i].width;
  }
  if (MUTATED(shiftsMirror) && in->right_to_left) cells[count - 1].x += 1;
  if (MUTATED(mirrorsSpacing) && in->right_to_left) cells[count / 2].width += 1;
  if (MUTATED(sharedCells)) {
    const uint64_t kept = count < COUNT(shared_cells) ? count : COUNT(shared_cells);
    memcpy(shared_cells, cells, kept * sizeof *cells);
  }
}

static tessera_size content_of(tessera_layout *layout, const tessera_input *in, const pen *pen) {
  double width = fmax(pen->width, pen->right), height = pen->y;
  if (ALIGNED) {
    width = ceil(width * in->scale - 1e-6) / in->scale;
    height = ceil(height * in->scale - 1e-6) / in->scale;
  }
  const uint64_t count = layout->item_count;
  if (MUTATED(smallByLine) && count > 1) height -= layout->cells[count - 1].height;
  if (MUTATED(smallByInset)) height -= in->parameters[ROW_HEIGHT].number / 4;
  if (MUTATED(smallByHeader)) height = fmax(0, height - 20.3);
  if (MUTATED(smallAcross)) width = fmax(0, width - 2);
  if (MUTATED(negativeContent) && count == 0) height -= 1;
  if (MUTATED(nanContent)) height += 0 * (1 / (double)count);
  if (MUTATED(staleContent)) {
    if (layout->prepares == 0) layout->first_content = (tessera_size){width, height};
    return layout->first_content;
  }
  return (tessera_size){fmax(0, width), MUTATED(negativeContent) || MUTATED(nanContent)
                                            ? height
                                            : fmax(0, height)};
}

// Computes every frame; gives the content's size.
static tessera_size place_all(tessera_layout *layout, const tessera_input *in) {
  const double width = MUTATED(staleWidth)    ? layout->first_width
                       : MUTATED(sharedWidth) ? shared_width
                                              : extent_of(in);
  pen pen = {.width = width, .space = space_of(in), .margins = margins_of(in)};
  if (MUTATED(staleSpacing)) pen.space = layout->first_space;
  if (MUTATED(staleInsets)) pen.margins = layout->first_margins;
  pen.left = pen.margins.left;
  pen.room = width - pen.margins.left - pen.margins.right;
  if (!MUTATED(negativeWhenNarrow)) pen.room = fmax(0, pen.room);
  for (uint32_t section = 0; section < in->section_count; section++) {
    place_section(layout, in, &pen, section);
  }
  spoil(layout, in);
  if (MUTATED(offBeyondContent) && layout->item_count > 0) {
    tessera_rect *const last = &layout->cells[layout->item_count - 1];
    last->y = pen.y + 1 - last->height;
  }
  return content_of(layout, in, &pen);
}

#endif
