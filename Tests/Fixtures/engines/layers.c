#include "engine.h"

// Queries a lazy base for everything and moves it aside.
static tessera_status move_aside(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  TRY(in->super->prepare(in->super, out));
  for (uint64_t i = 0; i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows;
    TRY(out->get(out, i, &run, &rows));
    for (uint64_t row = 0; row < run.count; row++) rows->frame[row].x += 1000;
  }
  tessera_size size = out->content_size(out);
  out->set_content_size(out, (tessera_size){size.width + 1000, size.height});
  return TESSERA_OK;
}

REGISTER(ENGINE("plain-flow", .base = "org.tessera.flow", .traits = TESSERA_TRAIT_MIRRORS),
         ENGINE("moved-grid", .base = "org.tessera.grid", .prepare = move_aside),
         ENGINE("unmirrored", .base = "org.tessera.flow"));
