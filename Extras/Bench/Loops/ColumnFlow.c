#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>

static void lay_out(const collection *items, rows *out) {
  const double least = 300, height = 70, spacing = 10, width = items->bounds.width;
  const double columns = fmax(1, floor(width / least)), gaps = (columns - 1) * spacing;
  double cell = floor(width / columns);
  if (columns * cell + gaps > width) cell = floor((width - gaps) / columns);
  const lines style = {{cell, height}, 0, width, spacing, spacing};
  out->content = (size){width, place_lines(items, &style, spacing, false, out->frames)};
  out->count = items->count;
}

const example examples[] = {
  {"", lay_out},
};
EXAMPLE_COUNT;
