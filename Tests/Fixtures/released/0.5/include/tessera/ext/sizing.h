// tessera.sizing/1, an ability of an engine: its items can be sized by their content.
//
// The host fetches it with engine->extension(engine, TESSERA_SIZING). It then supplies the item value `value` itself: the estimate for
// an item that has not been measured, the measured size for one that has. It measures items when a query first returns them, prepares
// again, and corrects the scroll offset so that nothing visible moves. The engine only proposes sizes.

#ifndef TESSERA_EXT_SIZING_H
#define TESSERA_EXT_SIZING_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_SIZING "tessera.sizing/1"

typedef struct TESSERA_SENDABLE tessera_sizing {
  uint32_t struct_size;
  uint32_t reserved;
  // The item value that measuring supplies: declared by the engine itself, of type TESSERA_SIZE, or TESSERA_NUMBER for a height.
  const char *value;
  // The assumed size of an item until it is measured, in points. Returns 0 if these parameters turn self-sizing off: the host then
  // supplies the value as usual. [created, prepared; layout]
  int32_t (*estimate)(tessera_layout *TESSERA_NULLABLE layout, const tessera_input *input, tessera_size *size);
  // The size proposed to an item of a section, in points; 0: unlimited. A measured size is valid as long as the proposal stays the
  // same. [created, prepared; layout]
  tessera_size (*proposal)(tessera_layout *TESSERA_NULLABLE layout, const tessera_input *input, uint32_t section);
} tessera_sizing;

#if UINTPTR_MAX == UINT64_MAX
TESSERA_LAYOUT_IS(tessera_sizing, 32, proposal, 24);
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
