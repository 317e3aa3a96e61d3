#define _GNU_SOURCE
#include "tessera_checked_memory.h"
#include "tessera_system.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

// Addresses are never reused; each block has a guard page at both ends.
enum { PAGE = 4096, NAME = 80, SLACK = 64, BLOCK_LIMIT = 1 << 18, LIVE_LIMIT = 12000 };
static const uint64_t range_size = 2ull << 30;
static const uint64_t size_limit = 64ull << 20;

enum { LIVE = 1, ENDED = 2 };

typedef struct block {
  uint64_t start, size;
  uint32_t first_page, page_count; // without the guard pages
  uint8_t kind, state, fill, for_call;
  uint32_t name; // index in names, of a lent block
} block;

static char *range;            // null until tessera_checked_begin
static uint32_t *owners;       // block number of each page, from 1
static block *blocks;          // from 1
static uint32_t block_count;
static uint32_t next_page;
static uint64_t live_count;
static char (*names)[NAME];
static uint32_t name_count;
static int at_end = 1;
static uint8_t fill;
static int checks_heap;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static tessera_misuse *misuse;
static struct sigaction previous[2];

static block *block_at(uint64_t address) {
  const uint64_t base = (uint64_t)range;
  if (!range || address < base || address >= base + range_size) return NULL;
  const uint32_t number = owners[(address - base) / PAGE];
  return number == 0 ? NULL : &blocks[number];
}

const char *tessera_misuse_text(const tessera_misuse *found) { return found->text; }

// Async-signal-safe.
static void append(const char *text) {
  size_t length = strnlen(misuse->text, sizeof misuse->text - 1);
  while (*text && length < sizeof misuse->text - 1) misuse->text[length++] = *text++;
  misuse->text[length] = 0;
}

static void append_block(const block *block) {
  if (block->kind == TESSERA_CHECKED_LENT) {
    append(names[block->name]);
    return;
  }
  char digits[24];
  size_t place = sizeof digits - 1;
  digits[place] = 0;
  uint64_t size = block->size;
  do digits[--place] = (char)('0' + size % 10);
  while ((size /= 10) > 0);
  append("a block of ");
  append(digits + place);
  append(block->size == 1 ? " byte from malloc" : " bytes from malloc");
}

// Records only the first misuse; `before` is such as "reads past the end of".
static int note(uint32_t kind, const char *before, const block *block, const char *after) {
  if (!misuse || misuse->is_noted) return 0;
  misuse->kind = block->kind == TESSERA_CHECKED_HEAP ? TESSERA_MISUSE_HEAP : kind;
  misuse->text[0] = 0;
  append(before);
  append_block(block);
  append(after);
  __atomic_store_n(&misuse->is_noted, 1, __ATOMIC_RELEASE);
  return 1;
}

static void end_process(uint32_t kind, const char *before, const block *block, const char *after) {
  note(kind, before, block, after);
  abort();
}

// 0 if the machine doesn't report it.
static int is_write(const ucontext_t *context) {
#if defined(__x86_64__)
  return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return 0;
#endif
}

static void handle(int signal, siginfo_t *info, void *context) {
  const uint64_t address = (uint64_t)info->si_addr;
  const block *block = signal == SIGSEGV ? block_at(address) : NULL;
  if (block) {
    const int writes = is_write(context);
    const uint32_t beyond = block->for_call ? TESSERA_MISUSE_BOUNDS : TESSERA_MISUSE_ROWS;
    if (block->state == ENDED && block->kind == TESSERA_CHECKED_HEAP) {
      note(0, writes ? "writes to " : "reads ", block, " after it was freed");
    } else if (block->state == ENDED) {
      note(TESSERA_MISUSE_KEPT, writes ? "writes to " : "reads ", block, " of an earlier call");
    } else if (address >= block->start + block->size) {
      note(beyond, writes ? "writes past the end of " : "reads past the end of ", block, "");
    } else {
      note(beyond, writes ? "writes before the start of " : "reads before the start of ", block, "");
    }
  }
  // The access faults again, in the previous handler.
  sigaction(signal, &previous[signal == SIGBUS], NULL);
}

static void *map(uint64_t size, int protection) {
  void *memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int32_t tessera_checked_begin(tessera_misuse *place) {
  if (range) return 0;
  owners = map(range_size / PAGE * sizeof *owners, PROT_READ | PROT_WRITE);
  blocks = map(BLOCK_LIMIT * sizeof *blocks, PROT_READ | PROT_WRITE);
  names = map((uint64_t)BLOCK_LIMIT * NAME, PROT_READ | PROT_WRITE);
  char *memory = map(range_size, PROT_NONE);
  if (!owners || !blocks || !names || !memory) return -1;
  misuse = place;
  range = memory;
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSEGV, &action, &previous[0]) != 0) return -1;
  return sigaction(SIGBUS, &action, &previous[1]);
}

void tessera_checked_choose(int32_t end, uint8_t byte) {
  at_end = end;
  fill = byte;
}

// Fills the space around a block.
static uint8_t slack(const block *block) { return block->fill ^ 0xA5; }

// Null if out of space; the caller holds the lock.
static block *create(uint64_t size, uint64_t alignment, uint8_t kind) {
  const uint64_t bytes = size == 0 ? 1 : size;
  if (!range || size > size_limit || alignment > PAGE || live_count >= LIVE_LIMIT) return NULL;
  const uint32_t page_count = (uint32_t)((bytes + PAGE - 1) / PAGE);
  if (block_count + 1 >= BLOCK_LIMIT || (next_page + page_count + 2ull) * PAGE > range_size) return NULL;
  char *pages = range + (next_page + 1ull) * PAGE;
  const uint64_t space = (uint64_t)page_count * PAGE;
  if (mprotect(pages, space, PROT_READ | PROT_WRITE) != 0) return NULL;
  const uint32_t number = ++block_count;
  block *block = &blocks[number];
  const uint64_t start = at_end ? ((uint64_t)pages + space - size) & ~(alignment - 1) : (uint64_t)pages;
  *block = (struct block){
      .start = start, .size = size, .first_page = next_page + 1, .page_count = page_count, .kind = kind, .state = LIVE, .fill = fill,
  };
  for (uint32_t i = 0; i < page_count + 2; i++) owners[next_page + i] = number;
  next_page += page_count + 2;
  live_count++;
  // Pages are used once and hold zeros already.
  memset(pages, slack(block), start - (uint64_t)pages);
  memset((char *)start + size, slack(block), (uint64_t)pages + space - start - size);
  if (fill != 0) memset((void *)start, fill, size);
  return block;
}

static void end_block(block *block) {
  char *pages = range + (uint64_t)block->first_page * PAGE;
  block->state = ENDED;
  live_count--;
  madvise(pages, (uint64_t)block->page_count * PAGE, MADV_DONTNEED);
  mprotect(pages, (uint64_t)block->page_count * PAGE, PROT_NONE);
}

static int is_slack(const block *block, uint64_t from, uint64_t to) {
  for (uint64_t place = from; place < to; place++) {
    if (*(const uint8_t *)place != slack(block)) return 0;
  }
  return 1;
}

// Ends the process after a write next to a malloc block.
static void verify(const block *block) {
  const uint64_t pages = (uint64_t)range + (uint64_t)block->first_page * PAGE;
  const uint64_t end = block->start + block->size, limit = pages + (uint64_t)block->page_count * PAGE;
  const uint64_t from = block->start - pages > SLACK ? block->start - SLACK : pages;
  if (!is_slack(block, from, block->start)) end_process(0, "writes before the start of ", block, "");
  if (!is_slack(block, end, limit - end > SLACK ? end + SLACK : limit)) end_process(0, "writes past the end of ", block, "");
}

void *tessera_checked_lend(uint64_t size, const char *name, int32_t for_call) {
  pthread_mutex_lock(&lock);
  block *block = create(size, 1, TESSERA_CHECKED_LENT);
  if (block) {
    block->name = ++name_count;
    block->for_call = for_call != 0;
    strncpy(names[name_count], name, NAME - 1);
  }
  pthread_mutex_unlock(&lock);
  return block ? (void *)block->start : NULL;
}

void tessera_checked_retire(void *start) {
  block *block = block_at((uint64_t)start);
  pthread_mutex_lock(&lock);
  if (block && block->state == LIVE) end_block(block);
  pthread_mutex_unlock(&lock);
}

uint64_t tessera_checked_count(void) { return block_count; }

void tessera_checked_retire_from(uint64_t number) {
  pthread_mutex_lock(&lock);
  for (uint64_t i = number + 1; i <= block_count; i++) {
    if (blocks[i].for_call && blocks[i].state == LIVE) end_block(&blocks[i]);
  }
  pthread_mutex_unlock(&lock);
}

void tessera_checked_verify(void) {
  pthread_mutex_lock(&lock);
  for (uint32_t i = 1; i <= block_count; i++) {
    if (blocks[i].kind == TESSERA_CHECKED_HEAP && blocks[i].state == LIVE) verify(&blocks[i]);
  }
  pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) void tessera_checked_fill_stack(void) {
  volatile uint8_t unused[24576];
  for (size_t i = 0; i < sizeof unused; i++) unused[i] = fill;
}

static void *allocate(uint64_t size, uint64_t alignment) {
  pthread_mutex_lock(&lock);
  const block *block = checks_heap ? create(size, alignment < 16 ? 16 : alignment, TESSERA_CHECKED_HEAP) : NULL;
  pthread_mutex_unlock(&lock);
  return block ? (void *)block->start : NULL;
}

// Null for memory from elsewhere.
static block *given_back(void *memory, const char *what) {
  block *block = block_at((uint64_t)memory);
  if (!block) return NULL;
  char before[24];
  strcpy(before, what);
  if (block->kind == TESSERA_CHECKED_LENT) end_process(TESSERA_MISUSE_HEAP, before, block, ", which belongs to the host");
  if ((uint64_t)memory != block->start) end_process(0, strcat(before, "an address in "), block, "");
  if (block->state == ENDED) end_process(0, before, block, " that was freed already");
  verify(block);
  return block;
}

static void checked_free(void *memory) {
  block *block = given_back(memory, "frees ");
  if (!block) {
    free(memory);
    return;
  }
  pthread_mutex_lock(&lock);
  end_block(block);
  pthread_mutex_unlock(&lock);
}

static void *checked_malloc(size_t size) {
  void *memory = allocate(size, 16);
  return memory ? memory : malloc(size);
}

static void *checked_calloc(size_t count, size_t size) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return calloc(count, size);
  void *memory = allocate(bytes, 16);
  return memory ? memset(memory, 0, bytes) : calloc(count, size);
}

// Always moves the block, to catch stale pointers.
static void *checked_realloc(void *memory, size_t size) {
  if (!memory) return checked_malloc(size);
  const block *old = given_back(memory, "resizes ");
  if (!old) return realloc(memory, size);
  void *moved = size == 0 ? NULL : checked_malloc(size);
  if (size != 0 && !moved) return NULL;
  if (moved) memcpy(moved, memory, size < old->size ? size : old->size);
  checked_free(memory);
  return moved;
}

static void *checked_reallocarray(void *memory, size_t count, size_t size) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return checked_realloc(memory, bytes);
}

static void *checked_aligned_alloc(size_t alignment, size_t size) {
  void *memory = allocate(size, alignment);
  return memory ? memory : aligned_alloc(alignment, size);
}

static int checked_posix_memalign(void **place, size_t alignment, size_t size) {
  void *memory = allocate(size, alignment);
  if (!memory) return posix_memalign(place, alignment, size);
  *place = memory;
  return 0;
}

static size_t checked_usable_size(void *memory) {
  const block *block = block_at((uint64_t)memory);
  return block ? block->size : malloc_usable_size(memory);
}

void tessera_checked_heap(void) {
  static const tessera_replacement replacements[] = {
      {"malloc", (void (*)(void))checked_malloc},
      {"calloc", (void (*)(void))checked_calloc},
      {"realloc", (void (*)(void))checked_realloc},
      {"reallocarray", (void (*)(void))checked_reallocarray},
      {"free", (void (*)(void))checked_free},
      {"aligned_alloc", (void (*)(void))checked_aligned_alloc},
      {"memalign", (void (*)(void))checked_aligned_alloc},
      {"posix_memalign", (void (*)(void))checked_posix_memalign},
      {"malloc_usable_size", (void (*)(void))checked_usable_size},
  };
  if (checks_heap) return;
  checks_heap = 1;
  tessera_replace(replacements, sizeof replacements / sizeof replacements[0], 0);
}
