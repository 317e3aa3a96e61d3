// What the header states about a call, shown as the content size: facts, and silent, which is derived from it and has no create.

#include "engine.h"

TESSERA_NOTE;

enum { FAILS, HEIGHT };

static const tessera_parameter parameters[] = {
    {.name = "fails", .help = "Whether prepare fails.", .type = TESSERA_TYPE_BOOL},
    {.name = "height", .help = "A height.", .type = TESSERA_TYPE_NUMBER, .initial.number = 5, .minimum.number = 1,
     .maximum.number = 10},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "A height.", .fallback = "height", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_SECTION},
};

// The content is as wide as what the change says, and as high as the first section's height.
static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  if (in->parameters[FAILS].boolean) return TESSERA_ERROR_UNSUPPORTED;
  const double height = *(const double *)in->values[0].data;
  out->set_content_size(out, (tessera_size){in->change.what, height});
  return TESSERA_OK;
}

static tessera_status prepare_silently(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)in, (void)out;
  return layout == NULL ? TESSERA_ERROR_FAILED : TESSERA_ERROR_NOT_FOUND;
}

static const tessera_engine facts = {
    ENGINE("org.example.facts", "Facts", "Shows what a call is given."),
    .parameters = parameters, .parameter_count = 2, .parameter_size = sizeof(tessera_parameter),
    .values = values, .value_count = 1, .value_size = sizeof(tessera_value_declaration), .prepare = prepare,
};

static const tessera_engine silent = {
    ENGINE("org.example.silent", "Silent", "Fails without a reason."),
    .base = "org.example.facts", .prepare = prepare_silently,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  const tessera_status status = registry->add_engine(registry, &facts);
  return status == TESSERA_OK ? registry->add_engine(registry, &silent) : status;
}
