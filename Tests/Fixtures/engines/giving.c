// Two correct derived engines that a suite could mistake for broken ones.
#include "engine.h"

static const tessera_kind kinds[] = {{.name = "badge", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_BADGE}};

// A badge in each cell's corner, beyond the content if the cell is wider.
static tessera_status add_badges(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  tessera_status status = in->super->prepare(in->super, out);
  const uint64_t count = out->run_count(out);
  for (uint64_t i = 0; i < count && status == TESSERA_OK; i++) {
    tessera_run cells;
    const tessera_rows *from, *to;
    status = out->get(out, i, &cells, &from);
    if (cells.category != TESSERA_CATEGORY_CELL) continue;
    tessera_run badges = {.category = TESSERA_CATEGORY_SUPPLEMENTARY, .section = cells.section, .count = cells.count};
    badges.first_item = cells.first_item;
    if (status == TESSERA_OK) status = out->add(out, &badges, &to);
    for (uint64_t row = 0; row < cells.count && status == TESSERA_OK; row++) {
      const tessera_rect cell = from->frame[row];
      to->frame[row] = (tessera_rect){cell.x + cell.width - 4, cell.y, 4, 4};
    }
  }
  return status;
}

static tessera_status give_nodes(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  tessera_super *const base = in->super;
  void *kind, *parent, *width;
  tessera_status status = base->set_list(base, "nodes", 2);
  if (status == TESSERA_OK) status = base->set_column(base, "nodes", "kind", TESSERA_TYPE_ENUM, &kind);
  if (status == TESSERA_OK) status = base->set_column(base, "nodes", "parent", TESSERA_TYPE_INT, &parent);
  if (status == TESSERA_OK) status = base->set_column(base, "nodes", "widthIs", TESSERA_TYPE_ENUM, &width);
  if (status != TESSERA_OK) return status;
  ((int32_t *)kind)[0] = 1, ((int32_t *)kind)[1] = 0;
  ((int64_t *)parent)[0] = -1, ((int64_t *)parent)[1] = 0;
  ((int32_t *)width)[0] = 0, ((int32_t *)width)[1] = 3;
  return base->prepare(base, out);
}

REGISTER(ENGINE("badges", .base = "org.tessera.flow", .base_version = "0.1.0", LIST(kind, kinds), .prepare = add_badges,
                .traits = TESSERA_TRAIT_MIRRORS),
         ENGINE("given", .base = "org.tessera.compositional", .base_version = "0.1.0", .prepare = give_nodes,
                .traits = TESSERA_TRAIT_MIRRORS));
