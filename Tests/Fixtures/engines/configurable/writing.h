// Elements on their way into an output.

#ifndef CONFIGURABLE_WRITING_H
#define CONFIGURABLE_WRITING_H

#include "layout.h"

// Writes the columns beside the frame: by the item's place, or by its distance from the middle.
static void dress(const tessera_rows *rows, uint64_t row, uint64_t place, double away) {
  const uint64_t step = ADJUST ? (uint64_t)(away * 4) : place % 4;
  (void)rows, (void)row, (void)step;
  if (WRITTEN & TESSERA_COLUMN_ALPHA) {
    rows->alpha[row] = MUTATED(nanAlpha) && place % 8 == 5 ? (double)NAN : 1 - (double)step / 8;
  }
  if (WRITTEN & TESSERA_COLUMN_Z_INDEX) rows->z_index[row] = (int32_t)step - 1;
  if (WRITTEN & TESSERA_COLUMN_HIDDEN) rows->hidden[row] = step == 3;
  if (WRITTEN & TESSERA_COLUMN_TRANSFORM) {
    const int is_spoilt = MUTATED(nanTransform) && place % 8 == 5;
    const double scale = is_spoilt ? (double)NAN : 1 - (double)step / 8;
    rows->transform[row].m[0] = scale;
    rows->transform[row].m[5] = scale;
  }
#if ATTRIBUTE == 1
  ((double *)rows->attributes[0])[row] =
      MUTATED(nanAttribute) && place % 8 == 5 ? (double)NAN : (double)step / 2;
#elif ATTRIBUTE == 2
  ((int32_t *)rows->attributes[0])[row] = MUTATED(nanAttribute) ? 2 : (int32_t)(step % 2);
#elif ATTRIBUTE == 3
  ((tessera_point *)rows->attributes[0])[row] =
      (tessera_point){(double)step, MUTATED(nanAttribute) ? (double)INFINITY : (double)(place % 3)};
#elif ATTRIBUTE == 4
  ((int64_t *)rows->attributes[0])[row] = (int64_t)step * 3;
#endif
}

#if HEADER || BOARD
static tessera_status add_one(tessera_output *out, tessera_category category, uint32_t kind,
                              uint32_t section, tessera_rect at) {
  const tessera_run run = {.category = category, .kind = kind, .section = section, .count = 1};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status == TESSERA_OK) rows->frame[0] = at;
  return status;
}
#endif

static tessera_status add_extras(const tessera_layout *layout, const tessera_input *in,
                                 tessera_output *out, uint32_t section) {
  tessera_status status = TESSERA_OK;
#if HEADER
  if (has_header(in, section)) {
    const uint32_t told = MUTATED(wrongSection) ? section + 1 : section;
    const uint32_t kind = MUTATED(wrongKind) ? KINDS : HEADER_KIND;
    const tessera_category category =
        MUTATED(wrongCategory) ? TESSERA_CATEGORY_DECORATION : TESSERA_CATEGORY_SUPPLEMENTARY;
    status = add_one(out, category, kind, told, layout->sections[section].header);
    if (status != TESSERA_OK) return status;
    if (MUTATED(twiceHeader)) {
      status = add_one(out, category, kind, told, layout->sections[section].header);
    }
    if (status != TESSERA_OK) return status;
  }
#endif
#if BOARD
  status = add_one(out, TESSERA_CATEGORY_DECORATION, BOARD_KIND, section, layout->sections[section].board);
#endif
  (void)layout, (void)in, (void)out, (void)section;
  return status;
}

// Adds the cells from a place up to another; those before `kept_to` are unchanged if rows are kept.
static tessera_status add_cells(tessera_layout *layout, const tessera_input *in,
                                tessera_output *out, uint32_t section, uint64_t from, uint64_t to,
                                uint64_t kept_to) {
  if (from >= to) return TESSERA_OK;
  const uint64_t start = in->section_starts[section];
  const tessera_run run = {.section = section, .first_item = from - start, .count = to - from};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  if (status != TESSERA_OK) return status;
  const uint64_t limit = kept_to > from ? kept_to - from : 0;
  const uint64_t kept = INCREMENTAL ? (rows->kept < limit ? rows->kept : limit) : 0;
  for (uint64_t i = kept; i < run.count; i++) {
    const int is_shared = MUTATED(sharedCells) && from + i < COUNT(shared_cells);
    rows->frame[i] = is_shared ? shared_cells[from + i] : layout->cells[from + i];
    if (!ADJUST && DRESSED) dress(rows, i, from + i, 0);
  }
  if (MUTATED(offWhenKept) && kept > 0 && kept < run.count) rows->frame[kept].y += 1;
  return TESSERA_OK;
}

#if !LAZY
// The place up to which kept rows hold: the start of the line of the last item before the change.
static uint64_t unchanged(const tessera_layout *layout, const tessera_input *in) {
#if INCREMENTAL
  uint32_t others = TESSERA_CHANGED_ALL | TESSERA_CHANGED_BOUNDS | TESSERA_CHANGED_PARAMETERS;
  if (MUTATED(keepsForParameters)) others &= ~TESSERA_CHANGED_PARAMETERS;
  if (MUTATED(keepsForBounds)) others &= ~TESSERA_CHANGED_BOUNDS;
  if (in->change.what & others) return 0;
  uint32_t data = TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES;
  if (MUTATED(keepsForValues)) data = TESSERA_CHANGED_COUNTS;
  if (!(in->change.what & data)) return layout->item_count;
  if (in->change.first_section >= in->section_count) return layout->item_count;
  const uint64_t start = in->section_starts[in->change.first_section];
  const uint64_t end = in->section_starts[in->change.first_section + 1];
  const uint64_t first = start + in->change.first_item < end ? start + in->change.first_item : end;
  if (MUTATED(keepsLine)) return first;
  return first > start ? layout->lines[first - 1] : start;
#else
  (void)layout, (void)in;
  return 0;
#endif
}

static tessera_status add_all(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const uint64_t kept_to = unchanged(layout, in);
  for (uint32_t section = 0; section < in->section_count; section++) {
    tessera_status status = add_extras(layout, in, out, section);
    if (status != TESSERA_OK) return status;
    uint64_t from = in->section_starts[section], to = in->section_starts[section + 1];
    if (MUTATED(dropsLast) && section + 1 == in->section_count && to > from) to--;
    if (MUTATED(dropsFirstOfSection) && section > 0 && to > from) from++;
    if (MUTATED(dropsBeyondThousand) && to - from > 1000) to = from + 1000;
    if (MUTATED(dropsAtLimit) && in->parameters[ROW_HEIGHT].number >= 400 && to > from) to--;
    if (MUTATED(wrongItem) && to > from + 1) {
      status = add_cells(layout, in, out, section, from + 1, to, kept_to);
      if (status == TESSERA_OK) status = add_cells(layout, in, out, section, from + 1, from + 2, 0);
    } else {
      status = add_cells(layout, in, out, section, from, to, kept_to);
    }
    if (status != TESSERA_OK) return status;
    const uint64_t second = to > from ? from + 1 : to;
    if (MUTATED(twiceCell)) status = add_cells(layout, in, out, section, from, second, 0);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
#endif

#endif
