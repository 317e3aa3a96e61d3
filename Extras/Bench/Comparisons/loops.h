// Shared by Loops: each file has an engine's rule by hand in C, for one section and the parameters
// in the engine's README. The difference is the cost of a general engine.
#ifndef LOOPS_H
#define LOOPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tessera/tessera_host.h>

typedef struct size { double width, height; } size;
typedef struct rect { double x, y, width, height; } rect;

typedef struct collection {
  int64_t count;
  size bounds;
  double scale;            // pixels per point
  const double *values;    // a number or a size per item
  const int64_t *integers; // another value per item
  void *scratch;           // over 128 bytes per item, kept between layouts as engines do
} collection;

// Rows of an engine: cells, decorations by kind name, supplementary elements by kind name.
typedef struct rows {
  int64_t count;
  rect *frames;
  int32_t *z_indexes;
  uint8_t *hidden;
  int32_t *choices; // attributes of the engine
  rect *rects;
  size content;
} rows;

// An item value: its name, its number of components, and its function.
typedef struct value {
  const char *name;
  uint32_t components;
  void (*of)(double item, double *numbers);
} value;

// A row of the table in the engine's README.
typedef struct example {
  const char *options;
  void (*lay_out)(const collection *items, rows *out);
  value item, integer;
  const char *parameter; // gets the number or the choice
  double number;
  const char *choice;
  int32_t (*set)(tessera_session *session);
  int64_t items; // 0: a million
  size bounds;   // 0: 375 × 667
  // Places the rows of a lazy engine, after its loop. They may differ by 10^-9, as it may add in
  // another order; others must be equal bit for bit.
  void (*place)(const collection *items, rows *out);
  const char *choices, *rects; // attribute names
  bool adjusts_z; // in adjust, so prepare has no z indexes
} example;

extern const example examples[];
extern const int example_count;
#define EXAMPLE_COUNT const int example_count = sizeof examples / sizeof *examples

// `noise` of the command's expressions, in [0, 1): splitmix64 of the bits.
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

// Faster than fmax and floor: no infinity, and no negative position.
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double down(double position) { return (double)(int64_t)position; }
static inline double up(double position) {
  return down(position) + (down(position) < position ? 1 : 0);
}
// The nearest pixel, half up.
static inline double pixel(double position, double scale) {
  return down(position * scale + 0.5) / scale;
}

typedef struct lines {
  size item;         // length along the line, thickness across
  double left, room; // start and length of lines
  double interitem, spacing;
} lines;

// The number of items on a line, with the start and gap that fill it.
static inline int64_t spread(const lines *style, double *start, double *gap) {
  const double length = style->item.width;
  const int64_t fitting =
      (int64_t)((style->room + 1e-6 + style->interitem) / (length + style->interitem));
  *start = fitting < 2 ? style->left + (style->room - length) / 2 : style->left;
  *gap = fitting < 2 ? 0 : (style->room - (double)fitting * length) / (double)(fitting - 1);
  return fitting < 2 ? 1 : fitting;
}

// Places lines from `y` on and returns their end. Lines are columns if the content scrolls
// sideways. Each differs from the first only in its y.
static inline double place_lines(const collection *items, const lines *style, double y,
                                 bool sideways, rect *frames) {
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
      frames[item] = sideways ? (rect){rounded, place, thickness, length}
                              : (rect){place, rounded, length, thickness};
    }
    y += thickness + style->spacing;
  }
  return y - style->spacing;
}

#endif
