#include "../../Extras/Bench/Comparisons/loops.h"

// Overlapping covers along x. Adjust turns them by viewport.
static void lay_out(const collection *items, rows *out) {
  const lines style = {{180, 180}, 0, items->bounds.height, 200, -60};
  out->content = (size){place_lines(items, &style, 0, true, out->frames), items->bounds.height};
  out->count = items->count;
}

const example examples[] = {
  {"", lay_out, .adjusts_z = true},
};
EXAMPLE_COUNT;
