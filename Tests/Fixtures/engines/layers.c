// Layers over engines that ship, with nothing but the header.

#include <tessera/tessera.h>

TESSERA_NOTE;

// Asks a lazy base for everything and moves it aside.
static tessera_status move_aside(tessera_layout *layout, const tessera_input *in,
                                 tessera_output *out) {
  (void)layout;
  tessera_status status = in->super->prepare(in->super, out);
  for (uint64_t i = 0; status == TESSERA_OK && i < out->run_count(out); i++) {
    tessera_run run;
    const tessera_rows *rows;
    status = out->get(out, i, &run, &rows);
    for (uint64_t row = 0; status == TESSERA_OK && row < run.count; row++)
      rows->frame[row].x += 1000;
  }
  tessera_size size = out->content_size(out);
  out->set_content_size(out, (tessera_size){size.width + 1000, size.height});
  return status;
}

static uint8_t fill_odd(void *context, uint32_t section, uint32_t item) {
  (void)section;
  return (item + *(const uint32_t *)context) % 2;
}

static tessera_status answer(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  static uint32_t shift = 1;
  const tessera_function function = {(void (*)(void))fill_odd, &shift};
  tessera_status status =
      in->super->set_function(in->super, "layoutModeForItem", "u8(u32,u32)", function);
  return status == TESSERA_OK ? in->super->prepare(in->super, out) : status;
}

static tessera_status in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                              tessera_output *out) {
  (void)layout;
  return in->super->elements_in_rect(in->super, rect, out);
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  (void)layout;
  return in->super->element(in->super, run, out);
}

static tessera_status pass_on(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout;
  return in->super->prepare(in->super, out);
}

#define LAYER(engine_id, base_id, ...)                                                             \
  {.struct_size = sizeof(tessera_engine), .id = engine_id, .name = "A layer", .version = "1.0.0",  \
   .author = "The Tessera authors", .license = "MIT", .summary = "A layer.", .base = base_id,      \
   __VA_ARGS__}

static const tessera_engine engines[] = {
    LAYER("org.example.plain-flow", "org.tessera.flow", .traits = TESSERA_TRAIT_MIRRORS),
    LAYER("org.example.passing-flow", "org.tessera.flow", .prepare = pass_on,
          .traits = TESSERA_TRAIT_MIRRORS),
    LAYER("org.example.passing-grid", "org.tessera.grid", .prepare = pass_on,
          .elements_in_rect = in_rect, .element = element,
          .traits = TESSERA_TRAIT_LAZY | TESSERA_TRAIT_MIRRORS),
    LAYER("org.example.moved-grid", "org.tessera.grid", .prepare = move_aside),
    LAYER("org.example.half-filled", "org.tessera.aspect-flow", .prepare = answer),
    LAYER("org.example.unmirrored", "org.tessera.flow", .traits = 0),
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
    tessera_status status = registry->add_engine(registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
