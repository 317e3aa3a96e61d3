// scarce: calls that run out of address space fail, and succeed once there is more. The first
// argument is the folder of the engines, the second the folder of libstrips.so.
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>
#include "checks.h"

enum { COUNT = 400000 };

// Limits the remaining address space in bytes; < 0 lifts the limit.
static void leave(long bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit.rlim_max;
  if (bytes >= 0) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    CHECK(file && fscanf(file, "%lu", &pages) == 1);
    if (file) fclose(file);
    limit.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (unsigned long)bytes;
  }
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

// Tries a call with 1 MiB, then unlimited.
#define SCARCE(session, call)                                                                     \
  do {                                                                                            \
    leave(1 << 20);                                                                               \
    const int32_t refused_ = (call);                                                              \
    const int is_limit_ = is(tessera_session_code(session), "systemLimit");                       \
    leave(-1);                                                                                    \
    if (refused_ != TESSERA_HOST_ERROR_REFUSED || !is_limit_)                                     \
      failures++, fprintf(stderr, "%s:%d: %d, %s\n", __FILE__, __LINE__, refused_, #call);        \
    DONE(session, call);                                                                          \
  } while (0)

int main(int argc, char **argv) {
  CHECK(argc == 3);
  // Return freed memory to the system.
  mallopt(M_MMAP_THRESHOLD, 1 << 16);
  tessera_engines *engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_INSIDE);
  double *doubles = calloc(3 * COUNT, sizeof *doubles);
  const char **names = calloc(COUNT, sizeof *names);
  CHECK(doubles && names);
  for (int number = 0; number < COUNT; number++) names[number] = "red";

  // Memory of copied queries, the index and exports.
  tessera_session *session = session_of(engines, "flow", COUNT);
  tessera_element element;
  DONE(session, tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, 0, 0, &element, sizeof element));
  uint64_t count = 0;
  SCARCE(session, tessera_session_query_all(session, NULL, sizeof element, 0, &count));
  CHECK(count == COUNT);
  struct ArrowSchema schema;
  struct ArrowArray array;
  leave(1 << 20);
  CHECK(tessera_session_export(session, &schema, &array) == TESSERA_HOST_ERROR_REFUSED);
  leave(-1);
  DONE(session, tessera_session_export(session, &schema, &array));
  CHECK(array.length == COUNT);
  schema.release(&schema);
  array.release(&array);
  const double rect[] = {0, 0, 1, 1};
  tessera_columns columns;
  SCARCE(session, tessera_session_query_columns(session, rect, &columns, sizeof columns));
  tessera_session_destroy(session);

  // Contiguous and strided values.
  for (uint64_t stride = 16; stride <= 24; stride += 8) {
    session = session_of(engines, "flow", COUNT);
    SCARCE(session, tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "size", doubles, 2, COUNT, stride));
    tessera_session_destroy(session);
  }
  tessera_engines_destroy(engines);

  engines = engines_in(argv[2], TESSERA_HOST_ISOLATION_INSIDE);
  session = session_of(engines, "strips", 1);
  DONE(session, tessera_session_set_list(session, "strips", COUNT));
  SCARCE(session, tessera_session_set_list_column(session, "strips", "length", doubles, 1, COUNT, 8));
  SCARCE(session, tessera_session_set_list_choices(session, "strips", "colour", names, COUNT, sizeof *names));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  free(doubles);
  free(names);
  return failures ? 1 : 0;
}
