#define _GNU_SOURCE
#include "tessera_worker.h"
#include "tessera_system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct tessera_watch {
  int32_t process, rows, input;
  uint64_t memory;
  uint32_t threads;
  int32_t cause;
  tessera_usage usage;
  uint64_t most_own; // peak of private memory
  clockid_t clock;        // processor time
  int64_t processor_time; // nanoseconds at the last check
  tessera_watch *next;
};

// Nanoseconds between two checks.
enum { ROUND = 20000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static tessera_watch *watched;
static pid_t watcher_of;

// Nanoseconds, or -1.
static int64_t read_clock(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uint32_t thread_count(int32_t process) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  struct stat status;
  // A folder has two links, plus one for each subfolder.
  return stat(path, &status) == 0 && status.st_nlink > 2 ? (uint32_t)status.st_nlink - 2 : 0;
}

static void look(tessera_watch *watch) {
  watch->usage.rows = tessera_memory_touched(watch->rows);
  watch->usage.input = watch->input == watch->rows ? 0 : tessera_memory_touched(watch->input);
  watch->usage.own = tessera_worker_private_memory(watch->process);
  watch->usage.threads = thread_count(watch->process);
  if (watch->usage.own > watch->most_own) watch->most_own = watch->usage.own;
  if (watch->cause != TESSERA_WATCH_NOTHING) return;
  const uint64_t sum = watch->usage.rows + watch->usage.input + watch->usage.own;
  if (watch->memory != 0 && sum > watch->memory) watch->cause = TESSERA_WATCH_MEMORY;
  if (watch->threads != 0 && watch->usage.threads > watch->threads) watch->cause = TESSERA_WATCH_THREADS;
  if (watch->cause == TESSERA_WATCH_NOTHING) return;
  kill(-watch->process, SIGKILL);
  kill(watch->process, SIGKILL);
}

// Taking memory or starting threads needs processor time, which is far cheaper to read. The clock
// is read first: activity during the check counts for the next one.
static void look_if_it_ran(tessera_watch *watch) {
  const int64_t time = read_clock(watch->clock);
  if (time == watch->processor_time) return;
  watch->processor_time = time;
  look(watch);
}

// Skips missed rounds.
static void wait_for_round(int64_t *next) {
  const int64_t now = read_clock(CLOCK_MONOTONIC);
  *next = *next + ROUND > now ? *next + ROUND : now + ROUND;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &(struct timespec){*next / 1000000000, *next % 1000000000}, NULL);
}

static void *watch_all(void *unused) {
  (void)unused;
  int64_t next = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!watched) pthread_cond_wait(&changed, &lock);
    for (tessera_watch *watch = watched; watch; watch = watch->next) look_if_it_ran(watch);
    pthread_mutex_unlock(&lock);
    wait_for_round(&next);
    pthread_mutex_lock(&lock);
  }
  return NULL;
}

static void forget_watched(void) {
  pthread_cond_init(&changed, NULL);
  watched = NULL;
}
static void guard_lock(void) { tessera_guard_forks(TESSERA_LOCK_WATCHER, &lock, forget_watched); }

tessera_watch *tessera_watch_start(int32_t process, int32_t rows, int32_t input, uint64_t memory, uint32_t threads) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, guard_lock);
  tessera_watch *watch = calloc(1, sizeof *watch);
  if (!watch) return NULL;
  *watch = (tessera_watch){.process = process, .rows = rows, .input = input, .memory = memory, .threads = threads, .processor_time = -1};
  // Emulated kernels may lack it. The other clock always advances.
  if (clock_getcpuclockid(process, &watch->clock) != 0) watch->clock = CLOCK_MONOTONIC;
  pthread_mutex_lock(&lock);
  const int error = tessera_permanent_thread(&watcher_of, watch_all);
  if (error == 0) {
    watch->next = watched;
    watched = watch;
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&lock);
  if (error == 0) return watch;
  free(watch);
  errno = error;
  return NULL;
}

int32_t tessera_watch_look(tessera_watch *watch) {
  pthread_mutex_lock(&lock);
  look(watch);
  const int32_t cause = watch->cause;
  pthread_mutex_unlock(&lock);
  return cause;
}

tessera_usage tessera_watch_usage(tessera_watch *watch) {
  pthread_mutex_lock(&lock);
  tessera_usage usage = watch->usage;
  usage.own = watch->most_own;
  pthread_mutex_unlock(&lock);
  return usage;
}

int32_t tessera_watch_end(tessera_watch *watch) {
  pthread_mutex_lock(&lock);
  tessera_watch **place = &watched;
  while (*place && *place != watch) place = &(*place)->next;
  if (*place) *place = watch->next;
  const int32_t cause = watch->cause;
  pthread_mutex_unlock(&lock);
  free(watch);
  return cause;
}
