// The rule of each engine, written by hand in C for one case: one section, and the parameters that its table in
// Plugins/*/README.md names. What an engine takes longer than its loop, it takes for being general.
#ifndef LOOPS_H
#define LOOPS_H

#include <stdint.h>

typedef struct size { double width, height; } size;
typedef struct rect { double x, y, width, height; } rect;

// What is laid out.
typedef struct collection {
  int64_t count;       // of the items
  size bounds;          // of the viewport
  double scale;         // pixels of a point
  const double *values; // a number or a size for each item
  const int64_t *parents;
  void *scratch;        // 128 bytes an item, and some: kept from one layout to the next, as engines keep memory
} collection;

// What an engine writes: cells, then decorations, then supplementary elements.
typedef struct rows {
  int64_t count;
  rect *frames;
  int32_t *z_indexes;
  uint8_t *hidden;
  int32_t *modes; // the attributes of aspect-flow
  rect *pictures;
  size content;
} rows;

typedef void loop(const collection *items, rows *out);

loop lay_out_mosaic, lay_out_stagger, lay_out_grid, lay_out_compositional, lay_out_table;
loop lay_out_flow, lay_out_flow_of_sizes, lay_out_column_flow, lay_out_cover_flow, lay_out_aspect_flow, lay_out_even_flow;
loop lay_out_justified, lay_out_justified_balanced, lay_out_waterfall_4, lay_out_waterfall_8, lay_out_waterfall_64;
loop lay_out_treemap, lay_out_nested_treemap, lay_out_timetable;

// The rows of a table, of which its loop keeps only how far each block of 64 is from the top.
loop place_rows_of_table;

#endif
