// Adds supplementary elements until refused, and ignores the refusal.

#include "hostile.h"

static const tessera_kind kinds[] = {{.name = "badge", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};

static tessera_status describe(const hostile_call *call) {
  call->engine->kinds = kinds;
  call->engine->kind_count = 1;
  call->engine->kind_size = sizeof(tessera_kind);
  return TESSERA_OK;
}

static tessera_status attack(const hostile_call *call) {
  tessera_run run = {TESSERA_CATEGORY_SUPPLEMENTARY, 0, 0, 0, 0, 1 << 20};
  const tessera_rows *rows;
  while (call->out->add(call->out, &run, &rows) == TESSERA_OK) {
    for (uint64_t i = 0; i < run.count; i++) rows->frame[i] = (tessera_rect){1, 2, 3, 4};
    run.first_item += run.count;
  }
  return TESSERA_OK;
}

HOSTILE("fills-output", .registration = describe, .filled = attack)
