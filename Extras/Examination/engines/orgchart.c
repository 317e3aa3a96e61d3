/* A tree of boxes from a list with parents, stateless. Records are matched by global item index; an
   item without a record is a root. */

#include <math.h>
#include <stdlib.h>
#include <tessera/plain.h>

TESSERA_NOTE;

enum { WIDTH, HEIGHT, SPACING, DEPTH_STEP, N_PARAMETERS };
enum { OWN_WIDTH, N_VALUES };
enum { PARENT, SPACE, N_RECORD };
enum { LINK };
enum { DEPTH, N_ATTRIBUTES };

static const tessera_parameter parameters[N_PARAMETERS] = {
  [WIDTH] = {.name = "boxWidth", .help = "Width of a box without one.", .unit = "pt",
             .type = TESSERA_TYPE_NUMBER, .initial.number = 80, .maximum.number = 100000},
  [HEIGHT] = {.name = "boxHeight", .help = "Height of a box.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
              .initial.number = 40, .maximum.number = 100000},
  [SPACING] = {.name = "spacing", .help = "Space between boxes side by side.", .unit = "pt",
               .type = TESSERA_TYPE_NUMBER, .initial.number = 12, .maximum.number = 10000},
  [DEPTH_STEP] = {.name = "linkHeight", .help = "Space between a box and the ones below it.", .unit = "pt",
                  .type = TESSERA_TYPE_NUMBER, .initial.number = 24, .maximum.number = 10000},
};

static const tessera_value_declaration values[N_VALUES] = {
  [OWN_WIDTH] = {.name = "width", .help = "Width of the box.", .fallback = "boxWidth",
                 .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
};

static const tessera_parameter record[N_RECORD] = {
  [PARENT] = {.name = "parent", .help = "The place of the parent in the list; -1: none.",
              .type = TESSERA_TYPE_INT, .initial.integer = -1, .minimum.integer = -1,
              .maximum.integer = INT64_MAX},
  [SPACE] = {.name = "space", .help = "Additional space before the box and what is below it.", .unit = "pt",
             .type = TESSERA_TYPE_NUMBER, .maximum.number = 10000},
};

static const tessera_list_declaration lists[] = {
  {.name = "nodes", .help = "The tree. A parent that does not exist counts as none; of parents in a circle "
                            "the first is a root.",
   .column_count = N_RECORD, .column_size = sizeof(tessera_parameter), .columns = record},
};

static const tessera_kind kinds[] = {
  [LINK] = {.name = "link", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR},
};

static const tessera_attribute attributes[N_ATTRIBUTES] = {
  [DEPTH] = {.name = "depth", .help = "How many boxes are above it.", .type = TESSERA_TYPE_INT,
             .interpolation = TESSERA_INTERPOLATION_STEP},
};

#define NONE UINT64_MAX

typedef struct {
  uint64_t parent, first, next, mark; /* first child, next sibling */
  uint64_t depth;
  double width, space, below; /* below: width including descendants */
  double left;                /* start of that width */
} node;

static double length(double given) { return given > 0 ? fmin(given, 1e12) : 0; }

static void read_nodes(const tessera_input *in, node *nodes, uint64_t count) {
  const tessera_list *const list = &in->lists[0];
  for (uint64_t i = 0; i < count; i++) {
    node *const n = &nodes[i];
    *n = (node){.parent = NONE, .first = NONE, .next = NONE, .mark = NONE};
    n->width = length(plain_number(in->values[OWN_WIDTH], i));
    if (i >= list->count) continue;
    const int64_t parent = plain_integer(list->columns[PARENT], i);
    if (parent >= 0 && (uint64_t)parent < count && (uint64_t)parent < list->count)
      n->parent = (uint64_t)parent;
    n->space = plain_number(list->columns[SPACE], i);
  }
}

/* Follows parents from each unvisited node. Meeting a mark of the same walk means a cycle. */
static void cut_circles(node *nodes, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    uint64_t n = i;
    while (n != NONE && nodes[n].mark == NONE) {
      nodes[n].mark = i;
      n = nodes[n].parent;
    }
    if (n == NONE || nodes[n].mark != i) continue;
    uint64_t root = n;
    for (uint64_t m = nodes[n].parent; m != n; m = nodes[m].parent)
      if (m < root) root = m;
    nodes[root].parent = NONE;
  }
}

/* Breadth-first, children in list order. */
static void order_nodes(node *nodes, uint64_t count, uint64_t *order) {
  uint64_t end = 0;
  for (uint64_t i = count; i-- > 0;) {
    const uint64_t parent = nodes[i].parent;
    if (parent == NONE) continue;
    nodes[i].next = nodes[parent].first;
    nodes[parent].first = i;
  }
  for (uint64_t i = 0; i < count; i++)
    if (nodes[i].parent == NONE) order[end++] = i;
  for (uint64_t i = 0; i < end; i++) {
    const uint64_t n = order[i];
    for (uint64_t child = nodes[n].first; child != NONE; child = nodes[child].next) {
      nodes[child].depth = nodes[n].depth + 1;
      order[end++] = child;
    }
  }
}

static double width_of_children(const node *nodes, uint64_t n, double spacing) {
  double width = 0;
  for (uint64_t c = nodes[n].first; c != NONE; c = nodes[c].next)
    width += (c == nodes[n].first ? 0 : spacing) + nodes[c].space + nodes[c].below;
  return width;
}

/* Places the nodes; returns their total size. */
static tessera_size place(node *nodes, uint64_t count, const uint64_t *order, const tessera_input *in) {
  const double spacing = in->parameters[SPACING].number;
  const double step = in->parameters[HEIGHT].number + in->parameters[DEPTH_STEP].number;
  for (uint64_t i = count; i-- > 0;) {
    node *const n = &nodes[order[i]];
    n->below = fmax(n->width, width_of_children(nodes, order[i], spacing));
  }
  double right = 0, x = 0;
  uint64_t deepest = 0;
  for (uint64_t i = 0; i < count; i++) {
    node *const n = &nodes[order[i]];
    if (n->parent == NONE) {
      n->left = x + n->space;
      right = n->left + n->below;
      x = right + spacing;
    }
    if (n->depth > deepest) deepest = n->depth;
    double left = n->left + (n->below - width_of_children(nodes, order[i], spacing)) / 2;
    for (uint64_t c = n->first; c != NONE; c = nodes[c].next) {
      nodes[c].left = left + nodes[c].space;
      left = nodes[c].left + nodes[c].below + spacing;
    }
  }
  return (tessera_size){right, count == 0 ? 0 : (double)deepest * step + in->parameters[HEIGHT].number};
}

static tessera_rect frame_of(const node *n, const tessera_input *in) {
  const double height = in->parameters[HEIGHT].number;
  const double y = (double)n->depth * (height + in->parameters[DEPTH_STEP].number);
  return (tessera_rect){n->left + (n->below - n->width) / 2, y, n->width, height};
}

/* Adds a section's links: a run per group of items with parents. */
static tessera_status add_links(const tessera_input *in, const node *nodes, uint32_t section,
                                tessera_output *out) {
  const uint64_t start = in->section_starts[section], end = in->section_starts[section + 1];
  for (uint64_t first = start; first < end;) {
    if (nodes[first].parent == NONE) {
      first++;
      continue;
    }
    uint64_t last = first;
    while (last < end && nodes[last].parent != NONE) last++;
    const tessera_run run = {.category = TESSERA_CATEGORY_DECORATION, .kind = LINK, .section = section,
                             .first_item = first - start, .count = last - first};
    const tessera_rows *rows = NULL;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    int64_t *const depths = rows->attributes[DEPTH];
    for (uint64_t i = first; i < last; i++) {
      const tessera_rect child = frame_of(&nodes[i], in), parent = frame_of(&nodes[nodes[i].parent], in);
      const double from = parent.x + parent.width / 2, to = child.x + child.width / 2;
      rows->frame[i - first] = (tessera_rect){fmin(from, to), parent.y + parent.height, fabs(to - from),
                                              in->parameters[DEPTH_STEP].number};
      rows->z_index[i - first] = -1;
      depths[i - first] = (int64_t)nodes[i].depth;
    }
    first = last;
  }
  return TESSERA_OK;
}

static tessera_status add_all(const tessera_input *in, const node *nodes, tessera_output *out) {
  const uint64_t all = in->section_starts[in->section_count];
  for (uint32_t s = 0; s < in->section_count; s++) {
    const uint64_t start = in->section_starts[s];
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = s,
                             .count = plain_items(in, s)};
    const tessera_rows *rows = NULL;
    tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++) {
      rows->frame[i] = frame_of(&nodes[start + i], in);
      ((int64_t *)rows->attributes[DEPTH])[i] = (int64_t)nodes[start + i].depth;
      if ((start + i) % 4096 == 4095 && !in->host->progress(in->host, (double)(start + i) / (double)all))
        return TESSERA_ERROR_CANCELLED;
    }
    status = add_links(in, nodes, s, out);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const uint64_t count = in->section_starts[in->section_count];
  node *const nodes = calloc(count + 1, sizeof *nodes);
  uint64_t *const order = calloc(count + 1, sizeof *order);
  if (!nodes || !order) {
    free(nodes);
    free(order);
    return plain_refuse(in->host, TESSERA_ERROR_NO_SPACE, "there is not enough memory for the tree; free some");
  }
  read_nodes(in, nodes, count);
  cut_circles(nodes, count);
  order_nodes(nodes, count, order);
  const tessera_size size = place(nodes, count, order, in);
  const tessera_status status = add_all(in, nodes, out);
  free(nodes);
  free(order);
  if (status == TESSERA_OK) out->set_content_size(out, size);
  return status;
}

/* The bounds do not matter. */
static int32_t still_valid(tessera_layout *layout, const tessera_input *in) {
  (void)layout;
  (void)in;
  return 1;
}

static const tessera_engine engine = {
  .struct_size = sizeof engine,
  .traits = TESSERA_TRAIT_MIRRORS,
  .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
  .columns = TESSERA_COLUMN_Z_INDEX,
  .id = "org.example.orgchart", .name = "Orgchart", .version = "1.0.0", .author = "H. R.",
  .license = "MIT", .summary = "Boxes in a tree.",
  .parameter_count = N_PARAMETERS, .parameter_size = sizeof(tessera_parameter), .parameters = parameters,
  .value_count = N_VALUES, .value_size = sizeof(tessera_value_declaration), .values = values,
  .list_count = 1, .list_size = sizeof(tessera_list_declaration), .lists = lists,
  .attribute_count = N_ATTRIBUTES, .attribute_size = sizeof(tessera_attribute), .attributes = attributes,
  .kind_count = 1, .kind_size = sizeof(tessera_kind), .kinds = kinds,
  .prepare = prepare, .still_valid = still_valid,
};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
