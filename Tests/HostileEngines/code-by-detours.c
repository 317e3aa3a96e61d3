// Tries to run memory that it has written, in every way but the straight one.

#include "hostile.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/shm.h>
#include <sys/syscall.h>

enum { PAGE = 4096, READ = PROT_READ, WRITE = PROT_READ | PROT_WRITE, RUN = PROT_READ | PROT_EXEC, ALL = RUN | PROT_WRITE };

static int is_code(void *memory) { return memory != MAP_FAILED; }
static void *anonymous(int rights) { return mmap(NULL, PAGE, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

static const char *detour(void) {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), library = open("/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY | O_CLOEXEC);
  const int files[] = {file, library, 6};
  for (int i = 0; i < 3; i++) {
    if (is_code(mmap(NULL, PAGE, ALL, MAP_PRIVATE, files[i], 0))) return "a file to write and run";
    if (is_code(mmap(NULL, PAGE, RUN, MAP_SHARED, files[i], 0))) return "a shared file to run";
    void *copy = mmap(NULL, PAGE, WRITE, MAP_PRIVATE, files[i], 0);
    if (copy != MAP_FAILED && mprotect(copy, PAGE, RUN) == 0) return "a written copy of a file";
    void *read = mmap(NULL, PAGE, READ, MAP_PRIVATE, files[i], 0);
    if (read != MAP_FAILED && mprotect(read, PAGE, RUN) == 0) return "a file that was data";
  }
  void *page = anonymous(WRITE);
  if (mprotect(page, PAGE, PROT_EXEC) == 0 || mprotect(page, PAGE, ALL) == 0) return "written memory";
  if (syscall(SYS_mprotect, page, PAGE, 0xffffffff00000000ul | PROT_EXEC) == 0) return "rights of 64 bits";
  if (syscall(SYS_pkey_mprotect, page, PAGE, RUN, -1) == 0) return "a key";
  if (is_code(anonymous(RUN)) || is_code(anonymous(ALL)) || is_code(anonymous(PROT_EXEC))) return "new memory";
  if (is_code(mmap(NULL, PAGE, RUN, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0))) return "a stack";
  if (is_code(mmap(NULL, PAGE, RUN, 8 | MAP_ANONYMOUS, -1, 0))) return "memory that may be dropped";
  void *moved = mremap(page, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
  if (moved != MAP_FAILED && mprotect(moved, PAGE, RUN) == 0) return "moved memory";
  if (syscall(SYS_personality, READ_IMPLIES_EXEC) >= 0) return "a personality";
  const int shared = shmget(IPC_PRIVATE, PAGE, 0700);
  if (shared >= 0 && is_code(shmat(shared, NULL, SHM_EXEC))) return "shared memory";
  if (memfd_create("code", 0) >= 0) return "a file in memory";
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory >= 0) return "its memory as a file";
  // The rows are shared with the host, which made the file that they are in.
  const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  if (zero >= 0 && is_code(mmap(NULL, PAGE, ALL, MAP_PRIVATE, zero, 0))) return "a device";
  // A function of its own is where only the host and the loader could write.
  if (mprotect((void *)((uintptr_t)&detour & ~(uintptr_t)(PAGE - 1)), PAGE, ALL) == 0) return "its own code";
  return NULL;
}

static tessera_status attack(const hostile_call *call) {
  static char text[80];
  const char *won = detour();
  if (!won) return TESSERA_OK;
  snprintf(text, sizeof text, "it can run %s", won);
  return hostile_won(call, text);
}

HOSTILE("code-by-detours", .WHERE = attack)
