#define _GNU_SOURCE
#include "prisoner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int map(size_t size, int protection, int flags) {
  return mmap(NULL, size, protection, MAP_ANONYMOUS | flags, -1, 0) == MAP_FAILED ? errno : 0;
}

static int use_some(void) {
  char *memory = malloc(16 << 20);
  if (!memory) return errno;
  memset(memory, 1, 16 << 20);
  return memory[5] == 1 ? 0 : ERANGE;
}
static int use_much(void) { return map(128 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE); }
static int use_much_later(void) {
  void *memory = mmap(NULL, 128 << 20, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  return memory == MAP_FAILED ? ENODATA : outcome(mprotect(memory, 128 << 20, PROT_READ | PROT_WRITE));
}
static int reserve_much(void) { return map(1ull << 33, PROT_NONE, MAP_PRIVATE); }
static int share(void) { return map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED); }
static int grow_down(void) { return map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_GROWSDOWN); }
static int share_by_key(void) { return outcome(shmget(IPC_PRIVATE, PAGE, 0600)); }
static int make_memfd(void) { return outcome(memfd_create("more", 0)); }
static int lock(void) { return outcome(mlock(&errno, sizeof errno)); }

// 64 MiB deep; volatile, so that it does not become a loop.
static int descend(volatile int *depth) {
  volatile char frame[1024];
  frame[0] = (char)*depth;
  *depth += 1;
  return *depth == 1 << 16 ? 0 : descend(depth) + frame[0];
}
static int overflow_stack(void) {
  volatile int depth = 0;
  return descend(&depth) == 0 ? ERANGE : 0;
}

static void *page(void) { return mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0); }
static int make_code(void) { return outcome(mprotect(page(), PAGE, PROT_READ | PROT_EXEC)); }

static int after(int (*action)(void)) {
  int32_t error = 0;
  return tessera_sandbox_forbid_new_code(SOCKET, &error) == TESSERA_SANDBOX_ENTERED ? action() : error;
}
static int map_code(void) { return map(PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE); }
static int tag_code(void) { return outcome(syscall(SYS_pkey_mprotect, page(), PAGE, PROT_EXEC, -1)); }
static int forbid_again(void) {
  int32_t error = 0;
  return tessera_sandbox_forbid_new_code(SOCKET, &error) == TESSERA_SANDBOX_ENTERED ? 0 : error;
}
static int make_code_after(void) { return after(make_code); }
static int map_code_after(void) { return after(map_code); }
static int use_some_after(void) { return after(use_some); }
static int forbid_after(void) { return after(forbid_again); }

const action memory_actions[] = {
    {"use some memory", use_some},
    {"use much memory", use_much},
    {"use much memory that was reserved", use_much_later},
    {"reserve much memory", reserve_much},
    {"share memory", share},
    {"map a stack that grows", grow_down},
    {"share memory by a key", share_by_key},
    {"make a memory file", make_memfd},
    {"lock memory", lock},
    {"overflow the stack", overflow_stack},
    {"make code", make_code},
    {"make code once new code is forbidden", make_code_after},
    {"map code once new code is forbidden", map_code_after},
    {"make code with a key", tag_code},
    {"use some memory once new code is forbidden", use_some_after},
    {"forbid new code again", forbid_after},
    {0},
};
