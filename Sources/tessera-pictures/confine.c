#define _GNU_SOURCE
#include "pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
  MEMORY = 1536 << 20,
  SECONDS = 120,
};

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "no architecture for the filter of system calls"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSE(number, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(SECCOMP_RET_ERRNO | (error))
// Refuses a call whose argument has any of some bits, by its lower half.
#define REFUSE_BITS(number, index, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(args[index]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), RETURN(SECCOMP_RET_ERRNO | EACCES), RETURN(SECCOMP_RET_ALLOW)
// Refuses a call whose argument lacks a bit.
#define REQUIRE_BIT(number, index, bit) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(args[index]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bit), 1, 0), RETURN(SECCOMP_RET_ERRNO | EPERM), RETURN(SECCOMP_RET_ALLOW)

enum { TO_CHANGE = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND };

static const struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#ifdef __x86_64__
    // The calls of x32, which have the same architecture.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    REFUSE_BITS(SYS_open, 1, TO_CHANGE),
    REFUSE(SYS_creat, EACCES),
    REFUSE(SYS_unlink, EACCES),
    REFUSE(SYS_rename, EACCES),
    REFUSE(SYS_mkdir, EACCES),
    REFUSE(SYS_rmdir, EACCES),
    REFUSE(SYS_link, EACCES),
    REFUSE(SYS_symlink, EACCES),
    REFUSE(SYS_chmod, EACCES),
    REFUSE(SYS_chown, EACCES),
    REFUSE(SYS_lchown, EACCES),
    REFUSE(SYS_mknod, EACCES),
    REFUSE(SYS_fork, EPERM),
    REFUSE(SYS_vfork, EPERM),
#endif
    // Files can be read, not changed. The structure of openat2 is in memory, which no filter sees.
    REFUSE_BITS(SYS_openat, 2, TO_CHANGE),
    REFUSE(SYS_openat2, ENOSYS),
    REFUSE(SYS_truncate, EACCES),
    REFUSE(SYS_unlinkat, EACCES),
    REFUSE(SYS_renameat, EACCES),
    REFUSE(SYS_renameat2, EACCES),
    REFUSE(SYS_mkdirat, EACCES),
    REFUSE(SYS_linkat, EACCES),
    REFUSE(SYS_symlinkat, EACCES),
    REFUSE(SYS_mknodat, EACCES),
    REFUSE(SYS_fchmod, EACCES),
    REFUSE(SYS_fchmodat, EACCES),
    REFUSE(SYS_fchown, EACCES),
    REFUSE(SYS_fchownat, EACCES),
    REFUSE(SYS_utimensat, EACCES),
    REFUSE(SYS_setxattr, EACCES),
    // Other programs and processes.
    REQUIRE_BIT(SYS_clone, 0, CLONE_THREAD),
    REFUSE(SYS_clone3, ENOSYS),
    REFUSE(SYS_execve, EPERM),
    REFUSE(SYS_execveat, EPERM),
    REFUSE(SYS_kill, EPERM),
    REFUSE(SYS_ptrace, EPERM),
    REFUSE(SYS_process_vm_readv, EPERM),
    REFUSE(SYS_process_vm_writev, EPERM),
    REFUSE(SYS_pidfd_open, EPERM),
    // Networks, and interfaces of the kernel that nobody needs to draw.
    REFUSE(SYS_socket, EACCES),
    REFUSE(SYS_socketpair, EACCES),
    REFUSE(SYS_io_uring_setup, ENOSYS),
    REFUSE(SYS_bpf, EPERM),
    REFUSE(SYS_keyctl, EPERM),
    REFUSE(SYS_unshare, EPERM),
    REFUSE(SYS_setns, EPERM),
    REFUSE(SYS_mount, EPERM),
    REFUSE(SYS_userfaultfd, EPERM),
    REFUSE(SYS_perf_event_open, EPERM),
    RETURN(SECCOMP_RET_ALLOW),
};

static void limit(int resource, rlim_t most) {
  struct rlimit present;
  // What the caller limits further stays as it is.
  if (getrlimit(resource, &present) != 0) present.rlim_max = RLIM_INFINITY;
  rlim_t value = present.rlim_max < most ? present.rlim_max : most;
  if (setrlimit(resource, &(struct rlimit){value, value}) != 0) fail(EX_OSERR, "this process cannot be limited: %s", strerror(errno));
}

void confine(void) {
  limit(RLIMIT_AS, MEMORY);
  limit(RLIMIT_CPU, SECONDS);
  limit(RLIMIT_CORE, 0);
  struct sock_fprog program = {sizeof filter / sizeof filter[0], (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) {
    fail(EX_OSERR, "this process cannot be confined: %s; tessera doctor shows what this machine offers", strerror(errno));
  }
}
