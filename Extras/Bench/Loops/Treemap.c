#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>

// Squarified rows after Bruls, Huizing and van Wijk (2000), along the shorter side of the free
// space. `rests` has space for suffix sums of the weights.
static void squarify(const double *weights, int64_t count, rect free, double *rests, rect *frames) {
  const double ratio = 1.618033988749895;
  rests[count] = 0;
  for (int64_t item = count; item-- > 0;) rests[item] = rests[item + 1] + weights[item];
  int64_t end;
  for (int64_t first = 0; first < count; first = end) {
    const double rest = rests[first];
    const double alpha = larger(free.height / free.width, free.width / free.height) / (rest * ratio);
    double sum = 0, least = weights[first], greatest = least, worst = 0;
    for (end = first; end < count; end++) {
      const double weight = weights[end], longer = sum + weight, beta = longer * longer * alpha;
      least = weight < least ? weight : least;
      greatest = larger(weight, greatest);
      const double with_it = larger(greatest / beta, beta / least);
      if (end > first && with_it > worst) break;
      worst = with_it;
      sum = longer;
    }

    const double part = sum / rest, left = rests[end] / rest;
    if (free.width < free.height) {
      rect row = {free.x, free.y, free.width, free.height * part};
      const double unit = row.width / sum;
      for (int64_t item = first; item < end; item++) {
        const double length = weights[item] * unit;
        frames[item] = (rect){row.x, row.y, length, row.height};
        row.x += length;
      }
      free.y += row.height;
      free.height *= left;
    } else {
      rect row = {free.x, free.y, free.width * part, free.height};
      const double unit = row.height / sum;
      for (int64_t item = first; item < end; item++) {
        const double length = weights[item] * unit;
        frames[item] = (rect){row.x, row.y, row.width, length};
        row.y += length;
      }
      free.x += row.width;
      free.width *= left;
    }
  }
}

static void lay_out(const collection *items, rows *out) {
  squarify(items->values, items->count, (rect){0, 0, items->bounds.width, items->bounds.height}, items->scratch, out->frames);
  for (int64_t item = 0; item < items->count; item++) out->z_indexes[item] = 1;
  out->content = items->bounds;
  out->count = items->count;
}

// The parent of an item, or the section as the last group.
static int64_t group_of(const collection *items, int64_t item) { return items->integers[item] < 0 ? items->count : items->integers[item]; }

// Parents come before children here. Sums go up, rectangles go down.
static void lay_out_nested(const collection *items, rows *out) {
  const int64_t count = items->count;
  int64_t *starts = items->scratch, *children = starts + count + 2;
  double *totals = (double *)(children + count), *weights = totals + count, *rests = weights + count;
  rect *tiles = (rect *)(rests + count + 1);
  for (int64_t group = 0; group < count + 2; group++) starts[group] = 0;
  for (int64_t item = 0; item < count; item++) starts[group_of(items, item) + 1]++;
  for (int64_t group = 0; group <= count; group++) starts[group + 1] += starts[group];
  // Filling moves each group's start to its end, the next group's start.
  for (int64_t item = 0; item < count; item++) children[starts[group_of(items, item)]++] = item;

  for (int64_t item = count; item-- > 0;) {
    double sum = 0;
    for (int64_t place = item ? starts[item - 1] : 0; place < starts[item]; place++) sum += totals[children[place]];
    totals[item] = items->values[item] + sum;
  }
  for (int64_t number = 0; number <= count; number++) {
    const int64_t group = number == 0 ? count : number - 1, first = group ? starts[group - 1] : 0, end = starts[group];
    if (first == end) continue;
    const rect whole = {0, 0, items->bounds.width, items->bounds.height};
    for (int64_t place = first; place < end; place++) weights[place - first] = totals[children[place]];
    squarify(weights, end - first, group == count ? whole : out->frames[group], rests, tiles);
    for (int64_t place = first; place < end; place++) {
      out->frames[children[place]] = tiles[place - first];
      out->z_indexes[children[place]] = group == count ? 1 : out->z_indexes[group] + 1;
    }
  }
  out->content = items->bounds;
  out->count = count;
}

#define WEIGHTS "--item weight='1+noise(item)*9'"
static void weight_of(double item, double *numbers) { numbers[0] = 1 + noise(item) * 9; }
static void parent_of(double item, double *numbers) { numbers[0] = item < 100000 ? -1 : fmod(item, 100000); }

const example examples[] = {
  {WEIGHTS, lay_out, .item = {"weight", 1, weight_of}},
  {WEIGHTS " --item parent='item<100000?-1:item%100000'", lay_out_nested, .item = {"weight", 1, weight_of},
   .integer = {"parent", 1, parent_of}},
};
EXAMPLE_COUNT;
