#define _GNU_SOURCE
#include "sandbox_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// These definitions are copied from the kernel's interface, because the system's headers may be older than the kernel.
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

int32_t tessera_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
  return version > 0 ? (int32_t)version : 0;
}

static int create(int32_t version) {
  ruleset rules = {.files = ACCESS_FILES_1, .network = version >= 4 ? ACCESS_TCP_4 : 0, .scopes = version >= 6 ? SCOPES_6 : 0};
  if (version >= 2) rules.files |= ACCESS_REFER_2;
  if (version >= 3) rules.files |= ACCESS_TRUNCATE_3;
  if (version >= 5) rules.files |= ACCESS_IOCTL_DEV_5;
  // An older kernel accepts the longer struct because the fields that it does not know are 0.
  return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

static int allow(int rules, const char *path) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  // A path that is missing or that the user cannot access cannot be read anyway.
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

int tessera_landlock_enter(const char *const *readable, uint32_t readable_count) {
  int rules = create(tessera_landlock_version());
  if (rules < 0) return -1;
  int result = 0;
  for (uint32_t i = 0; i < readable_count && result == 0; i++) result = allow(rules, readable[i]);
  // An engine could fill the system's log with what it is denied.
  const uint32_t flags = tessera_landlock_version() >= 7 ? RESTRICT_WITHOUT_LOG : 0;
  if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, rules, flags);
  int error = errno;
  close(rules);
  errno = error;
  return result;
}
