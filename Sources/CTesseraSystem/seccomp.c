#define _GNU_SOURCE
#include "filter.h"
#include "sandbox_steps.h"
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW SECCOMP_RET_ALLOW
#define FAIL(error) (SECCOMP_RET_ERRNO | (error))
#define DIE SECCOMP_RET_TRAP

// Flags of an open that does more than read. The last is O_TMPFILE without O_DIRECTORY, which is part of it.
#define OPEN_TO_CHANGE (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

#define CLONE_NAMESPACES \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

// PR_SET_VMA, which some headers lack.
#define PRCTL_SET_VMA 0x53564d41

// What the filter depends on. Foreign descriptors are those that are open now and to which the process must not write. Descriptors that it
// opens later are not foreign: they can only be files for reading, pipes and counters.
typedef struct process {
  uint32_t id;
  uint32_t socket; // UINT32_MAX if there is none
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

static void refuse_foreign(tessera_filter *filter, const process *process, uint32_t action) {
  tessera_filter_load(filter, 0);
  // Descriptors above the limit were opened before the limit was set.
  tessera_filter_return_if_above(filter, process->descriptor_limit - 1, action);
  for (uint32_t i = 0; i < process->foreign_count; i++) tessera_filter_return_if_equal(filter, process->foreign[i], action);
}

static void allow_open(tessera_filter *filter, uint32_t flags) {
  tessera_filter_load(filter, flags);
  tessera_filter_return_if_any(filter, OPEN_TO_CHANGE, FAIL(EACCES));
  tessera_filter_return(filter, ALLOW);
}

static void allow_message(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_equal(filter, process->socket, FAIL(EBADF));
  tessera_filter_return_unless_null(filter, 4, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

static void allow_write(tessera_filter *filter, const process *process) {
  refuse_foreign(filter, process, FAIL(EBADF));
  tessera_filter_return(filter, ALLOW);
}

// To the host, a worker that closed its socket would appear to be dead.
static void allow_close(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_if_equal(filter, process->socket, FAIL(EBADF));
  tessera_filter_return(filter, ALLOW);
}

// A duplicate of a foreign descriptor would have a number that is not foreign.
static void allow_duplicate(tessera_filter *filter, const process *process) {
  refuse_foreign(filter, process, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

static void allow_duplicate_to(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 1);
  tessera_filter_return_if_equal(filter, process->socket, FAIL(EPERM));
  allow_duplicate(filter, process);
}

static void allow_fcntl(tessera_filter *filter, const process *process) {
  static const uint32_t harmless[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  tessera_filter_load(filter, 1);
  for (uint32_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) tessera_filter_return_if_equal(filter, harmless[i], ALLOW);
  tessera_filter_return_unless_either(filter, F_DUPFD, F_DUPFD_CLOEXEC, FAIL(EPERM));
  allow_duplicate(filter, process);
}

// Anonymous shared memory, growing stacks and huge pages do not count towards the data limit, so they are denied.
static void allow_map(tessera_filter *filter) {
  tessera_filter_load(filter, 3);
  tessera_filter_return_if_any(filter, MAP_GROWSDOWN | MAP_HUGETLB, FAIL(EPERM));
  tessera_filter_return_unless_any(filter, MAP_ANONYMOUS, ALLOW);
  tessera_filter_return_if_any(filter, MAP_SHARED, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

static void allow_clone(tessera_filter *filter) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_any(filter, CLONE_THREAD, DIE);
  tessera_filter_return_if_any(filter, CLONE_NAMESPACES, DIE);
  tessera_filter_return(filter, ALLOW);
}

static void allow_signal(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_equal(filter, process->id, DIE);
  tessera_filter_return(filter, ALLOW);
}

static void allow_sigaction(tessera_filter *filter) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_equal(filter, SIGSYS, ALLOW);
  tessera_filter_return_unless_null(filter, 1, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

static void allow_limit(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_either(filter, 0, process->id, FAIL(EPERM));
  tessera_filter_return_unless_null(filter, 2, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

// A negative number stands for a process or a thread, complemented, and a kind in its three lower bits: 4 for a thread, and the kernel
// refuses threads of other processes itself; 3 for a file. Process 0 is this one.
static void allow_clock(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_any(filter, (uint32_t)INT32_MIN, ALLOW);
  tessera_filter_return_if_any(filter, 4, ALLOW);
  for (uint32_t kind = 0; kind < 3; kind++) {
    tessera_filter_return_if_equal(filter, ~0u << 3 | kind, ALLOW);
    tessera_filter_return_if_equal(filter, ~process->id << 3 | kind, ALLOW);
  }
  tessera_filter_return(filter, FAIL(EPERM));
}

// pthread_getattr_np asks for the processors of a thread, and succeeds without them if that call is missing.
static void allow_self(tessera_filter *filter, const process *process, uint32_t argument) {
  tessera_filter_load(filter, argument);
  tessera_filter_return_unless_either(filter, 0, process->id, FAIL(ENOSYS));
  tessera_filter_return(filter, ALLOW);
}

static void allow_priority(tessera_filter *filter, const process *process) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_equal(filter, PRIO_PROCESS, FAIL(ENOSYS));
  allow_self(filter, process, 1);
}

static void allow_prctl(tessera_filter *filter) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_if_equal(filter, PRCTL_SET_VMA, ALLOW);
  tessera_filter_return_unless_either(filter, PR_SET_NAME, PR_GET_NAME, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

// Installs the filter that denies new code later, if the host cannot do that from outside.
static void allow_seccomp(tessera_filter *filter, const process *process) {
  if (process->is_supervised) {
    tessera_filter_return(filter, FAIL(EPERM));
    return;
  }
  tessera_filter_load(filter, 0);
  tessera_filter_return_unless_equal(filter, SECCOMP_SET_MODE_FILTER, FAIL(EPERM));
  // After a filter for a single thread, no filter could be installed for all threads.
  tessera_filter_load(filter, 1);
  tessera_filter_return_unless_equal(filter, SECCOMP_FILTER_FLAG_TSYNC, FAIL(EPERM));
  tessera_filter_return(filter, ALLOW);
}

static void refuse_socket(tessera_filter *filter) {
  tessera_filter_load(filter, 0);
  tessera_filter_return_if_equal(filter, AF_UNIX, FAIL(EACCES));
  tessera_filter_return(filter, DIE);
}

static void add_rule(tessera_filter *filter, const process *process, tessera_call_rule rule) {
  switch (rule) {
    case TESSERA_CALL_ALLOWED: tessera_filter_return(filter, ALLOW); break;
    case TESSERA_CALL_FATAL: tessera_filter_return(filter, DIE); break;
    case TESSERA_CALL_DENIED: tessera_filter_return(filter, FAIL(EPERM)); break;
    case TESSERA_CALL_CLOSED: tessera_filter_return(filter, FAIL(EACCES)); break;
    case TESSERA_CALL_MISSING: tessera_filter_return(filter, FAIL(ENOSYS)); break;
    case TESSERA_CALL_NO_TERMINAL: tessera_filter_return(filter, FAIL(ENOTTY)); break;
    case TESSERA_CALL_OPEN: allow_open(filter, 1); break;
    case TESSERA_CALL_OPENAT: allow_open(filter, 2); break;
    case TESSERA_CALL_WRITE: allow_write(filter, process); break;
    case TESSERA_CALL_CLOSE: allow_close(filter, process); break;
    case TESSERA_CALL_DUPLICATE_TO: allow_duplicate_to(filter, process); break;
    case TESSERA_CALL_DUPLICATE: allow_duplicate(filter, process); break;
    case TESSERA_CALL_FCNTL: allow_fcntl(filter, process); break;
    case TESSERA_CALL_MESSAGE: allow_message(filter, process); break;
    case TESSERA_CALL_SOCKET: refuse_socket(filter); break;
    case TESSERA_CALL_MAP: allow_map(filter); break;
    case TESSERA_CALL_CLONE: allow_clone(filter); break;
    case TESSERA_CALL_SIGNAL: allow_signal(filter, process); break;
    case TESSERA_CALL_SIGACTION: allow_sigaction(filter); break;
    case TESSERA_CALL_LIMIT: allow_limit(filter, process); break;
    case TESSERA_CALL_CLOCK: allow_clock(filter, process); break;
    case TESSERA_CALL_SELF: allow_self(filter, process, 0); break;
    case TESSERA_CALL_PRIORITY: allow_priority(filter, process); break;
    case TESSERA_CALL_PRCTL: allow_prctl(filter); break;
    case TESSERA_CALL_SECCOMP: allow_seccomp(filter, process); break;
  }
}

int32_t tessera_seccomp_is_offered(void) {
  uint32_t action = DIE;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// A process may map code only from files, and never as memory that it can write to. Maps that remain are decided by the action.
static void add_code_rules(tessera_filter *filter, uint32_t action) {
  tessera_filter_begin(filter);
  tessera_filter_begin_call(filter, SYS_mmap);
  tessera_filter_load(filter, 2);
  tessera_filter_return_unless_any(filter, PROT_EXEC, ALLOW);
  tessera_filter_return_if_any(filter, PROT_WRITE, FAIL(EACCES));
  tessera_filter_load(filter, 3);
  tessera_filter_return_if_any(filter, MAP_ANONYMOUS | MAP_SHARED, FAIL(EACCES));
  tessera_filter_return(filter, action);
  tessera_filter_end_call(filter);
  tessera_filter_begin_call(filter, SYS_mprotect);
  tessera_filter_load(filter, 2);
  tessera_filter_return_if_any(filter, PROT_EXEC, FAIL(EACCES));
  tessera_filter_return(filter, ALLOW);
  tessera_filter_end_call(filter);
  tessera_filter_return(filter, ALLOW);
}

int tessera_seccomp_supervise_code(int32_t *listener) {
  tessera_filter filter;
  if (listener != NULL) {
    add_code_rules(&filter, SECCOMP_RET_USER_NOTIF);
    *listener = tessera_filter_install_with_listener(&filter);
    if (*listener >= 0) return 0;
  }
  // The kernel is too old, emulated, or has a listener already: a container's.
  add_code_rules(&filter, ALLOW);
  return tessera_filter_install(&filter);
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
  tessera_filter filter;
  tessera_filter_begin(&filter);
  for (uint32_t i = 0; i < tessera_system_call_count; i++) {
    tessera_filter_begin_call(&filter, tessera_system_calls[i].number);
    add_rule(&filter, &process, tessera_system_calls[i].rule);
    tessera_filter_end_call(&filter);
  }
  tessera_filter_return(&filter, FAIL(ENOSYS));
  return tessera_filter_install(&filter);
}

int tessera_seccomp_forbid_new_code(void) {
  static const int32_t calls[] = {SYS_mmap, SYS_mprotect};
  tessera_filter filter;
  tessera_filter_begin(&filter);
  for (uint32_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    tessera_filter_begin_call(&filter, calls[i]);
    tessera_filter_load(&filter, 2);
    tessera_filter_return_if_any(&filter, PROT_EXEC, FAIL(EACCES));
    tessera_filter_return(&filter, ALLOW);
    tessera_filter_end_call(&filter);
  }
  tessera_filter_begin_call(&filter, SYS_seccomp);
  tessera_filter_return(&filter, FAIL(EPERM));
  tessera_filter_end_call(&filter);
  tessera_filter_return(&filter, ALLOW);
  return tessera_filter_install(&filter);
}
