#define _GNU_SOURCE
#include "tessera_sandbox.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};

static tessera_crash *record;
static int has_begun;
// The thread that walks its stack, and where to continue if the stack is damaged.
static volatile long walker;
static sigjmp_buf escape;
static char handler_stack[65536] __attribute__((aligned(16)));

struct registers {
  uint64_t program, stack, frame;
};

static struct registers registers_of(const ucontext_t *context) {
#if defined(__x86_64__)
  const greg_t *found = context->uc_mcontext.gregs;
  return (struct registers){(uint64_t)found[REG_RIP], (uint64_t)found[REG_RSP], (uint64_t)found[REG_RBP]};
#elif defined(__aarch64__)
  return (struct registers){context->uc_mcontext.pc, context->uc_mcontext.sp, context->uc_mcontext.regs[29]};
#else
#error "the registers of this machine are not known; add them here"
#endif
}

struct walk {
  uint64_t start;
  int is_inside;
};

// Skips the handler's frames.
static _Unwind_Reason_Code visit(struct _Unwind_Context *frame, void *context) {
  struct walk *walk = context;
  const uint64_t address = (uint64_t)_Unwind_GetIP(frame);
  if (!walk->is_inside && address != walk->start) return _URC_NO_REASON;
  walk->is_inside = 1;
  if (record->count == TESSERA_CRASH_FRAMES) return _URC_END_OF_STACK;
  record->frames[record->count++] = address;
  return _URC_NO_REASON;
}

// After a call of a non-function, no table describes the frame: follows frame pointers.
static void follow_frames(struct registers registers) {
  record->count = 0;
  record->frames[record->count++] = registers.program;
#if defined(__x86_64__)
  record->frames[record->count++] = *(const uint64_t *)registers.stack;
#endif
  volatile uint64_t frame = registers.frame; // kept across sigsetjmp
  while (frame % 8 == 0 && frame > registers.stack && record->count < TESSERA_CRASH_FRAMES) {
    const uint64_t *pair = (const uint64_t *)frame;
    record->frames[record->count++] = pair[1];
    if (pair[0] <= frame) return;
    frame = pair[0];
  }
}

// Copies the executable lines of maps: "55d0-55e0 r-xp 00001000 00:05 42 /path".
static void copy_maps(void) {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char piece[4096], line[512];
  size_t length = 0;
  ssize_t count;
  while ((count = read(file, piece, sizeof piece)) > 0) {
    for (ssize_t i = 0; i < count; i++) {
      if (length < sizeof line) line[length++] = piece[i];
      if (piece[i] != '\n') continue;
      line[length - 1] = '\n';
      const char *space = memchr(line, ' ', length);
      const int is_code = space && (size_t)(space - line) + 3 < length && space[3] == 'x';
      if (is_code && record->map_size + length <= sizeof record->maps) {
        memcpy(record->maps + record->map_size, line, length);
        record->map_size += (uint32_t)length;
      }
      length = 0;
    }
  }
  close(file);
}

void tessera_crash_note(const void *context) {
  if (!record || __atomic_exchange_n(&has_begun, 1, __ATOMIC_SEQ_CST)) return;
  const struct registers registers = registers_of(context);
  record->count = 0;
  record->map_size = 0;
  copy_maps();
  walker = syscall(SYS_gettid);
  if (sigsetjmp(escape, 1) == 0) {
    struct walk walk = {registers.program, 0};
    _Unwind_Backtrace(visit, &walk);
    if (record->count < 2) follow_frames(registers);
  }
  walker = 0;
  __atomic_store_n(&record->is_noted, 1, __ATOMIC_RELEASE);
}

// A signal handler, perhaps in a corrupted process.
static void note_and_end(int signal, siginfo_t *info, void *context) {
  (void)info;
  if (walker != 0 && walker == syscall(SYS_gettid)) siglongjmp(escape, 1);
  tessera_crash_note(context);
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
  // A sent signal would not recur after the handler, as a fault does.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

int32_t tessera_crash_record(tessera_crash *crash) {
  crash->is_noted = 0;
  record = crash;
  const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  if (sigaltstack(&stack, NULL) != 0) return -1;
  struct sigaction action = {.sa_sigaction = note_and_end, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
  }
  return 0;
}

uint64_t tessera_crash_frame(const tessera_crash *crash, uint32_t index) {
  return index < TESSERA_CRASH_FRAMES ? crash->frames[index] : 0;
}

const char *tessera_crash_maps(const tessera_crash *crash) { return crash->maps; }
