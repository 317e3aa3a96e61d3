// Descriptions that each break one rule, with a part of the expected message.

#include <math.h>
#include <string.h>
#include <tessera/tessera.h>

#pragma GCC diagnostic ignored "-Woverride-init"

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  (void)layout, (void)in;
  out->set_content_size(out, (tessera_size){0, 0});
  return TESSERA_OK;
}

static void published(void) {}

// No zero byte within the limit of 65,536 bytes.
static char endless[70000];
__attribute__((constructor)) static void fill(void) { memset(endless, 'a', sizeof endless - 1); }

static const char *const colours[] = {"red", "green"};
static const char *const hole[] = {"red", NULL};

#define SOUND                                                                                      \
  .struct_size = sizeof(tessera_engine), .id = "org.example.described", .name = "Described",       \
  .version = "1.2.3", .author = "The Tessera authors", .license = "MIT",                           \
  .summary = "An engine that is described.", .parameter_size = sizeof(tessera_parameter),          \
  .value_size = sizeof(tessera_value_declaration),                                                 \
  .function_size = sizeof(tessera_function_declaration),                                           \
  .attribute_size = sizeof(tessera_attribute), .kind_size = sizeof(tessera_kind),                  \
  .default_size = sizeof(tessera_setting), .prepare = prepare

// Arrays of one or two elements, sound except for the given members.
#define ARRAY(its_name, its_type, ...)                                                             \
  .its_name##_count = sizeof((its_type[]){__VA_ARGS__}) / sizeof(its_type),                        \
  .its_name##s = (const its_type[]) { __VA_ARGS__ }
#define PARAMETERS(...) ARRAY(parameter, tessera_parameter, __VA_ARGS__)
#define VALUES(...) ARRAY(value, tessera_value_declaration, __VA_ARGS__)
#define FUNCTIONS(...) ARRAY(function, tessera_function_declaration, __VA_ARGS__)
#define ATTRIBUTES(...) ARRAY(attribute, tessera_attribute, __VA_ARGS__)
#define KINDS(...) ARRAY(kind, tessera_kind, __VA_ARGS__)
#define DEFAULTS(...) .base = "org.example.base", ARRAY(default, tessera_setting, __VA_ARGS__)
#define PARAMETER .name = "width", .help = "A width.", .type = TESSERA_TYPE_NUMBER
#define VALUE .name = "width", .help = "A width.", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM
#define FUNCTION .name = "styleForItem", .help = "A style.", .signature = "u8(u32,u32)"
#define ATTRIBUTE .name = "tint", .help = "A tint.", .type = TESSERA_TYPE_NUMBER

const struct broken_engine {
  const char *says;
  tessera_engine engine;
} broken_engines[] = {
    {"version \"1.2\" is not semantic", {SOUND, .version = "1.2"}},
    {"struct_size is 8", {SOUND, .struct_size = 8}},
    {"id is null", {SOUND, .id = NULL}},
    {"id does not end within 65536 bytes", {SOUND, .id = endless}},
    {"\"org..spiral\" is not reverse-DNS", {SOUND, .id = "org..spiral"}},
    {"base \"base\" is not an engine id", {SOUND, .base = "base"}},
    {"base_version is \"1.0.0\"", {SOUND, .base_version = "1.0.0"}},
    {"defaults for a base but names no base",
     {SOUND, DEFAULTS({.name = "width", .type = TESSERA_TYPE_NUMBER}), .base = NULL}},
    {"3 parameters are declared at a null pointer", {SOUND, .parameter_count = 3}},
    {"1 parameters of 128 bytes", {SOUND, PARAMETERS({PARAMETER}), .parameter_size = 128}},
    {"5000 parameters", {SOUND, PARAMETERS({PARAMETER}), .parameter_count = 5000}},
    {"name of parameters 0 is null", {SOUND, PARAMETERS({PARAMETER, .name = NULL})}},
    {"parameter \"the width\" is not lower", {SOUND, PARAMETERS({PARAMETER, .name = "the width"})}},
    {"help of width is null", {SOUND, PARAMETERS({PARAMETER, .help = NULL})}},
    {"width has the type 0", {SOUND, PARAMETERS({PARAMETER, .type = 0})}},
    {"enum width has 0 choices", {SOUND, PARAMETERS({PARAMETER, .type = TESSERA_TYPE_ENUM})}},
    {"choice 1 of width is null",
     {SOUND, PARAMETERS({PARAMETER, .type = TESSERA_TYPE_ENUM, .choices = hole, .choice_count = 2})}},
    {"initial value of width is not a valid enum",
     {SOUND, PARAMETERS({PARAMETER, .type = TESSERA_TYPE_ENUM, .choices = colours, .choice_count = 2,
                         .initial.choice = 2})}},
    {"initial value of width is not a valid bool",
     {SOUND, PARAMETERS({PARAMETER, .type = TESSERA_TYPE_BOOL, .initial.boolean = 2})}},
    {"initial value of width is 5; expected 0 to 4",
     {SOUND, PARAMETERS({PARAMETER, .initial.number = 5, .maximum.number = 4})}},
    {"limits of width are [2.0] to [1.0]",
     {SOUND, PARAMETERS({PARAMETER, .initial.number = 2, .minimum.number = 2, .maximum.number = 1})}},
    {"width is of type number and has 2 choices",
     {SOUND, PARAMETERS({PARAMETER, .choices = colours, .choice_count = 2})}},
    {"flags of width has 8", {SOUND, VALUES({VALUE, .flags = 8})}},
    {"value width has the scope 2", {SOUND, VALUES({VALUE, .scope = 2})}},
    {"not a parameter of type size",
     {SOUND, PARAMETERS({PARAMETER}), VALUES({VALUE, .type = TESSERA_TYPE_SIZE, .fallback = "width"})}},
    {"enum value width needs a fallback", {SOUND, VALUES({VALUE, .type = TESSERA_TYPE_ENUM})}},
    {"styleForItem", {SOUND, FUNCTIONS({FUNCTION, .signature = "u8(void)"})}},
    {"signature of styleForItem is null", {SOUND, FUNCTIONS({FUNCTION, .signature = NULL})}},
    {"function \"styleForItem\" is declared twice",
     {SOUND, FUNCTIONS({FUNCTION}, {FUNCTION, .published = published})}},
    {"attribute tint has interpolation 3", {SOUND, ATTRIBUTES({ATTRIBUTE, .interpolation = 3})}},
    {"attribute tint has interpolation 0 and when 2", {SOUND, ATTRIBUTES({ATTRIBUTE, .when = 2})}},
    {"tint has the type -1", {SOUND, ATTRIBUTES({ATTRIBUTE, .type = -1})}},
    {"kind badge has the category 0", {SOUND, KINDS({.name = "badge", .category = TESSERA_CATEGORY_CELL})}},
    {"kind badge has the role 7",
     {SOUND, KINDS({.name = "badge", .category = TESSERA_CATEGORY_DECORATION, .role = 7})}},
    {"kind badge shows tint",
     {SOUND, KINDS({.name = "badge", .category = TESSERA_CATEGORY_DECORATION, .shows = "tint"})}},
    {"name of defaults 1 is null",
     {SOUND, DEFAULTS({.name = "width", .type = TESSERA_TYPE_NUMBER}, {.name = NULL})}},
    {"choice of the default width is null",
     {SOUND, DEFAULTS({.name = "width", .type = TESSERA_TYPE_ENUM})}},
    {"default \"width\" is declared twice",
     {SOUND, DEFAULTS({.name = "width", .type = TESSERA_TYPE_NUMBER},
                      {.name = "width", .type = TESSERA_TYPE_NUMBER})}},
    {"owned of the default width has 2",
     {SOUND, DEFAULTS({.name = "width", .type = TESSERA_TYPE_NUMBER, .owned = 3})}},
    {"default width is of type number and has a choice",
     {SOUND, DEFAULTS({.name = "width", .type = TESSERA_TYPE_NUMBER, .choice = "red"})}},
    {"traits has 32", {SOUND, .traits = TESSERA_TRAIT_MIRRORS | 32}},
    {"laws has 8", {SOUND, .laws = TESSERA_LAW_FLOWS | 8}},
    {"adjusted_columns has 2147483648", {SOUND, .adjusted_columns = 1u << 31}},
    {"neither a base nor a prepare", {SOUND, .prepare = NULL}},
    {"viewport trait if and only if it has an adjust", {SOUND, .traits = TESSERA_TRAIT_VIEWPORT}},
};
const uint64_t broken_engine_count = sizeof broken_engines / sizeof *broken_engines;

// Unusual but sound: names of maximal length, ids in capitals, and so on.
const tessera_engine sound_engine = {
    SOUND, .id = "Org.Example-2.1st", .version = "0.0.0-alpha+build.7", .summary = "",
    PARAMETERS({PARAMETER, .minimum.number = -INFINITY, .maximum.number = -1,
                .initial.number = -1, .unit = ""})};
