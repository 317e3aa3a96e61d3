// What a lazy engine answers, and what the viewport changes.

#ifndef CONFIGURABLE_ANSWERING_H
#define CONFIGURABLE_ANSWERING_H

#include "placing.h"
#include "writing.h"

#if LAZY || (ADJUST == 2 && HEADER)
// The first section that reaches down to a height, by halving. Its board has the header and the cells, whose frames may be a point off on
// a pixel grid.
static uint32_t first_section(const tessera_layout *layout, const tessera_input *in, double y) {
  uint32_t first = 0, end = in->section_count;
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    const tessera_rect board = layout->sections[middle].board;
    if (board.y + board.height < y - 1) first = middle + 1;
    else end = middle;
  }
  return first;
}
#endif

#if LAZY
static int meets(tessera_rect a, tessera_rect b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in,
                                       tessera_rect rect, tessera_output *out) {
  if (layout->prepares == 0) return TESSERA_ERROR_WRONG_STATE;
  const int is_part = rect.height < 1e6;
  for (uint32_t section = first_section(layout, in, rect.y); section < in->section_count; section++) {
    if (layout->sections[section].board.y > rect.y + rect.height + 1) break;
    tessera_status status = TESSERA_OK;
    if (!(MUTATED(dropsHeaderInRect) && is_part && rect.y > layout->sections[section].header.y)) {
      status = add_extras(layout, in, out, section);
    }
    if (status != TESSERA_OK) return status;
    uint64_t from = in->section_starts[section], to = in->section_starts[section + 1];
    while (from < to && !meets(rect, layout->cells[from])) from++;
    while (to > from && !meets(rect, layout->cells[to - 1])) to--;
    const int holds_first = to > from && from == in->section_starts[section];
    const int holds_last = to > from && to == in->section_starts[section + 1];
    if (MUTATED(dropsLast) && section + 1 == in->section_count && holds_last) to--;
    if (MUTATED(dropsFirstOfSection) && section > 0 && holds_first) from++;
    if (MUTATED(dropsBeyondThousand) && to > 1000) to = from < 1000 ? 1000 : from;
    if (MUTATED(dropsAtLimit) && in->parameters[ROW_HEIGHT].number >= 400 && to > from) to--;
    if (MUTATED(dropsInRect) && is_part && to > from + 2) to--;
    status = add_cells(layout, in, out, section, from, to, 0);
    if (status != TESSERA_OK) return status;
    if ((MUTATED(twiceInRect) && is_part && from > 0) || MUTATED(twiceCell)) {
      status = add_cells(layout, in, out, section, from, to < from + 1 ? to : from + 1, 0);
    }
    if (status != TESSERA_OK) return status;
  }
  if (MUTATED(offInRect) && is_part) {
    tessera_run run;
    const tessera_rows *rows;
    const uint64_t runs = out->run_count(out);
    if (runs > 0 && out->get(out, runs - 1, &run, &rows) == TESSERA_OK && rows->count > 1) {
      rows->frame[rows->count - 1].x += 1;
    }
  }
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  if (layout->prepares == 0) return TESSERA_ERROR_WRONG_STATE;
  if (run->section >= in->section_count) return TESSERA_OK;
  if (run->category == TESSERA_CATEGORY_CELL) {
    if (run->first_item >= items_of(in, run->section)) return TESSERA_OK;
    const int is_last = run->first_item + 1 == items_of(in, run->section);
    if (MUTATED(dropsInElement) && is_last) return TESSERA_OK;
    const uint64_t place = in->section_starts[run->section] + run->first_item;
    if (MUTATED(wrongInElement) && run->first_item % 5 == 3) {
      return add_cells(layout, in, out, run->section, place - 1, place, 0);
    }
    const tessera_rect kept = layout->cells[place];
    if (MUTATED(offInElement) && place % 4 == 3) layout->cells[place].y += 1;
    const tessera_status status = add_cells(layout, in, out, run->section, place, place + 1, 0);
    layout->cells[place] = kept;
    return status;
  }
  if (run->first_item != 0) return TESSERA_OK;
#if HEADER
  if (run->category == TESSERA_CATEGORY_SUPPLEMENTARY && run->kind == HEADER_KIND) {
    if (!has_header(in, run->section)) return TESSERA_OK;
    return add_one(out, run->category, run->kind, run->section,
                   layout->sections[run->section].header);
  }
#endif
#if BOARD
  if (run->category == TESSERA_CATEGORY_DECORATION && run->kind == BOARD_KIND) {
    return add_one(out, run->category, run->kind, run->section,
                   layout->sections[run->section].board);
  }
#endif
  return TESSERA_OK;
}
#endif

#if ADJUST
// Keeps the headers of the sections in sight at the upper edge of the viewport.
static tessera_status pin_headers(tessera_layout *layout, const tessera_input *in,
                                  tessera_rect rect, tessera_output *out) {
#if ADJUST == 2 && HEADER
  for (uint32_t section = first_section(layout, in, rect.y); section < in->section_count; section++) {
    if (layout->sections[section].board.y > rect.y + rect.height + 1) break;
    if (!has_header(in, section)) continue;
    const section_frames frames = layout->sections[section];
    const double end = frames.board.y + frames.board.height - frames.header.height;
    tessera_rect at = frames.header;
    at.y = fmax(at.y, fmin(rounded(layout, in, in->viewport.y + in->content_insets.top), end));
    const tessera_status status = add_one(out, TESSERA_CATEGORY_SUPPLEMENTARY, HEADER_KIND, section, at);
    if (status != TESSERA_OK) return status;
  }
#else
  (void)layout, (void)in, (void)rect, (void)out;
#endif
  return TESSERA_OK;
}

static tessera_status adjust(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                             tessera_output *out) {
  if (layout->prepares == 0) return TESSERA_ERROR_WRONG_STATE;
  const uint64_t runs = out->run_count(out);
  for (uint64_t r = 0; r < runs; r++) {
    tessera_run run;
    const tessera_rows *rows;
    const tessera_status status = out->get(out, r, &run, &rows);
    if (status != TESSERA_OK) return status;
    if (run.category != TESSERA_CATEGORY_CELL) continue;
    for (uint64_t i = 0; i < run.count; i++) {
      const tessera_rect at = rows->frame[i];
      const double middle = in->viewport.y + in->viewport.height / 2;
      const double distance = fabs(at.y + at.height / 2 - middle) / (in->viewport.height / 2 + 1);
      if (DRESSED) dress(rows, i, run.first_item + i, fmin(distance, 1));
      if (MUTATED(offInAdjust) && rect.height < 700 && i + 1 == run.count) rows->frame[i].x += 1;
    }
  }
  return pin_headers(layout, in, rect, out);
}
#endif

#endif
