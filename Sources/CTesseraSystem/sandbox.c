#define _GNU_SOURCE
#include "sandbox_steps.h"
#include "tessera_system.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Copied from the kernel's interface: the system's headers may be older.
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1, RESTRICT_WITHOUT_LOG = 1 };

// Bits of handled_access_fs, with the ABI version that added them.
#define ACCESS_READ_FILE (1u << 2)
#define ACCESS_READ_DIR (1u << 3)
#define ACCESS_FILES_1 ((1u << 13) - 1)
#define ACCESS_REFER_2 (1u << 13)
#define ACCESS_TRUNCATE_3 (1u << 14)
#define ACCESS_IOCTL_DEV_5 (1u << 15)

// Bits of handled_access_net: binding and connecting TCP sockets.
#define ACCESS_TCP_4 3u

// Bits of scoped: abstract sockets and signals.
#define SCOPES_6 3u

typedef struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
} ruleset;

typedef struct __attribute__((packed)) path_rule {
  uint64_t allowed;
  int32_t descriptor;
} path_rule;

static int32_t landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
  return version > 0 ? (int32_t)version : 0;
}

static int create_rules(int32_t version) {
  ruleset rules = {.files = ACCESS_FILES_1, .network = version >= 4 ? ACCESS_TCP_4 : 0, .scopes = version >= 6 ? SCOPES_6 : 0};
  if (version >= 2) rules.files |= ACCESS_REFER_2;
  if (version >= 3) rules.files |= ACCESS_TRUNCATE_3;
  if (version >= 5) rules.files |= ACCESS_IOCTL_DEV_5;
  // An older kernel accepts the longer struct if the unknown fields are 0.
  return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

static int allow_reading(int rules, const char *path) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  // A missing or inaccessible path needs no rule.
  if (descriptor < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -1;
  struct stat status;
  int result = fstat(descriptor, &status);
  if (result == 0) {
    path_rule rule = {.allowed = ACCESS_READ_FILE, .descriptor = descriptor};
    if (S_ISDIR(status.st_mode)) rule.allowed |= ACCESS_READ_DIR;
    result = (int)syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0);
  }
  int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

static int landlock_enter(const char *const *readable, uint32_t readable_count) {
  int rules = create_rules(landlock_version());
  if (rules < 0) return -1;
  int result = 0;
  for (uint32_t i = 0; i < readable_count && result == 0; i++) result = allow_reading(rules, readable[i]);
  // Denials must not fill the system's log.
  const uint32_t flags = landlock_version() >= 7 ? RESTRICT_WITHOUT_LOG : 0;
  if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, rules, flags);
  int error = errno;
  close(rules);
  errno = error;
  return result;
}

// si_code SYS_SECCOMP, which some headers lack.
enum { TRAPPED_BY_FILTER = 1 };

static tessera_forbidden_call *record;

// A signal handler, perhaps in a corrupted process. Makes only system calls that the filter
// permits.
static void record_and_exit(int signal, siginfo_t *info, void *context) {
  if (info->si_code == TRAPPED_BY_FILTER && !record->is_noted) {
    record->number = info->si_syscall;
    record->is_noted = 1;
  }
  tessera_crash_note(context);
  // SA_RESETHAND removed this handler: the signal ends the process. The other calls are for a
  // process that blocks the signal.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  syscall(SYS_kill, getpid(), SIGKILL);
  syscall(SYS_exit_group, 128 + signal);
}

static int handle_forbidden_call(tessera_forbidden_call *forbidden) {
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

// C library functions that block all signals before a trapped system call: the handler above would
// not run.
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

static void record_forbidden_functions(void) {
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

// From Linux 6.3: memory cannot become executable.
enum { PRCTL_SET_MDWE = 65, PRCTL_MDWE_REFUSE_EXEC_GAIN = 1 };

tessera_sandbox_offer tessera_sandbox_offer_of_kernel(void) {
  return (tessera_sandbox_offer){
      .landlock = landlock_version(),
      .seccomp = tessera_seccomp_is_offered(),
      .no_new_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0,
  };
}

// Capabilities and Landlock apply to single threads: another thread would keep its rights.
static int require_one_thread(void) {
  // A no-op with one thread, else EINVAL. A container may deny the call.
  if (unshare(CLONE_THREAD) == 0 || errno != EINVAL) return 0;
  errno = EBUSY;
  return -1;
}

// Returns 0 even if a container has no such user; the state reports it.
static int leave_root(void) {
  enum { NOBODY = 65534 };
  if (geteuid() != 0 && getuid() != 0) return 0;
  if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0) return errno == EINVAL || errno == EPERM ? 0 : -1;
  return setresuid(NOBODY, NOBODY, NOBODY) == 0 || errno == EINVAL || errno == EPERM ? 0 : -1;
}

// Alone in its user namespace, the process has the whole limit of threads.
static int limit_threads(uint32_t threads) {
  if (threads == 0 || unshare(CLONE_NEWUSER) != 0) return 0;
  struct rlimit limit = {threads, threads};
  return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

// Restores what a change of user removes: the parent-death signal, and access to the process's
// descriptors by path.
static int restore_attributes(pid_t parent) {
  if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
  if (getppid() == parent) return 0;
  errno = ESRCH;
  return -1;
}

static int drop_capabilities(void) {
  // Either call may fail without a capability or kernel support. With no_new_privs, neither set can
  // grant anything.
  for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++) {
  }
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
  memset(none, 0, sizeof none);
  return (int)syscall(SYS_capset, &header, none);
}

static int limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (hard < limit.rlim_max) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit(resource, &limit);
}

static int limit_if_given(int resource, uint64_t value) { return value == 0 ? 0 : limit(resource, value, value); }

static int set_limits(const tessera_sandbox_limits *limits) {
  static const int none[] = {RLIMIT_FSIZE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO};
  // Without a user namespace the limit counts pending signals of all the user's processes, which
  // must not run out. With 0, pthread_cancel would fail.
  enum { PENDING_SIGNALS = 256 };
  // A system that pipes core dumps to a program ignores 0, but not 1.
  if (limit(RLIMIT_CORE, 1, 1) != 0) return -1;
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    if (limit(none[i], 0, 0) != 0) return -1;
  }
  if (limit(RLIMIT_SIGPENDING, PENDING_SIGNALS, PENDING_SIGNALS) != 0) return -1;
  // With equal limits the kernel would send SIGKILL at once, and the cause would be unknown.
  if (limits->cpu_seconds != 0 && limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1) != 0) return -1;
  if (limit_if_given(RLIMIT_AS, limits->address_space) != 0) return -1;
  if (limit_if_given(RLIMIT_DATA, limits->data) != 0) return -1;
  if (limit_if_given(RLIMIT_STACK, limits->stack) != 0) return -1;
  return limit_if_given(RLIMIT_NOFILE, limits->descriptors);
}

static int32_t failed(int32_t step, int32_t *error) {
  *error = errno;
  return step;
}

static void report(int32_t socket, const tessera_sandbox_state *state, int32_t listener) {
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec data = {(void *)state, sizeof *state};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
  if (listener >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &listener, sizeof listener);
  }
  (void)sendmsg(socket, &message, MSG_NOSIGNAL);
}

// What tessera_sandbox_enter has done in this process.
static tessera_sandbox_state entered;

int32_t tessera_sandbox_enter(const tessera_sandbox_limits *limits, const char *const *readable, uint32_t readable_count,
                              int32_t socket, tessera_forbidden_call *forbidden, tessera_sandbox_state *state,
                              int32_t *error) {
  tessera_sandbox_offer offer = tessera_sandbox_offer_of_kernel();
  *state = (tessera_sandbox_state){.mark = TESSERA_SANDBOX_MARK, .landlock = offer.landlock};
  const pid_t parent = getppid();
  *error = 0;
  if (require_one_thread() != 0) return failed(TESSERA_SANDBOX_THREADS, error);
  if (leave_root() != 0) return failed(TESSERA_SANDBOX_USER, error);
  state->is_not_root = geteuid() != 0;
  state->limits_threads = limit_threads(limits->threads) && state->is_not_root;
  if (restore_attributes(parent) != 0) return failed(TESSERA_SANDBOX_USER, error);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed(TESSERA_SANDBOX_PRIVILEGES, error);
  if (drop_capabilities() != 0) return failed(TESSERA_SANDBOX_CAPABILITIES, error);
  if (set_limits(limits) != 0) return failed(TESSERA_SANDBOX_LIMITS, error);
  if (offer.landlock != 0 && landlock_enter(readable, readable_count) != 0) return failed(TESSERA_SANDBOX_FILES, error);
  // The filters deny it too. Fails on an older kernel.
  (void)prctl(PRCTL_SET_MDWE, PRCTL_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0);
  int32_t listener = -1;
  if (offer.seccomp != 0) {
    if (handle_forbidden_call(forbidden) != 0) return failed(TESSERA_SANDBOX_HANDLER, error);
    if (tessera_seccomp_supervise_code(socket >= 0 ? &listener : NULL) != 0) return failed(TESSERA_SANDBOX_CALLS, error);
    state->filters = 1;
    state->is_supervised = listener >= 0;
  }
  if (socket >= 0) report(socket, state, listener);
  if (listener >= 0) close(listener);
  if (offer.seccomp != 0) {
    if (tessera_seccomp_enter(socket, state->is_supervised) != 0) return failed(TESSERA_SANDBOX_CALLS, error);
    state->filters = 2;
  }
  state->progress = TESSERA_SANDBOX_COMPLETE;
  entered = *state;
  if (socket >= 0) (void)send(socket, state, sizeof *state, MSG_NOSIGNAL);
  return TESSERA_SANDBOX_ENTERED;
}

const char *tessera_sandbox_step_name(int32_t step) {
  switch (step) {
    case TESSERA_SANDBOX_THREADS: return "having one thread";
    case TESSERA_SANDBOX_USER: return "leaving the user root";
    case TESSERA_SANDBOX_PRIVILEGES: return "giving up new privileges (no_new_privs)";
    case TESSERA_SANDBOX_CAPABILITIES: return "giving up capabilities (capset)";
    case TESSERA_SANDBOX_LIMITS: return "setting limits (setrlimit)";
    case TESSERA_SANDBOX_FILES: return "closing files (Landlock)";
    case TESSERA_SANDBOX_HANDLER: return "handling forbidden system calls (sigaction)";
    default: return "filtering system calls (seccomp)";
  }
}

int32_t tessera_sandbox_forbid_new_code(int32_t socket, int32_t *error) {
  const tessera_sandbox_state state = {.mark = TESSERA_SANDBOX_MARK, .progress = TESSERA_SANDBOX_LOADED};
  char answer;
  *error = 0;
  if (entered.filters != 0) record_forbidden_functions();
  if (socket >= 0 && (send(socket, &state, sizeof state, MSG_NOSIGNAL) != (ssize_t)sizeof state || recv(socket, &answer, 1, 0) != 1))
    return failed(TESSERA_SANDBOX_CALLS, error);
  // The host closes its listener. A process without a listener installs a filter, if it has filters
  // at all. A library can change this record, but then the host's listener still decides, and
  // without it the grade is not full.
  if (entered.filters == 0 || entered.is_supervised || tessera_seccomp_forbid_new_code() == 0) return TESSERA_SANDBOX_ENTERED;
  return failed(TESSERA_SANDBOX_CALLS, error);
}
