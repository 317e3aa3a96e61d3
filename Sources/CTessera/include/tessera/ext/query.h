// tessera.query/1, an ability of the host: an engine queries its own elements.
//
// The engine fetches it with host->extension(host, TESSERA_EXT_QUERY), or null without support.

#ifndef TESSERA_EXT_QUERY_H
#define TESSERA_EXT_QUERY_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_EXT_QUERY "tessera.query/1"

typedef struct tessera_query {
  uint32_t struct_size; // exactly the size of this struct
  uint32_t reserved;
  // The elements of this layout whose prepared frames intersect rect, in the engine's numbering,
  // without adjust. The engine may call only run_count, get and content_size of the output, and
  // writes nothing. Owner: the host; valid until the engine's function returns or queries again.
  // Errors, with `output` untouched: TESSERA_ERROR_WRONG_STATE; TESSERA_ERROR_FAILED, already
  // reported. [prepared: published functions, functions of extensions; layout]
  tessera_status (*elements_in_rect)(const tessera_host *host, tessera_rect rect,
                                     tessera_output *TESSERA_NULLABLE *TESSERA_NONNULL output);
} tessera_query;

TESSERA_LAYOUT_IS(tessera_query, 16, elements_in_rect, 8);

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
