// Compiles the header by itself, and checks the sizes built into compiled programs.
#include "tessera/tessera_host.h"

#define TESSERA_HOST_LAYOUT_IS(type, size, last, offset) \
  _Static_assert(sizeof(type) == (size) && offsetof(type, last) == (offset), "the layout of " #type " has changed")

#if UINTPTR_MAX == UINT64_MAX
TESSERA_HOST_LAYOUT_IS(tessera_engine_info, 80, traits, 76);
TESSERA_HOST_LAYOUT_IS(tessera_refusal, 24, seconds, 20);
TESSERA_HOST_LAYOUT_IS(tessera_columns, 96, offset_y, 88);
TESSERA_HOST_LAYOUT_IS(tessera_batch, 32, statuses, 24);
TESSERA_HOST_LAYOUT_IS(tessera_declaration, 168, shows, 160);
#endif
TESSERA_HOST_LAYOUT_IS(tessera_element, 200, transform, 72);
TESSERA_HOST_LAYOUT_IS(tessera_element_run, 32, count, 24);
TESSERA_HOST_LAYOUT_IS(tessera_edit, 40, to_item, 32);
