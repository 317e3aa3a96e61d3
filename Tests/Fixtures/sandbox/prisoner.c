// Runs each action in a separate sandbox; prints its name, a tab and the outcome: "works", "refused
// ERRNO" or "killed SIGNAL", with " by CALL" if known. Arguments: a readable folder, an unreadable
// folder, a library, and a user id (0: stay). Targets are harmless if the sandbox fails.
//
// filters.c tests the filters, Tests/HostileEngines engines. This tests the kernel's other means:
// Landlock, limits, capabilities, and filters that apply to all threads.
#define _GNU_SOURCE
#include "tessera_sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  SOCKET = 3,  // sendable
  LIBRARY = 4, // a sealed memfd with a library
  FOREIGN = 5, // a pipe of another process
  PEER = 6,    // other end of the socket
  PAGE = 4096,
};

typedef struct action {
  const char *name;
  int (*run)(void); // returns 0, or an errno
} action;

static const char *open_folder, *closed_folder;

static int outcome(long result) { return result == -1 ? errno : 0; }

static int forbid_new_code(void) {
  int32_t error = 0;
  return tessera_sandbox_forbid_new_code(SOCKET, &error) == TESSERA_SANDBOX_ENTERED ? 0 : error;
}

// ---------------------------------------------------------------- Files

static const char *path(const char *folder, const char *name) {
  static char text[4096];
  snprintf(text, sizeof text, "%s/%s", folder, name);
  return text;
}

static int read_at(const char *where) {
  char byte;
  int descriptor = open(where, O_RDONLY | O_CLOEXEC);
  return descriptor < 0 ? errno : read(descriptor, &byte, 1) >= 0 ? 0 : errno;
}

static int read_open(void) { return read_at(path(open_folder, "open")); }
static int read_closed(void) { return read_at(path(closed_folder, "closed")); }
static int write_open(void) { return outcome(open(path(open_folder, "open"), O_WRONLY)); }

static int load_sealed(void) {
  char text[32];
  snprintf(text, sizeof text, "/proc/self/fd/%d", LIBRARY);
  void *library = dlopen(text, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return ENOEXEC;
  }
  int (*answer)(void) = NULL;
  // POSIX's way to convert an object pointer to a function pointer.
  *(void **)&answer = dlsym(library, "answer");
  return answer && answer() == 42 ? 0 : ERANGE;
}

static int load_after(void) {
  const int error = forbid_new_code();
  return error ? error : load_sealed();
}

// ---------------------------------------------------------------- Processes

static int enter_only(void) { return 0; }

static void *run_in_thread(void *run) { return (void *)(intptr_t)(*(int (**)(void))run)(); }
static int in_thread(int (*run)(void)) {
  pthread_t thread;
  void *result = NULL;
  int error = pthread_create(&thread, NULL, run_in_thread, &run);
  return error || (error = pthread_join(thread, &result)) ? error : (int)(intptr_t)result;
}
static int open_network(void) { return outcome(socket(AF_INET, SOCK_STREAM, 0)); }
static int start_thread(void) { return in_thread(enter_only); }
static int attack_in_thread(void) { return in_thread(open_network); }
static int block_and_attack(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  return open_network();
}

static int read_own_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
  return limit.rlim_cur <= 1 && limit.rlim_max <= 1 ? 0 : ERANGE;
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

// Without siginfo, queued signals each count towards the limit.
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

static int burn(void) {
  while (clock() < 20 * CLOCKS_PER_SEC) {
  }
  return 0;
}
static int burn_ignoring(void) {
  signal(SIGXCPU, SIG_IGN);
  return burn();
}

// ---------------------------------------------------------------- Memory

static int use_some(void) {
  char *memory = malloc(16 << 20);
  if (!memory) return errno;
  memset(memory, 1, 16 << 20);
  return memory[5] == 1 ? 0 : ERANGE;
}

static int reserve(size_t size, int protection) {
  return mmap(NULL, size, protection, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0) == MAP_FAILED ? errno : 0;
}
static int use_much(void) { return reserve(128 << 20, PROT_READ | PROT_WRITE); }
static int reserve_much(void) { return reserve(1ull << 33, PROT_NONE); }
static int use_much_later(void) {
  void *memory = mmap(NULL, 128 << 20, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  return memory == MAP_FAILED ? ENODATA : outcome(mprotect(memory, 128 << 20, PROT_READ | PROT_WRITE));
}

// 64 MiB deep; volatile prevents conversion to a loop.
static int descend(volatile int *depth) {
  volatile char frame[1024];
  frame[0] = (char)*depth;
  *depth += 1;
  return *depth == 1 << 16 ? 0 : descend(depth) + frame[0];
}
static int overflow_stack(void) {
  volatile int depth = 0;
  return descend(&depth) == 0 ? ERANGE : 0;
}

static int forbid_again(void) {
  const int error = forbid_new_code();
  return error ? error : forbid_new_code();
}

// ---------------------------------------------------------------- Descriptors and calls

static int open_many(void) {
  for (int i = 0; i < 100; i++) {
    if (dup(STDERR_FILENO) < 0) return errno;
  }
  return 0;
}

static int restrict_again(void) { return outcome(syscall(SYS_landlock_restrict_self, -1, 0)); }

#if defined(__x86_64__)
static int call_short(void) { return outcome(syscall(0x40000000 | SYS_getpid)); }
static int call_old(void) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory"); // getpid
  return result < 0 ? -result : 0;
}
#endif

static const action actions[] = {
    {"read an open file", read_open},
    {"read a closed file", read_closed},
    {"write an open file", write_open},
    {"load a sealed library", load_sealed},
    {"load a library once new code is forbidden", load_after},
    {"enter", enter_only},
    {"enter with two threads", enter_only},
    {"start a thread", start_thread},
    {"attack in a thread", attack_in_thread},
    {"block signals and attack", block_and_attack},
    {"read an own limit", read_own_limit},
    {"have no capability", have_no_capability},
    {"let many signals wait", let_signals_wait},
    {"cpu without end", burn},
    {"cpu without end, ignoring the signal", burn_ignoring},
    {"use some memory", use_some},
    {"use much memory", use_much},
    {"use much memory that was reserved", use_much_later},
    {"reserve much memory", reserve_much},
    {"overflow the stack", overflow_stack},
    {"forbid new code again", forbid_again},
    {"open many descriptors", open_many},
    {"restrict files again", restrict_again},
#if defined(__x86_64__)
    {"call as x32", call_short},
    {"call as 32 bits", call_old},
#endif
};

// ---------------------------------------------------------------- The prison

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static int library(const char *path) {
  int memory = memfd_create("library", MFD_ALLOW_SEALING);
  FILE *file = fopen(path, "rb");
  char block[4096];
  if (memory < 0 || !file) fail("library");
  for (size_t count; (count = fread(block, 1, sizeof block, file)) > 0;) {
    if (write(memory, block, count) != (ssize_t)count) fail("library");
  }
  fclose(file);
  if (fcntl(memory, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0) fail("seals");
  return memory;
}

static void put(int descriptor, int at) {
  if (dup2(descriptor, at) != at) fail("dup2");
}

static void become(const char *user) {
  uid_t id = (uid_t)atoi(user);
  if (id == 0) return;
  if (setgroups(0, NULL) != 0 || setresgid(id, id, id) != 0 || setresuid(id, id, id) != 0) fail("user");
  if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) fail("dumpable");
}

static void *wait_for_ever(void *context) {
  (void)context;
  pause();
  return NULL;
}

static int enter(const char *name, tessera_forbidden_call *forbidden) {
  const char *readable[] = {open_folder, "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/proc", "/no such folder"};
  tessera_sandbox_limits limits = {
      .address_space = 1ull << 32, .data = 64 << 20, .stack = 1 << 20, .cpu_seconds = 5, .descriptors = 64, .threads = 16};
  if (strncmp(name, "cpu ", 4) == 0) limits.cpu_seconds = 1;
  tessera_sandbox_state state;
  int32_t error = 0;
  int32_t step =
      tessera_sandbox_enter(&limits, readable, sizeof readable / sizeof readable[0], SOCKET, forbidden, &state, &error);
  if (step == TESSERA_SANDBOX_ENTERED) return 0;
  fprintf(stderr, "step %d: %s\n", step, strerror(error));
  return step == TESSERA_SANDBOX_THREADS ? error : 255;
}

// As for a worker: descriptors 0 to 4, and some leaked ones.
static int imprison(const action *action, const char *path, tessera_forbidden_call *forbidden, const int *sockets) {
  int foreign[2];
  if (pipe(foreign) != 0) fail("descriptors");
  int memory = library(path);
  // Moved up first to avoid overlaps.
  put(sockets[0], 20), put(sockets[1], 21), put(memory, 22), put(foreign[0], 23), put(foreign[1], 24);
  close_range(3, 19, 0);
  put(20, SOCKET), put(22, LIBRARY), put(24, FOREIGN), put(21, PEER);
  close_range(PEER + 1, ~0u, 0);
  pthread_t thread;
  if (strcmp(action->name, "enter with two threads") == 0 && pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) fail("thread");
  int error = enter(action->name, forbidden);
  return error != 0 ? error : action->run();
}

// Plays the host: permits new code until libraries are loaded. Returns at the end of output.
static void supervise(int socket, int output) {
  int32_t listener = -1;
  char block[512];
  for (ssize_t length = 1; length != 0;) {
    tessera_sandbox_state state;
    while (tessera_supervisor_receive(socket, &state, &listener) == 1) {
      if (state.progress != TESSERA_SANDBOX_LOADED) continue;
      if (listener >= 0) close(listener);
      listener = -1;
      if (tessera_supervisor_answer(socket) != 0) break;
    }
    if (listener >= 0) tessera_supervisor_permit(listener);
    length = read(output, block, sizeof block);
    if (length > 0) fwrite(block, 1, (size_t)length, stderr);
    if (length < 0) usleep(500);
  }
  if (listener >= 0) close(listener);
}

static void run(const action *action, const char *library) {
  tessera_forbidden_call *forbidden = mmap(NULL, sizeof *forbidden, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int output[2], sockets[2];
  if (forbidden == MAP_FAILED || pipe(output) != 0 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0) fail("memory");
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    // In the sandbox, files cannot be written.
    put(output[1], STDOUT_FILENO), put(output[1], STDERR_FILENO);
    _exit(imprison(action, library, forbidden, sockets));
  }
  close(output[1]);
  close(sockets[0]);
  supervise(sockets[1], output[0]);
  close(sockets[1]);
  close(output[0]);
  int status;
  if (waitpid(child, &status, 0) != child) fail("waitpid");
  printf("%s\t", action->name);
  if (WIFSIGNALED(status)) {
    printf("killed SIG%s", sigabbrev_np(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) == 0) {
    printf("works");
  } else {
    const char *error = strerrorname_np(WEXITSTATUS(status));
    printf("refused %s", error ? error : "unknown");
  }
  if (forbidden->is_noted) {
    const char *call = tessera_system_call_name(forbidden->number);
    printf(" by %s", call ? call : "unknown");
  }
  puts("");
  munmap(forbidden, sizeof *forbidden);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  open_folder = arguments[1];
  closed_folder = arguments[2];
  become(arguments[4]);
  // The parent may have blocked signals.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) run(&actions[i], arguments[3]);
  return 0;
}
