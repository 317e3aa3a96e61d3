// Two correct derived engines that a suite could mistake for broken ones.
#include "engine.h"

static const tessera_kind kinds[] = {{.name = "badge", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_BADGE}};

// A badge in each cell's corner, beyond the content if the cell is wider.
static tessera_status add_badges(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  TRY(in->super->prepare(in->super, out));
  const uint64_t count = out->run_count(out);
  for (uint64_t i = 0; i < count; i++) {
    tessera_run cells;
    const tessera_rows *from, *to;
    TRY(out->get(out, i, &cells, &from));
    if (cells.category != TESSERA_CATEGORY_CELL) continue;
    tessera_run badges = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = cells.section, .count = cells.count};
    badges.first_item = cells.first_item;
    TRY(out->add(out, &badges, &to));
    for (uint64_t row = 0; row < cells.count; row++) {
      const tessera_rect cell = from->frame[row];
      to->frame[row] = (tessera_rect){cell.x + cell.width - 4, cell.y, 4, 4};
    }
  }
  return TESSERA_OK;
}

static tessera_status give_nodes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  tessera_super *const base = in->super;
  void *kind, *parent, *width;
  TRY(base->set_list(base, "nodes", 2));
  TRY(base->set_column(base, "nodes", "kind", TESSERA_TYPE_ENUM, &kind));
  TRY(base->set_column(base, "nodes", "parent", TESSERA_TYPE_INT, &parent));
  TRY(base->set_column(base, "nodes", "widthIs", TESSERA_TYPE_ENUM, &width));
  ((int32_t *)kind)[0] = 1, ((int32_t *)kind)[1] = 0;
  ((int64_t *)parent)[0] = -1, ((int64_t *)parent)[1] = 0;
  ((int32_t *)width)[0] = 0, ((int32_t *)width)[1] = 3;
  return base->prepare(base, out);
}

REGISTER(ENGINE("badges", .base = "org.tessera.flow", .base_version = "0.1.0", LIST(kind, kinds), .prepare = add_badges,
                .traits = TESSERA_TRAIT_MIRRORS),
         ENGINE("given", .base = "org.tessera.compositional", .base_version = "0.1.0", .prepare = give_nodes,
                .traits = TESSERA_TRAIT_MIRRORS));
