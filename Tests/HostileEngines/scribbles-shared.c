// Writes over what its process shares with the host beside the rows: FIRST to LAST bytes from its
// start. Once, or with TIMES=0 in a thread without end.

#include "hostile.h"
#include <pthread.h>

#ifndef FIRST
#define FIRST 0
#define LAST 4096
#endif
#ifndef TIMES
#define TIMES 1
#endif

static uint64_t *shared;
static volatile int has_begun;

static void scribble(uint64_t seed) {
  for (size_t at = FIRST / 8; at < LAST / 8; at++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    shared[at] = seed >> (seed & 63);
  }
}

static void *scribble_for_ever(void *nothing) {
  for (uint64_t seed = 1;; seed++) {
    scribble(seed);
    has_begun = 1;
  }
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  (void)call;
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return TESSERA_OK;
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long start, end;
    char rights[8];
    if (strstr(line, "memfd:tessera-") == NULL) continue;
    if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && rights[1] == 'w')
      shared = (uint64_t *)start;
  }
  fclose(maps);
  if (shared == NULL) return TESSERA_OK;
  if (TIMES > 0) {
    scribble(1);
    return TESSERA_OK;
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, scribble_for_ever, NULL) != 0) return TESSERA_ERROR_FAILED;
  while (!has_begun) usleep(1000);
  return TESSERA_OK;
}

HOSTILE("scribbles-shared", .filled = attack)
