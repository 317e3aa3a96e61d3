// An outline: one row per item, height and depth from a list whose records form a tree.

#include "twin.h"

TESSERA_NOTE;

enum { NODES };
enum { HEIGHT, SIDE, PARENT };
enum { LEADING, TRAILING };

static const char *const sides[] = {"leading", "trailing"};

static const tessera_parameter columns[] = {
    {.name = "height", .help = "The height of a row.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
     .initial.number = 24, .minimum.number = 0, .maximum.number = 400},
    {.name = "side", .help = "The side that a row is set off from.", .choices = sides,
     .choice_count = COUNT(sides), .type = TESSERA_TYPE_ENUM},
    {.name = "parent", .help = "An earlier record, or -1.", .type = TESSERA_TYPE_INT,
     .initial.integer = -1, .minimum.integer = -1, .maximum.integer = INT64_MAX},
};

static const tessera_list_declaration lists[] = {
    {.name = "nodes", .help = "What the items take in turn.", .column_count = COUNT(columns),
     .column_size = sizeof *columns, .columns = columns},
};

struct tessera_layout {
  const tessera_host *host;
  uint64_t count;
};

PLAIN_CREATE;

static int64_t parent_of(const tessera_list *nodes, uint64_t record) {
  return plain_integer(nodes->columns[PARENT], record);
}

static uint64_t depth_of(const tessera_list *nodes, uint64_t record) {
  uint64_t depth = 0;
  int64_t parent = parent_of(nodes, record);
  while (parent >= 0 && depth < 64) {
    depth++;
    parent = parent_of(nodes, (uint64_t)parent);
  }
  return depth;
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                              tessera_output *out) {
  const tessera_list *nodes = &in->lists[NODES];
  for (uint64_t record = 0; record < nodes->count; record++) {
    const int64_t parent = parent_of(nodes, record);
    if (parent >= (int64_t)record) return refuse(layout, "nodes: the parent of a record comes after it");
  }
  const double width = plain_extent(in).width;
  layout->count = nodes->count;
  const uint64_t count = layout->count;
  double y = 0;
  uint64_t row = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = plain_items(in, section)};
    const tessera_rows *rows;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    for (uint64_t i = 0; i < run.count; i++, row++) {
      const uint64_t record = count > 0 ? row % count : 0;
      const double height = count > 0 ? plain_number(nodes->columns[HEIGHT], record) : 24;
      const int32_t side = count > 0 ? plain_choice(nodes->columns[SIDE], record) : LEADING;
      const double indent = count > 0 ? width * (1 - pow(0.9, (double)depth_of(nodes, record))) : 0;
      rows->frame[i] = (tessera_rect){side == LEADING ? indent : 0, y, width - indent, height};
      y += height;
    }
  }
  out->set_content_size(out, (tessera_size){width, y});
  return TESSERA_OK;
}

static const tessera_engine engine = {
    TWIN("tree"),
    LISTS,
    .create = create,
    .destroy = plain_destroy,
    .prepare = prepare,
};

REGISTERS(engine)
