#define _GNU_SOURCE
#include "sandbox_steps.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// What si_code is when a filter traps; some headers lack it.
enum { TRAPPED_BY_FILTER = 1 };

static tessera_forbidden_call *noted;

// Runs in a signal handler, perhaps in a process that is broken: system calls only, and none that the filter traps.
static void note_and_die(int signal, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code == TRAPPED_BY_FILTER && !noted->is_noted) {
    noted->number = info->si_syscall;
    noted->is_noted = 1;
  }
  // The handler is gone since it was called, so this is the end; the other two are for a process that blocks the signal.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  syscall(SYS_kill, getpid(), SIGKILL);
  syscall(SYS_exit_group, 128 + signal);
}

int tessera_forbidden_call_handle(tessera_forbidden_call *forbidden) {
  forbidden->number = 0;
  forbidden->is_noted = 0;
  noted = forbidden;
  struct sigaction action = {.sa_sigaction = note_and_die, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, NULL) != 0) return -1;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSYS);
  return sigprocmask(SIG_UNBLOCK, &set, NULL);
}
