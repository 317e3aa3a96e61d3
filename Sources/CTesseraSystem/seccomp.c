#define _GNU_SOURCE
#include "sandbox_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Filter programs that allow or deny a system call by its number and arguments: one block for each
// call, from begin_call to end_call. A block ends with an unconditional decision; other calls skip
// it.

enum { CAPACITY = 1024 };

struct filter {
  uint32_t count; // above the capacity if the program is too long
  uint32_t block;
  struct sock_filter code[CAPACITY];
};

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

static void add(struct filter *filter, struct sock_filter instruction) {
  if (filter->count < CAPACITY) filter->code[filter->count] = instruction;
  filter->count++;
}

static void load_word(struct filter *filter, uint32_t offset) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

// The operands of a jump are instructions to skip.
static void jump(struct filter *filter, uint16_t comparison, uint32_t value, uint8_t if_true, uint8_t if_false) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, if_true, if_false));
}

static void decide(struct filter *filter, uint32_t action) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void return_if(struct filter *filter, uint16_t comparison, uint32_t value, uint32_t action) {
  jump(filter, comparison, value, 0, 1);
  decide(filter, action);
}

// Calls with the numbers of another architecture kill the process.
static void begin(struct filter *filter) {
  filter->count = 0;
  load_word(filter, offsetof(struct seccomp_data, arch));
  jump(filter, BPF_JEQ, MACHINE, 1, 0);
  decide(filter, SECCOMP_RET_KILL_PROCESS);
  load_word(filter, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  // x32 calls start here; -1 is a call that a debugger has skipped.
  return_if(filter, BPF_JGE, 0x40000000, SECCOMP_RET_KILL_PROCESS);
#endif
}

static void begin_call(struct filter *filter, int32_t number) {
  filter->block = filter->count;
  jump(filter, BPF_JEQ, (uint32_t)number, 0, 0);
}

static void end_call(struct filter *filter) {
  uint32_t length = filter->count - filter->block - 1;
  if (filter->count > CAPACITY || length > UINT8_MAX) {
    filter->count = CAPACITY + 1;
    return;
  }
  filter->code[filter->block].jf = (uint8_t)length;
}

// The lower half of an argument, all of an int.
static void load(struct filter *filter, uint32_t argument) { load_word(filter, LOWER_HALF(argument)); }

static void return_if_equal(struct filter *filter, uint32_t value, uint32_t action) { return_if(filter, BPF_JEQ, value, action); }
static void return_if_above(struct filter *filter, uint32_t value, uint32_t action) { return_if(filter, BPF_JGT, value, action); }
static void return_if_any(struct filter *filter, uint32_t bits, uint32_t action) { return_if(filter, BPF_JSET, bits, action); }
static void return_unless_any(struct filter *filter, uint32_t bits, uint32_t action) {
  jump(filter, BPF_JSET, bits, 1, 0);
  decide(filter, action);
}

static void return_unless_either(struct filter *filter, uint32_t one, uint32_t other, uint32_t action) {
  jump(filter, BPF_JEQ, one, 2, 0);
  jump(filter, BPF_JEQ, other, 1, 0);
  decide(filter, action);
}

static void return_unless_equal(struct filter *filter, uint32_t value, uint32_t action) {
  return_unless_either(filter, value, value, action);
}

// For a pointer argument.
static void return_unless_null(struct filter *filter, uint32_t argument, uint32_t action) {
  load_word(filter, LOWER_HALF(argument));
  return_if(filter, BPF_JSET, UINT32_MAX, action);
  load_word(filter, UPPER_HALF(argument));
  return_if(filter, BPF_JSET, UINT32_MAX, action);
}

static long install_with(const struct filter *filter, unsigned long flags) {
  if (filter->count > CAPACITY) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog program = {.len = (unsigned short)filter->count, .filter = (struct sock_filter *)filter->code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

// For all threads. Returns 0, or -1 with errno.
static int install(const struct filter *filter) {
  long result = install_with(filter, SECCOMP_FILTER_FLAG_TSYNC);
  if (result <= 0) return (int)result;
  // A positive result is a thread with a different filter.
  errno = EBUSY;
  return -1;
}

#define ALLOW SECCOMP_RET_ALLOW
#define FAIL(error) (SECCOMP_RET_ERRNO | (error))
#define DIE SECCOMP_RET_TRAP

// Open flags that do more than read. The last is O_TMPFILE without the O_DIRECTORY in it.
#define OPEN_TO_CHANGE (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

#define CLONE_NAMESPACES \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

// Some headers lack PR_SET_VMA.
#define PRCTL_SET_VMA 0x53564d41

// The filter depends on these. The process must not write to foreign descriptors, which are open
// now. Descriptors opened later can only be files for reading, pipes and counters.
typedef struct process {
  uint32_t id;
  uint32_t socket; // UINT32_MAX without a socket
  uint32_t descriptor_limit;
  int is_supervised; // whether the host decides about new code
  uint32_t foreign_count;
  uint32_t foreign[32];
} process;

static int find_foreign(process *process) {
  for (uint32_t i = 0; i < process->descriptor_limit; i++) {
    if (i == STDOUT_FILENO || i == STDERR_FILENO || i == process->socket || fcntl((int)i, F_GETFD) < 0) continue;
    if (process->foreign_count == sizeof process->foreign / sizeof process->foreign[0]) {
      errno = EMFILE;
      return -1;
    }
    process->foreign[process->foreign_count++] = i;
  }
  return 0;
}

static void refuse_foreign(struct filter *filter, const process *process, uint32_t action) {
  load(filter, 0);
  // Descriptors above the limit are older than the limit.
  return_if_above(filter, process->descriptor_limit - 1, action);
  for (uint32_t i = 0; i < process->foreign_count; i++) return_if_equal(filter, process->foreign[i], action);
}

static void open_to_read(struct filter *filter, uint32_t flags) {
  load(filter, flags);
  return_if_any(filter, OPEN_TO_CHANGE, FAIL(EACCES));
  decide(filter, ALLOW);
}

#if defined(__x86_64__)
static void allow_open(struct filter *filter, const process *process) {
  (void)process;
  open_to_read(filter, 1);
}
#endif

static void allow_openat(struct filter *filter, const process *process) {
  (void)process;
  open_to_read(filter, 2);
}

static void allow_message(struct filter *filter, const process *process) {
  load(filter, 0);
  return_unless_equal(filter, process->socket, FAIL(EBADF));
  return_unless_null(filter, 4, FAIL(EPERM));
  decide(filter, ALLOW);
}

static void allow_write(struct filter *filter, const process *process) {
  refuse_foreign(filter, process, FAIL(EBADF));
  decide(filter, ALLOW);
}

// A worker that closes its socket would look dead to the host.
static void allow_close(struct filter *filter, const process *process) {
  load(filter, 0);
  return_if_equal(filter, process->socket, FAIL(EBADF));
  decide(filter, ALLOW);
}

// A duplicate of a foreign descriptor would not count as foreign.
static void allow_duplicate(struct filter *filter, const process *process) {
  refuse_foreign(filter, process, FAIL(EPERM));
  decide(filter, ALLOW);
}

static void allow_duplicate_to(struct filter *filter, const process *process) {
  load(filter, 1);
  return_if_equal(filter, process->socket, FAIL(EPERM));
  allow_duplicate(filter, process);
}

static void allow_fcntl(struct filter *filter, const process *process) {
  static const uint32_t harmless[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  load(filter, 1);
  for (uint32_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) return_if_equal(filter, harmless[i], ALLOW);
  return_unless_either(filter, F_DUPFD, F_DUPFD_CLOEXEC, FAIL(EPERM));
  allow_duplicate(filter, process);
}

// Denies memory outside the data limit: anonymous shared memory, growing stacks and huge pages.
static void allow_map(struct filter *filter, const process *process) {
  (void)process;
  load(filter, 3);
  return_if_any(filter, MAP_GROWSDOWN | MAP_HUGETLB, FAIL(EPERM));
  return_unless_any(filter, MAP_ANONYMOUS, ALLOW);
  return_if_any(filter, MAP_SHARED, FAIL(EPERM));
  decide(filter, ALLOW);
}

static void allow_clone(struct filter *filter, const process *process) {
  (void)process;
  load(filter, 0);
  return_unless_any(filter, CLONE_THREAD, DIE);
  return_if_any(filter, CLONE_NAMESPACES, DIE);
  decide(filter, ALLOW);
}

static void allow_signal(struct filter *filter, const process *process) {
  load(filter, 0);
  return_unless_equal(filter, process->id, DIE);
  decide(filter, ALLOW);
}

static void allow_sigaction(struct filter *filter, const process *process) {
  (void)process;
  load(filter, 0);
  return_unless_equal(filter, SIGSYS, ALLOW);
  return_unless_null(filter, 1, FAIL(EPERM));
  decide(filter, ALLOW);
}

static void allow_limit(struct filter *filter, const process *process) {
  load(filter, 0);
  return_unless_either(filter, 0, process->id, FAIL(EPERM));
  return_unless_null(filter, 2, FAIL(EPERM));
  decide(filter, ALLOW);
}

// A negative number encodes a complemented process or thread and, in three low bits, a kind: 4 for
// a thread (the kernel refuses other processes' threads), 3 for a file. Process 0 is this one.
static void allow_clock(struct filter *filter, const process *process) {
  load(filter, 0);
  return_unless_any(filter, (uint32_t)INT32_MIN, ALLOW);
  return_if_any(filter, 4, ALLOW);
  for (uint32_t kind = 0; kind < 3; kind++) {
    return_if_equal(filter, ~0u << 3 | kind, ALLOW);
    return_if_equal(filter, ~process->id << 3 | kind, ALLOW);
  }
  decide(filter, FAIL(EPERM));
}

// pthread_getattr_np asks for a thread's processors, and succeeds if the call is missing.
static void only_self(struct filter *filter, const process *process, uint32_t argument) {
  load(filter, argument);
  return_unless_either(filter, 0, process->id, FAIL(ENOSYS));
  decide(filter, ALLOW);
}

static void allow_self(struct filter *filter, const process *process) { only_self(filter, process, 0); }

static void allow_priority(struct filter *filter, const process *process) {
  load(filter, 0);
  return_unless_equal(filter, PRIO_PROCESS, FAIL(ENOSYS));
  only_self(filter, process, 1);
}

static void allow_prctl(struct filter *filter, const process *process) {
  (void)process;
  load(filter, 0);
  return_if_equal(filter, PRCTL_SET_VMA, ALLOW);
  return_unless_either(filter, PR_SET_NAME, PR_GET_NAME, FAIL(EPERM));
  decide(filter, ALLOW);
}

// For the later filter that denies new code, if the host cannot deny it from outside.
static void allow_seccomp(struct filter *filter, const process *process) {
  if (process->is_supervised) {
    decide(filter, FAIL(EPERM));
    return;
  }
  load(filter, 0);
  return_unless_equal(filter, SECCOMP_SET_MODE_FILTER, FAIL(EPERM));
  // After a filter for one thread, no filter could be installed for all threads.
  load(filter, 1);
  return_unless_equal(filter, SECCOMP_FILTER_FLAG_TSYNC, FAIL(EPERM));
  decide(filter, ALLOW);
}

static void refuse_socket(struct filter *filter, const process *process) {
  (void)process;
  load(filter, 0);
  return_if_equal(filter, AF_UNIX, FAIL(EACCES));
  decide(filter, DIE);
}

#define DECIDES(name, action)                                       \
  static void name(struct filter *filter, const process *process) { \
    (void)process;                                                  \
    decide(filter, action);                                         \
  }
DECIDES(allow, ALLOW)
DECIDES(end_process, DIE)
DECIDES(fail_denied, FAIL(EPERM))
DECIDES(fail_closed, FAIL(EACCES))  // as for another user's file
DECIDES(fail_missing, FAIL(ENOSYS)) // libraries fall back to an older call
DECIDES(refuse_terminal, FAIL(ENOTTY))

#define CALL(rule, name) {#name, SYS_##name, rule}
#define ALLOWED(name) {#name, SYS_##name, allow}
#define FATAL(name) {#name, SYS_##name, end_process}
#define DENIED(name) {#name, SYS_##name, fail_denied}
#define CLOSED(name) {#name, SYS_##name, fail_closed}
#define MISSING(name) {#name, SYS_##name, fail_missing}

// MISSING for all other calls. Frequent calls and rules about arguments come first.
static const struct system_call {
  const char *name;
  int32_t number;
  void (*rule)(struct filter *, const process *);
} calls[] = {
    CALL(allow_message, sendto), CALL(allow_message, recvfrom), CALL(allow_write, write), CALL(allow_write, writev),
    CALL(allow_map, mmap), CALL(allow_openat, openat), CALL(allow_sigaction, rt_sigaction), CALL(allow_prctl, prctl),
    CALL(allow_fcntl, fcntl), CALL(allow_clone, clone), CALL(allow_limit, prlimit64), CALL(allow_clock, clock_gettime),
    CALL(allow_clock, clock_getres), CALL(allow_clock, clock_nanosleep), CALL(allow_self, getpgid), CALL(allow_self, getsid),
    CALL(allow_self, sched_getaffinity), CALL(allow_self, sched_getparam), CALL(allow_self, sched_getscheduler),
    CALL(allow_priority, getpriority), CALL(allow_signal, kill), CALL(allow_signal, tkill), CALL(allow_signal, tgkill),
    CALL(allow_duplicate, dup), CALL(allow_duplicate_to, dup3), CALL(allow_seccomp, seccomp), CALL(refuse_socket, socket),
    CALL(refuse_terminal, ioctl), ALLOWED(futex), ALLOWED(read), ALLOWED(pread64), ALLOWED(readv), ALLOWED(lseek),
    CALL(allow_close, close), ALLOWED(mprotect), ALLOWED(munmap), ALLOWED(mremap), ALLOWED(madvise), ALLOWED(brk), ALLOWED(mincore),
    ALLOWED(msync), ALLOWED(membarrier), ALLOWED(newfstatat), ALLOWED(fstat), ALLOWED(statx), CLOSED(statfs), CLOSED(fstatfs),
    ALLOWED(faccessat), ALLOWED(faccessat2), CLOSED(readlinkat), ALLOWED(getdents64), ALLOWED(getcwd), ALLOWED(readahead),
    ALLOWED(fadvise64), ALLOWED(ppoll), ALLOWED(pselect6), ALLOWED(epoll_create1), ALLOWED(epoll_ctl), ALLOWED(epoll_pwait),
    ALLOWED(epoll_pwait2), ALLOWED(eventfd2), ALLOWED(timerfd_create), ALLOWED(timerfd_settime), ALLOWED(timerfd_gettime),
    ALLOWED(signalfd4), ALLOWED(pipe2), ALLOWED(rt_sigprocmask), ALLOWED(rt_sigreturn), ALLOWED(rt_sigpending), ALLOWED(rt_sigsuspend),
    ALLOWED(rt_sigtimedwait), ALLOWED(sigaltstack), ALLOWED(nanosleep), ALLOWED(gettimeofday), ALLOWED(times), ALLOWED(getrandom),
    ALLOWED(getpid), ALLOWED(gettid), ALLOWED(getppid), ALLOWED(getuid), ALLOWED(geteuid), ALLOWED(getgid), ALLOWED(getegid),
    ALLOWED(getresuid), ALLOWED(getresgid), ALLOWED(getgroups), ALLOWED(sched_yield), ALLOWED(sched_get_priority_max),
    ALLOWED(sched_get_priority_min), ALLOWED(getcpu), ALLOWED(sysinfo), ALLOWED(uname), ALLOWED(umask), ALLOWED(getrlimit),
    ALLOWED(getrusage), ALLOWED(set_tid_address), ALLOWED(set_robust_list), ALLOWED(rseq), ALLOWED(restart_syscall), ALLOWED(exit),
    ALLOWED(exit_group), MISSING(clone3), MISSING(openat2), MISSING(close_range), CLOSED(unlinkat), CLOSED(renameat), CLOSED(renameat2),
    CLOSED(mkdirat), CLOSED(linkat), CLOSED(symlinkat), CLOSED(mknodat), CLOSED(fchmodat), CLOSED(fchownat), CLOSED(truncate),
    CLOSED(utimensat), CLOSED(chdir), CLOSED(fchdir), CLOSED(setxattr), CLOSED(lsetxattr), CLOSED(removexattr), CLOSED(lremovexattr),
    DENIED(pwrite64), DENIED(pwritev), DENIED(pwritev2), DENIED(ftruncate), DENIED(fallocate), DENIED(fchmod), DENIED(fchown),
    DENIED(fsetxattr), DENIED(fremovexattr), DENIED(sendfile), DENIED(splice), DENIED(tee), DENIED(vmsplice), DENIED(copy_file_range),
    DENIED(memfd_create), DENIED(memfd_secret), DENIED(pkey_mprotect), DENIED(remap_file_pages), DENIED(mlock), DENIED(mlock2),
    DENIED(mlockall), DENIED(mbind), DENIED(set_mempolicy), DENIED(migrate_pages), DENIED(move_pages), DENIED(shmget), DENIED(shmat),
    DENIED(shmctl), DENIED(semget), DENIED(msgget), DENIED(mq_open), DENIED(socketpair), DENIED(accept), DENIED(accept4),
    DENIED(shutdown), DENIED(getsockname), DENIED(getpeername), DENIED(getsockopt), DENIED(setsockopt), DENIED(sendmsg), DENIED(recvmsg),
    DENIED(sendmmsg), DENIED(recvmmsg), DENIED(setuid), DENIED(setgid), DENIED(setreuid), DENIED(setregid), DENIED(setresuid),
    DENIED(setresgid), DENIED(setfsuid), DENIED(setfsgid), DENIED(setgroups), DENIED(capget), DENIED(capset), DENIED(setpgid),
    DENIED(setsid), DENIED(setrlimit), DENIED(setpriority), DENIED(sched_setaffinity), DENIED(sched_setscheduler), DENIED(sched_setparam),
    DENIED(sched_setattr), DENIED(ioprio_set), DENIED(personality), DENIED(adjtimex), DENIED(clock_adjtime),
    DENIED(landlock_create_ruleset), DENIED(landlock_add_rule), DENIED(landlock_restrict_self), DENIED(inotify_init1),
    DENIED(fanotify_init), FATAL(execve), FATAL(execveat), FATAL(ptrace), FATAL(process_vm_readv), FATAL(process_vm_writev),
    FATAL(process_madvise), FATAL(process_mrelease), FATAL(kcmp), FATAL(pidfd_open), FATAL(pidfd_getfd), FATAL(pidfd_send_signal),
    FATAL(rt_sigqueueinfo), FATAL(rt_tgsigqueueinfo), FATAL(connect), FATAL(bind), FATAL(listen), FATAL(unshare), FATAL(setns),
    FATAL(chroot), FATAL(pivot_root), FATAL(mount), FATAL(umount2), FATAL(mount_setattr), FATAL(move_mount), FATAL(open_tree),
    FATAL(fsopen), FATAL(fsconfig), FATAL(fsmount), FATAL(fspick), FATAL(open_by_handle_at), FATAL(bpf), FATAL(perf_event_open),
    FATAL(userfaultfd), FATAL(io_uring_setup), FATAL(io_uring_enter), FATAL(io_uring_register), FATAL(kexec_load), FATAL(init_module),
    FATAL(finit_module), FATAL(delete_module), FATAL(reboot), FATAL(swapon), FATAL(swapoff), FATAL(acct), FATAL(quotactl), FATAL(syslog),
    FATAL(vhangup), FATAL(add_key), FATAL(request_key), FATAL(keyctl), FATAL(settimeofday), FATAL(clock_settime), FATAL(sethostname),
    FATAL(setdomainname), FATAL(kexec_file_load),
#if defined(__x86_64__)
    // Later architectures have only the newer calls.
    CALL(allow_open, open), CALL(allow_duplicate_to, dup2), ALLOWED(stat), ALLOWED(lstat), ALLOWED(access), CLOSED(readlink),
    ALLOWED(getdents), ALLOWED(poll), ALLOWED(select), ALLOWED(epoll_create), ALLOWED(epoll_wait), ALLOWED(eventfd), ALLOWED(pipe),
    ALLOWED(signalfd), ALLOWED(pause), ALLOWED(time), ALLOWED(getpgrp), ALLOWED(arch_prctl), CLOSED(creat), CLOSED(unlink),
    CLOSED(rename), CLOSED(mkdir), CLOSED(rmdir), CLOSED(link), CLOSED(symlink), CLOSED(mknod), CLOSED(chmod), CLOSED(chown),
    CLOSED(lchown), CLOSED(utime), CLOSED(utimes), CLOSED(futimesat), DENIED(modify_ldt), DENIED(inotify_init), FATAL(fork), FATAL(vfork),
    FATAL(iopl), FATAL(ioperm), FATAL(uselib),
#endif
};
enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

const char *tessera_system_call_name(int32_t number) {
  for (uint32_t i = 0; i < CALL_COUNT; i++) {
    if (calls[i].number == number) return calls[i].name;
  }
  return NULL;
}

int32_t tessera_seccomp_is_offered(void) {
  uint32_t action = DIE;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// Code may be mapped only from files, and never writable. `action` decides the other mappings.
static void add_code_rules(struct filter *filter, uint32_t action) {
  begin(filter);
  begin_call(filter, SYS_mmap);
  load(filter, 2);
  return_unless_any(filter, PROT_EXEC, ALLOW);
  return_if_any(filter, PROT_WRITE, FAIL(EACCES));
  load(filter, 3);
  return_if_any(filter, MAP_ANONYMOUS | MAP_SHARED, FAIL(EACCES));
  decide(filter, action);
  end_call(filter);
  begin_call(filter, SYS_mprotect);
  load(filter, 2);
  return_if_any(filter, PROT_EXEC, FAIL(EACCES));
  decide(filter, ALLOW);
  end_call(filter);
  decide(filter, ALLOW);
}

int tessera_seccomp_supervise_code(int32_t *listener) {
  struct filter filter;
  if (listener != NULL) {
    add_code_rules(&filter, SECCOMP_RET_USER_NOTIF);
    *listener = (int32_t)install_with(&filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (*listener >= 0) return 0;
  }
  // An old or emulated kernel, or a container that already has a listener.
  add_code_rules(&filter, ALLOW);
  return install(&filter);
}

int tessera_seccomp_enter(int32_t socket, int is_supervised) {
  struct rlimit descriptors;
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return -1;
  uint32_t limit = descriptors.rlim_cur < INT32_MAX ? (uint32_t)descriptors.rlim_cur : INT32_MAX;
  process process = {
      .id = (uint32_t)getpid(),
      .socket = socket < 0 ? UINT32_MAX : (uint32_t)socket,
      .descriptor_limit = limit,
      .is_supervised = is_supervised,
  };
  if (find_foreign(&process) != 0) return -1;
  struct filter filter;
  begin(&filter);
  for (uint32_t i = 0; i < CALL_COUNT; i++) {
    begin_call(&filter, calls[i].number);
    calls[i].rule(&filter, &process);
    end_call(&filter);
  }
  decide(&filter, FAIL(ENOSYS));
  return install(&filter);
}

int tessera_seccomp_forbid_new_code(void) {
  static const int32_t maps[] = {SYS_mmap, SYS_mprotect};
  struct filter filter;
  begin(&filter);
  for (uint32_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
    begin_call(&filter, maps[i]);
    load(&filter, 2);
    return_if_any(&filter, PROT_EXEC, FAIL(EACCES));
    decide(&filter, ALLOW);
    end_call(&filter);
  }
  begin_call(&filter, SYS_seccomp);
  decide(&filter, FAIL(EPERM));
  end_call(&filter);
  decide(&filter, ALLOW);
  return install(&filter);
}
