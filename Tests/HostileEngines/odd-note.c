// NOTE: another note, with WORDS words of data.

#ifndef NOTE
#define NOTE 8, 12, 7, "Mosaics", {1, 0, 240}
#define WORDS 3
#endif
#define HOSTILE_NOTE                                                                               \
  __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {                \
    uint32_t name_size, data_size, type;                                                           \
    char name[8];                                                                                  \
    uint32_t data[WORDS];                                                                          \
  } note = {NOTE}
#include "hostile.h"

HOSTILE("odd-note", .load = NULL)
