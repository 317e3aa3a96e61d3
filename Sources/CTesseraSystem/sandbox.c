#define _GNU_SOURCE
#include "sandbox_steps.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

tessera_sandbox_offer tessera_sandbox_offer_of_kernel(void) {
  int32_t landlock = tessera_landlock_version();
  return (tessera_sandbox_offer){
      .landlock = landlock,
      .landlock_files = landlock >= 1,
      .landlock_truncate = landlock >= 3,
      .landlock_network = landlock >= 4,
      .landlock_devices = landlock >= 5,
      .landlock_scopes = landlock >= 6,
      .seccomp = tessera_seccomp_is_offered(),
      .no_new_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0,
  };
}

// Capabilities and Landlock apply to single threads, so another thread would keep its rights.
static int require_one_thread(void) {
  // Succeeds without effect in a process with one thread, and fails with EINVAL in any other. A container may deny the call.
  if (unshare(CLONE_THREAD) == 0 || errno != EINVAL) return 0;
  errno = EBUSY;
  return -1;
}

static int drop_capabilities(void) {
  // The first two calls may fail for lack of a capability or kernel support. With no_new_privs, neither set can grant anything.
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
  static const int none[] = {RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    if (limit(none[i], 0, 0) != 0) return -1;
  }
  // With equal limits the kernel would send SIGKILL at once, and the cause of death would be unknown.
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

int32_t tessera_sandbox_enter(const tessera_sandbox_limits *limits, const char *const *readable, uint32_t readable_count,
                              int32_t socket, tessera_forbidden_call *forbidden, int32_t *error) {
  tessera_sandbox_offer offer = tessera_sandbox_offer_of_kernel();
  *error = 0;
  if (require_one_thread() != 0) return failed(TESSERA_SANDBOX_THREADS, error);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed(TESSERA_SANDBOX_PRIVILEGES, error);
  if (drop_capabilities() != 0) return failed(TESSERA_SANDBOX_CAPABILITIES, error);
  if (set_limits(limits) != 0) return failed(TESSERA_SANDBOX_LIMITS, error);
  if (offer.landlock != 0 && tessera_landlock_enter(readable, readable_count) != 0) return failed(TESSERA_SANDBOX_FILES, error);
  if (offer.seccomp == 0) return TESSERA_SANDBOX_ENTERED;
  if (tessera_forbidden_call_handle(forbidden) != 0) return failed(TESSERA_SANDBOX_HANDLER, error);
  if (tessera_seccomp_enter(socket) != 0) return failed(TESSERA_SANDBOX_CALLS, error);
  return TESSERA_SANDBOX_ENTERED;
}

int32_t tessera_sandbox_forbid_new_code(int32_t *error) {
  *error = 0;
  // ENOSYS means that the kernel has no filters. Inside the sandbox, this cannot be queried in advance.
  return tessera_seccomp_forbid_new_code() == 0 || errno == ENOSYS ? TESSERA_SANDBOX_ENTERED : failed(TESSERA_SANDBOX_CALLS, error);
}
