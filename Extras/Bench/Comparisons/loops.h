// What the files in Loops share: each has an engine's rule written by hand in C for some cases, with one section and
// the parameters that the table in the engine's README names. What the engine takes longer, it takes for being general.
#ifndef LOOPS_H
#define LOOPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tessera/tessera_host.h>

typedef struct size { double width, height; } size;
typedef struct rect { double x, y, width, height; } rect;

// What is laid out.
typedef struct collection {
  int64_t count;           // of the items
  size bounds;             // of the viewport
  double scale;            // pixels of a point
  const double *values;    // a number or a size for each item
  const int64_t *integers; // another value for each item
  void *scratch;           // 128 bytes an item, and some: kept from one layout to the next, as engines keep memory
} collection;

// What an engine writes: cells, then decorations by the names of their kinds, then supplementary elements likewise.
typedef struct rows {
  int64_t count;
  rect *frames;
  int32_t *z_indexes;
  uint8_t *hidden;
  int32_t *choices; // attributes of the engine's own
  rect *rects;
  size content;
} rows;

// A value of items: its name, how many numbers it has, and these for an item.
typedef struct value {
  const char *name;
  uint32_t components;
  void (*of)(double item, double *numbers);
} value;

// A case: a row of the table in the engine's README.
typedef struct example {
  const char *options;
  void (*lay_out)(const collection *items, rows *out);
  value item, integer;
  const char *parameter; // that is set to the number, or to the choice
  double number;
  const char *choice;
  int32_t (*set)(tessera_session *session); // sets what else there is
  int64_t items; // 0: a million
  size bounds;   // 0: 375 × 667
  // Places the rows of an engine that is lazy, after its loop. They are then compared to a part in 10^9, because it may add numbers
  // in another order, and else bit for bit.
  void (*place)(const collection *items, rows *out);
  const char *choices, *rects; // the names of attributes
  bool adjusts_z; // in adjust, so that prepare has no z indexes
} example;

extern const example examples[];
extern const int example_count;
#define EXAMPLE_COUNT const int example_count = sizeof examples / sizeof *examples

// A fixed number from 0 up to 1 for each number, as `noise` in the expressions of the command: splitmix64 of its bits.
static inline double noise(double x) {
  uint64_t bits = 0;
  if (x != 0) memcpy(&bits, &x, sizeof bits);
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return (double)((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

#define RATIOS "--item aspectRatio='0.5+noise(item)*1.5'"
static inline void ratio_of(double item, double *numbers) { numbers[0] = 0.5 + noise(item) * 1.5; }

// Without calls of the C library, which fmax and floor are: they take no infinity, and no position below 0.
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double down(double position) { return (double)(int64_t)position; }
static inline double up(double position) { return down(position) + (down(position) < position ? 1 : 0); }
// The nearest pixel, half up.
static inline double pixel(double position, double scale) { return down(position * scale + 0.5) / scale; }

// Lines of equal items.
typedef struct lines {
  size item;         // its length along the line, and its thickness across
  double left, room; // where lines begin, and how long they are
  double interitem, spacing;
} lines;

// How many items fit a line, and where its first one begins and how far they are apart: they fill it.
static inline int64_t spread(const lines *style, double *start, double *gap) {
  const double length = style->item.width;
  const int64_t fitting = (int64_t)((style->room + 1e-6 + style->interitem) / (length + style->interitem));
  *start = fitting < 2 ? style->left + (style->room - length) / 2 : style->left;
  *gap = fitting < 2 ? 0 : (style->room - (double)fitting * length) / (double)(fitting - 1);
  return fitting < 2 ? 1 : fitting;
}

// Places lines from `y` on, and returns where the last one ends. They are columns where the content scrolls sideways. Each
// differs from the first only in its y.
static inline double place_lines(const collection *items, const lines *style, double y, bool sideways, rect *frames) {
  const double length = style->item.width, thickness = style->item.height;
  const int64_t count = items->count;
  double x, gap;
  const int64_t fitting = spread(style, &x, &gap);
  for (int64_t first = 0; first < count; first += fitting) {
    const int64_t end = count - first < fitting ? count : first + fitting;
    const double rounded = pixel(y, items->scale);
    for (int64_t item = first; item < end; item++) {
      double place;
      if (first == 0) {
        place = pixel(x, items->scale);
        x += length + gap;
      } else {
        place = sideways ? frames[item - fitting].y : frames[item - fitting].x;
      }
      frames[item] = sideways ? (rect){rounded, place, thickness, length} : (rect){place, rounded, length, thickness};
    }
    y += thickness + style->spacing;
  }
  return y - style->spacing;
}

#endif
