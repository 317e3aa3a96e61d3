#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>

// Filled column by column; odd rows are shifted by half an item.
static void lay_out(const collection *items, rows *out) {
  const size item = {100, 90};
  const double spacing = 10, across = item.width + spacing, down = item.height + spacing;
  const int64_t count = items->count, row_count = (int64_t)fmax(1, (items->bounds.height + spacing) / down);
  double x = 0, right = 0;
  for (int64_t first = 0; first < count; first += row_count, x += across) {
    const int64_t rows = count - first < row_count ? count - first : row_count;
    for (int64_t row = 0; row < rows; row++) {
      const double shift = row % 2 ? item.width / 2 : 0;
      out->frames[first + row] = (rect){x + shift, (double)row * down, item.width, item.height};
    }
    right = fmax(right, x + item.width + (rows > 1 ? item.width / 2 : 0));
  }
  out->count = count;
  out->content = (size){right, (double)row_count * down - spacing};
}

const example examples[] = {
  {"", lay_out},
};
EXAMPLE_COUNT;
