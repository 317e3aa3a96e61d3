// Measures the watch over other processes.
//
//     watched COUNT   a line for each process that waits and then exceeds its memory: the milliseconds until it is killed
#define _GNU_SOURCE
#include "tessera_worker.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 16 << 20, MOST = 64 };

// When each process exceeded its limit, and when it last ran.
typedef struct moments {
  volatile int64_t exceeded, last;
} moments;

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void pause_for(int64_t milliseconds) {
  nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static _Noreturn void exceed(moments *moments, int number) {
  char *memory = mmap(NULL, 2 * LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // Not at the same time, since they share the processors, and at different times of a round.
  pause_for(300 + 67 * number);
  // It has some memory before this.
  memset(memory, 1, LIMIT - (1 << 20));
  moments->exceeded = now(CLOCK_MONOTONIC);
  for (size_t at = LIMIT - (1 << 20);;) {
    moments->last = now(CLOCK_MONOTONIC);
    if (at == 2 * LIMIT) continue;
    memset(memory + at, 1, 1 << 16);
    at += 1 << 16;
  }
}

int main(int count, char **words) {
  const int processes = count == 2 ? atoi(words[1]) : 0;
  if (processes < 1 || processes > MOST) return 2;
  moments *all = mmap(NULL, sizeof *all * MOST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int32_t rows = tessera_memory_create("rows", 4096);
  if (all == MAP_FAILED || rows < 0) return 1;
  pid_t children[MOST];
  tessera_watch *watches[MOST];
  for (int i = 0; i < processes; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      setpgid(0, 0);
      exceed(&all[i], i);
    }
    watches[i] = children[i] < 0 ? NULL : tessera_watch_start(children[i], rows, rows, LIMIT, 0);
    if (watches[i] == NULL) return 1;
  }
  for (int i = 0; i < processes; i++) {
    siginfo_t end;
    waitid(P_PID, (id_t)children[i], &end, WEXITED | WNOWAIT);
    const int32_t cause = tessera_watch_end(watches[i]);
    waitpid(children[i], NULL, 0);
    if (cause != TESSERA_WATCH_MEMORY) return 1;
    printf("%.1f\n", (double)(all[i].last - all[i].exceeded) / 1e6);
  }
  return 0;
}
