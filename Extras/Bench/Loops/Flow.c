#include "../../Extras/Bench/Comparisons/loops.h"

// Lines of equal items differ only in y.
static void lay_out_equal(const collection *items, rows *out) {
  const lines style = {{50, 50}, 0, items->bounds.width, 10, 10};
  out->content = (size){items->bounds.width, place_lines(items, &style, 0, false, out->frames)};
  out->count = items->count;
}

// Items of any size: a line takes as many as fit and spreads them. The last one keeps the least
// spacing, unless its items are equal.
static void lay_out_sizes(const collection *items, rows *out) {
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

static void size_of(double item, double *numbers) { numbers[0] = 30 + noise(item) * 60, numbers[1] = 20 + noise(item + 0.5) * 37; }
static void wide_size_of(double item, double *numbers) { numbers[0] = 150 + noise(item) * 60, numbers[1] = 20; }

const example examples[] = {
  {"--item size='30+noise(item)*60,20+noise(item+0.5)*37'", lay_out_sizes, .item = {"size", 2, size_of}},
  {"--item size='150+noise(item)*60,20'", lay_out_sizes, .item = {"size", 2, wide_size_of}},
  {"", lay_out_equal},
};
EXAMPLE_COUNT;
