// Starts a program without some kernel features: a filter fails system calls for it and its
// children. Arguments: features with errors, then "--" and the program. A leading "-" drops root.
//
//   without landlock ENOSYS -- tessera doctor
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// A call, and argument bits that make it fail (0: always).
static const struct thing {
  const char *name;
  int32_t call;
  uint32_t argument, bits;
} things[] = {
    {"landlock", SYS_landlock_create_ruleset, 0, 0},
    {"landlock-rules", SYS_landlock_add_rule, 0, 0},
    {"seccomp", SYS_seccomp, 0, 0},
    {"seccomp-listener", SYS_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER},
    {"namespaces", SYS_unshare, 0, CLONE_NEWUSER},
    {"users", SYS_setresuid, 0, 0},
    {"groups", SYS_setgroups, 0, 0},
    {"capabilities", SYS_capset, 0, 0},
    {"limits", SYS_prlimit64, 0, 0},
};

static const struct {
  const char *name;
  uint32_t number;
} errors[] = {{"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"EINVAL", EINVAL}, {"EBUSY", EBUSY}};

#if defined(__x86_64__)
enum { MACHINE = AUDIT_ARCH_X86_64 };
#else
enum { MACHINE = AUDIT_ARCH_AARCH64 };
#endif

static struct sock_filter code[128];
static unsigned short count;

static void add(struct sock_filter instruction) { code[count++] = instruction; }

static int deny(const char *name, const char *error) {
  const struct thing *thing = NULL;
  uint32_t number = 0;
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    if (strcmp(things[i].name, name) == 0) thing = &things[i];
  }
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    if (strcmp(errors[i].name, error) == 0) number = errors[i].number;
  }
  if (!thing || number == 0) return -1;
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)thing->call, 0, thing->bits == 0 ? 1 : 3));
  if (thing->bits != 0) {
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args) + 8 * thing->argument));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, thing->bits, 0, 1));
  }
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | number));
  return 0;
}

static int become_ordinary(void) {
  enum { ORDINARY = 65533 };
  if (geteuid() != 0) return 0;
  return setgroups(0, NULL) != 0 || setresgid(ORDINARY, ORDINARY, ORDINARY) != 0 || setresuid(ORDINARY, ORDINARY, ORDINARY) != 0 ? -1 : 0;
}

int main(int argument_count, char **arguments) {
  int next = 1;
  if (next < argument_count && strcmp(arguments[next], "-") == 0) {
    next++;
    if (become_ordinary() != 0) return perror("user"), 2;
  }
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0));
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  for (; next + 1 < argument_count && strcmp(arguments[next], "--") != 0; next += 2) {
    if (deny(arguments[next], arguments[next + 1]) != 0) return fprintf(stderr, "unknown: %s %s\n", arguments[next], arguments[next + 1]), 2;
  }
  if (next + 1 >= argument_count || strcmp(arguments[next], "--") != 0) return 2;
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const struct sock_fprog program = {count, code};
  if (count > 4 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0))
    return perror("filter"), 2;
  execvp(arguments[next + 1], arguments + next + 1);
  return perror("exec"), 2;
}
