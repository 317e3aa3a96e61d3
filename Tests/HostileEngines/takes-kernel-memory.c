// Takes what only the kernel has: pipes filled to the brim, counters, timers, sets of descriptors, waiting signals, 100,000 mappings and tables of pages.

#include "hostile.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

static tessera_status attack(const hostile_call *call) {
  int count = 0, signals = 0;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (int i = 0; i < 1000; i++) {
    static char block[1 << 16];
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) == 0) {
      count += 2;
      if (fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) > 0) return hostile_won(call, "it has a larger pipe");
      while (write(ends[1], block, sizeof block) > 0) continue;
    }
    const int set = epoll_create1(0);
    const int more[] = {eventfd(1, 0), timerfd_create(CLOCK_MONOTONIC, 0), set};
    for (int j = 0; j < 3; j++) {
      struct epoll_event event = {.events = EPOLLIN};
      if (more[j] >= 0) count++;
      if (more[j] >= 0 && set >= 0) epoll_ctl(set, EPOLL_CTL_ADD, more[j], &event);
    }
    signals += tgkill(getpid(), gettid(), SIGRTMIN) == 0;
  }
  if (signals > 256) return hostile_won(call, "more signals wait for it than its limit");
  // Neighbours that differ in their rights are not joined.
  for (int i = 0; i < 100000; i++) mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // A byte of each table of pages: it reads as 0 and takes no memory but that of the table.
  enum { TABLE = 2 << 20 };
  const size_t size = (size_t)8 << 30;
  const volatile char *space = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (size_t at = 0; space != MAP_FAILED && at < size; at += TABLE) (void)space[at];
  sigset_t crashes;
  sigemptyset(&crashes);
  sigaddset(&crashes, SIGSEGV);
  sigprocmask(SIG_UNBLOCK, &crashes, NULL);
  return count <= 64 ? TESSERA_OK : hostile_won(call, "it has more descriptors than its limit");
}

HOSTILE("takes-kernel-memory", .filled = attack)
