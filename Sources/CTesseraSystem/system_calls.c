#include "system_calls.h"

#include "tessera_sandbox.h"

#include <stddef.h>
#include <sys/syscall.h>

#define CALL(rule, name) {#name, SYS_##name, TESSERA_CALL_##rule}

const tessera_system_call tessera_system_calls[] = {
    CALL(MESSAGE, sendto), CALL(MESSAGE, recvfrom),
    CALL(WRITE, write), CALL(WRITE, writev),
    CALL(MAP, mmap),
    CALL(OPENAT, openat),
    CALL(SIGACTION, rt_sigaction),
    CALL(PRCTL, prctl),
    CALL(FCNTL, fcntl),
    CALL(CLONE, clone),
    CALL(LIMIT, prlimit64),
    CALL(CLOCK, clock_gettime), CALL(CLOCK, clock_getres), CALL(CLOCK, clock_nanosleep),
    CALL(SELF, getpgid), CALL(SELF, getsid), CALL(SELF, sched_getaffinity), CALL(SELF, sched_getparam), CALL(SELF, sched_getscheduler),
    CALL(PRIORITY, getpriority),
    CALL(SIGNAL, kill), CALL(SIGNAL, tkill), CALL(SIGNAL, tgkill),
    CALL(DUPLICATE, dup), CALL(DUPLICATE_TO, dup3),
    CALL(SECCOMP, seccomp),
    CALL(SOCKET, socket),
    CALL(NO_TERMINAL, ioctl),
    CALL(ALLOWED, futex), CALL(ALLOWED, read), CALL(ALLOWED, pread64), CALL(ALLOWED, readv), CALL(ALLOWED, lseek), CALL(CLOSE, close),
    CALL(ALLOWED, mprotect), CALL(ALLOWED, munmap), CALL(ALLOWED, mremap), CALL(ALLOWED, madvise),
    CALL(ALLOWED, brk), CALL(ALLOWED, mincore), CALL(ALLOWED, msync), CALL(ALLOWED, membarrier), CALL(ALLOWED, newfstatat),
    CALL(ALLOWED, fstat), CALL(ALLOWED, statx), CALL(CLOSED, statfs), CALL(CLOSED, fstatfs), CALL(ALLOWED, faccessat),
    CALL(ALLOWED, faccessat2), CALL(CLOSED, readlinkat), CALL(ALLOWED, getdents64), CALL(ALLOWED, getcwd), CALL(ALLOWED, readahead),
    CALL(ALLOWED, fadvise64), CALL(ALLOWED, ppoll), CALL(ALLOWED, pselect6), CALL(ALLOWED, epoll_create1), CALL(ALLOWED, epoll_ctl),
    CALL(ALLOWED, epoll_pwait), CALL(ALLOWED, epoll_pwait2), CALL(ALLOWED, eventfd2), CALL(ALLOWED, timerfd_create),
    CALL(ALLOWED, timerfd_settime), CALL(ALLOWED, timerfd_gettime), CALL(ALLOWED, signalfd4), CALL(ALLOWED, pipe2),
    CALL(ALLOWED, rt_sigprocmask), CALL(ALLOWED, rt_sigreturn), CALL(ALLOWED, rt_sigpending), CALL(ALLOWED, rt_sigsuspend),
    CALL(ALLOWED, rt_sigtimedwait), CALL(ALLOWED, sigaltstack),
    CALL(ALLOWED, nanosleep), CALL(ALLOWED, gettimeofday), CALL(ALLOWED, times),
    CALL(ALLOWED, getrandom), CALL(ALLOWED, getpid), CALL(ALLOWED, gettid), CALL(ALLOWED, getppid),
    CALL(ALLOWED, getuid), CALL(ALLOWED, geteuid), CALL(ALLOWED, getgid), CALL(ALLOWED, getegid),
    CALL(ALLOWED, getresuid), CALL(ALLOWED, getresgid), CALL(ALLOWED, getgroups), CALL(ALLOWED, sched_yield),
   
    CALL(ALLOWED, sched_get_priority_max), CALL(ALLOWED, sched_get_priority_min), CALL(ALLOWED, getcpu),
    CALL(ALLOWED, sysinfo), CALL(ALLOWED, uname), CALL(ALLOWED, umask), CALL(ALLOWED, getrlimit), CALL(ALLOWED, getrusage),
    CALL(ALLOWED, set_tid_address), CALL(ALLOWED, set_robust_list), CALL(ALLOWED, rseq), CALL(ALLOWED, restart_syscall),
    CALL(ALLOWED, exit), CALL(ALLOWED, exit_group),
    CALL(MISSING, clone3), CALL(MISSING, openat2), CALL(MISSING, close_range),
    CALL(CLOSED, unlinkat), CALL(CLOSED, renameat), CALL(CLOSED, renameat2), CALL(CLOSED, mkdirat), CALL(CLOSED, linkat),
    CALL(CLOSED, symlinkat), CALL(CLOSED, mknodat), CALL(CLOSED, fchmodat), CALL(CLOSED, fchownat), CALL(CLOSED, truncate),
    CALL(CLOSED, utimensat), CALL(CLOSED, chdir), CALL(CLOSED, fchdir), CALL(CLOSED, setxattr), CALL(CLOSED, lsetxattr),
    CALL(CLOSED, removexattr), CALL(CLOSED, lremovexattr),
    CALL(DENIED, pwrite64), CALL(DENIED, pwritev), CALL(DENIED, pwritev2), CALL(DENIED, ftruncate), CALL(DENIED, fallocate),
    CALL(DENIED, fchmod), CALL(DENIED, fchown), CALL(DENIED, fsetxattr), CALL(DENIED, fremovexattr), CALL(DENIED, sendfile),
    CALL(DENIED, splice), CALL(DENIED, tee), CALL(DENIED, vmsplice), CALL(DENIED, copy_file_range), CALL(DENIED, memfd_create),
    CALL(DENIED, memfd_secret), CALL(DENIED, pkey_mprotect), CALL(DENIED, remap_file_pages), CALL(DENIED, mlock), CALL(DENIED, mlock2),
    CALL(DENIED, mlockall), CALL(DENIED, mbind), CALL(DENIED, set_mempolicy), CALL(DENIED, migrate_pages), CALL(DENIED, move_pages),
    CALL(DENIED, shmget), CALL(DENIED, shmat), CALL(DENIED, shmctl), CALL(DENIED, semget), CALL(DENIED, msgget), CALL(DENIED, mq_open),
    CALL(DENIED, socketpair), CALL(DENIED, accept), CALL(DENIED, accept4), CALL(DENIED, shutdown), CALL(DENIED, getsockname),
    CALL(DENIED, getpeername), CALL(DENIED, getsockopt), CALL(DENIED, setsockopt), CALL(DENIED, sendmsg), CALL(DENIED, recvmsg),
    CALL(DENIED, sendmmsg), CALL(DENIED, recvmmsg), CALL(DENIED, setuid), CALL(DENIED, setgid), CALL(DENIED, setreuid),
    CALL(DENIED, setregid), CALL(DENIED, setresuid), CALL(DENIED, setresgid), CALL(DENIED, setfsuid), CALL(DENIED, setfsgid),
    CALL(DENIED, setgroups), CALL(DENIED, capget), CALL(DENIED, capset), CALL(DENIED, setpgid), CALL(DENIED, setsid), CALL(DENIED, setrlimit),
    CALL(DENIED, setpriority), CALL(DENIED, sched_setaffinity), CALL(DENIED, sched_setscheduler), CALL(DENIED, sched_setparam),
    CALL(DENIED, sched_setattr), CALL(DENIED, ioprio_set), CALL(DENIED, personality), CALL(DENIED, adjtimex),
    CALL(DENIED, clock_adjtime), CALL(DENIED, landlock_create_ruleset), CALL(DENIED, landlock_add_rule),
    CALL(DENIED, landlock_restrict_self), CALL(DENIED, inotify_init1), CALL(DENIED, fanotify_init),
    CALL(FATAL, execve), CALL(FATAL, execveat), CALL(FATAL, ptrace), CALL(FATAL, process_vm_readv), CALL(FATAL, process_vm_writev),
    CALL(FATAL, process_madvise), CALL(FATAL, process_mrelease), CALL(FATAL, kcmp), CALL(FATAL, pidfd_open), CALL(FATAL, pidfd_getfd),
    CALL(FATAL, pidfd_send_signal), CALL(FATAL, rt_sigqueueinfo), CALL(FATAL, rt_tgsigqueueinfo), CALL(FATAL, connect),
    CALL(FATAL, bind), CALL(FATAL, listen), CALL(FATAL, unshare), CALL(FATAL, setns), CALL(FATAL, chroot), CALL(FATAL, pivot_root),
    CALL(FATAL, mount), CALL(FATAL, umount2), CALL(FATAL, mount_setattr), CALL(FATAL, move_mount), CALL(FATAL, open_tree),
    CALL(FATAL, fsopen), CALL(FATAL, fsconfig), CALL(FATAL, fsmount), CALL(FATAL, fspick), CALL(FATAL, open_by_handle_at),
    CALL(FATAL, bpf), CALL(FATAL, perf_event_open), CALL(FATAL, userfaultfd), CALL(FATAL, io_uring_setup), CALL(FATAL, io_uring_enter),
    CALL(FATAL, io_uring_register), CALL(FATAL, kexec_load), CALL(FATAL, init_module), CALL(FATAL, finit_module),
    CALL(FATAL, delete_module), CALL(FATAL, reboot), CALL(FATAL, swapon), CALL(FATAL, swapoff), CALL(FATAL, acct),
    CALL(FATAL, quotactl), CALL(FATAL, syslog), CALL(FATAL, vhangup), CALL(FATAL, add_key), CALL(FATAL, request_key),
    CALL(FATAL, keyctl), CALL(FATAL, settimeofday), CALL(FATAL, clock_settime), CALL(FATAL, sethostname), CALL(FATAL, setdomainname),
    CALL(FATAL, kexec_file_load),
#if defined(__x86_64__)
    // Later architectures have only the newer versions of these calls.
    CALL(OPEN, open),
    CALL(DUPLICATE_TO, dup2),
    CALL(ALLOWED, stat), CALL(ALLOWED, lstat), CALL(ALLOWED, access), CALL(CLOSED, readlink), CALL(ALLOWED, getdents),
    CALL(ALLOWED, poll), CALL(ALLOWED, select), CALL(ALLOWED, epoll_create), CALL(ALLOWED, epoll_wait), CALL(ALLOWED, eventfd),
    CALL(ALLOWED, pipe), CALL(ALLOWED, signalfd), CALL(ALLOWED, pause), CALL(ALLOWED, time), CALL(ALLOWED, getpgrp),
    CALL(ALLOWED, arch_prctl),
    CALL(CLOSED, creat), CALL(CLOSED, unlink), CALL(CLOSED, rename), CALL(CLOSED, mkdir), CALL(CLOSED, rmdir), CALL(CLOSED, link),
    CALL(CLOSED, symlink), CALL(CLOSED, mknod), CALL(CLOSED, chmod), CALL(CLOSED, chown), CALL(CLOSED, lchown), CALL(CLOSED, utime),
    CALL(CLOSED, utimes), CALL(CLOSED, futimesat),
    CALL(DENIED, modify_ldt), CALL(DENIED, inotify_init),
    CALL(FATAL, fork), CALL(FATAL, vfork), CALL(FATAL, iopl), CALL(FATAL, ioperm), CALL(FATAL, uselib),
#endif
};

#undef CALL

const uint32_t tessera_system_call_count = sizeof tessera_system_calls / sizeof tessera_system_calls[0];

const char *tessera_system_call_name(int32_t number) {
  for (uint32_t i = 0; i < tessera_system_call_count; i++) {
    if (tessera_system_calls[i].number == number) return tessera_system_calls[i].name;
  }
  return NULL;
}
