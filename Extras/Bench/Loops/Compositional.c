#include "../../Extras/Bench/Comparisons/loops.h"

// The groups of nested.json, 300 points high. Places in a group are found once and repeated.
static void lay_out(const collection *items, rows *out) {
  enum { MOST = 64 };
  const double width = items->bounds.width, height = 300, half = 0.5 * height;
  const double item = 0.3 * width, column = 0.2 * width, third = (half - 2 * 2) / 3, spacing = 4;
  const double round = item + column + 2 * spacing;
  rect places[MOST];
  int64_t leaves = 0;
  for (double start = 0; leaves + 8 < MOST && start + item <= width + 1e-6; start += round) {
    places[leaves++] = (rect){start, 0, item, half};
    const double x = start + (item + spacing);
    if (x + column > width + 1e-6) break;
    for (int row = 0; row < 3; row++) places[leaves++] = (rect){x, row * (third + 2), column, third};
  }
  for (int part = 0; part < 4; part++) places[leaves++] = (rect){part * (width / 4), half, width / 4, half};

  const int64_t count = items->count;
  double y = 0;
  for (int64_t first = 0; first < count; first += leaves, y += height) {
    const int64_t cells = count - first < leaves ? count - first : leaves;
    for (int64_t cell = 0; cell < cells; cell++) {
      out->frames[first + cell] = places[cell];
      out->frames[first + cell].y += y;
    }
  }
  out->count = count;
  out->content = (size){width, y};
}

static int32_t set_nodes(tessera_session *session) {
  enum { COUNT = 7 };
  static const char *const kinds[COUNT] = {"vertical", "horizontal", "item", "vertical", "item", "horizontal", "item"};
  static const char *const heights_are[COUNT] = {"absolute", "fractionalHeight", "fractionalHeight", "fractionalHeight", "fractionalHeight", "fractionalHeight", "fractionalHeight"};
  static const struct { const char *name; double numbers[COUNT]; } columns[] = {
    {"parent", {-1, 0, 1, 1, 3, 0, 5}}, {"width", {1, 1, 0.3, 0.2, 1, 1, 1}}, {"height", {300, 0.5, 1, 1, 1, 0.5, 1}},
    {"count", {0, 0, 0, 3, 0, 4, 0}}, {"spacing", {0, 4, 0, 2}},
  };
  int32_t status = tessera_session_set_list(session, "nodes", COUNT);
  if (!status) status = tessera_session_set_list_choices(session, "nodes", "kind", kinds, COUNT, sizeof *kinds);
  if (!status) status = tessera_session_set_list_choices(session, "nodes", "heightIs", heights_are, COUNT, sizeof *heights_are);
  for (int i = 0; i < 5 && !status; i++)
    status = tessera_session_set_list_column(session, "nodes", columns[i].name, columns[i].numbers, 1, COUNT, sizeof(double));
  return status;
}

const example examples[] = {
  {"--list nodes=Extras/Bench/Loops/nested.json", lay_out, .set = set_nodes},
};
EXAMPLE_COUNT;
