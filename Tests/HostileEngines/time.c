// Engines that don't return, or keep running after their call.

#include "hostile.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

// Its crash handler returns to the crashing instruction, forever.
static void again(int number) { (void)number; }

ATTACK(handles_crash, WHERE) {
  signal(SIGSEGV, again);
  *(volatile int *)NULL = 1;
  return TESSERA_OK;
}

// Reports invalid progress, and ignores cancellation.
ATTACK(ignores_cancelling, prepare) {
  const double fractions[] = {NAN, INFINITY, -INFINITY, -1, 2, 1e300};
  for (unsigned i = 0; i < sizeof fractions / sizeof *fractions; i++)
    call->host->progress(call->host, fractions[i]);
  return TESSERA_OK;
}

ATTACK(ignores_signals, WHERE) {
  for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

// Maps its file as code in eight threads, to flood the host with permission requests.
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

ATTACK(prints_forever, WHERE) {
  static char line[1 << 12];
  memset(line, 'x', sizeof line);
  for (;;) {
    if (write(STDOUT_FILENO, line, sizeof line) < 0) sched_yield();
  }
  return TESSERA_OK;
}

ATTACK(progress_forever, prepare) {
  for (double step = 0;; step++) call->host->progress(call->host, fmod(step / 1000, 1));
  return TESSERA_OK;
}

ATTACK(sleeps_forever, WHERE) {
  for (;;) pause();
  return TESSERA_OK;
}

ATTACK(spins_forever, WHERE) {
  for (;;) __asm__ volatile("");
  return TESSERA_OK;
}

// A thread calls the host concurrently and after the call. Its size is correct: only the timing is
// hostile.
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

// A thread crashes MICROSECONDS later, between calls.
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

static void *spin(void *nothing) {
  for (;;) __asm__ volatile("");
  return nothing;
}

ATTACK(thread_spins, WHERE) {
  pthread_t thread;
  return pthread_create(&thread, NULL, spin, NULL) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

HOSTILE_ATTACKS
