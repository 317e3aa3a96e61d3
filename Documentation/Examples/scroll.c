// scroll [FOLDER]: scrolls through a table page by page, and prints the visible elements.
//
// The engine org.tessera.table is in FOLDER, or is installed. With libtessera installed:
//
//     cc scroll.c $(pkg-config --cflags --libs tessera-host) -o scroll && ./scroll

#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera_host.h>

static const double width = 320, height = 200;

static void print(tessera_session *session, const tessera_element *element, double offset) {
  const char *kind = tessera_session_kind_name(session, element->kind);
  printf("%6g %4g  %s %d", element->y - offset, element->height, kind ? kind : "row", (int)element->section);
  if (element->category == TESSERA_HOST_CATEGORY_CELL) printf(".%d", (int)element->item);
  putchar('\n');
}

// Every page reuses the same memory for elements, which grows if a page has more of them.
static int32_t print_page(tessera_session *session, double offset, tessera_element **elements, uint64_t *capacity) {
  int32_t status = tessera_session_set_offset(session, 0, offset);
  if (status != TESSERA_HOST_OK) return status;
  uint64_t count = 0;
  status = tessera_session_query_viewport(session, *elements, sizeof **elements, *capacity, &count);
  if (status != TESSERA_HOST_OK) return status;
  if (count > *capacity) {
    tessera_element *more = realloc(*elements, count * sizeof **elements);
    if (!more) abort();
    *elements = more;
    *capacity = count;
    status = tessera_session_copy_elements(session, 0, more, sizeof *more, count, &count);
    if (status != TESSERA_HOST_OK) return status;
  }
  printf("offset %g\n", offset);
  for (uint64_t index = 0; index < count; index++)
    if ((*elements)[index].category != TESSERA_HOST_CATEGORY_DECORATION) print(session, &(*elements)[index], offset);
  return TESSERA_HOST_OK;
}

static int32_t scroll(tessera_session *session) {
  const uint64_t rows[] = {4, 6};
  const double row_height = 50;
  int32_t status = tessera_session_set_bounds(session, width, height);
  if (!status) status = tessera_session_set_sections(session, rows, sizeof rows / sizeof *rows);
  if (!status) status = tessera_session_set_parameter(session, "rowHeight", &row_height, 1);
  double content_width = 0, content_height = 0;
  if (!status) status = tessera_session_content_size(session, &content_width, &content_height);
  if (status) return status;
  printf("content %g x %g\n", content_width, content_height);

  tessera_element *elements = NULL;
  uint64_t capacity = 0;
  const double last = content_height - height;
  for (double offset = 0; !status; offset = offset + height < last ? offset + height : last) {
    status = print_page(session, offset, &elements, &capacity);
    if (offset >= last) break;
  }
  free(elements);
  return status;
}

int main(int argc, char **argv) {
  if (argc > 2) {
    fprintf(stderr, "scroll: pass the folder of the engines, or nothing\n");
    return 64;
  }
  tessera_engines *engines = tessera_engines_create();
  if (!engines) return 70;
  tessera_session *session = NULL;
  int32_t status = argc == 2 ? tessera_engines_add_folder(engines, argv[1]) : TESSERA_HOST_OK;
  if (!status) status = tessera_session_create(engines, "org.tessera.table", &session);
  if (status) fprintf(stderr, "scroll: %s\n", tessera_engines_message(engines));
  if (session) {
    status = scroll(session);
    if (status) fprintf(stderr, "scroll: %s\n", tessera_session_message(session));
  }
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return status;
}
