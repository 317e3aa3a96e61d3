// sessions FOLDER: wall time in ms until 64 new sessions of a grid have answered; resident MB with
// a million self-sizing table rows after scrolling through them.

#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera_host.h>
#include <time.h>

enum { SESSIONS = 64, ROWS = 1000000, STEPS = 200 };

static tessera_element elements[4096];
static uint64_t count;

static void check(int32_t status, const char *message) {
  if (status == TESSERA_HOST_OK) return;
  fprintf(stderr, "sessions: %s\n", message);
  exit(70);
}

static tessera_session *new_session(tessera_engines *engines, const char *engine, uint64_t items) {
  tessera_session *session = NULL;
  check(tessera_session_create(engines, engine, &session), tessera_engines_message(engines));
  check(tessera_session_set_sections(session, &items, 1), tessera_session_message(session));
  return session;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  (void)context, (void)section;
  measured[0] = proposed[0];
  measured[1] = 30 + (double)(item * 7919 % 50);
  return TESSERA_HOST_OK;
}

static double resident_megabytes(void) {
  char line[256];
  double kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmRSS:", 6) == 0) kilobytes = strtod(line + 6, NULL);
  if (file) fclose(file);
  return kilobytes / 1e3;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2) return fprintf(stderr, "sessions: give FOLDER\n"), 64;
  tessera_engines *engines = tessera_engines_create();
  check(tessera_engines_add_folder(engines, arguments[1]), tessera_engines_message(engines));
  tessera_session *sessions[SESSIONS];
  const double start = milliseconds();
  for (int i = 0; i < SESSIONS; i++) {
    sessions[i] = new_session(engines, "grid", 1000);
    check(tessera_session_query_viewport(sessions[i], elements, sizeof *elements, 4096, &count), tessera_session_message(sessions[i]));
  }
  printf("sessions\t%g\n", milliseconds() - start);
  for (int i = 0; i < SESSIONS; i++) tessera_session_destroy(sessions[i]);

  tessera_session *table = new_session(engines, "table", ROWS);
  const double estimate = 44;
  check(tessera_session_set_parameter(table, "estimatedRowHeight", &estimate, 1), tessera_session_message(table));
  check(tessera_session_set_measure(table, measure, NULL), tessera_session_message(table));
  for (int step = 0; step < STEPS; step++) {
    check(tessera_session_set_offset(table, 0, 44.0 * ROWS * step / STEPS), tessera_session_message(table));
    check(tessera_session_query_viewport(table, elements, sizeof *elements, 4096, &count), tessera_session_message(table));
  }
  printf("resident\t%g\n", resident_megabytes());
  tessera_session_destroy(table);
  tessera_engines_destroy(engines);
  return 0;
}
