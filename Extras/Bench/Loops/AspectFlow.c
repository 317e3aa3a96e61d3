#include "../../Extras/Bench/Comparisons/loops.h"

// Square cells; each picture is the largest centred rectangle of its aspect ratio.
static void lay_out(const collection *items, rows *out) {
  const double side = 140, inset = 13;
  const lines style = {{side, side}, inset, items->bounds.width - 2 * inset, 13, 13};
  out->content = (size){items->bounds.width, place_lines(items, &style, inset, false, out->frames) + inset};
  for (int64_t item = 0; item < items->count; item++) {
    const double ratio = items->values[item];
    const double width = smaller(side, side * ratio), height = smaller(side, side / ratio);
    out->choices[item] = 0;
    out->rects[item] = (rect){(side - width) / 2, (side - height) / 2, width, height};
  }
  out->count = items->count;
}

const example examples[] = {
  {RATIOS, lay_out, .item = {"aspectRatio", 1, ratio_of}, .choices = "layoutMode", .rects = "contentRect"},
};
EXAMPLE_COUNT;
