#define _GNU_SOURCE
#include "pictures.h"
#include "tessera_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY ((uint64_t)1536 << 20)
enum {
  SECONDS = 120,
  DESCRIPTORS = 64,
  THREADS = 64,
  MOST_PATHS = 128,
};

// MARK: The process that copies

// The confined process can't write files, so its parent copies both outputs.
typedef struct {
  int from, to;
} copied;

// Returns false at the end.
static bool copy(const copied *output) {
  char piece[1 << 16];
  ssize_t count = read(output->from, piece, sizeof piece);
  if (count < 0) return errno == EINTR;
  for (ssize_t at = 0; at < count;) {
    ssize_t sent = write(output->to, piece + at, (size_t)(count - at));
    if (sent > 0) at += sent;
    else if (errno != EINTR) return false;
  }
  return count > 0;
}

// Copies the outputs to their end and exits like the child.
static _Noreturn void follow(pid_t child, const copied *outputs) {
  struct pollfd ends[2] = {{.fd = outputs[0].from, .events = POLLIN}, {.fd = outputs[1].from, .events = POLLIN}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd < 0 || ends[i].revents == 0 || copy(&outputs[i])) continue;
      close(ends[i].fd);
      ends[i].fd = -1;
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : EX_SOFTWARE);
}

static bool is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Leaves the caller's session and terminal. Continues in a child if that fails, or if an output is
// a file.
static void leave_session(void) {
  if (!is_file(STDOUT_FILENO) && !is_file(STDERR_FILENO) && (getsid(0) == getpid() || setsid() >= 0)) return;
  copied outputs[2] = {{-1, STDOUT_FILENO}, {-1, STDERR_FILENO}};
  int written[2] = {-1, -1};
  for (int i = 0; i < 2; i++) {
    int ends[2];
    if (!is_file(outputs[i].to)) continue;
    if (pipe2(ends, O_CLOEXEC) != 0) fail(EX_OSERR, "cannot make a pipe: %s", strerror(errno));
    outputs[i].from = ends[0];
    written[i] = ends[1];
  }
  const pid_t here = getpid();
  pid_t child = fork();
  if (child < 0) fail(EX_OSERR, "cannot start a process: %s", strerror(errno));
  for (int i = 0; i < 2; i++) {
    if (written[i] < 0) continue;
    if (child == 0) {
      dup2(written[i], outputs[i].to);
      close(outputs[i].from);
    }
    close(written[i]);
  }
  if (child != 0) follow(child, outputs);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != here || setsid() < 0) fail(EX_OSERR, "cannot leave the session");
}

// MARK: The sandbox

// Read by libraries: fonts and signatures of formats.
static const char *const fixed[] = {
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/urandom", "/dev/null",
    "/sys/devices/system/cpu", "/proc/self/maps", "/proc/self/status", "/proc/self/stat", "/proc/self/statm", "/proc/cpuinfo",
    "/proc/meminfo", "/proc/sys/vm/overcommit_memory", "/usr/share/mime", "/usr/local/share/mime", "/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig",
    "/usr/share/xml/fontconfig", "/usr/local/share/fonts", "/usr/share/X11/fonts", "/var/cache/fontconfig",
};
static const char *paths[MOST_PATHS];
static uint32_t path_count;

static void allow_path(const char *path) {
  if (path != NULL && path[0] == '/' && path[1] != 0 && path_count < MOST_PATHS) paths[path_count++] = path;
}

static void allow_below(const char *folder, const char *name) {
  char *path;
  if (folder != NULL && folder[0] == '/' && asprintf(&path, "%s/%s", folder, name) >= 0) allow_path(path);
}

// The fixed paths, and paths in the caller's variables.
static void allow_paths(void) {
  static const char *const of_home[] = {".fonts", ".fonts.conf", ".fonts.conf.d", ".local/share/fonts", ".cache/fontconfig", ".config/fontconfig"};
  const char *home = getenv("HOME");
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) allow_path(fixed[i]);
  for (size_t i = 0; i < sizeof of_home / sizeof of_home[0]; i++) allow_below(home, of_home[i]);
  allow_below(getenv("XDG_DATA_HOME"), "fonts");
  allow_below(getenv("XDG_CACHE_HOME"), "fontconfig");
  allow_below(getenv("XDG_CONFIG_HOME"), "fontconfig");
  allow_path(getenv("FONTCONFIG_FILE"));
  allow_path(getenv("FONTCONFIG_PATH"));
  allow_path(getenv("GDK_PIXBUF_MODULE_FILE"));
  allow_path(getenv("GDK_PIXBUF_MODULEDIR"));
  const char *folders = getenv("LD_LIBRARY_PATH");
  char *copy = folders == NULL ? NULL : strdup(folders), *rest = copy;
  for (char *folder; rest != NULL && (folder = strsep(&rest, ":")) != NULL;) allow_path(folder);
}

// Sets a hard limit; keeps a lower one of the caller.
static void limit(int resource, uint64_t most) {
  struct rlimit present;
  if (getrlimit(resource, &present) != 0) present.rlim_max = RLIM_INFINITY;
  rlim_t value = present.rlim_max < most ? present.rlim_max : most;
  if (setrlimit(resource, &(struct rlimit){value, value}) != 0) fail(EX_OSERR, "this process cannot be limited: %s", strerror(errno));
}

static void say_grade(const tessera_sandbox_state *state) {
  const char *missing[3];
  int count = 0;
  if (state->landlock == 0) missing[count++] = "files";
  if (state->filters < 2) missing[count++] = "systemCalls";
  if (!state->is_not_root) missing[count++] = "root";
  char line[80];
  int length = snprintf(line, sizeof line, "sandbox %s", count == 0 ? "full" : "reduced");
  for (int i = 0; i < count; i++) length += snprintf(line + length, sizeof line - (size_t)length, " %s", missing[i]);
  line[length++] = '\n';
  write_output(line, (size_t)length);
}

void confine(uint64_t mapped, bool says_grade) {
  leave_session();
  allow_paths();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, SECONDS);
  // Closes anything else that the caller left open.
  close_range(3, ~0u, 0);
  tessera_sandbox_limits limits = {
      .address_space = mapped + MEMORY, .data = MEMORY, .stack = 8 << 20, .cpu_seconds = SECONDS, .descriptors = DESCRIPTORS, .threads = THREADS};
  static tessera_forbidden_call forbidden;
  tessera_sandbox_state state;
  int32_t error = 0;
  int32_t step = tessera_sandbox_enter(&limits, paths, path_count, -1, &forbidden, &state, &error);
  if (step != TESSERA_SANDBOX_ENTERED) {
    fail(EX_OSERR, "this process cannot be confined: %s: %s; tessera doctor shows what this machine offers", tessera_sandbox_step_name(step),
         strerror(error));
  }
  if (says_grade) say_grade(&state);
}

void forbid_new_code(void) {
  int32_t error = 0;
  if (tessera_sandbox_forbid_new_code(-1, &error) != TESSERA_SANDBOX_ENTERED) {
    fail(EX_OSERR, "this process cannot be confined: %s", strerror(error));
  }
}
