// Has a note that claims to be larger than the file.

#define HOSTILE_NOTE                                                                               \
  __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {                \
    uint32_t name_size, data_size, type;                                                           \
    char name[8];                                                                                  \
    uint32_t data[3];                                                                              \
  } note = {0xfffffff0u, 0xfffffff0u, 1, "Tessera", {0, 0, 0}}
#include "hostile.h"

HOSTILE("malformed-note", .load = NULL)
