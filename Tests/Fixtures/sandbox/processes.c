#define _GNU_SOURCE
#include "prisoner.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int enter_only(void) { return 0; }

static int fork_one(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return outcome(child);
}

static int spawn_one(void) {
  char *arguments[] = {"true", NULL};
  pid_t child;
  return posix_spawn(&child, "/bin/true", NULL, NULL, arguments, NULL);
}

static int execute(void) {
  char *arguments[] = {"true", NULL};
  return outcome(execv("/bin/true", arguments));
}

static int make_namespace_thread(void) { return outcome(syscall(SYS_clone, CLONE_THREAD | CLONE_NEWUSER, 0, 0, 0, 0)); }
static int clone_anew(void) { return outcome(syscall(SYS_clone3, NULL, 0)); }

static void *idle(void *context) { return context; }
static void *open_network(void *context) {
  (void)socket(AF_INET, SOCK_STREAM, 0);
  return context;
}
static int in_thread(void *(*body)(void *)) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, body, NULL);
  return error ? error : pthread_join(thread, NULL);
}
static int start_thread(void) { return in_thread(idle); }
static int attack_in_thread(void) { return in_thread(open_network); }

static int abort_self(void) { abort(); }
static int raise_quit(void) { return raise(SIGTERM); }
static int signal_self(void) { return outcome(kill(getpid(), 0)); }
static int signal_parent(void) { return outcome(kill(getppid(), 0)); }
static int signal_group(void) { return outcome(kill(0, 0)); }
static int signal_all(void) { return outcome(kill(-1, 0)); }
static int signal_thread_of_parent(void) { return outcome(syscall(SYS_tgkill, getppid(), getppid(), 0)); }

static int read_own_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
  return limit.rlim_cur <= 1 && limit.rlim_max <= 1 ? 0 : ERANGE;
}
static int change_own_limit(void) {
  struct rlimit limit = {32, 32};
  return outcome(setrlimit(RLIMIT_NOFILE, &limit));
}
static int read_limit_of_parent(void) {
  struct rlimit limit;
  return outcome(prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit));
}

static int have_no_capability(void) {
  struct {
    uint32_t version;
    int process;
  } header = {0x20080522, 0};
  uint32_t sets[6];
  if (syscall(SYS_capget, &header, sets) != 0) return errno;
  for (int i = 0; i < 6; i++) {
    if (sets[i] != 0) return ERANGE;
  }
  return 0;
}

static int become_oneself(void) { return outcome(setuid(getuid())); }
static int leave_session(void) { return outcome(setsid()); }
static int leave_group(void) { return outcome(setpgid(0, 0)); }
static int be_named(void) { return outcome(prctl(PR_SET_NAME, "prisoner", 0, 0, 0)); }
static int outlive_parent(void) { return outcome(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)); }

static int look_at_handler(void) {
  struct sigaction action;
  return outcome(sigaction(SIGSYS, NULL, &action));
}
static int change_handler(void) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  return outcome(sigaction(SIGSYS, &action, NULL));
}
static int handle_interrupt(void) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  return outcome(sigaction(SIGINT, &action, NULL));
}
static int block_and_attack(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

// Ends where no limit ends it.
static int burn(void) {
  while (clock() < 6 * CLOCKS_PER_SEC) {
  }
  return 0;
}
static int burn_ignoring(void) {
  signal(SIGXCPU, SIG_IGN);
  return burn();
}

const action process_actions[] = {
    {"enter", enter_only},
    {"enter with two threads", enter_only},
    {"fork", fork_one},
    {"spawn", spawn_one},
    {"execute", execute},
    {"start a thread in a namespace", make_namespace_thread},
    {"clone by the newer call", clone_anew},
    {"start a thread", start_thread},
    {"attack in a thread", attack_in_thread},
    {"abort", abort_self},
    {"raise a signal", raise_quit},
    {"signal oneself", signal_self},
    {"signal the parent", signal_parent},
    {"signal the group", signal_group},
    {"signal all", signal_all},
    {"signal a thread of the parent", signal_thread_of_parent},
    {"read an own limit", read_own_limit},
    {"change an own limit", change_own_limit},
    {"read a limit of the parent", read_limit_of_parent},
    {"have no capability", have_no_capability},
    {"set the user", become_oneself},
    {"leave the session", leave_session},
    {"leave the group", leave_group},
    {"name a thread", be_named},
    {"outlive the parent", outlive_parent},
    {"look at the handler", look_at_handler},
    {"change the handler", change_handler},
    {"handle another signal", handle_interrupt},
    {"block signals and attack", block_and_attack},
    {"cpu without end", burn},
    {"cpu without end, ignoring the signal", burn_ignoring},
    {0},
};
