// Has a note with less data than the contract requires.

#define HOSTILE_NOTE                                                                               \
  __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {                \
    uint32_t name_size, data_size, type;                                                           \
    char name[8];                                                                                  \
    uint32_t data[1];                                                                              \
  } note = {8, 4, 1, "Tessera", {TESSERA_ABI_MAJOR}}
#include "hostile.h"

HOSTILE("short-note", .load = NULL)
