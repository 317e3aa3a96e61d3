#define _GNU_SOURCE
#include "tessera_system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// This process's id; the system clears it in a forked process.
static int32_t *own_process;

static void map_own_process(void) {
  const size_t size = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED && madvise(page, size, MADV_WIPEONFORK) == 0) own_process = page;
}

int32_t tessera_own_process(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, map_own_process);
  if (own_process == NULL) return getpid();
  int32_t process = __atomic_load_n(own_process, __ATOMIC_RELAXED);
  if (process == 0) {
    process = getpid();
    __atomic_store_n(own_process, process, __ATOMIC_RELAXED);
  }
  return process;
}

struct guard {
  pthread_mutex_t *lock;
  void (*in_child)(void);
  int is_held; // by the forking thread
};

// Held throughout a fork: forks take turns.
static pthread_mutex_t guarding = PTHREAD_MUTEX_INITIALIZER;
static struct guard guards[TESSERA_LOCK_COUNT];

static void before_fork(void) {
  pthread_mutex_lock(&guarding);
  for (int number = 0; number < TESSERA_LOCK_COUNT; number++)
    // EDEADLK: the forking thread itself holds the lock, and keeps it after the fork.
    guards[number].is_held = guards[number].lock && pthread_mutex_lock(guards[number].lock) != EDEADLK;
}

static void after_fork(void) {
  for (int number = TESSERA_LOCK_COUNT; number-- > 0;)
    if (guards[number].is_held) pthread_mutex_unlock(guards[number].lock);
  pthread_mutex_unlock(&guarding);
}

static void make(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static void after_fork_in_child(void) {
  for (int number = 0; number < TESSERA_LOCK_COUNT; number++) {
    if (guards[number].lock) make(guards[number].lock);
    if (guards[number].in_child) guards[number].in_child();
  }
  pthread_mutex_init(&guarding, NULL);
}

static void register_forks(void) { pthread_atfork(before_fork, after_fork, after_fork_in_child); }

void tessera_guard_forks(int32_t number, pthread_mutex_t *lock, void (*in_child)(void)) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_forks);
  pthread_mutex_lock(&guarding);
  guards[number] = (struct guard){lock, in_child, 0};
  pthread_mutex_unlock(&guarding);
}

int tessera_permanent_thread(pid_t *owner, void *(*run)(void *)) {
  if (*owner == getpid()) return 0;
  // The thread must not handle the program's signals.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const int error = pthread_create(&thread, &attributes, run, NULL);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) *owner = getpid();
  return error;
}

pthread_mutex_t *tessera_process_lock(int32_t number) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (!lock) return NULL;
  make(lock);
  tessera_guard_forks(number, lock, NULL);
  return lock;
}
