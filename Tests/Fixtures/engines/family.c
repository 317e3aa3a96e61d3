// Engines with names that are near each other, and bases that fit or do not.

#include <tessera/tessera.h>

TESSERA_NOTE;

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout, (void)in;
  out->set_content_size(out, (tessera_size){0, 0});
  return TESSERA_OK;
}

static tessera_status in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect,
                              tessera_output *out) {
  (void)layout, (void)in, (void)rect, (void)out;
  return TESSERA_OK;
}

static tessera_status element(tessera_layout *layout, const tessera_input *in,
                              const tessera_run *run, tessera_output *out) {
  (void)layout, (void)in, (void)run, (void)out;
  return TESSERA_OK;
}

static const tessera_parameter parameters[] = {{.name = "width",
                                                .help = "A width.",
                                                .type = TESSERA_TYPE_NUMBER,
                                                .initial.number = 1,
                                                .maximum.number = 9}};
static const tessera_kind badge[] = {{.name = "badge", .category = TESSERA_CATEGORY_SUPPLEMENTARY}};
static const tessera_kind other_badge[] = {{.name = "badge", .category = TESSERA_CATEGORY_DECORATION}};
static const tessera_attribute tint[] = {
    {.name = "tint", .help = "A tint.", .type = TESSERA_TYPE_NUMBER}};
static const tessera_attribute other_tint[] = {
    {.name = "tint", .help = "A tint.", .type = TESSERA_TYPE_INT}};
static const tessera_setting wide[] = {
    {.name = "width", .type = TESSERA_TYPE_NUMBER, .value.number = 5, .owned = 1}};
static const tessera_setting too_wide[] = {
    {.name = "width", .type = TESSERA_TYPE_NUMBER, .value.number = 10}};
static const tessera_setting wrong_type[] = {{.name = "width", .type = TESSERA_TYPE_SIZE}};
static const tessera_setting high[] = {{.name = "height", .type = TESSERA_TYPE_NUMBER}};

#define ENGINE(engine_id, ...)                                                                     \
  {.struct_size = sizeof(tessera_engine), .id = engine_id, .name = "Of a family",                  \
   .version = "1.1.0", .author = "The Tessera authors", .license = "MIT",                          \
   .summary = "One of a family.", .parameter_size = sizeof(tessera_parameter),                     \
   .kind_size = sizeof(tessera_kind), .attribute_size = sizeof(tessera_attribute),                 \
   .default_size = sizeof(tessera_setting), __VA_ARGS__}
#define DERIVED(engine_id, ...) ENGINE(engine_id, .base = "org.example.root", __VA_ARGS__)
#define DEFAULTS(array) .default_count = 1, .defaults = array

static const tessera_engine engines[] = {
    ENGINE("org.a.spiral", .prepare = prepare),
    ENGINE("org.b.spiral", .prepare = prepare),
    ENGINE("org.example.solar", .prepare = prepare),
    ENGINE("org.example.root", .prepare = prepare, .parameter_count = 1, .parameters = parameters,
           .kind_count = 1, .kinds = badge, .attribute_count = 1, .attributes = tint),
    DERIVED("org.example.child", .base_version = "1.0.9", DEFAULTS(wide)),
    ENGINE("org.example.grandchild", .base = "org.example.child"),
    ENGINE("org.example.orphan", .base = "org.example.nobody"),
    ENGINE("org.example.self", .base = "org.example.self"),
    ENGINE("org.example.hen", .base = "org.example.egg"),
    ENGINE("org.example.egg", .base = "org.example.hen"),
    DERIVED("org.example.wants-minor", .base_version = "1.2.0"),
    DERIVED("org.example.wants-major", .base_version = "2.0.0"),
    DERIVED("org.example.wants-zero", .base_version = "0.9.0"),
    DERIVED("org.example.lazy", .traits = TESSERA_TRAIT_LAZY, .prepare = prepare,
            .elements_in_rect = in_rect, .element = element),
    DERIVED("org.example.too-wide", DEFAULTS(too_wide)),
    DERIVED("org.example.wrong-type", DEFAULTS(wrong_type)),
    DERIVED("org.example.no-such-parameter", DEFAULTS(high)),
    DERIVED("org.example.other-badge", .kind_count = 1, .kinds = other_badge),
    DERIVED("org.example.other-tint", .attribute_count = 1, .attributes = other_tint),
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
    tessera_status status = registry->add_engine(registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}
