// Shared helpers: checks that print the failing line, and sessions.
#ifndef CHECKS_H
#define CHECKS_H

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera_host.h>

static int failures = 0;

#define CHECK(condition)                                                                           \
  ((condition)                                                                                     \
       ? (void)0                                                                                   \
       : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#define DONE(session, call)                                                                        \
  do {                                                                                             \
    const int32_t status_ = (call);                                                                \
    if (status_)                                                                                   \
      failures++, fprintf(stderr, "%s:%d: %d, %s\n", __FILE__, __LINE__, status_,                  \
                          tessera_session_message(session));                                       \
  } while (0)

#define FAILS(owner, status, text, call)                                                           \
  do {                                                                                             \
    const int32_t status_ = (call);                                                                \
    const char *message_ = tessera_##owner##_message(owner);                                       \
    if (status_ != (status) || !strstr(message_, text) || message_[strlen(message_) - 1] == '.')   \
      failures++, fprintf(stderr, "%s:%d: %d, %s\n", __FILE__, __LINE__, status_, message_);       \
  } while (0)

// Discovers engines; TESSERA_TEST_CACHE sets the cache folder.
static inline tessera_engines *engines_in(const char *folder, tessera_host_isolation isolation) {
  tessera_engines *engines = tessera_engines_create();
  CHECK(engines && !tessera_engines_add_folder(engines, folder));
  CHECK(!tessera_engines_set_isolation(engines, isolation));
  CHECK(!tessera_engines_set_cache(engines, getenv("TESSERA_TEST_CACHE")));
  return engines;
}

static inline tessera_session *session_of(tessera_engines *engines, const char *engine,
                                          uint64_t items) {
  tessera_session *session = NULL;
  const int32_t status = tessera_session_create(engines, engine, &session);
  if (status || !session) {
    fprintf(stderr, "%s: %d, %s\n", engine, status, tessera_engines_message(engines));
    exit(2);
  }
  DONE(session, tessera_session_set_sections(session, &items, 1));
  return session;
}

// What the calls of a test expect of its session.
#define INVALID(text, call) FAILS(session, TESSERA_HOST_ERROR_INVALID, text, call)
#define MISUSED(text, call) FAILS(session, TESSERA_HOST_ERROR_MISUSED, text, call)
#define NOT_FOUND(text, call) FAILS(session, TESSERA_HOST_ERROR_NOT_FOUND, text, call)

// set(session, "itemSize", 20, 30);
#define set(session, name, ...)                                                               \
  DONE(session, tessera_session_set_parameter(session, name, (const double[]){__VA_ARGS__},    \
                                              sizeof((double[]){__VA_ARGS__}) / sizeof(double)))

// set_sections(session, 120, 0, 3);
#define set_sections(session, ...)                                                            \
  DONE(session, tessera_session_set_sections(session, (const uint64_t[]){__VA_ARGS__},         \
                                             sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)))

static inline int has_size(tessera_session *session, double width, double height) {
  double found[2] = {-1, -1};
  DONE(session, tessera_session_content_size(session, &found[0], &found[1]));
  return found[0] == width && found[1] == height;
}

static inline double height_of(tessera_session *session) {
  double width = 0, height = 0;
  DONE(session, tessera_session_content_size(session, &width, &height));
  return height;
}

// The number of elements.
static inline uint64_t count_of(tessera_session *session) {
  uint64_t count = 0;
  DONE(session, tessera_session_query_all(session, NULL, sizeof(tessera_element), 0, &count));
  return count;
}

static inline int is_readable(int32_t descriptor, int wait) {
  struct pollfd polled = {.fd = descriptor, .events = POLLIN};
  return poll(&polled, 1, wait) == 1 && polled.revents == POLLIN;
}

// The library never releases borrowed data.
static inline void keep_schema(struct ArrowSchema *schema) { CHECK(!schema); }
static inline void keep_array(struct ArrowArray *array) { CHECK(!array); }

static int isolation;

// Runs tests with engines of FOLDER: PROGRAM FOLDER [ISOLATION [ROUNDS]].
static inline int run_tests(int argc, char **argv, void (*const tests[])(tessera_engines *),
                            size_t count) {
  isolation = argc > 2 ? atoi(argv[2]) : TESSERA_HOST_ISOLATION_SANDBOX;
  for (int round = argc > 3 ? atoi(argv[3]) : 1; round > 0; round--) {
    tessera_engines *engines = engines_in(argv[1], isolation);
    for (size_t test = 0; test < count; test++) tests[test](engines);
    tessera_engines_destroy(engines);
  }
  return failures ? 1 : 0;
}

// A test, with a session of an engine for its items: TEST(lays_out, "engine", 5) { … }
#define TEST(name, engine, items)                                                             \
  static void check_##name(tessera_session *session);                                         \
  static void name(tessera_engines *engines) {                                                \
    tessera_session *session = session_of(engines, engine, items);                            \
    check_##name(session);                                                                    \
    tessera_session_destroy(session);                                                         \
  }                                                                                           \
  static void check_##name(tessera_session *session)

#define TESTS(...)                                                                            \
  int main(int argc, char **argv) {                                                           \
    void (*const tests[])(tessera_engines *) = {__VA_ARGS__};                                 \
    return run_tests(argc, argv, tests, sizeof tests / sizeof *tests);                        \
  }

static inline int is(const char *text, const char *other) { return text && !strcmp(text, other); }

static inline int is_at(const tessera_element *element, double x, double y, double width,
                        double height) {
  return element->x == x && element->y == y && element->width == width && element->height == height;
}

#endif
