// Engines that exhaust memory or write out of bounds.

#include "hostile.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

// Ends the main thread, so the process looks empty, and fills memory in another.
#ifndef SIZE
#define SIZE (100 << 20)
#endif

static void *fill(void *rows) {
  usleep(20000);
  char *own = (char *)malloc(SIZE);
  for (size_t i = 0; own && i < SIZE; i += 4096) ((volatile char *)own)[i] = 1;
  for (size_t i = 0; i < SIZE; i += 4096) ((volatile char *)rows)[i] = 1;
  for (;;) {
    for (volatile int i = 0; i < 100000; i++) {
    }
    usleep(1000);
  }
  return NULL;
}

ATTACK(ends_main_thread, filled) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, fill, call->rows->frame) != 0) return TESSERA_ERROR_FAILED;
  syscall(SYS_exit, 0);
  return TESSERA_ERROR_FAILED;
}

// Writes 16 TiB past the last row.
ATTACK(far_past_rows, filled) {
  *(volatile char *)((uintptr_t)call->rows->frame + ((uintptr_t)1 << 44)) = 1;
  return hostile_won(call, "it wrote far past its rows");
}

// A thread writes 2 GiB behind the rows MICROSECONDS later, between calls.
#ifndef MICROSECONDS
#define MICROSECONDS 50000
#endif

static void *fills_rows_later_fill(void *rows) {
  usleep(MICROSECONDS);
  for (uint64_t i = 0; i < (uint64_t)2 << 30; i += 4096) *(volatile char *)((char *)rows + i) = 1;
  return rows;
}

ATTACK(fills_rows_later, filled) {
  pthread_t thread;
  return pthread_create(&thread, NULL, fills_rows_later_fill, call->rows->frame) == 0 ? TESSERA_OK : TESSERA_ERROR_FAILED;
}

// A thread keeps alternating valid and invalid rows after prepare.
static void *scribble(void *rows) {
  volatile tessera_rect *frame = (volatile tessera_rect *)rows;
  for (;;) {
    frame[3].width = NAN;
    frame[3].width = 375;
  }
  return NULL;
}

ATTACK(keeps_writing, filled) {
  pthread_t thread;
  pthread_create(&thread, NULL, scribble, call->rows->frame);
  return TESSERA_OK;
}

// Touches up to 6 GiB of malloc memory.
ATTACK(malloc_endless, WHERE) {
  const size_t piece = 1 << 20;
  for (int pieces = 0; pieces < 6 << 10; pieces++) {
    char *memory;
    while ((memory = (char *)malloc(piece)) == NULL) {}
    memset(memory, 1, piece);
  }
  return hostile_won(call, "it took 6 GiB");
}

// 6,000 threads with small stacks.
static void *wait_for_ever(void *nothing) {
  for (;;) pause();
  return nothing;
}

ATTACK(many_threads, prepare) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
  for (int threads = 0; threads < 6000; threads++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_for_ever, NULL) != 0) return TESSERA_OK;
  }
  sleep(1);
  return hostile_won(call, "it has 6000 threads");
}

// Writes past its rows page by page, beyond the mapped column.
ATTACK(past_reservation, filled) {
  volatile char *column = (volatile char *)call->rows->frame;
  for (size_t at = call->rows->count * sizeof(tessera_rect); at < (size_t)1 << 40; at += 4096)
    column[at] = 0x5a;
  return hostile_won(call, "it wrote over a terabyte");
}

ATTACK(past_rows, filled) {
  volatile tessera_rect *frame = call->rows->frame;
  frame[call->rows->count].x = NAN;
  return TESSERA_OK;
}

// Reads 3 GiB past its input: untouched pages could become host memory.
ATTACK(reads_past_input, prepare) {
  const volatile unsigned char *bytes = (const volatile unsigned char *)call->in->section_starts;
  unsigned sum = 0;
  for (uint64_t i = 0; i < (uint64_t)3 << 30; i += 4096) sum += bytes[i];
  (void)sum;
  return hostile_won(call, "it read 3 GiB behind its input");
}

// Writes to shared memory, from offset FIRST to LAST. Once, or endlessly in a thread with TIMES=0.
#ifndef FIRST
#define FIRST 0
#define LAST 4096
#endif
#ifndef TIMES
#define TIMES 1
#endif

static uint64_t *shared;
static volatile int has_begun;

static void scribbles_shared_scribble(uint64_t seed) {
  for (size_t at = FIRST / 8; at < LAST / 8; at++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    shared[at] = seed >> (seed & 63);
  }
}

static void *scribble_for_ever(void *nothing) {
  for (uint64_t seed = 1;; seed++) {
    scribbles_shared_scribble(seed);
    has_begun = 1;
  }
  return nothing;
}

ATTACK(scribbles_shared, filled) {
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
    scribbles_shared_scribble(1);
    return TESSERA_OK;
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, scribble_for_ever, NULL) != 0) return TESSERA_ERROR_FAILED;
  while (!has_begun) usleep(1000);
  return TESSERA_OK;
}

ATTACK(scribbles_starts, prepare) {
  ((volatile uint64_t *)(uintptr_t)call->in->section_starts)[1] = (uint64_t)1 << 60;
  return TESSERA_OK;
}

// Overwrites the host's function tables and the memory behind.
ATTACK(scribbles_tables, filled) {
  memset((void *)(uintptr_t)call->host, 0xff, sizeof *call->host);
  memset((void *)call->out, 0xff, sizeof *call->out);
  return TESSERA_OK;
}

// Truncates every descriptor, including shared memory.
ATTACK(shrinks_memory, WHERE) {
  for (int descriptor = 0; descriptor <= 1024; descriptor++)
    if (ftruncate(descriptor, 0) == 0)
      return hostile_won(call, "it cut a file short that the host has mapped");
  return TESSERA_OK;
}

// Fills kernel memory: pipes, counters, timers, epoll sets, queued signals, 100,000 mappings, page
// tables.
ATTACK(takes_kernel_memory, filled) {
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
  // Alternating protections prevent merging.
  for (int i = 0; i < 100000; i++) mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // Reading a byte per page table allocates only the table.
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

HOSTILE_ATTACKS
