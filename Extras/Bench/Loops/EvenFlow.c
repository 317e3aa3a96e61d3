#include "../../Extras/Bench/Comparisons/loops.h"

// Flow's lines; each cell is centred in an equal share, on whole points. Behind them is a binder,
// as high as the tallest cell and the header.
static void lay_out(const collection *items, rows *out) {
  const double left = 80, right = 20, top = 30, bottom = 30, header = 70, width = items->bounds.width;
  const double room = width - left - right;
  const int64_t count = items->count;
  const lines style = {{200, 200}, left, room, 20, 20};
  rect *frames = out->frames, tallest = {0};
  double lowest = place_lines(items, &style, header + top, false, frames) + bottom;
  int64_t end;
  for (int64_t first = 0; first < count; first = end) {
    // Cells with centres at most a pixel apart share a line.
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
      const double start = down(x), upper = down(cell.y), lower = up(cell.y + cell.height);
      const rect placed = {start, upper, up(x + cell.width) - start, lower - upper};
      frames[item] = placed;
      out->z_indexes[item] = 0;
      if (placed.height > tallest.height) tallest = placed;
      lowest = larger(lowest, lower);
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

const example examples[] = {
  {"", lay_out},
};
EXAMPLE_COUNT;
