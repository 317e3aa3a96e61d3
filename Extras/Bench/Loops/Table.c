#include "../../Extras/Bench/Comparisons/loops.h"

// Sums row heights, and keeps the start of each block of 64 rows for lookups.
static void lay_out(const collection *items, rows *out) {
  const double header = 28;
  double *tops = items->scratch, y = 0;
  for (int64_t row = 0; row < items->count; row++) {
    if (row % 64 == 0) tops[row / 64] = y;
    y += items->values[row];
  }
  out->content = (size){items->bounds.width, header + y};
}

static void place(const collection *items, rows *out) {
  const double header = 28, inset = 15, thickness = 0.5, width = items->bounds.width, *tops = items->scratch;
  const int64_t count = items->count, separators = count - 1;
  double y = 0;
  for (int64_t row = 0; row < count; row++) {
    if (row % 64 == 0) y = tops[row / 64];
    const double height = items->values[row];
    out->frames[row] = (rect){0, header + y, width, height};
    out->z_indexes[row] = 0;
    if (row < separators) {
      out->frames[count + row] = (rect){inset, header + y + height - thickness, width - inset, thickness};
      out->z_indexes[count + row] = 1;
    }
    y += height;
  }
  out->frames[count + separators] = (rect){0, 0, width, header};
  out->z_indexes[count + separators] = 1024;
  out->count = count + separators + 1;
}

static void height_of(double item, double *numbers) { numbers[0] = 30 + noise(item) * 40; }

const example examples[] = {
  {"--item height='30+noise(item)*40'", lay_out, .item = {"height", 1, height_of}, .place = place},
};
EXAMPLE_COUNT;
