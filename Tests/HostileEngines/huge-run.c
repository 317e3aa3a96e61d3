// Reserves too many rows in all overflowing sizes, then lays out correctly.

#include "hostile.h"

static const tessera_kind kinds[] = {{.name = "badge", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};

static tessera_status describe(const hostile_call *call) {
  call->engine->kinds = kinds;
  call->engine->kind_count = 1;
  call->engine->kind_size = sizeof(tessera_kind);
  return TESSERA_OK;
}

static tessera_status attack(const hostile_call *call) {
  const uint64_t counts[] = {UINT64_MAX, (uint64_t)1 << 63, ((uint64_t)1 << 63) - 1,
                             (uint64_t)1 << 59, ((uint64_t)1 << 59) + 1, (uint64_t)1 << 40};
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
    const tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, 0, 0, 0, 0, counts[i]};
    const tessera_rows *rows;
    if (call->out->add(call->out, &run, &rows) == TESSERA_OK)
      return hostile_won(call, "the host promised rows that it cannot have");
  }
  return TESSERA_OK;
}

HOSTILE("huge-run", .registration = describe, .filled = attack)
