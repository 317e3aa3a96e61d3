#define _GNU_SOURCE
#include "tessera_replacement.h"
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

// Functions of the C library that block every signal before they make a system call that the filter traps, so that the handler above
// would not run.
static const char *const blocking[4] = {"posix_spawn", "posix_spawnp", "system", "popen"};

static void refuse(int place) {
  if (!record->is_noted) {
    record->number = -1 - place;
    record->is_noted = 1;
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSYS);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSYS);
}

static void refuse_posix_spawn(void) { refuse(0); }
static void refuse_posix_spawnp(void) { refuse(1); }
static void refuse_system(void) { refuse(2); }
static void refuse_popen(void) { refuse(3); }

void tessera_forbidden_functions_record(void) {
  static const tessera_replacement replacements[] = {
      {blocking[0], (void (*)(void))refuse_posix_spawn},
      {blocking[1], (void (*)(void))refuse_posix_spawnp},
      {blocking[2], (void (*)(void))refuse_system},
      {blocking[3], (void (*)(void))refuse_popen},
  };
  tessera_replace(replacements, sizeof replacements / sizeof replacements[0], 1);
}

const char *tessera_forbidden_function_name(int32_t number) {
  const int32_t count = sizeof blocking / sizeof blocking[0];
  return number < 0 && number >= -count ? blocking[-1 - number] : NULL;
}
