#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>

enum { INSET = 10, SPACING = 10, TARGET = 320 };

static double free_width(const collection *items, int64_t count) {
  const double room = items->bounds.width - 2 * INSET - (double)(count - 1) * SPACING;
  return room > 0 ? room : 0;
}

// Items of one height. They fill the width except in an open last row.
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

// Distance of the sum of aspect ratios from the sum at the target height.
static double miss(const collection *items, double sum, int64_t count) {
  return fabs(sum - free_width(items, count) / TARGET);
}

// Closes a row near enough to the target height.
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

typedef struct best {
  double cost;
  int64_t first, rows;
} best;

// Breaks ties: fewer rows win, then the longer first row.
static bool is_better(const best *found, int64_t one, int64_t other) {
  if (found[one].rows != found[other].rows) return found[one].rows < found[other].rows;
  bool is = false;
  for (; one != other; one = found[one].first, other = found[other].first) is = one > other;
  return is;
}

// The best rows of the first `end` items, over all possible last rows.
static best find_best(const collection *items, const best *found, int64_t end, bool is_last) {
  int64_t chosen = end - 1;
  double least = INFINITY, sum = 0;
  for (int64_t first = end; first-- > 0;) {
    sum += items->values[first];
    const double free = free_width(items, end - first);
    if (end - first > 1 && sum * (TARGET / 2) > free) break; // too low, and so are longer rows
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

// Minimises the sum of costs; a row costs its squared relative distance from the target height.
static void lay_out_balanced(const collection *items, rows *out) {
  const int64_t count = items->count;
  best *found = items->scratch;
  found[0] = (best){0};
  for (int64_t end = 1; end <= count; end++) found[end] = find_best(items, found, end, false);
  found[count] = find_best(items, found, count, true);

  // Row ends, backwards.
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
