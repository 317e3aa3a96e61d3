// A program that sets nothing: no folders, no cache and no worker.
#include "checks.h"

int main(void) {
  tessera_engines *engines = tessera_engines_create();
  tessera_session *session = session_of(engines, "grid", 5);
  double width = 0, height = 0;
  DONE(session, tessera_session_content_size(session, &width, &height));
  CHECK(width > 0 && height > 0);
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return failures != 0;
}
