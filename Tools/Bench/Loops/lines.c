// Items side by side until a line is full: flow, and the engines that are derived from it.
#include "loops.h"

#include <math.h>
#include <stdbool.h>

// Without calls of the C library, which fmax and floor are: these take no infinity, and no position below 0.
static double larger(double a, double b) { return a < b ? b : a; }
static double smaller(double a, double b) { return a < b ? a : b; }
static double down(double position) { return (double)(int64_t)position; }
static double up(double position) { return down(position) + (down(position) < position ? 1 : 0); }
// The nearest pixel, half up.
static double pixel(double position, double scale) { return down(position * scale + 0.5) / scale; }

// The style of lines: how items of a size fill them.
typedef struct lines {
  size item;
  double left, room; // where lines begin, and how long they are
  double interitem, spacing;
} lines;

// How many items of the size fit a line, and where its first one begins and how far they are apart.
static int64_t spread(const lines *style, double *start, double *gap) {
  const double length = style->item.width;
  const int64_t fitting = (int64_t)((style->room + 1e-6 + style->interitem) / (length + style->interitem));
  if (fitting < 2) {
    *start = style->left + (style->room - length) / 2;
    *gap = 0;
    return 1;
  }
  *start = style->left;
  *gap = (style->room - (double)fitting * length) / (double)(fitting - 1);
  return fitting;
}

// Lines of equal items, from `y` on: each differs from the first only in its y. Returns where the last line ends. Lines
// are columns where the content scrolls sideways.
static inline double equal_lines(const collection *items, const lines *style, double y, bool sideways, rect *frames) {
  const double length = style->item.width, thickness = style->item.height;
  const int64_t count = items->count;
  double x, gap;
  const int64_t fitting = spread(style, &x, &gap);
  for (int64_t first = 0; first < count; first += fitting) {
    const int64_t end = count - first < fitting ? count : first + fitting;
    const double rounded = pixel(y, items->scale);
    for (int64_t item = first; item < end; item++) {
      double place;
      if (first == 0) {
        place = pixel(x, items->scale);
        x += length + gap;
      } else {
        place = sideways ? frames[item - fitting].y : frames[item - fitting].x;
      }
      frames[item] = sideways ? (rect){rounded, place, thickness, length} : (rect){place, rounded, length, thickness};
    }
    y += thickness + style->spacing;
  }
  return y - style->spacing;
}

void lay_out_flow(const collection *items, rows *out) {
  const lines style = {{50, 50}, 0, items->bounds.width, 10, 10};
  out->content = (size){items->bounds.width, equal_lines(items, &style, 0, false, out->frames)};
  out->count = items->count;
}

// A list when narrow, as many columns as there is room for when wide.
void lay_out_column_flow(const collection *items, rows *out) {
  const double least = 300, height = 70, spacing = 10, width = items->bounds.width;
  const double columns = fmax(1, floor(width / least)), gaps = (columns - 1) * spacing;
  double cell = floor(width / columns);
  if (columns * cell + gaps > width) cell = floor((width - gaps) / columns);
  const lines style = {{cell, height}, 0, width, spacing, spacing};
  out->content = (size){width, equal_lines(items, &style, spacing, false, out->frames)};
  out->count = items->count;
}

// Covers overlap along x. How each is turned depends on the viewport, so that prepare does not place it in depth.
void lay_out_cover_flow(const collection *items, rows *out) {
  const lines style = {{180, 180}, 0, items->bounds.height, 200, -60};
  out->content = (size){equal_lines(items, &style, 0, true, out->frames), items->bounds.height};
  out->count = items->count;
}

// Square cells, each with the largest rectangle of its picture's aspect ratio in its middle.
void lay_out_aspect_flow(const collection *items, rows *out) {
  const double side = 140, inset = 13;
  const lines style = {{side, side}, inset, items->bounds.width - 2 * inset, 13, 13};
  out->content = (size){items->bounds.width, equal_lines(items, &style, inset, false, out->frames) + inset};
  for (int64_t item = 0; item < items->count; item++) {
    const double ratio = items->values[item];
    const double width = smaller(side, side * ratio), height = smaller(side, side / ratio);
    out->modes[item] = 0;
    out->pictures[item] = (rect){(side - width) / 2, (side - height) / 2, width, height};
  }
  out->count = items->count;
}

// Flow's lines, whose cells are then spread over them: each lies in the middle of its share, on whole points. Behind them
// is a binder, as high as the tallest cell and the header.
void lay_out_even_flow(const collection *items, rows *out) {
  const double left = 80, right = 20, top = 30, bottom = 30, header = 70, width = items->bounds.width;
  const double room = width - left - right;
  const int64_t count = items->count;
  const lines style = {{200, 200}, left, room, 20, 20};
  rect *frames = out->frames, tallest = {0};
  double lowest = equal_lines(items, &style, header + top, false, frames) + bottom;
  int64_t end;
  for (int64_t first = 0; first < count; first = end) {
    // Cells whose centres are at most a pixel apart are on one line.
    double least = frames[first].y + frames[first].height / 2, most = least;
    for (end = first + 1; end < count; end++) {
      const double middle = frames[end].y + frames[end].height / 2;
      least = smaller(least, middle);
      most = larger(most, middle);
      if (most - least > 1 / items->scale) break;
    }
    const double half = room / (double)(2 * (end - first));
    for (int64_t item = first; item < end; item++) {
      const rect cell = frames[item];
      const double x = left + half + 2 * half * (double)(item - first) - cell.width / 2;
      const double start = down(x), upper = down(cell.y);
      frames[item] = (rect){start, upper, up(x + cell.width) - start, up(cell.y + cell.height) - upper};
      out->z_indexes[item] = 0;
      if (frames[item].height > tallest.height) tallest = frames[item];
      lowest = larger(lowest, frames[item].y + frames[item].height);
    }
  }
  const double height = tallest.height + header;
  frames[count] = (rect){0, tallest.y + tallest.height / 2 - height / 2, width, height};
  frames[count + 1] = (rect){0, 0, width, header};
  out->z_indexes[count] = -1;
  out->z_indexes[count + 1] = 0;
  out->content = (size){width, lowest};
  out->count = count + 2;
}

// Items of any size: each line takes as many as fit, and is spread over the width; the last one keeps the least spacing,
// unless its items are equal, which lie as if they filled it.
void lay_out_flow_of_sizes(const collection *items, rows *out) {
  const size *sizes = (const size *)items->values;
  const double room = items->bounds.width, interitem = 10, spacing = 10, scale = items->scale;
  const int64_t count = items->count;
  double y = 0;
  int64_t end;
  for (int64_t first = 0; first < count; first = end) {
    double length = sizes[first].width, thickness = sizes[first].height, gaps = 0;
    for (end = first + 1; end < count; end++) {
      gaps += interitem;
      if (length + sizes[end].width + gaps > room + 1e-6) break;
      length += sizes[end].width;
      thickness = larger(thickness, sizes[end].height);
    }

    double x = 0, gap = interitem;
    bool equal = true;
    for (int64_t item = first; end == count && item < end; item++)
      equal = equal && sizes[item].width == sizes[first].width && sizes[item].height == sizes[first].height;
    if (end == count && equal) {
      spread(&(lines){sizes[first], 0, room, interitem, spacing}, &x, &gap);
    } else if (end < count && end - first > 1) {
      gap = (room - length) / (double)(end - first - 1);
    } else if (end < count) {
      x = (room - length) / 2;
    }

    for (int64_t item = first; item < end; item++) {
      const size cell = sizes[item];
      const double middle = y + (thickness - cell.height) / 2;
      out->frames[item] = (rect){pixel(x, scale), pixel(middle, scale), cell.width, cell.height};
      x += cell.width + gap;
    }
    y += thickness;
    if (end < count) y += spacing;
  }
  out->content = (size){room, y};
  out->count = count;
}
