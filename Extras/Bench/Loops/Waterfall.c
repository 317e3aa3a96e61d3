#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>

static inline void lay_out(const collection *items, int columns, rows *out) {
  enum { MOST = 64 };
  const double spacing = 10, scale = items->scale;
  const double width = floor((items->bounds.width - (columns - 1) * spacing) / columns * scale) / scale;
  double bottoms[MOST] = {0}, end = 0;
  for (int64_t item = 0; item < items->count; item++) {
    int shortest = 0;
    double top = bottoms[0];
    for (int column = 1; column < columns; column++) {
      shortest = bottoms[column] < top ? column : shortest;
      top = bottoms[column] < top ? bottoms[column] : top;
    }
    const double height = pixel(width / items->values[item], scale);
    out->frames[item] = (rect){shortest * (width + spacing), top, width, height};
    bottoms[shortest] = top + height + spacing;
    end = larger(end, top + height);
  }
  out->content = (size){items->bounds.width, end};
  out->count = items->count;
}

static void lay_out_4(const collection *items, rows *out) { lay_out(items, 4, out); }
static void lay_out_8(const collection *items, rows *out) { lay_out(items, 8, out); }
static void lay_out_64(const collection *items, rows *out) { lay_out(items, 64, out); }

const example examples[] = {
  {"--set columnCount=4 " RATIOS, lay_out_4, .item = {"aspectRatio", 1, ratio_of}, .parameter = "columnCount", .number = 4},
  {"--set columnCount=8 " RATIOS, lay_out_8, .item = {"aspectRatio", 1, ratio_of}, .parameter = "columnCount", .number = 8},
  {"--bounds 2560x1440 --set columnCount=64 " RATIOS, lay_out_64, .item = {"aspectRatio", 1, ratio_of}, .parameter = "columnCount",
   .number = 64, .bounds = {2560, 1440}},
};
EXAMPLE_COUNT;
