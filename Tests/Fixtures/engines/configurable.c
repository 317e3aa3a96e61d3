// One engine of many configurations, each correct by construction, and of many mutations of it.
//
// What it lays out is chosen by the macros in configurable/choices.h. Everything is computed in
// prepare into the layout: the frames of cells and of each section's header and board. All that
// answers is a copy of these, so that a mutation of one path differs from the others.

#include "configurable/answering.h"
#include "configurable/extensions.h"

TESSERA_NOTE;

static tessera_status refusal(const tessera_layout *layout, const tessera_input *in) {
  const double height = in->parameters[ROW_HEIGHT].number;
  if (MUTATED(refusesLimit) && height <= 1) {
    layout->host->report(layout->host, TESSERA_ERROR_INVALID_VALUE, "this is too small; give more");
    return TESSERA_ERROR_INVALID_VALUE;
  }
  if (MUTATED(refusesNameless) && height > 50) return TESSERA_ERROR_INVALID_VALUE;
  return TESSERA_OK;
}

// Takes down what stale caches go on using.
static int remember(tessera_layout *layout, const tessera_input *in) {
  if (layout->prepares == 0) {
    layout->first_width = extent_of(in);
    layout->first_height = in->parameters[ROW_HEIGHT].number;
    layout->first_scale = in->scale;
    layout->first_space = space_of(in);
    layout->first_margins = margins_of(in);
  }
  if (shared_width == 0) shared_width = extent_of(in);
  if (shared_height == 0) shared_height = in->parameters[ROW_HEIGHT].number;
  if (!MUTATED(staleValues) && !MUTATED(staleAnswers)) return 1;
  const uint64_t count = in->section_starts[in->section_count];
  double *heights = realloc(layout->old_heights, (count + 1) * sizeof *heights);
  if (!heights) return 0;
  layout->old_heights = heights;
  if (layout->old_count != count) layout->old_count = 0;
  return 1;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const uint64_t count = in->section_starts[in->section_count];
  tessera_status status = refusal(layout, in);
  if (status != TESSERA_OK) return status;
  if (!make_room(layout, count, in->section_count) || !remember(layout, in)) return TESSERA_ERROR_FAILED;
  const int is_stale = MUTATED(staleCounts) && layout->prepares > 0 &&
                       layout->item_count >= count &&
                       layout->section_count >= in->section_count;
  if (!is_stale) {
    layout->item_count = count;
    layout->section_count = in->section_count;
    layout->first_content = place_all(layout, in);
  }
  layout->old_count = count;
  layout->basis = basis_of(in);
#if !LAZY
  status = add_all(layout, in, out);
  if (status != TESSERA_OK) return status;
#endif
  layout->prepares++;
  out->set_content_size(out, layout->first_content);
  return TESSERA_OK;
}

#if KEEPS
static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  const basis now = basis_of(in), then = layout->basis;
  if (MUTATED(validAlways)) return 1;
  if (MUTATED(validByWidth)) return in->viewport.width - then.width < 40;
  const int is_same_scale = !ALIGNED || now.scale == then.scale || MUTATED(validByScale);
  return now.width == then.width && is_same_scale &&
         memcmp(&now.margins, &then.margins, sizeof now.margins) == 0;
}
#endif

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine),
    .traits = (LAZY ? TESSERA_TRAIT_LAZY : 0) | (ADJUST ? TESSERA_TRAIT_VIEWPORT : 0) |
              (MIRRORS ? TESSERA_TRAIT_MIRRORS : 0) | (ALIGNED ? TESSERA_TRAIT_PIXEL_ALIGNED : 0) |
              (INCREMENTAL ? TESSERA_TRAIT_INCREMENTAL : 0),
    .columns = ADJUST ? 0 : WRITTEN,
    .adjusted_columns = ADJUST ? WRITTEN : 0,
    .id = "org.example.configurable",
    .name = "Configurable",
    .version = "1.0.0",
    .author = "The Tessera authors",
    .license = "MIT",
    .summary = "Lays out as it was configured.",
    .parameter_count = PARAMETERS,
    .parameter_size = sizeof(tessera_parameter),
    .parameters = parameters,
#if HEIGHTS || COLUMNS == 0
    .value_count = VALUES,
    .value_size = sizeof(tessera_value_declaration),
    .values = values,
#endif
#if DELEGATE
    .function_count = COUNT(functions),
    .function_size = sizeof *functions,
    .functions = functions,
#endif
#if ATTRIBUTE
    .attribute_count = COUNT(attributes),
    .attribute_size = sizeof *attributes,
    .attributes = attributes,
#endif
#if HEADER || BOARD
    .kind_count = KINDS,
    .kind_size = sizeof *kinds,
    .kinds = kinds,
#endif
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
#if ADJUST
    .adjust = adjust,
#endif
#if LAZY
    .elements_in_rect = elements_in_rect,
    .element = element,
#endif
#if KEEPS
    .still_valid = still_valid,
#endif
    .extension = extension,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
