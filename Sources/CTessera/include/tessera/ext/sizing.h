// tessera.sizing/1, an ability of an engine: its elements can be sized by their content.
//
// The host fetches it with engine->extension(engine, TESSERA_EXT_SIZING). It then supplies some
// values of the engine: an estimate, then the measured size. It measures elements when a query
// first returns them, prepares again, and corrects the scroll offset to keep visible elements in
// place. Estimates and proposals must not depend on measured sizes; they hold until something else
// changes. The host may ask for them before the first prepare, when a derived engine has not yet
// overridden its base: override nothing that they depend on.

#ifndef TESSERA_EXT_SIZING_H
#define TESSERA_EXT_SIZING_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_EXT_SIZING "tessera.sizing/1"

// The elements to measure, and the value that measuring supplies: declared by the engine itself, of
// type TESSERA_TYPE_SIZE, or TESSERA_TYPE_NUMBER for a height.
typedef struct tessera_measured {
  // an item value for cells; a section value for element 0 of a kind in each section
  const char *value;
  const char *TESSERA_NULLABLE kind; // a supplementary kind of the engine; null: cells
} tessera_measured;

typedef struct TESSERA_SENDABLE tessera_sizing {
  uint32_t struct_size; // exactly the size of this struct
  uint32_t measured_count;
  const tessera_measured *measured; // each kind once
  // The sizes that the elements of `run` are assumed to have until they are measured, in points,
  // not negative. `run` has cells of one section, at least one, or the supplementary element 0 of a
  // measured kind. On entry `count` is the run's. The engine writes as many sizes; or one for all,
  // and sets `count` to 1; or no size, and sets `count` to 0, if the parameters turn measuring off
  // for the run: the host then supplies the value as usual. Owner: the host owns `sizes`, with room
  // for the run's count. Errors: any. [created, prepared; layout]
  tessera_status (*estimates)(tessera_layout *TESSERA_NULLABLE layout, const tessera_input *input,
                              const tessera_run *run, tessera_size *sizes, uint64_t *count);
  // The sizes proposed to the elements of `run`, in points, not negative; 0: unlimited. `run` and
  // `count` are as for estimates, but `count` is not set to 0. A measured size is valid as long as
  // the proposal stays the same. Errors: any. [created, prepared; layout]
  tessera_status (*proposals)(tessera_layout *TESSERA_NULLABLE layout, const tessera_input *input,
                              const tessera_run *run, tessera_size *sizes, uint64_t *count);
} tessera_sizing;

TESSERA_LAYOUT_IS(tessera_measured, 16, kind, 8);
TESSERA_LAYOUT_IS(tessera_sizing, 32, proposals, 24);

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
