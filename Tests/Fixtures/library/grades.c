// grades FOLDER: prints a session's sandbox grade, and the result of requiring a full one.
#include "checks.h"

int main(int count, char **arguments) {
  if (count != 2) return 2;
  tessera_engines *engines = engines_in(arguments[1], TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_session *session = session_of(engines, "flow", 3);
  CHECK(count_of(session) == 3);
  printf("%s\n", tessera_session_get_sandbox(session));
  tessera_session_destroy(session);
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "give 0 or 1", tessera_engines_require_full_sandbox(engines, 2));
  CHECK(!tessera_engines_require_full_sandbox(engines, 1));
  session = NULL;
  int32_t status = tessera_session_create(engines, "flow", &session);
  uint64_t items = 3, found = 0;
  const char *message = tessera_engines_message(engines);
  if (!status) {
    DONE(session, tessera_session_set_sections(session, &items, 1));
    status = tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &found);
    message = tessera_session_message(session);
  }
  printf("%d %s\n", (int)status, message);
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return failures != 0;
}
