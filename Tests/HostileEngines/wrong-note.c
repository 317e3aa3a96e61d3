// Has a note with another type and name.

#define HOSTILE_NOTE                                                                               \
  __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {                \
    uint32_t name_size, data_size, type;                                                           \
    char name[8];                                                                                  \
    uint32_t data[3];                                                                              \
  } note = {8, 12, 7, "Mosaics", {TESSERA_ABI_MAJOR, TESSERA_ABI_MINOR, 240}}
#include "hostile.h"

HOSTILE("wrong-note", .load = NULL)
