#define VERSION "1.1.0"
#include "engine.h"

static const tessera_parameter parameters[] = {{.name = "width", .help = "A width.", .type = TESSERA_TYPE_NUMBER,
                                                .initial.number = 1, .maximum.number = 9}};
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

#define DERIVED(engine_id, ...) ENGINE(engine_id, .base = "org.example.root", __VA_ARGS__)
#define DEFAULTS(array) LIST(default, array)

REGISTER(
    ENGINE("spiral", .prepare = prepare_nothing),
    ENGINE("other.spiral", .prepare = prepare_nothing),
    ENGINE("solar", .prepare = prepare_nothing),
    ENGINE("root", .prepare = prepare_nothing, LIST(parameter, parameters),
           LIST(kind, badge), LIST(attribute, tint)),
    DERIVED("child", .base_version = "1.0.9", DEFAULTS(wide)),
    ENGINE("grandchild", .base = "org.example.child"),
    ENGINE("orphan", .base = "org.example.nobody"),
    ENGINE("hen", .base = "org.example.egg"),
    ENGINE("egg", .base = "org.example.hen"),
    DERIVED("wants-minor", .base_version = "1.2.0"),
    DERIVED("wants-major", .base_version = "2.0.0"),
    DERIVED("wants-zero", .base_version = "0.9.0"),
    DERIVED("lazy", .traits = TESSERA_TRAIT_LAZY, .prepare = prepare_nothing,
            .elements_in_rect = nothing_in_rect, .element = no_element),
    DERIVED("too-wide", DEFAULTS(too_wide)),
    DERIVED("wrong-type", DEFAULTS(wrong_type)),
    DERIVED("no-such-parameter", DEFAULTS(high)),
    DERIVED("other-badge", LIST(kind, other_badge)),
    DERIVED("other-tint", LIST(attribute, other_tint)));
