// guards FOLDER WORKER PIPE: calls every function where it must fail: with null, while the handle
// is in use by a thread or callback, during a prepare, and after fork. Each returns at once without
// effect. GuardTests.swift generates calls.h from the header. WORKER reads a line from PIPE and
// exits.
#define _GNU_SOURCE
#include "checks.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  int32_t status;
  uint32_t number;
  const void *pointer;
} outcome;

enum returns { STATUS, NUMBER, POINTER, TEXT, CODE, NOTHING };

typedef struct {
  const char *name;
  const char *handle; // the type: "engines", "session" or "moment"
  enum returns returns;
  outcome (*call)(void *handle, int has_arguments);
} function;

static uint64_t room[8192];

#include "calls.h"

enum { count = sizeof functions / sizeof *functions };

static int is_any(const char *name, const char *const *names) {
  while (*names && strcmp(name, *names)) names++;
  return *names != NULL;
}

// Calls all functions of a handle type with exceptions, and compares results.
static void call_all(void *handle, const char *type, int has_arguments, int32_t status, const char *text, const char *code,
                     const char *const *skipped) {
  for (int i = 0; i < count; i++) {
    const function *one = &functions[i];
    if (strcmp(one->handle, type) || is_any(one->name, skipped)) continue;
    const outcome found = one->call(handle, has_arguments);
    const int is_right = one->returns == STATUS   ? found.status == status
                         : one->returns == TEXT   ? found.pointer && strstr(found.pointer, text)
                         : one->returns == CODE   ? is(found.pointer, code)
                         : one->returns == NUMBER ? found.number == 0
                                                  : !found.pointer;
    if (!is_right)
      failures++, fprintf(stderr, "%s returned %d, %u, %s; expected %d, %s, %s\n", one->name, found.status, found.number,
                          one->returns == TEXT || one->returns == CODE ? (const char *)found.pointer : found.pointer ? "text" : "null", status,
                          text, code);
  }
}

static const char *const none[] = {NULL};
static const char *const destroying[] = {"tessera_session_destroy", "tessera_engines_destroy", NULL};

static void wait_for(pid_t child, const char *where) {
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  if (status) failures++, fprintf(stderr, "the process forked %s ended with the status %x\n", where, (unsigned)status);
}

// ---------------------------------------------------------------- A session in a callback

static const char *folder;
static tessera_engines *engines;
static tessera_session *session;
static sem_t measuring, measured;
static int waits, calls_itself;

static int32_t measure(void *context, uint64_t section, uint64_t item, const double *proposed, double *size) {
  (void)context, (void)section, (void)item;
  if (calls_itself) {
    static const char *const others[] = {"tessera_session_destroy", "tessera_session_message", "tessera_session_code",
                                         "tessera_session_batch_part", NULL};
    calls_itself = 0;
    for (int i = 0; i < count; i++) {
      if (strcmp(functions[i].handle, "session") || is_any(functions[i].name, others)) continue;
      const outcome found = functions[i].call(session, 1);
      if (found.status != (functions[i].returns == STATUS ? TESSERA_HOST_ERROR_MISUSED : 0) || found.number || found.pointer)
        failures++, fprintf(stderr, "%s in a callback returned %d\n", functions[i].name, found.status);
    }
    CHECK(strstr(tessera_session_message(session), "return from the callback first"));
  }
  if (waits) {
    waits = 0;
    sem_post(&measuring);
    sem_wait(&measured);
  }
  size[0] = proposed[0], size[1] = 30;
  return 0;
}

// Row count at 30 points each; 0 if the query fails, with a message.
static uint64_t rows_of(tessera_session *one) {
  tessera_element elements[64];
  uint64_t found = 0;
  DONE(one, tessera_session_query_viewport(one, elements, sizeof *elements, 64, &found));
  return found;
}

static void *query(void *rows) {
  *(uint64_t *)rows = rows_of(session);
  return NULL;
}

static tessera_session *measuring_session(tessera_engines *of) {
  tessera_session *made = session_of(of, "table", 50);
  set(made, "estimatedRowHeight", 20);
  set(made, "sectionHeaderHeight", 28);
  DONE(made, tessera_session_set_measure(made, measure, NULL));
  return made;
}

// Starts a query on another thread that blocks in its callback. A previous result exists.
static pthread_t begin(uint64_t *rows) {
  pthread_t thread;
  session = measuring_session(engines);
  CHECK(rows_of(session) > 10 && tessera_session_kind_name(session, 0));
  DONE(session, tessera_session_set_bounds(session, 320, 667));
  waits = 1;
  CHECK(!pthread_create(&thread, NULL, query, rows));
  sem_wait(&measuring);
  return thread;
}

static void other_threads_are_refused(uint64_t expected) {
  uint64_t rows = 0;
  const pthread_t thread = begin(&rows);
  call_all(session, "session", 1, TESSERA_HOST_ERROR_MISUSED, "another thread is using this handle", "misuse", destroying);
  call_all(session, "session", 0, TESSERA_HOST_ERROR_MISUSED, "another thread is using this handle", "misuse", destroying);
  tessera_session_destroy(session);
  sem_post(&measured);
  CHECK(!pthread_join(thread, NULL) && rows == expected);
}

static void callbacks_are_refused(uint64_t expected) {
  session = measuring_session(engines);
  calls_itself = 1;
  CHECK(rows_of(session) == expected && !calls_itself);
  CHECK(is(tessera_session_message(session), "") && is(tessera_session_code(session), ""));
  tessera_session_destroy(session);
}

static void prepares_refuse(uint64_t expected) {
  static const char *const going_on[] = {
      "tessera_session_destroy", "tessera_session_message", "tessera_session_code", "tessera_session_prepare_finish",
      "tessera_session_copy_elements", "tessera_session_get_columns", "tessera_session_get_attribute", "tessera_session_kind_name",
      "tessera_session_attribute_count", "tessera_session_attribute_name", "tessera_session_attribute_choice",
      "tessera_session_batch_message", "tessera_session_batch_code", "tessera_session_export", "tessera_session_export_stream",
      "tessera_session_copy_tracks", "tessera_session_query_moment", "tessera_session_moment_tracks",
      "tessera_session_query_moment_columns", "tessera_session_moment_content", NULL};
  session = measuring_session(engines);
  int32_t descriptor = -1;
  DONE(session, tessera_session_prepare_begin(session, &descriptor));
  call_all(session, "session", 1, TESSERA_HOST_ERROR_MISUSED, "", "", going_on);
  for (int i = 0; going_on[i]; i++) {
    int is_known = 0;
    for (int k = 0; k < count; k++) {
      if (strcmp(functions[k].name, going_on[i])) continue;
      is_known = 1;
      if (i > 3) functions[k].call(session, 0);
    }
    CHECK(is_known);
  }
  DONE(session, tessera_session_prepare_finish(session));
  CHECK(rows_of(session) == expected);
  tessera_session_destroy(session);
}

// ---------------------------------------------------------------- Engines during listing

static const char *worker, *pipe_path;

static void *list(void *context) {
  (void)context;
  uint64_t found = 1, refused = 0;
  CHECK(!tessera_engines_list(engines, &found, &refused));
  CHECK(found == 0 && refused > 0);
  return NULL;
}

static tessera_engines *waiting_engines(void) {
  tessera_engines *made = tessera_engines_create();
  CHECK(made && !tessera_engines_add_folder(made, folder) && !tessera_engines_set_cache(made, NULL));
  CHECK(!tessera_engines_set_worker(made, worker));
  return made;
}

// Starts a listing on another thread; its worker waits for a line.
static pthread_t begin_list(int *writing) {
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, list, NULL));
  CHECK((*writing = open(pipe_path, O_WRONLY | O_CLOEXEC)) >= 0);
  return thread;
}

static void end_list(pthread_t thread, int writing) {
  struct timespec deadline;
  do {
    if (writing >= 0) close(writing);
    writing = open(pipe_path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 2000000;
    if (deadline.tv_nsec >= 1000000000) deadline.tv_sec++, deadline.tv_nsec -= 1000000000;
  } while (pthread_timedjoin_np(thread, NULL, &deadline));
  if (writing >= 0) close(writing);
}

static void listings_refuse(void) {
  tessera_engines *const before = engines;
  int writing = -1;
  engines = waiting_engines();
  const pthread_t thread = begin_list(&writing);
  call_all(engines, "engines", 1, TESSERA_HOST_ERROR_MISUSED, "another thread is using this handle", "misuse", destroying);
  tessera_engines_destroy(engines);
  end_list(thread, writing);
  engines = before;
}

// ---------------------------------------------------------------- Forks

static _Noreturn void be_child(tessera_engines *old_engines, tessera_session *old_session, tessera_moment *old_moment, uint64_t expected) {
  alarm(20);
  failures = 0;
  if (old_session) {
    call_all(old_session, "session", 1, TESSERA_HOST_ERROR_REFUSED, "forked from", "forkedSession", destroying);
    tessera_session_destroy(old_session);
  }
  call_all(old_engines, "engines", 1, TESSERA_HOST_ERROR_REFUSED, "forked from", "forkedSession", destroying);
  tessera_engines_destroy(old_engines);
  tessera_engines *own = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  session = measuring_session(own);
  CHECK(rows_of(session) == expected);
  if (old_moment) {
    uint64_t tracks = 0;
    FAILS(session, TESSERA_HOST_ERROR_REFUSED, "forked from", tessera_session_transition(session, old_moment, &tracks));
    tessera_moment_destroy(old_moment);
  }
  tessera_session_destroy(session);
  tessera_engines_destroy(own);
  _exit(failures != 0);
}

static void forks_in_a_callback(uint64_t expected) {
  uint64_t rows = 0;
  tessera_moment *moment = NULL;
  session = measuring_session(engines);
  DONE(session, tessera_session_take_moment(session, &moment));
  tessera_session_destroy(session);
  const pthread_t thread = begin(&rows);
  for (int i = 0; i < 3; i++) {
    const pid_t child = fork();
    if (child == 0) be_child(engines, session, moment, expected);
    wait_for(child, "in a callback");
  }
  sem_post(&measured);
  CHECK(!pthread_join(thread, NULL) && rows == expected);
  CHECK(rows_of(session) == expected);
  tessera_moment_destroy(moment);
  tessera_session_destroy(session);
}

static int is_forking = 1;

static void *create(void *context) {
  (void)context;
  while (__atomic_load_n(&is_forking, __ATOMIC_RELAXED)) {
    tessera_engines *own = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
    tessera_session *made = session_of(own, "table", 3);
    double width, height;
    DONE(made, tessera_session_content_size(made, &width, &height));
    tessera_session_destroy(made);
    tessera_engines_destroy(own);
  }
  return NULL;
}

static void forks_at_any_time(int rounds, uint64_t expected) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) CHECK(!pthread_create(&threads[i], NULL, create, NULL));
  for (int i = 0; i < rounds; i++) {
    const pid_t child = fork();
    if (child == 0) be_child(engines, NULL, NULL, expected);
    wait_for(child, "at any time");
  }
  __atomic_store_n(&is_forking, 0, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++) CHECK(!pthread_join(threads[i], NULL));
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  alarm(300);
  folder = argv[1], worker = argv[2], pipe_path = argv[3];
  sem_init(&measuring, 0, 0);
  sem_init(&measured, 0, 0);
  call_all(NULL, "engines", 1, TESSERA_HOST_ERROR_MISUSED, "null", "misuse", none);
  call_all(NULL, "session", 1, TESSERA_HOST_ERROR_MISUSED, "null", "misuse", none);
  call_all(NULL, "session", 0, TESSERA_HOST_ERROR_MISUSED, "null", "misuse", none);
  call_all(NULL, "moment", 0, 0, "", "", none);
  engines = engines_in(folder, TESSERA_HOST_ISOLATION_SANDBOX);
  session = measuring_session(engines);
  const uint64_t expected = rows_of(session);
  CHECK(expected > 10);
  for (int i = 0; i < count; i++)
    if (!strcmp(functions[i].handle, "session") && !is_any(functions[i].name, destroying)) functions[i].call(session, 0);
  tessera_session_destroy(session);
  callbacks_are_refused(expected);
  other_threads_are_refused(expected);
  prepares_refuse(expected);
  listings_refuse();
  forks_in_a_callback(expected);
  forks_at_any_time(atoi(argv[4]), expected);
  tessera_engines_destroy(engines);
  return failures ? 1 : 0;
}
