// Declares missing or far too many lists. LISTS: claimed count; STRIDE: of columns; SHARED: 4,096
// lists share 4,096 columns; TORN: columns in unreadable memory.

#include "hostile.h"
#include <sys/mman.h>

#ifndef LISTS
#define LISTS 1
#endif
#ifndef STRIDE
#define STRIDE sizeof(tessera_parameter)
#endif

static tessera_parameter columns[4096];
static tessera_list_declaration lists[4096];
static char names[4096][16];

static tessera_status describe(const hostile_call *call) {
  const tessera_parameter *found = columns;
#ifdef TORN
  found = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
  for (int i = 0; i < 4096; i++) {
    snprintf(names[i], sizeof names[i], "name%d", i);
    columns[i] = (tessera_parameter){.name = names[i], .help = "One of many.", .type = TESSERA_TYPE_NUMBER};
    lists[i] = (tessera_list_declaration){names[i], "One of many.", 1, STRIDE, found};
#ifdef SHARED
    lists[i].column_count = 4096;
#endif
  }
  call->engine->lists = lists;
  call->engine->list_count = LISTS;
  call->engine->list_size = sizeof *lists;
  return TESSERA_OK;
}

HOSTILE("false-lists", .registration = describe)
