// feed [FOLDER]: a feed that gets more items while it is scrolled, and whose position stays when its width changes.
//
// The engine org.tessera.waterfall is in FOLDER, or is installed. With libtessera installed:
//
//     cc feed.c $(pkg-config --cflags --libs tessera-host) -o feed && ./feed

#include <stdio.h>
#include <tessera/tessera_host.h>

enum { PAGE = 4, MOST = 12 }; // items in a page of the server, and all that it has

static const double height = 100;
static const double page[PAGE] = {40, 60, 50, 70};

// Appends the next page: the new count, and the values of only the new items.
static int32_t append(tessera_session *session, uint64_t *items) {
  const uint64_t before = *items;
  *items += PAGE;
  int32_t status = tessera_session_set_sections(session, items, 1);
  if (!status)
    status = tessera_session_set_values_from(session, TESSERA_HOST_SCOPE_ITEM, "height", before, page, 1, PAGE,
                                             sizeof *page);
  return status;
}

// Scrolls to an offset. If less than a screen follows what is then visible, more items are needed.
static int32_t scroll(tessera_session *session, double y, uint64_t *items) {
  int32_t status = tessera_session_set_offset(session, 0, y);
  double content_width = 0, content_height = 0;
  if (!status) status = tessera_session_content_size(session, &content_width, &content_height);
  while (!status && *items < MOST && content_height < y + 2 * height) {
    status = append(session, items);
    if (!status) status = tessera_session_content_size(session, &content_width, &content_height);
  }
  if (!status) printf("offset %g: %d items, %g points\n", y, (int)*items, content_height);
  return status;
}

// Changes the width. The first visible cell keeps its distance from the top, unless the content ends before.
static int32_t resize(tessera_session *session, double width) {
  double x = 0, y = 0, content_width = 0, content_height = 0;
  uint64_t count = 0;
  tessera_element anchor = {.category = TESSERA_HOST_CATEGORY_DECORATION}, moved;
  int32_t status = tessera_session_offset(session, &x, &y);
  if (!status) status = tessera_session_query_viewport(session, NULL, sizeof anchor, 0, &count);
  for (uint64_t index = 0; !status && anchor.category != TESSERA_HOST_CATEGORY_CELL && index < count; index++) {
    uint64_t copied = 0;
    status = tessera_session_copy_elements(session, index, &anchor, sizeof anchor, 1, &copied);
  }
  if (!status) status = tessera_session_set_bounds(session, width, height);
  if (status || anchor.category != TESSERA_HOST_CATEGORY_CELL) return status;
  status = tessera_session_find(session, anchor.category, NULL, anchor.section, anchor.item, &moved, sizeof moved);
  if (!status) status = tessera_session_content_size(session, &content_width, &content_height);
  if (status) return status;
  const double last = content_height > height ? content_height - height : 0;
  const double wanted = y + moved.y - anchor.y;
  const double found = wanted < 0 ? 0 : wanted > last ? last : wanted;
  printf("width %g: item %d from %g to %g, offset %g\n", width, (int)anchor.item, anchor.y, moved.y, found);
  return tessera_session_set_offset(session, x, found);
}

static int32_t show(tessera_session *session) {
  const double columns = 0, narrowest = 100;
  uint64_t items = 0;
  int32_t status = tessera_session_set_bounds(session, 210, height);
  if (!status) status = tessera_session_set_parameter(session, "columnCount", &columns, 1);
  if (!status) status = tessera_session_set_parameter(session, "minimumColumnWidth", &narrowest, 1);
  if (!status) status = scroll(session, 0, &items);
  if (!status) status = scroll(session, 80, &items);
  if (!status) status = scroll(session, 150, &items);
  if (!status) status = resize(session, 320);
  return status;
}

int main(int argc, char **argv) {
  tessera_engines *engines = tessera_engines_create();
  if (!engines) return 70;
  tessera_session *session = NULL;
  int32_t status = argc == 2 ? tessera_engines_add_folder(engines, argv[1]) : TESSERA_HOST_OK;
  if (!status) status = tessera_session_create(engines, "org.tessera.waterfall", &session);
  if (status) fprintf(stderr, "feed: %s\n", tessera_engines_message(engines));
  if (session) {
    status = show(session);
    if (status) fprintf(stderr, "feed: %s\n", tessera_session_message(session));
  }
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return status;
}
