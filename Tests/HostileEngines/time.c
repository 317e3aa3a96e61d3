// Engines that do not return, or that go on after their call has.

#include "hostile.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

// Sets timers that end a process which does not handle them.
ATTACK(alarms, WHERE) {
  const struct itimerval soon = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  for (;;) pause();
  return TESSERA_OK;
}

// Waits for a lock that it holds itself, with every signal blocked.
ATTACK(blocks_forever, WHERE) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return TESSERA_OK;
}

// Ignores and blocks every signal, and continues.
ATTACK(changes_signals, WHERE) {
  for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  return TESSERA_OK;
}

// Handles its own crash by returning to the crashing instruction, forever.
static void again(int number) { (void)number; }

ATTACK(handles_crash, WHERE) {
  signal(SIGSEGV, again);
  *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

// Reports invalid progress values, and ignores the host's request to stop.
ATTACK(ignores_cancelling, prepare) {
  const double fractions[] = {NAN, INFINITY, -INFINITY, -1, 2, 1e300};
  for (unsigned i = 0; i < sizeof fractions / sizeof *fractions; i++)
    call->host->progress(call->host, fractions[i]);
  return TESSERA_OK;
}

// Ignores and blocks all signals, then never returns.
ATTACK(ignores_signals, WHERE) {
  for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

// Maps its own file as code in eight threads, without end, so that the host has to permit it without end.
static void *map(void *unused) {
  const int file = open("/proc/self/fd/6", O_RDONLY | O_CLOEXEC);
  for (;;) {
    void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    if (code != MAP_FAILED) munmap(code, 4096);
  }
  return unused;
}

ATTACK(maps_code_forever, WHERE) {
  for (int i = 0; i < 8; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, map, NULL) != 0) return TESSERA_ERROR_FAILED;
  }
  for (;;) pause();
}

// Prints without end.
ATTACK(prints_forever, WHERE) {
  static char line[1 << 12];
  memset(line, 'x', sizeof line);
  for (;;) {
    if (write(STDOUT_FILENO, line, sizeof line) < 0) sched_yield();
  }
  return TESSERA_OK;
}

// Reports progress without end.
ATTACK(progress_forever, prepare) {
  for (double step = 0;; step++) call->host->progress(call->host, fmod(step / 1000, 1));
  return TESSERA_OK;
}

// Reports warnings without end.
ATTACK(reports_forever, prepare) {
  for (;;) call->host->report(call->host, TESSERA_OK, "this is one of endlessly many warnings");
  return TESSERA_OK;
}

// Never returns, and sleeps.
ATTACK(sleeps_forever, WHERE) {
  for (;;) pause();
  return TESSERA_OK;
}

// Never returns, and keeps the processor busy.
ATTACK(spins_forever, WHERE) {
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

// A thread calls the host's functions at the same time as the engine's own thread, and after its
// call has returned. It sets the size that six rows really have: only its timing is hostile.
static hostile_call given;

static void *talk(void *nothing) {
  for (;;) {
    given.host->report(given.host, TESSERA_OK, "from another thread");
    given.out->set_content_size(given.out, (tessera_size){375, 300});
  }
  return nothing;
}

ATTACK(thread_calls_host, prepare) {
  given = *call;
  pthread_t thread;
  if (pthread_create(&thread, NULL, talk, NULL) != 0) return TESSERA_ERROR_FAILED;
  for (int i = 0; i < 10000; i++) call->host->report(call->host, TESSERA_OK, "from its own thread");
  return TESSERA_OK;
}

// Leaves a thread behind that crashes MICROSECONDS later, when the host is between two calls.
#ifndef MICROSECONDS
#define MICROSECONDS 50000
#endif

static void *crash(void *nothing) {
  usleep(MICROSECONDS);
  *(volatile int *)NULL = 1;
  return nothing;
}

ATTACK(thread_crashes_later, filled) {
  pthread_t thread;
  return pthread_create(&thread, NULL, crash, NULL) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

// Leaves a busy thread behind.
static void *spin(void *nothing) {
  for (;;) __asm__ volatile("");
  return nothing;
}

ATTACK(thread_spins, WHERE) {
  pthread_t thread;
  return pthread_create(&thread, NULL, spin, NULL) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE_ATTACKS
