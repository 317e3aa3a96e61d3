// tessera.query/1, an ability of the host: an engine asks where its own elements are.
//
// Fetched with host->extension(host, TESSERA_QUERY); null where the host does not have it.

#ifndef TESSERA_EXT_QUERY_H
#define TESSERA_EXT_QUERY_H

#include "../tessera.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#endif

#define TESSERA_QUERY "tessera.query/1"

typedef struct tessera_query {
  uint32_t struct_size;
  uint32_t reserved;
  // The elements of this layout whose prepared frames meet rect, as the engine numbers them, without adjust. Only run_count, get and
  // content_size of the output may be called, and nothing written through it. Owner: the host; valid until the engine's function
  // returns or asks again. Errors, with `output` untouched: TESSERA_WRONG_STATE; TESSERA_FAILED, reported already.
  // [prepared: published functions, functions of extensions; layout]
  tessera_status (*elements_in_rect)(const tessera_host *host, tessera_rect rect,
                                     tessera_output *TESSERA_NULLABLE *TESSERA_NONNULL output);
} tessera_query;

#if UINTPTR_MAX == UINT64_MAX
TESSERA_LAYOUT_IS(tessera_query, 16, elements_in_rect, 8);
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
