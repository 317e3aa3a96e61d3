// Writes past its rows, page by page, to the end of the mapped column and beyond.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  volatile char *column = (volatile char *)call->rows->frame;
  for (size_t at = call->rows->count * sizeof(tessera_rect); at < (size_t)1 << 40; at += 4096)
    column[at] = 0x5a;
  return hostile_won(call, "it wrote over a terabyte");
}

HOSTILE("past-reservation", .filled = attack)
