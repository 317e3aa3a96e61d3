// tessera.snapping/1, an ability of an engine: it decides where scrolling stops.
//
// The host fetches it with engine->extension(engine, TESSERA_EXT_SNAPPING).

#ifndef TESSERA_EXT_SNAPPING_H
#define TESSERA_EXT_SNAPPING_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_EXT_SNAPPING "tessera.snapping/1"

typedef struct TESSERA_SENDABLE tessera_snapping {
  uint32_t struct_size; // exactly the size of this struct
  uint32_t reserved;
  // Where scrolling stops. On entry `resting` holds the proposed scroll offset, which the engine
  // may change; the viewport in `input` is the current one. Neither the proposal nor the result has
  // to lie within the range of scrolling: the host limits the last engine's result to it. In a
  // chain the base is called first, and its result is the proposal. velocity: points per second, 0
  // if unknown. The function is idempotent: a result inside the range, proposed again with no
  // velocity, stays as it is; the ends of the range need not. Owner: the host owns `resting`.
  // Errors: any. [prepared; layout]
  tessera_status (*resting_offset)(tessera_layout *TESSERA_NULLABLE layout,
                                   const tessera_input *input, tessera_point velocity,
                                   tessera_point *resting);
} tessera_snapping;

TESSERA_LAYOUT_IS(tessera_snapping, 16, resting_offset, 8);

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
