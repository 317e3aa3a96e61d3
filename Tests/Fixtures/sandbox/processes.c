#define _GNU_SOURCE
#include "prisoner.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
  FILE *status = fopen("/proc/self/status", "re");
  if (!status) return errno;
  char line[256];
  int found = 0;
  for (unsigned long long set; fgets(line, sizeof line, status);) {
    if (sscanf(line, "Cap%*3s:%llx", &set) == 1 && (found++, set != 0) && strncmp(line, "CapBnd", 6) != 0) return ERANGE;
  }
  return found == 5 ? 0 : ENOENT;
}
static int ask_for_capabilities_of_parent(void) {
  uint32_t header[2] = {0x20080522, (uint32_t)getppid()}, sets[6];
  return outcome(syscall(SYS_capget, header, sets));
}

static int read_clock(clockid_t clock) {
  struct timespec time;
  int error = outcome(clock_gettime(clock, &time));
  return error ? error : outcome(clock_getres(clock, &time));
}
// By every number that it has.
static int read_own_times(void) {
  clockid_t clocks[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC, CLOCK_REALTIME_COARSE, 0, 0, 0};
  int error = clock_getcpuclockid(0, &clocks[4]);
  if (!error) error = clock_getcpuclockid(getpid(), &clocks[5]);
  if (!error) error = pthread_getcpuclockid(pthread_self(), &clocks[6]);
  for (size_t i = 0; !error && i < sizeof clocks / sizeof clocks[0]; i++) error = read_clock(clocks[i]);
  return error;
}
static void *run_in_thread(void *run) { return (void *)(intptr_t)(*(int (**)(void))run)(); }
static int result_in_thread(int (*run)(void)) {
  pthread_t thread;
  void *result = NULL;
  int error = pthread_create(&thread, NULL, run_in_thread, &run);
  return error || (error = pthread_join(thread, &result)) ? error : (int)(intptr_t)result;
}
static int read_own_times_in_thread(void) { return result_in_thread(read_own_times); }
static clockid_t clock_of_parent(void) { return (clockid_t)(~(uint32_t)getppid() << 3 | 2); }
static int read_time_of_parent(void) { return read_clock(clock_of_parent()); }
static int sleep_by_clock_of_parent(void) { return clock_nanosleep(clock_of_parent(), TIMER_ABSTIME, &(struct timespec){0, 0}, NULL); }

static int find_own_stack(void) {
  pthread_attr_t attributes;
  int error = pthread_getattr_np(pthread_self(), &attributes);
  return error ? error : pthread_attr_destroy(&attributes);
}
static int find_stack_of_thread(void) { return result_in_thread(find_own_stack); }
static int count_processors(void) {
  cpu_set_t set;
  return outcome(sched_getaffinity(0, sizeof set, &set));
}
static int ask_for_processors_of_parent(void) {
  cpu_set_t set;
  return outcome(sched_getaffinity(getppid(), sizeof set, &set));
}
static int ask_for_scheduler_of_parent(void) { return outcome(sched_getscheduler(getppid())); }
static int ask_for_group_of_parent(void) { return outcome(getpgid(getppid())); }
static int ask_for_session_of_parent(void) { return outcome(getsid(getppid())); }
static int ask_for_priority_of_parent(void) {
  errno = 0;
  (void)getpriority(PRIO_PROCESS, (id_t)getppid());
  return errno;
}
static int ask_for_priority_of_user(void) {
  errno = 0;
  (void)getpriority(PRIO_USER, 0);
  return errno;
}

// Without siginfo they cannot wait, so each counts towards the limit.
static int let_signals_wait(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 257; i++) {
    if (syscall(SYS_tgkill, getpid(), getpid(), SIGRTMIN) != 0) return errno;
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
    {"read the capabilities of the parent", ask_for_capabilities_of_parent},
    {"read the own processor time", read_own_times},
    {"read the own processor time in a thread", read_own_times_in_thread},
    {"read the processor time of the parent", read_time_of_parent},
    {"sleep by the processor time of the parent", sleep_by_clock_of_parent},
    {"find the stack of a thread", find_stack_of_thread},
    {"count the processors", count_processors},
    {"read the processors of the parent", ask_for_processors_of_parent},
    {"read the scheduler of the parent", ask_for_scheduler_of_parent},
    {"read the group of the parent", ask_for_group_of_parent},
    {"read the session of the parent", ask_for_session_of_parent},
    {"read the priority of the parent", ask_for_priority_of_parent},
    {"read the priority of the user", ask_for_priority_of_user},
    {"let many signals wait", let_signals_wait},
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
