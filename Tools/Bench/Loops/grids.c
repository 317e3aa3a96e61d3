// Rows that repeat: the place of an item follows from its number.
#include "loops.h"

#include <math.h>
#include <stddef.h>

// One item over the full width; then two halves, a large one left of two small ones, and two small ones left of a large
// one, again and again while three items are left.
void lay_out_mosaic(const collection *items, rows *out) {
  const double height = 200, spacing = 1, width = floor(items->bounds.width);
  // The slices of a row are one point apart.
  const double half = ceil(width / 2), large = ceil(width * (2.0 / 3)), small = ceil(width * (1.0 / 3));
  const double other_half = width - half - 1, rest_of_large = width - large - 1, rest_of_small = width - small - 1;
  const double upper = ceil(height / 2), lower = height - upper - 1;
  rect *frame = out->frames, *end = frame + items->count;
  double y = spacing;
  for (int row = 0; frame < end; row = row % 3 + 1) {
    const ptrdiff_t left = end - frame;
    if (row == 0 || left == 1) {
      *frame++ = (rect){0, y, items->bounds.width, height};
    } else if (row == 1 || left == 2) {
      *frame++ = (rect){0, y, half, height};
      *frame++ = (rect){half + 1, y, other_half, height};
    } else if (row == 2) {
      *frame++ = (rect){0, y, large, height};
      *frame++ = (rect){large + 1, y, rest_of_large, upper};
      *frame++ = (rect){large + 1, y + upper + 1, rest_of_large, lower};
    } else {
      *frame++ = (rect){0, y, small, upper};
      *frame++ = (rect){0, y + upper + 1, small, lower};
      *frame++ = (rect){small + 1, y, rest_of_small, height};
    }
    y += height + spacing;
  }
  out->count = items->count;
  out->content = (size){items->bounds.width, y - spacing};
}

// As many rows as fit the height, filled column by column; odd rows are shifted by half an item.
void lay_out_stagger(const collection *items, rows *out) {
  const size item = {100, 90};
  const double spacing = 10, across = item.width + spacing, down = item.height + spacing;
  const int64_t count = items->count, row_count = (int64_t)fmax(1, (items->bounds.height + spacing) / down);
  double x = 0, right = 0;
  for (int64_t first = 0; first < count; first += row_count, x += across) {
    const int64_t rows = count - first < row_count ? count - first : row_count;
    for (int64_t row = 0; row < rows; row++) {
      const double shift = row % 2 ? item.width / 2 : 0;
      out->frames[first + row] = (rect){x + shift, (double)row * down, item.width, item.height};
    }
    right = fmax(right, x + item.width + (rows > 1 ? item.width / 2 : 0));
  }
  out->count = count;
  out->content = (size){right, (double)row_count * down - spacing};
}

// Equal cells, as many on a line as fit, packed from the left.
void lay_out_grid(const collection *items, rows *out) {
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

// The groups of nested.json, 300 high: above an item and a column of three, again and again while they fit; below four
// items side by side. The places in a group are found once, and repeated.
void lay_out_compositional(const collection *items, rows *out) {
  enum { MOST = 64 };
  const double width = items->bounds.width, height = 300, half = 0.5 * height;
  const double item = 0.3 * width, column = 0.2 * width, third = (half - 2 * 2) / 3, spacing = 4;
  const double round = item + column + 2 * spacing;
  rect places[MOST];
  int64_t leaves = 0;
  for (double start = 0; leaves + 8 < MOST && start + item <= width + 1e-6; start += round) {
    places[leaves++] = (rect){start, 0, item, half};
    const double x = start + (item + spacing);
    if (x + column > width + 1e-6) break;
    for (int row = 0; row < 3; row++) places[leaves++] = (rect){x, row * (third + 2), column, third};
  }
  for (int part = 0; part < 4; part++) places[leaves++] = (rect){part * (width / 4), half, width / 4, half};

  const int64_t count = items->count;
  double y = 0;
  for (int64_t first = 0; first < count; first += leaves, y += height) {
    const int64_t cells = count - first < leaves ? count - first : leaves;
    for (int64_t cell = 0; cell < cells; cell++) {
      out->frames[first + cell] = places[cell];
      out->frames[first + cell].y += y;
    }
  }
  out->count = count;
  out->content = (size){width, y};
}

// The height of a table is the sum of its rows' heights. Where each block of 64 rows begins is kept, so that a row is
// found without those before its block.
void lay_out_table(const collection *items, rows *out) {
  const double header = 28;
  double *tops = items->scratch, y = 0;
  for (int64_t row = 0; row < items->count; row++) {
    if (row % 64 == 0) tops[row / 64] = y;
    y += items->values[row];
  }
  out->content = (size){items->bounds.width, header + y};
}

void place_rows_of_table(const collection *items, rows *out) {
  const double header = 28, inset = 15, thickness = 0.5, width = items->bounds.width, *tops = items->scratch;
  const int64_t count = items->count, separators = count - 1;
  double y = 0;
  for (int64_t row = 0; row < count; row++) {
    if (row % 64 == 0) y = tops[row / 64];
    const double height = items->values[row];
    out->frames[row] = (rect){0, header + y, width, height};
    out->z_indexes[row] = 0;
    if (row < separators) {
      out->frames[count + row] = (rect){inset, header + y + height - thickness, width - inset, thickness};
      out->z_indexes[count + row] = 1;
    }
    y += height;
  }
  out->frames[count + separators] = (rect){0, 0, width, header};
  out->z_indexes[count + separators] = 1024;
  out->count = count + separators + 1;
}
