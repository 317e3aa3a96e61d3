#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>
#include <stddef.h>

// A full-width item, two halves, large with two small ones right, two small ones left of a large
// one; repeated.
static void lay_out(const collection *items, rows *out) {
  const double height = 200, spacing = 1, width = floor(items->bounds.width);
  // Slices are one point apart.
  const double half = ceil(width / 2), large = ceil(width * (2.0 / 3)), small = ceil(width * (1.0 / 3));
  const double other_half = width - half - 1, rest_of_large = width - large - 1, rest_of_small = width - small - 1;
  const double upper = ceil(height / 2), lower = height - upper - 1;
  rect *frame = out->frames, *end = frame + items->count;
  double y = spacing;
  for (int row = 0; frame < end; row = row % 3 + 1) {
    const ptrdiff_t left = end - frame;
    if (row == 0 || left == 1) {
      *frame++ = (rect){0, y, items->bounds.width, height};
    } else if (row == 1 || left == 2) {
      *frame++ = (rect){0, y, half, height};
      *frame++ = (rect){half + 1, y, other_half, height};
    } else if (row == 2) {
      *frame++ = (rect){0, y, large, height};
      *frame++ = (rect){large + 1, y, rest_of_large, upper};
      *frame++ = (rect){large + 1, y + upper + 1, rest_of_large, lower};
    } else {
      *frame++ = (rect){0, y, small, upper};
      *frame++ = (rect){0, y + upper + 1, small, lower};
      *frame++ = (rect){small + 1, y, rest_of_small, height};
    }
    y += height + spacing;
  }
  out->count = items->count;
  out->content = (size){items->bounds.width, y - spacing};
}

const example examples[] = {
  {"", lay_out},
  {"--items 1e7", lay_out, .items = 10000000},
};
EXAMPLE_COUNT;
