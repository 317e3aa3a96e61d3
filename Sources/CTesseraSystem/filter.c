#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "the sandbox supports x86-64 and arm64 only"
#endif

// Both architectures are little endian.
#define LOWER_HALF(argument) ((uint32_t)offsetof(struct seccomp_data, args) + 8 * (argument))
#define UPPER_HALF(argument) (LOWER_HALF(argument) + 4)

static void add(tessera_filter *filter, struct sock_filter instruction) {
  if (filter->count < TESSERA_FILTER_CAPACITY) filter->code[filter->count] = instruction;
  filter->count++;
}

static void load(tessera_filter *filter, uint32_t offset) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

// The operands of a jump are the numbers of instructions to skip.
static void jump(tessera_filter *filter, uint16_t comparison, uint32_t value, uint8_t if_true, uint8_t if_false) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, if_true, if_false));
}

static void return_if(tessera_filter *filter, uint16_t comparison, uint32_t value, uint32_t action) {
  jump(filter, comparison, value, 0, 1);
  tessera_filter_return(filter, action);
}

void tessera_filter_begin(tessera_filter *filter) {
  filter->count = 0;
  load(filter, offsetof(struct seccomp_data, arch));
  jump(filter, BPF_JEQ, MACHINE, 1, 0);
  tessera_filter_return(filter, SECCOMP_RET_KILL_PROCESS);
  load(filter, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  // Numbers from here are x32 calls; -1 is a call that a debugger has skipped.
  return_if(filter, BPF_JGE, 0x40000000, SECCOMP_RET_KILL_PROCESS);
#endif
}

void tessera_filter_begin_call(tessera_filter *filter, int32_t number) {
  filter->block = filter->count;
  jump(filter, BPF_JEQ, (uint32_t)number, 0, 0);
}

void tessera_filter_end_call(tessera_filter *filter) {
  uint32_t length = filter->count - filter->block - 1;
  if (filter->count > TESSERA_FILTER_CAPACITY || length > UINT8_MAX) {
    filter->count = TESSERA_FILTER_CAPACITY + 1;
    return;
  }
  filter->code[filter->block].jf = (uint8_t)length;
}

void tessera_filter_load(tessera_filter *filter, uint32_t argument) { load(filter, LOWER_HALF(argument)); }

void tessera_filter_return_if_equal(tessera_filter *filter, uint32_t value, uint32_t action) {
  return_if(filter, BPF_JEQ, value, action);
}

void tessera_filter_return_if_above(tessera_filter *filter, uint32_t value, uint32_t action) {
  return_if(filter, BPF_JGT, value, action);
}

void tessera_filter_return_if_any(tessera_filter *filter, uint32_t bits, uint32_t action) {
  return_if(filter, BPF_JSET, bits, action);
}

void tessera_filter_return_unless_any(tessera_filter *filter, uint32_t bits, uint32_t action) {
  jump(filter, BPF_JSET, bits, 1, 0);
  tessera_filter_return(filter, action);
}

void tessera_filter_return_unless_equal(tessera_filter *filter, uint32_t value, uint32_t action) {
  tessera_filter_return_unless_either(filter, value, value, action);
}

void tessera_filter_return_unless_either(tessera_filter *filter, uint32_t one, uint32_t other, uint32_t action) {
  jump(filter, BPF_JEQ, one, 2, 0);
  jump(filter, BPF_JEQ, other, 1, 0);
  tessera_filter_return(filter, action);
}

void tessera_filter_return_unless_null(tessera_filter *filter, uint32_t argument, uint32_t action) {
  load(filter, LOWER_HALF(argument));
  return_if(filter, BPF_JSET, UINT32_MAX, action);
  load(filter, UPPER_HALF(argument));
  return_if(filter, BPF_JSET, UINT32_MAX, action);
}

void tessera_filter_return(tessera_filter *filter, uint32_t action) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static long install(const tessera_filter *filter, unsigned long flags) {
  if (filter->count > TESSERA_FILTER_CAPACITY) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog program = {.len = (unsigned short)filter->count, .filter = (struct sock_filter *)filter->code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

int tessera_filter_install(const tessera_filter *filter) {
  long result = install(filter, SECCOMP_FILTER_FLAG_TSYNC);
  if (result <= 0) return (int)result;
  // A positive result is the id of a thread with a different filter.
  errno = EBUSY;
  return -1;
}

int tessera_filter_install_with_listener(const tessera_filter *filter) {
  return (int)install(filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}
