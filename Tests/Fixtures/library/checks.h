// Shared helpers: checks that print the failing line, and sessions.
#ifndef CHECKS_H
#define CHECKS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera_host.h>

static int failures = 0;

#define CHECK(condition) \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#define DONE(session, call)                                                              \
  do {                                                                                   \
    const int32_t status_ = (call);                                                      \
    if (status_) failures++, fprintf(stderr, "%s:%d: %d, %s\n", __FILE__, __LINE__, status_, tessera_session_message(session)); \
  } while (0)

#define FAILS(owner, status, text, call)                                                     \
  do {                                                                                       \
    const int32_t status_ = (call);                                                          \
    const char *message_ = tessera_##owner##_message(owner);                                 \
    if (status_ != (status) || !strstr(message_, text) || message_[strlen(message_) - 1] == '.') \
      failures++, fprintf(stderr, "%s:%d: %d, %s\n", __FILE__, __LINE__, status_, message_);          \
  } while (0)

// Discovers engines; TESSERA_TEST_CACHE sets the cache folder.
static inline tessera_engines *engines_in(const char *folder, tessera_host_isolation isolation) {
  tessera_engines *engines = tessera_engines_create();
  CHECK(engines && !tessera_engines_add_folder(engines, folder));
  CHECK(!tessera_engines_set_isolation(engines, isolation));
  CHECK(!tessera_engines_set_cache(engines, getenv("TESSERA_TEST_CACHE")));
  return engines;
}

static inline tessera_session *session_of(tessera_engines *engines, const char *engine, uint64_t items) {
  tessera_session *session = NULL;
  const int32_t status = tessera_session_create(engines, engine, &session);
  if (status || !session) {
    fprintf(stderr, "%s: %d, %s\n", engine, status, tessera_engines_message(engines));
    exit(2);
  }
  DONE(session, tessera_session_set_sections(session, &items, 1));
  return session;
}

static inline int is(const char *text, const char *other) { return text && !strcmp(text, other); }

static inline int is_at(const tessera_element *element, double x, double y, double width, double height) {
  return element->x == x && element->y == y && element->width == width && element->height == height;
}

#endif
