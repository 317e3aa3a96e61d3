// replaced FOLDER: the engine's library is replaced by swapped.so, renamed.so, then broken.so,
// built from reloaded.c. Tests notifications and refused calls.
#include "checks.h"

static const char *folder;
static char library[512];

static void put(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CHECK(!rename(path, library));
}

static uint64_t query(tessera_session *session, double width) {
  uint64_t count = 0;
  DONE(session, tessera_session_set_bounds(session, width, 100));
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  return count;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  folder = argv[1];
  snprintf(library, sizeof library, "%s/libreloaded.so", folder);
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_session *session = session_of(engines, library, 3);
  uint64_t reloads = 9, copied = 0;
  int32_t status = 9;
  double number = 0;
  const void *values = NULL;
  DONE(session, tessera_session_reloads(session, &reloads, &status));
  CHECK(reloads == 0 && status == TESSERA_HOST_OK && is(tessera_session_reload_message(session), ""));
  set(session, "rowHeight", 7);
  CHECK(query(session, 300) == 3);
  CHECK(tessera_session_attribute_count(session) == 2 && is(tessera_session_attribute_name(session, 0), "one"));
  DONE(session, tessera_session_copy_attribute(session, 0, 0, &number, 1, 1, &copied));
  CHECK(number == 1 && copied == 1);

  put("swapped.so");
  CHECK(query(session, 310) == 3);
  DONE(session, tessera_session_reloads(session, &reloads, NULL));
  CHECK(reloads == 1 && is(tessera_session_reload_message(session), ""));
  INVALID("attribute 0 was looked up before the library was replaced; look it up again",
        tessera_session_copy_attribute(session, 0, 0, &number, 1, 1, &copied));
  CHECK(is(tessera_session_code(session), "staleNumber"));
  INVALID("look it up again", tessera_session_get_attribute(session, 0, &values));
  CHECK(!tessera_session_attribute_choice(session, 0, 0) && is(tessera_session_code(session), "staleNumber"));
  CHECK(is(tessera_session_attribute_name(session, 1), "one"));
  DONE(session, tessera_session_copy_attribute(session, 1, 0, &number, 1, 1, &copied));
  DONE(session, tessera_session_get_attribute(session, 1, &values));
  CHECK(number == 1);

  put("renamed.so");
  query(session, 330);
  DONE(session, tessera_session_reloads(session, &reloads, &status));
  CHECK(reloads == 2 && status == TESSERA_HOST_OK && strstr(tessera_session_reload_message(session), "no parameter \"rowHeight\""));
  put("broken.so");
  query(session, 340);
  DONE(session, tessera_session_reloads(session, &reloads, &status));
  CHECK(reloads == 3 && status == TESSERA_HOST_ERROR_CANNOT_LOAD && strstr(tessera_session_reload_message(session), "libreloaded.so"));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return failures ? 1 : 0;
}
