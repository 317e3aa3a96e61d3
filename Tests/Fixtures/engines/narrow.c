// Groups within groups, but rows of one item, 60 high, where the viewport is narrower than 500 points.
#include "engine.h"

TESSERA_NOTE;

// The numbers that the base gives its choices.
enum { ITEM, HORIZONTAL };
enum { FRACTIONAL_WIDTH, FRACTIONAL_HEIGHT, ABSOLUTE };

static tessera_status give_rows(tessera_super *base) {
  // The second record has the initial values: an item that fills its group.
  tessera_status status = base->set_list(base, "nodes", 0);
  if (status == TESSERA_OK) status = base->set_list(base, "nodes", 2);
  void *kinds = 0, *parents = 0, *dimensions = 0, *heights = 0;
  if (status == TESSERA_OK) status = base->set_column(base, "nodes", "kind", TESSERA_TYPE_ENUM, &kinds);
  if (status == TESSERA_OK) status = base->set_column(base, "nodes", "parent", TESSERA_TYPE_INT, &parents);
  if (status == TESSERA_OK)
    status = base->set_column(base, "nodes", "heightIs", TESSERA_TYPE_ENUM, &dimensions);
  if (status == TESSERA_OK)
    status = base->set_column(base, "nodes", "height", TESSERA_TYPE_NUMBER, &heights);
  if (status != TESSERA_OK) return status;
  ((int32_t *)kinds)[0] = HORIZONTAL;
  ((int64_t *)parents)[1] = 0;
  ((int32_t *)dimensions)[0] = ABSOLUTE;
  ((double *)heights)[0] = 60;
  return base->set(base, "group", TESSERA_TYPE_INT, &(tessera_value){.integer = 0});
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  tessera_status status = TESSERA_OK;
  if (in->viewport.width < 500) status = give_rows(in->super);
  return status == TESSERA_OK ? in->super->prepare(in->super, out) : status;
}

static const tessera_engine engine = {
    ENGINE("org.example.narrow", "Narrow", "Groups within groups where there is room, else rows."),
    .base = "org.tessera.compositional", .traits = TESSERA_TRAIT_MIRRORS,
    .prepare = prepare};

REGISTERS(engine)
