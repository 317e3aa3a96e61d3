// Calls that are an attack whatever their arguments; these are such that the call fails, or does nothing, without the sandbox.
#define _GNU_SOURCE
#include "prisoner.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define CALL(name, ...) \
  static int call_##name(void) { return outcome(syscall(SYS_##name, __VA_ARGS__)); }

CALL(io_uring_setup, 0, 0)
CALL(unshare, 0)
CALL(ptrace, PTRACE_TRACEME, 0, 0, 0)
CALL(pidfd_open, -1, 0)
CALL(setns, -1, 0)
CALL(mount, 0, 0, 0, 0, 0)
CALL(umount2, 0, 0)
CALL(chroot, 0)
CALL(pivot_root, 0, 0)
CALL(bpf, -1, 0, 0)
CALL(perf_event_open, 0, 0, 0, 0, 0)
CALL(userfaultfd, -1)
CALL(keyctl, -1, 0, 0, 0, 0)
CALL(init_module, 0, 0, 0)
CALL(kexec_load, 0, 0, 0, -1)
CALL(reboot, 0, 0, 0, 0)
CALL(swapon, 0, 0)
CALL(clock_settime, -1, 0)
CALL(sethostname, 0, -1)
CALL(open_by_handle_at, -1, 0, 0)
CALL(bind, -1, 0, 0)
CALL(listen, -1, 0)

static int read_parent(void) {
  char byte;
  // The parent is a fork of the same program, so it has this too.
  static char there_too;
  struct iovec here = {&byte, 1}, there = {&there_too, 1};
  return outcome(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int be_notified(void) {
  return outcome(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0));
}
static int be_strict(void) { return outcome(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, 0)); }
static int restrict_again(void) { return outcome(syscall(SYS_landlock_restrict_self, -1, 0)); }
static int call_unknown(void) { return outcome(syscall(9999)); }

#if defined(__x86_64__)
static int call_short(void) { return outcome(syscall(0x40000000 | SYS_getpid)); }
static int call_old(void) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory"); // getpid
  return result < 0 ? -result : 0;
}
#endif

#define ACTION(name) {#name, call_##name}

const action hostile_actions[] = {
    ACTION(io_uring_setup), ACTION(unshare), ACTION(ptrace), ACTION(pidfd_open), ACTION(setns), ACTION(mount),
    ACTION(umount2), ACTION(chroot), ACTION(pivot_root), ACTION(bpf), ACTION(perf_event_open), ACTION(userfaultfd),
    ACTION(keyctl), ACTION(init_module), ACTION(kexec_load), ACTION(reboot), ACTION(swapon), ACTION(clock_settime),
    ACTION(sethostname), ACTION(open_by_handle_at), ACTION(bind), ACTION(listen),
    {"process_vm_readv", read_parent},
    {"filter calls and be asked", be_notified},
    {"filter calls strictly", be_strict},
    {"restrict files again", restrict_again},
    {"call what nobody knows", call_unknown},
#if defined(__x86_64__)
    {"call as x32", call_short},
    {"call as 32 bits", call_old},
#endif
    {0},
};
