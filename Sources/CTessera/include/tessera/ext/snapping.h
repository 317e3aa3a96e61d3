// tessera.snapping/1, an ability of an engine: it says where a scroll comes to rest.
//
// The host fetches it with engine->extension(engine, TESSERA_SNAPPING).

#ifndef TESSERA_EXT_SNAPPING_H
#define TESSERA_EXT_SNAPPING_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_SNAPPING "tessera.snapping/1"

typedef struct TESSERA_SENDABLE tessera_snapping {
  uint32_t struct_size;
  uint32_t reserved;
  // Where a scroll rests that would come to rest at `resting`, which holds the proposal and takes the answer; points of the offset.
  // The input's viewport is where scrolling is now. In a chain the base is asked first, and its answer is the proposal.
  // velocity: points a second, 0 where unknown. Owner: `resting` is the host's. Errors: any. [prepared; layout]
  tessera_status (*resting_offset)(tessera_layout *TESSERA_NULLABLE layout, const tessera_input *input, tessera_point velocity,
                                   tessera_point *resting);
} tessera_snapping;

#if UINTPTR_MAX == UINT64_MAX
TESSERA_LAYOUT_IS(tessera_snapping, 16, resting_offset, 8);
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
