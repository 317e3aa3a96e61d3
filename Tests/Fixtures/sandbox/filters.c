// Prints the decision of the sandbox's BPF filters for each system call, by an interpreter. It also
// works without seccomp, as in emulators.
//
// A line is the filter, call, arguments by name, and action; without arguments if all have the same
// action. Calls without a rule share one line. Arguments come from the probes below.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct sock_fprog program;
static long take(long call, unsigned operation, unsigned long flags, const void *filter) {
  (void)call, (void)operation, (void)flags;
  const struct sock_fprog *given = filter;
  program.len = given->len;
  const size_t size = given->len * sizeof *given->filter;
  program.filter = memcpy(realloc(program.filter, size), given->filter, size);
  return 0;
}
#define syscall take
#include "seccomp.c"

#include <stdio.h>

static _Noreturn void refuse(uint32_t at, const char *sentence) {
  fprintf(stderr, "instruction %u of %u %s\n", at, program.len, sentence);
  exit(1);
}

static uint32_t result_of(const struct seccomp_data *call) {
  uint32_t value = 0;
  for (uint32_t at = 0; at < program.len; at++) {
    const struct sock_filter one = program.filter[at];
    switch (one.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (one.k % 4 != 0 || one.k > sizeof *call - 4) refuse(at, "loads what is no word of a call");
        memcpy(&value, (const char *)call + one.k, 4);
        break;
      case BPF_JMP | BPF_JEQ | BPF_K: at += value == one.k ? one.jt : one.jf; break;
      case BPF_JMP | BPF_JGT | BPF_K: at += value > one.k ? one.jt : one.jf; break;
      case BPF_JMP | BPF_JGE | BPF_K: at += value >= one.k ? one.jt : one.jf; break;
      case BPF_JMP | BPF_JSET | BPF_K: at += value & one.k ? one.jt : one.jf; break;
      case BPF_RET | BPF_K: return one.k;
      default: refuse(at, "is none that the filters use");
    }
  }
  refuse(program.len, "is after the end");
}

enum { SOCKET = 3, FOREIGN = 7, NEWER = 8, LIMIT = 20 };

typedef struct probe {
  const char *name;
  uint64_t arguments[6];
} probe;

// Set only where the kernel ignores the upper half.
#define UPPER ((uint64_t)1 << 32)

static const probe *probes(size_t *count) {
  static probe all[64];
  const uint64_t self = (uint64_t)getpid();
  const probe listed[] = {
      {"nothing", {NEWER}},
      {"output", {STDOUT_FILENO}},
      {"socket", {SOCKET}},
      {"socket,address", {SOCKET, 0, 0, 0, UPPER}},
      {"foreign", {FOREIGN}},
      {"foreign+upper", {FOREIGN | UPPER}},
      {"limit", {LIMIT}},
      {"to-socket", {NEWER, SOCKET}},
      {"read", {0, O_RDONLY | O_CLOEXEC, O_RDONLY | O_CLOEXEC}},
      {"folder", {0, O_DIRECTORY, O_DIRECTORY}},
      {"O_WRONLY", {0, O_WRONLY, O_WRONLY}},
      {"O_RDWR", {0, O_RDWR, O_RDWR}},
      {"O_CREAT", {0, O_CREAT, O_CREAT}},
      {"O_TRUNC", {0, O_TRUNC, O_TRUNC}},
      {"O_APPEND", {0, O_APPEND, O_APPEND}},
      {"O_TMPFILE", {0, O_TMPFILE, O_TMPFILE}},
      {"F_GETFL", {NEWER, F_GETFL}},
      {"F_DUPFD", {NEWER, F_DUPFD}},
      {"F_DUPFD,foreign", {FOREIGN, F_DUPFD_CLOEXEC}},
      {"F_SETLK", {NEWER, F_SETLK}},
      {"F_SETOWN", {NEWER, F_SETOWN}},
      {"map-file", {0, 0, PROT_READ, MAP_PRIVATE}},
      {"map-memory", {0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS}},
      {"map-shared", {0, 0, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS}},
      {"map-stack", {0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN}},
      {"map-huge", {0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB}},
      {"code-file", {0, 0, PROT_READ | PROT_EXEC, MAP_PRIVATE}},
      {"code-writable", {0, 0, PROT_WRITE | PROT_EXEC, MAP_PRIVATE}},
      {"code-memory", {0, 0, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS}},
      {"code-shared", {0, 0, PROT_READ | PROT_EXEC, MAP_SHARED}},
      {"thread", {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD}},
      {"process", {SIGCHLD}},
      {"thread,user", {CLONE_VM | CLONE_THREAD | CLONE_NEWUSER}},
      {"self", {self}},
      {"self,new-limit", {self, 0, UPPER}},
      {"another", {1}},
      {"everyone", {(uint64_t)-1}},
      {"clock,self", {~0u << 3 | 2}},
      {"clock,own-id", {~(uint32_t)self << 3 | 2}},
      {"clock,thread", {~1u << 3 | 6}},
      {"clock,another", {~1u << 3 | 2}},
      {"clock,file", {~1u << 3 | 3}},
      {"priority,self", {PRIO_PROCESS, self}},
      {"priority,another", {PRIO_PROCESS, 1}},
      {"priority,user", {PRIO_USER, 0}},
      {"SIGSYS,read", {SIGSYS}},
      {"SIGSYS,set", {SIGSYS, UPPER}},
      {"SIGUSR1,set", {SIGUSR1, UPPER}},
      {"PR_SET_NAME", {PR_SET_NAME}},
      {"PR_SET_DUMPABLE", {PR_SET_DUMPABLE}},
      {"PR_SET_SECCOMP", {PR_SET_SECCOMP}},
      {"filter,all-threads", {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC}},
      {"filter,one-thread", {SECCOMP_SET_MODE_FILTER}},
      {"AF_UNIX", {AF_UNIX}},
      {"AF_INET", {AF_INET}},
  };
  *count = sizeof listed / sizeof listed[0];
  memcpy(all, listed, sizeof listed);
  return all;
}

static const char *text(uint32_t action) {
  static char other[32];
  switch (action) {
    case SECCOMP_RET_ALLOW: return "allowed";
    case SECCOMP_RET_TRAP: return "ends";
    case SECCOMP_RET_KILL_PROCESS: return "killed";
    case SECCOMP_RET_USER_NOTIF: return "asks";
    case FAIL(EPERM): return "EPERM";
    case FAIL(EACCES): return "EACCES";
    case FAIL(EBADF): return "EBADF";
    case FAIL(ENOSYS): return "ENOSYS";
    case FAIL(ENOTTY): return "ENOTTY";
  }
  snprintf(other, sizeof other, "%#x", action);
  return other;
}

static void print_call(const char *filter, int32_t number, const char *name) {
  size_t count;
  const probe *all = probes(&count);
  uint32_t actions[64];
  int differ = 0;
  for (size_t i = 0; i < count; i++) {
    struct seccomp_data call = {.nr = number, .arch = MACHINE};
    memcpy(call.args, all[i].arguments, sizeof call.args);
    actions[i] = result_of(&call);
    differ |= actions[i] != actions[0];
  }
  if (!differ) printf("%s %s: %s\n", filter, name, text(actions[0]));
  for (size_t i = 0; differ && i < count; i++) printf("%s %s(%s): %s\n", filter, name, all[i].name, text(actions[i]));
}

static void print(const char *filter) {
  uint32_t others[2048], other_count = 0, unlike = 0;
  for (int32_t number = 0; number < 2048; number++) {
    const char *name = tessera_system_call_name(number);
    if (name != NULL) print_call(filter, number, name);
    else {
      struct seccomp_data call = {.nr = number, .arch = MACHINE};
      others[other_count++] = result_of(&call);
      unlike += others[other_count - 1] != others[0];
    }
  }
  if (unlike != 0) refuse(0, "decides differently about calls without a rule");
  printf("%s other: %s\n", filter, text(others[0]));
  struct seccomp_data foreign = {.nr = SYS_read, .arch = MACHINE ^ 1};
  printf("%s foreign machine: %s\n", filter, text(result_of(&foreign)));
#if defined(__x86_64__)
  struct seccomp_data x32 = {.nr = 0x40000000 | SYS_read, .arch = MACHINE};
  printf("%s x32 read: %s\n", filter, text(result_of(&x32)));
#endif
}

int main(void) {
  struct rlimit descriptors = {LIMIT, LIMIT};
  for (int i = 3; i < LIMIT; i++) close(i);
  if (setrlimit(RLIMIT_NOFILE, &descriptors) != 0 || dup2(STDERR_FILENO, FOREIGN) < 0) return 1;
  if (tessera_seccomp_enter(SOCKET, 0) != 0) return 1;
  print("enter");
  if (tessera_seccomp_enter(SOCKET, 1) != 0) return 1;
  print("supervised");
  int32_t listener;
  if (tessera_seccomp_supervise_code(&listener) != 0) return 1;
  print("code");
  if (tessera_seccomp_forbid_new_code() != 0) return 1;
  print("later");
}
