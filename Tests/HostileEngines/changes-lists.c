// Modifies its lists after registration: a hundred times the stride, and no end.

#include "hostile.h"

static tessera_parameter column = {.name = "at", .help = "Where.", .type = TESSERA_TYPE_NUMBER};
static tessera_list_declaration list = {"stops", "Where to rest.", 1, sizeof column, &column};
static tessera_engine *declared;

static tessera_status describe(const hostile_call *call) {
  declared = call->engine;
  declared->lists = &list;
  declared->list_count = 1;
  declared->list_size = sizeof list;
  return TESSERA_OK;
}

static tessera_status lie(const hostile_call *call) {
  (void)call;
  list.column_size = 100 * sizeof column;
  list.column_count = 0xffffffffu;
  declared->list_count = 0xffffffffu;
  declared->list_size = 8;
  return TESSERA_OK;
}

HOSTILE("changes-lists", .registration = describe, .prepare = lie)
