// Rows below a header and above a footer. -DSECOND reorders names and changes types; -DTHIRD has no
// header but an element of an undeclared kind.
#include <string.h>
#include <tessera/ext/sizing.h>

#if defined(SECOND)
enum { GAP, ROW_HEIGHT };
enum { FOOTER, HEADER };
#define VERSION "2.0.0"
#elif defined(THIRD)
enum { ROW_HEIGHT, GAP };
enum { FOOTER };
#define VERSION "3.0.0"
#else
enum { ROW_HEIGHT, GAP };
enum { HEADER, FOOTER };
#endif
#include "engine.h"

static const tessera_parameter parameters[] = {
    [ROW_HEIGHT] = {.name = "rowHeight", .help = "How high a row is.", .type = TESSERA_TYPE_NUMBER, .initial.number = 10,
                    .minimum.number = 0, .maximum.number = 1000},
    [GAP] = {.name = "gap", .help = "The space below a row.", .type = TESSERA_TYPE_NUMBER, .initial.number = 0, .minimum.number = 0,
             .maximum.number = 1000},
};

static const tessera_value_declaration values[] = {
    {.name = "height", .help = "How high an item is.", .fallback = "rowHeight", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
};

static const tessera_kind kinds[] = {
#ifndef THIRD
    [HEADER] = {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
#endif
    [FOOTER] = {.name = "footer", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_FOOTER},
};

#ifdef SECOND
static tessera_point twice(void *layout, double number) { return (void)layout, (tessera_point){2 * number, 3 * number}; }
#define SIGNATURE "point(f64)"
#else
static double twice(void *layout, double number) { return (void)layout, 2 * number; }
#define SIGNATURE "f64(f64)"
#endif

static const tessera_function_declaration functions[] = {
    {.name = "twice", .signature = SIGNATURE, .help = "Twice a number.", .published = (void (*)(void))twice},
};

static tessera_status add(tessera_output *out, tessera_category category, uint32_t kind, uint32_t section, uint64_t count,
                          tessera_rect **frames) {
  const tessera_run run = {category, kind, section, 0, 0, count};
  const tessera_rows *rows;
  const tessera_status status = out->add(out, &run, &rows);
  *frames = status == TESSERA_OK ? rows->frame : NULL;
  return status;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const double gap = in->parameters[GAP].number, width = in->viewport.width;
  double y = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t first = in->section_starts[section], count = in->section_starts[section + 1] - first;
    tessera_rect *frames;
#ifndef THIRD
    TRY(add(out, TESSERA_CATEGORY_SUPPLEMENTARY, HEADER, section, 1, &frames));
    frames[0] = (tessera_rect){0, y, width, 5};
    y += 5;
#endif
    TRY(add(out, TESSERA_CATEGORY_CELL, 0, section, count, &frames));
    for (uint64_t item = 0; item < count; item++) {
      const double height = plain_number(in->values[0], first + item);
      frames[item] = (tessera_rect){0, y, width, height};
      y += height + gap;
    }
    TRY(add(out, TESSERA_CATEGORY_SUPPLEMENTARY, FOOTER, section, 1, &frames));
    frames[0] = (tessera_rect){0, y, width, 7};
    y += 7;
  }
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

static tessera_status estimates(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *sizes,
                                uint64_t *count) {
  (void)layout, (void)run;
  sizes[0] = (tessera_size){0, in->parameters[ROW_HEIGHT].number};
  *count = 1;
  return TESSERA_OK;
}

static tessera_status proposals(tessera_layout *layout, const tessera_input *in, const tessera_run *run, tessera_size *sizes,
                                uint64_t *count) {
  (void)layout, (void)run;
  sizes[0] = (tessera_size){in->viewport.width, 0};
  *count = 1;
  return TESSERA_OK;
}

static const tessera_measured measured[] = {{.value = "height"}};
static const tessera_sizing sizing = {
    .struct_size = sizeof(tessera_sizing), .measured_count = 1, .measured = measured, .estimates = estimates, .proposals = proposals,
};

static const void *extension(const tessera_engine *self, const char *id) {
  (void)self;
  return strcmp(id, TESSERA_EXT_SIZING) == 0 ? &sizing : NULL;
}

REGISTER(ENGINE("versions", LIST(parameter, parameters), LIST(value, values), LIST(function, functions), LIST(kind, kinds),
                .prepare = prepare, .extension = extension));
