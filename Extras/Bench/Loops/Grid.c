#include "../../Extras/Bench/Comparisons/loops.h"

static void lay_out(const collection *items, rows *out) {
  const double side = 50, pitch = 60;
  const int64_t count = items->count, columns = (int64_t)((items->bounds.width + 1e-6 + pitch - side) / pitch);
  double y = 0;
  for (int64_t first = 0; first < count; first += columns, y += pitch) {
    const int64_t cells = count - first < columns ? count - first : columns;
    for (int64_t column = 0; column < cells; column++)
      out->frames[first + column] = (rect){(double)column * pitch, y, side, side};
  }
  out->count = count;
  out->content = (size){items->bounds.width, y - pitch + side};
}

const example examples[] = {
  {"", lay_out},
};
EXAMPLE_COUNT;
