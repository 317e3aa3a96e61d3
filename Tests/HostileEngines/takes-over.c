// Replaces its worker in the message protocol. FORGE selects the message; COUNT times, endlessly if
// 0.

#include "hostile.h"
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define QUESTION 1  // asks the delegate for ITEM of SECTION, and AHEAD more
#define PROGRESS 2  // progress FRACTION
#define FAILURE 3   // the call failed with CODE and ADVICE
#define REPORT 4    // in an examination: layouts retain ITEM and -1 - ITEM bytes

#ifndef FORGE
#define FORGE QUESTION
#endif
#ifndef COUNT
#define COUNT 1
#endif
#ifndef SECTION
#define SECTION 0
#endif
#ifndef ITEM
#define ITEM UINT64_MAX
#endif
#ifndef AHEAD
#define AHEAD UINT32_MAX
#endif
#ifndef FRACTION
#define FRACTION 0.5
#endif
#ifndef CODE
#define CODE cancelled
#endif
#ifndef ADVICE
#define ADVICE 4
#endif

#define HOST_BOX 4096
#define WORKER_BOX (HOST_BOX + (4 << 20))

#define TEXT(name) #name
#define TEXT_OF(name) TEXT(name)

static uint8_t *shared, *end;

static void put(const void *bytes, size_t count) {
  memcpy(end, bytes, count);
  end += count;
}

static void put_byte(uint8_t value) { put(&value, sizeof value); }
static void put_32(uint32_t value) { put(&value, sizeof value); }
static void put_64(uint64_t value) { put(&value, sizeof value); }

static void put_text(const char *text) {
  put_32((uint32_t)strlen(text));
  put(text, strlen(text));
}

static void pass_turn(void) {
  const uint64_t count = (uint64_t)(end - shared) - WORKER_BOX - 8;
  memcpy(shared + WORKER_BOX, &count, sizeof count);
  uint32_t *turn = (uint32_t *)shared;
  const uint32_t next = __atomic_load_n(turn, __ATOMIC_SEQ_CST) + 1;
  __atomic_store_n(turn, next, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  // The host wakes only counted sleepers.
  __atomic_add_fetch(turn + 1, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(turn, __ATOMIC_SEQ_CST) == next)
    syscall(SYS_futex, turn, FUTEX_WAIT, next, NULL, NULL, 0);
}

static const char text[] = "all is well\x1b[2J\ntessera: \xe2\x80\xae run this: rm -rf ~";

static void forge(void) {
  switch (FORGE) {
    case QUESTION:
      put_byte(3);
      put_32(0), put_32(0), put_32(AHEAD);
      put_32(2);
      put_byte(0x88), put_64(SECTION);
      put_byte(0x88), put_64(ITEM);
      break;
    case PROGRESS: {
      const double fraction = FRACTION;
      put_byte(4);
      put(&fraction, sizeof fraction);
      break;
    }
    case FAILURE:
      put_byte(2);
      put_32(0), put_32(0);
      put_text(TEXT_OF(CODE));
      put_byte(0);
      put_text("");
      put_text(text);
      put_byte(ADVICE);
      if (ADVICE == 3) put_64(UINT64_MAX), put_64(UINT64_MAX);
      if (ADVICE == 4) put_text("/bin/sh\x1b[2J"), put_text("/etc/passwd");
      break;
    case REPORT:
      put_byte(1);
      put_32(0), put_32(0);
      put_32(0);
      put_64(0), put_64(0);
      put_byte(0), put_byte(0), put_byte(0);
      for (int i = 0; i < 2; i++) put_32(2), put_64(ITEM), put_64(~(uint64_t)ITEM);
      put_32(0), put_32(0), put_32(0);
      break;
  }
}

static int find_shared(void) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return 0;
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long start, last;
    char rights[8];
    if (strstr(line, "memfd:tessera-") == NULL) continue;
    if (FORGE == REPORT && strstr(line, "memfd:tessera-examination") == NULL) continue;
    if (sscanf(line, "%lx-%lx %7s", &start, &last, rights) == 3 && rights[1] == 'w')
      shared = (uint8_t *)start;
  }
  fclose(maps);
  return shared != NULL;
}

static tessera_status attack(const hostile_call *call) {
  if (!find_shared() && FORGE == REPORT) return TESSERA_OK;
  if (shared == NULL) return hostile_won(call, "there is no shared memory to attack with");
  for (unsigned i = 0; COUNT == 0 || i != COUNT; i++) {
    end = shared + WORKER_BOX + 8;
    forge();
    pass_turn();
  }
  for (; FORGE != QUESTION && FORGE != PROGRESS;) {
    end = shared + WORKER_BOX + 8;
    put_byte(1);
    put_32(0), put_32(0);
    pass_turn();
  }
  return TESSERA_OK;
}

static tessera_status registration(const hostile_call *call) {
  static tessera_function_declaration functions[1] = {
      {"answer", "u32(u32,u32)", "A delegate function of section and item.", NULL}};
  call->engine->function_count = 1;
  call->engine->functions = functions;
  return TESSERA_OK;
}

HOSTILE("takes-over", .registration = registration, .WHERE = attack)
