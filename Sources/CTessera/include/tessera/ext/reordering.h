// tessera.reordering/1, an ability of an engine: it decides where a dragged item goes.
//
// The host fetches it with engine->extension(engine, TESSERA_EXT_REORDERING). The default target is
// the nearest cell.

#ifndef TESSERA_EXT_REORDERING_H
#define TESSERA_EXT_REORDERING_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_EXT_REORDERING "tessera.reordering/1"

typedef struct TESSERA_SENDABLE tessera_reordering {
  uint32_t struct_size; // exactly the size of this struct
  uint32_t reserved;
  // Where the item at (section, item) goes if it is dropped with its centre at `point`, in content
  // points. On entry the targets hold the host's proposal; the engine may change them. The target
  // item is counted without the dragged one: below the item count in its own section, up to the
  // item count in another. It may use tessera.query/1. In a chain the base is called first. Errors:
  // any. [prepared; layout]
  tessera_status (*target)(tessera_layout *TESSERA_NULLABLE layout, const tessera_input *input,
                           uint32_t section, uint64_t item, tessera_point point,
                           uint32_t *target_section, uint64_t *target_item);
} tessera_reordering;

TESSERA_LAYOUT_IS(tessera_reordering, 16, target, 8);

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
