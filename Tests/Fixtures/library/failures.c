// failures FOLDER [ROUNDS]: dying engines, rejected files, wrong names and values. FOLDER holds
// crashing.so, empty.so (not a library) and an allowlist others.txt without crashing.so.
#include "checks.h"

static char *join(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 2);
  if (!path) abort();
  sprintf(path, "%s/%s", folder, name);
  return path;
}

static void lists_what_there_is(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_engine_info info = {0};
  tessera_refusal refusal = {0};
  FAILS(engines, TESSERA_HOST_ERROR_MISUSED, "tessera_engines_list first", tessera_engines_get(engines, 0, &info, sizeof info));
  uint64_t engine_count = 0, refusal_count = 0;
  CHECK(!tessera_engines_list(engines, &engine_count, &refusal_count));
  CHECK(engine_count == 1 && refusal_count == 1);
  CHECK(!tessera_engines_get(engines, 0, &info, sizeof info));
  CHECK(is(info.id, "org.example.crashing") && is(info.name, "Crashing") && is(info.version, "1.2.3"));
  CHECK(is(info.author, "Nobody") && is(info.license, "MIT") && is(info.summary, "Dies."));
  CHECK(info.library && strstr(info.library, "/crashing.so") && !info.base && !info.shadowed_by);
  CHECK(!tessera_engines_get_refusal(engines, 0, &refusal));
  CHECK(refusal.status == TESSERA_HOST_ERROR_CANNOT_LOAD && refusal.file && strstr(refusal.file, "/empty.so") && strlen(refusal.reason) > 10);
  FAILS(engines, TESSERA_HOST_ERROR_MISUSED, "no engine 1", tessera_engines_get(engines, 1, &info, sizeof info));
  FAILS(engines, TESSERA_HOST_ERROR_MISUSED, "79", tessera_engines_get(engines, 0, &info, 79));
  CHECK(!tessera_engines_list(engines, NULL, NULL));
  tessera_engines_destroy(engines);
}

static void says_which_engines_there_are_not(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_session *session = (tessera_session *)engines;
  FAILS(engines, TESSERA_HOST_ERROR_NOT_FOUND, "no engine \"crushing\"; did you mean crashing",
        tessera_session_create(engines, "crushing", &session));
  CHECK(!session);
  char *empty = join(folder, "empty.so"), *missing = join(folder, "nowhere");
  FAILS(engines, TESSERA_HOST_ERROR_CANNOT_LOAD, "empty.so", tessera_session_create(engines, empty, &session));
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "UTF-8", tessera_session_create(engines, "\xff", &session));
  FAILS(engines, TESSERA_HOST_ERROR_MISUSED, "null", tessera_session_create(engines, NULL, &session));
  CHECK(!tessera_engines_add_folder(engines, missing));
  FAILS(engines, TESSERA_HOST_ERROR_NOT_FOUND, "nowhere", tessera_session_create(engines, "crashing", &session));
  tessera_engines_destroy(engines);
  free(empty), free(missing);
}

static void checks_how_engines_are_run(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_session *session = NULL;
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "isolation is 3", tessera_engines_set_isolation(engines, 3));
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "0.001", tessera_engines_set_time_limit(engines, 0));
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "64 MiB", tessera_engines_set_memory_limit(engines, 1));
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "row limit is 0; give 1 to 1073741824", tessera_engines_set_row_limit(engines, 0));
  FAILS(engines, TESSERA_HOST_ERROR_INVALID, "give 0 to 64", tessera_engines_set_kept_workers(engines, 65));
  CHECK(!tessera_engines_set_row_limit(engines, TESSERA_HOST_MAX_ROW_LIMIT));
  CHECK(!tessera_engines_set_row_limit(engines, TESSERA_HOST_ROW_LIMIT) && !tessera_engines_set_kept_workers(engines, 2));
  FAILS(engines, TESSERA_HOST_ERROR_MISUSED, "null", tessera_engines_add_folder(engines, NULL));
  CHECK(is(tessera_engines_message(engines), "the path is null; give one") && is(tessera_engines_code(engines), "misuse"));
  CHECK(!tessera_engines_set_memory_limit(engines, 256 << 20) && is(tessera_engines_message(engines), ""));
  CHECK(is(tessera_engines_code(engines), "") && is(tessera_engines_code(NULL), "misuse") && is(tessera_session_code(NULL), "misuse"));
  char *list = join(folder, "others.txt"), *missing = join(folder, "nowhere");
  FAILS(engines, TESSERA_HOST_ERROR_NOT_FOUND, "nowhere", tessera_engines_set_allowlist(engines, missing));
  CHECK(!tessera_engines_set_allowlist(engines, list));
  FAILS(engines, TESSERA_HOST_ERROR_NOT_ALLOWED, "allowlist", tessera_session_create(engines, "crashing", &session));
  CHECK(is(tessera_engines_code(engines), "notAllowlisted"));
  CHECK(!tessera_engines_set_allowlist(engines, NULL) && !tessera_engines_set_cache(engines, NULL));
  CHECK(!tessera_session_create(engines, "crashing", &session));
  // Closed engines and changed settings do not affect existing sessions.
  CHECK(!tessera_engines_set_isolation(engines, TESSERA_HOST_ISOLATION_INSIDE));
  tessera_engines_destroy(engines);
  CHECK(has_size(session, 1, 2));
  tessera_session_destroy(session);
  free(list), free(missing);
}

static void says_that_there_is_no_worker(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  tessera_session *session = NULL;
  char *missing = join(folder, "nowhere");
  CHECK(!tessera_engines_set_cache(engines, NULL) && !tessera_engines_set_worker(engines, missing));
  FAILS(engines, TESSERA_HOST_ERROR_REFUSED, "nowhere", tessera_session_create(engines, "crashing", &session));
  CHECK(!session && !tessera_engines_set_worker(engines, NULL));
  CHECK(!tessera_session_create(engines, "crashing", &session));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  free(missing);
}

static void outlives_its_engine(const char *folder) {
  tessera_engines *engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  CHECK(!tessera_engines_set_time_limit(engines, 2));
  tessera_session *session = session_of(engines, "crashing", 0);
  double width = 0, height = 0;
  set(session, "trap", 1);
  FAILS(session, TESSERA_HOST_ERROR_DIED, "SIGILL", tessera_session_content_size(session, &width, &height));
  CHECK(width == 0);
  set(session, "trap", 0);
  CHECK(has_size(session, 1, 2));
  set(session, "hang", 1);
  FAILS(session, TESSERA_HOST_ERROR_DIED, "2 s", tessera_session_content_size(session, &width, &height));
  set(session, "hang", 0);
  DONE(session, tessera_session_content_size(session, &width, &height));
  DONE(session, tessera_session_close(session));
  DONE(session, tessera_session_content_size(session, &width, &height));
  tessera_engine_info info = {0};
  DONE(session, tessera_session_get_engine(session, &info, sizeof info));
  CHECK(is(info.id, "org.example.crashing") && info.library && strstr(info.library, "/crashing.so"));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
}

int main(int argc, char **argv) {
  const int rounds = argc > 2 ? atoi(argv[2]) : 1;
  // Under valgrind, a failed start looks like an exit.
  if (argc == 2) says_that_there_is_no_worker(argv[1]);
  for (int round = 0; round < rounds; round++) {
    lists_what_there_is(argv[1]);
    says_which_engines_there_are_not(argv[1]);
    checks_how_engines_are_run(argv[1]);
    outlives_its_engine(argv[1]);
  }
  return failures ? 1 : 0;
}
