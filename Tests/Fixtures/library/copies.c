// copies [yes]: a program without settings; with an argument, handles that share a process. The
// worker from the environment counts its starts.
#include "checks.h"

TEST(uses, "grid", 5) {
  double width = 0, height = 0;
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(width > 0 && height > 0);
}

int main(int argc, char **argv) {
  (void)argv;
  tessera_engines *first = tessera_engines_create(), *other = tessera_engines_create();
  if (argc == 1) {
    uses(other);
    return failures != 0;
  }
  CHECK(!tessera_engines_set_kept_workers(first, 1));
  uses(first);
  // A copy keeps using the first handle's process, even after the first is destroyed.
  tessera_engines *copy = tessera_engines_copy(first);
  CHECK(copy && is(tessera_engines_message(copy), ""));
  uses(copy);
  tessera_engines_destroy(first);
  tessera_engines *second = tessera_engines_copy(copy);
  uses(second);
  // Another setting or a new handle gets a new process.
  CHECK(!tessera_engines_set_time_limit(second, 5));
  uses(second);
  uses(other);
  uses(copy);
  tessera_engines_destroy(second);
  tessera_engines_destroy(copy);
  tessera_engines_destroy(other);
  return failures != 0;
}
