#define _GNU_SOURCE
#include "sandbox_steps.h"
#include "tessera_crash.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The si_code of a trap by a filter (SYS_SECCOMP), which some headers lack.
enum { TRAPPED_BY_FILTER = 1 };

static tessera_forbidden_call *record;

// A signal handler, perhaps in a corrupted process. It makes only system calls that the filter permits.
static void record_and_exit(int signal, siginfo_t *info, void *context) {
  if (info->si_code == TRAPPED_BY_FILTER && !record->is_noted) {
    record->number = info->si_syscall;
    record->is_noted = 1;
  }
  tessera_crash_note(context);
  // SA_RESETHAND has removed this handler, so the signal ends the process. The other two calls are for a process that blocks the signal.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  syscall(SYS_kill, getpid(), SIGKILL);
  syscall(SYS_exit_group, 128 + signal);
}

int tessera_forbidden_call_handle(tessera_forbidden_call *forbidden) {
  forbidden->number = 0;
  forbidden->is_noted = 0;
  record = forbidden;
  struct sigaction action = {.sa_sigaction = record_and_exit, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, NULL) != 0) return -1;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSYS);
  return sigprocmask(SIG_UNBLOCK, &set, NULL);
}
