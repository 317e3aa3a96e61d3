// threads FOLDER [CALLS]: many threads call one handle at the same time. Each call succeeds or is refused with one sentence, and what is
// refused changes nothing.
#include <pthread.h>
#include <stdatomic.h>

#include "checks.h"

enum { threads = 8, rows = 200 };

static tessera_engines *engines;
static tessera_session *shared;
static long calls;
static atomic_long done, refused;

static void count(int32_t status, const char *message, const char *code) {
  if (!status) {
    atomic_fetch_add(&done, 1);
  } else if (status == TESSERA_HOST_ERROR_MISUSED && is(message, "another thread is using this handle; use it from one thread at a time") && is(code, "misuse")) {
    atomic_fetch_add(&refused, 1);
  } else {
    CHECK(status == 0);
  }
}

static void *hammer(void *context) {
  const long seed = (long)(intptr_t)context;
  tessera_element elements[64];
  double width = 0, height = 0;
  uint64_t found = 0;
  for (long call = 0; call < calls; call++) {
    int32_t status = 0;
    switch ((call + seed) % 6) {
    case 0: status = tessera_session_set_bounds(shared, 300 + (double)(call % 7), 400); break;
    case 1: status = tessera_session_content_size(shared, &width, &height); break;
    case 2: status = tessera_session_query_viewport(shared, elements, sizeof *elements, 64, &found); break;
    case 3: status = tessera_session_set_offset(shared, 0, (double)(call % 50)); break;
    // A call that fails of itself sets the message that others must not read.
    case 4: status = tessera_session_content_size(shared, &width, NULL) == TESSERA_HOST_ERROR_MISUSED ? 0 : 1; break;
    case 5:
      tessera_engines_destroy(tessera_engines_copy(engines));
      status = tessera_engines_set_kept_workers(engines, (uint32_t)(call % 3));
      count(status, status ? tessera_engines_message(engines) : "", status ? tessera_engines_code(engines) : "");
      continue;
    }
    count(status, status ? tessera_session_message(shared) : "", status ? tessera_session_code(shared) : "");
  }
  return NULL;
}

static void *call_once(void *context) {
  double width, height;
  const int32_t status = tessera_session_content_size(context, &width, &height);
  CHECK(status == TESSERA_HOST_ERROR_MISUSED && strstr(tessera_session_message(context), "another thread is using"));
  CHECK(is(tessera_session_code(context), "misuse"));
  return NULL;
}

static int asked;

// Another thread cannot call while a function of the program runs.
static int32_t measure(void *context, uint64_t section, uint64_t item, const double *proposed, double *size) {
  (void)section, (void)item;
  pthread_t thread;
  if (!asked++) CHECK(!pthread_create(&thread, NULL, call_once, context) && !pthread_join(thread, NULL));
  size[0] = proposed[0], size[1] = 30;
  return 0;
}

int main(int argc, char **argv) {
  calls = argc > 2 ? atol(argv[2]) : 20000;
  engines = engines_in(argv[1], TESSERA_HOST_ISOLATION_SANDBOX);
  shared = session_of(engines, "table", rows);
  pthread_t running[threads];
  for (long i = 0; i < threads; i++) CHECK(!pthread_create(&running[i], NULL, hammer, (void *)(intptr_t)i));
  for (int i = 0; i < threads; i++) CHECK(!pthread_join(running[i], NULL));
  CHECK(done > calls && done + refused == threads * calls);
  CHECK(calls < 1000 || refused > 0);
  // The session is as if one thread had made the calls that went well.
  tessera_session *other = session_of(engines, "table", rows);
  static tessera_element elements[2][rows];
  uint64_t counts[2] = {0, 1};
  tessera_session *const sessions[] = {shared, other};
  for (int i = 0; i < 2; i++) {
    DONE(sessions[i], tessera_session_set_bounds(sessions[i], 320, 400));
    DONE(sessions[i], tessera_session_query_all(sessions[i], elements[i], sizeof **elements, rows, &counts[i]));
    CHECK(is(tessera_session_message(sessions[i]), ""));
  }
  CHECK(counts[0] == counts[1] && counts[0] >= rows && !memcmp(elements[0], elements[1], sizeof *elements));
  const double estimate = 20;
  DONE(other, tessera_session_set_parameter(other, "estimatedRowHeight", &estimate, 1));
  DONE(other, tessera_session_set_measure(other, measure, other));
  DONE(other, tessera_session_query_viewport(other, elements[1], sizeof **elements, rows, &counts[1]));
  CHECK(asked > 0);
  tessera_session_destroy(shared);
  tessera_session_destroy(other);
  tessera_engines_destroy(engines);
  return failures ? 1 : 0;
}
