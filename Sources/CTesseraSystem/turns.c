#define _GNU_SOURCE
#include "tessera_worker.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout) {
  return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void tessera_turn_pass(uint32_t *word, uint32_t next) {
  __atomic_store_n(word, next, __ATOMIC_SEQ_CST);
  // A waiter counts itself before its last look at the word: one of the two sees the other.
  if (__atomic_load_n(word + 1, __ATOMIC_SEQ_CST) != 0) futex(word, FUTEX_WAKE, INT_MAX, NULL);
}

static void relax(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

int32_t tessera_turn_spin(uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  const int64_t end = now() + nanoseconds;
  do {
    for (int look = 0; look < 32; look++) {
      if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == expected) return 1;
      relax();
    }
  } while (now() < end);
  return 0;
}

static int32_t sleep_until_turn(uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  int64_t end = 0;
  for (;;) {
    uint32_t found = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    if (found == expected) return 1;
    if (nanoseconds < 0) {
      futex(word, FUTEX_WAIT, found, NULL);
      continue;
    }
    int64_t left = nanoseconds;
    if (end == 0) {
      end = now() + nanoseconds;
    } else {
      left = end - now();
      if (left <= 0) return 0;
    }
    struct timespec timeout = {left / 1000000000, left % 1000000000};
    futex(word, FUTEX_WAIT, found, &timeout);
  }
}

int32_t tessera_turn_wait(uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  __atomic_add_fetch(word + 1, 1, __ATOMIC_SEQ_CST);
  const int32_t is_turn = sleep_until_turn(word, expected, nanoseconds);
  __atomic_sub_fetch(word + 1, 1, __ATOMIC_SEQ_CST);
  return is_turn;
}
