#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>

enum { INSET = 10, SPACING = 10, TARGET = 320 };

// The width that a row leaves for its items.
static double free_width(const collection *items, int64_t count) {
  const double room = items->bounds.width - 2 * INSET - (double)(count - 1) * SPACING;
  return room > 0 ? room : 0;
}

// A row of pictures with one height, which fill the width unless the row is the last one and open.
static double place_row(const collection *items, int64_t first, int64_t end, double y, double open, rect *frames) {
  double sum = 0, x = INSET;
  for (int64_t item = first; item < end; item++) sum += items->values[item];
  const double natural = free_width(items, end - first) / sum;
  double scale = natural, height = larger(TARGET / 2, smaller(natural, TARGET * 2));
  if (open > 0) height = scale = smaller(open, natural);
  for (int64_t item = first; item < end; item++) {
    const double width = items->values[item] * scale;
    frames[item] = (rect){x, y, width, height};
    x += width + SPACING;
  }
  return height;
}

// How far the sum of a row's aspect ratios is from the one that gives it the target height.
static double miss(const collection *items, double sum, int64_t count) {
  return fabs(sum - free_width(items, count) / TARGET);
}

// A row closes as soon as it is near enough to the target height.
static void lay_out_greedy(const collection *items, rows *out) {
  const double natural = (items->bounds.width - 2 * INSET) / TARGET, least = natural * 0.75, most = natural * 1.25;
  const double *ratios = items->values;
  const int64_t count = items->count;
  double y = INSET, height = TARGET;
  int64_t end;
  for (int64_t first = 0; first < count; first = end) {
    double sum = ratios[first];
    for (end = first + 1; end < count && sum < least; end++) {
      const double joined = sum + ratios[end];
      if (joined > most && miss(items, joined, end - first + 1) > miss(items, sum, end - first)) break;
      sum = joined;
    }
    const bool open = end == count && sum < least;
    height = place_row(items, first, end, y, open ? height : 0, out->frames);
    y = y + height + SPACING;
  }
  out->content = (size){items->bounds.width, y - SPACING + INSET};
  out->count = count;
}

// The best rows of the first items.
typedef struct best {
  double cost;
  int64_t first, rows; // the first item of the last row, and the number of rows
} best;

// Of two numbers of items whose rows cost the same: whether the rows of one are fewer, or as many and the first of them
// that differs is longer.
static bool is_better(const best *found, int64_t one, int64_t other) {
  if (found[one].rows != found[other].rows) return found[one].rows < found[other].rows;
  bool is = false;
  for (; one != other; one = found[one].first, other = found[other].first) is = one > other;
  return is;
}

// The best rows of the first `end` items: each last row that is possible, and the best rows of the items before it.
static best find_best(const collection *items, const best *found, int64_t end, bool is_last) {
  int64_t chosen = end - 1;
  double least = INFINITY, sum = 0;
  for (int64_t first = end; first-- > 0;) {
    sum += items->values[first];
    const double free = free_width(items, end - first);
    if (end - first > 1 && sum * (TARGET / 2) > free) break; // too low, as all longer rows are
    const double height = free / sum, off = height * (1.0 / TARGET) - 1;
    double cost = off * off;
    if (is_last && height >= TARGET) cost = 0;
    if (!is_last && height > TARGET * 2 && end - first > 1) cost = INFINITY;
    cost += found[first].cost;
    const bool ties = fabs(cost - least) <= 1e-9;
    if (ties ? is_better(found, first, chosen) : cost < least) {
      chosen = first;
      least = cost;
    }
  }
  return (best){least, chosen, found[chosen].rows + 1};
}

// The rows whose costs have the least sum; a row costs the square of the part by which it misses the target height.
static void lay_out_balanced(const collection *items, rows *out) {
  const int64_t count = items->count;
  best *found = items->scratch;
  found[0] = (best){0};
  for (int64_t end = 1; end <= count; end++) found[end] = find_best(items, found, end, false);
  found[count] = find_best(items, found, count, true);

  // The ends of the rows, backwards.
  int64_t *ends = (int64_t *)(found + count + 1), rows = found[count].rows, number = rows;
  for (int64_t end = count; end > 0; end = found[end].first) ends[--number] = end;
  double y = INSET, height = TARGET, sum = 0;
  for (int64_t first = 0; number < rows; first = ends[number++]) {
    const int64_t end = ends[number];
    sum = 0;
    for (int64_t item = first; number == rows - 1 && item < end; item++) sum += items->values[item];
    const bool open = number == rows - 1 && free_width(items, end - first) / sum >= TARGET;
    height = place_row(items, first, end, y, open ? height : 0, out->frames);
    y = y + height + SPACING;
  }
  out->content = (size){items->bounds.width, y - SPACING + INSET};
  out->count = count;
}

const example examples[] = {
  {RATIOS, lay_out_greedy, .item = {"aspectRatio", 1, ratio_of}},
  {"--items 1e7 " RATIOS, lay_out_greedy, .item = {"aspectRatio", 1, ratio_of}, .items = 10000000},
  {"--set method=balanced " RATIOS, lay_out_balanced, .item = {"aspectRatio", 1, ratio_of}, .parameter = "method", .choice = "balanced"},
};
EXAMPLE_COUNT;
