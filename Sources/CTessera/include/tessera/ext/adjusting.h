// tessera.adjusting/1, an ability of the host: an engine saves no-op calls of adjust.
//
// The engine fetches it with host->extension(host, TESSERA_EXT_ADJUSTING), or null without support.

#ifndef TESSERA_EXT_ADJUSTING_H
#define TESSERA_EXT_ADJUSTING_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_EXT_ADJUSTING "tessera.adjusting/1"

typedef struct tessera_adjusting {
  uint32_t struct_size; // exactly the size of this struct
  uint32_t reserved;
  // Declares this engine's adjust a no-op until the next successful prepare, whatever the viewport,
  // the rect and the values that only adjust reads. The host then answers queries by itself. In a
  // chain, the most derived engine with an adjust decides. Errors: TESSERA_ERROR_WRONG_STATE.
  // [prepare; layout]
  tessera_status (*not_needed)(const tessera_host *host);
} tessera_adjusting;

TESSERA_LAYOUT_IS(tessera_adjusting, 16, not_needed, 8);

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
