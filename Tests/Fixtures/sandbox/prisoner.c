// Runs each action in a sandbox of its own and prints a line of its name, a tab and its outcome: "works", "refused ERRNO" or "killed
// SIGNAL", with " by CALL" where a call was noted. Arguments: a folder that may be read, one that may not, a library, the number of the
// user to be (0: stay), and, to run one action only, its name.
#define _GNU_SOURCE
#include "prisoner.h"
#include "tessera_supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const char *open_folder, *closed_folder;

int outcome(long result) { return result == -1 ? errno : 0; }

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
  // As after an exec.
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

// As a worker is started: the descriptors 0 to 4, and some that were forgotten.
static int imprison(const action *action, const char *path, tessera_forbidden_call *forbidden, const int *sockets) {
  int foreign[2];
  if (pipe(foreign) != 0) fail("descriptors");
  int memory = library(path);
  // Moved up first, since one may lie where another has to go.
  put(sockets[0], 20), put(sockets[1], 21), put(memory, 22), put(foreign[0], 23), put(foreign[1], 24);
  close_range(3, 19, 0);
  put(20, SOCKET), put(22, LIBRARY), put(24, FOREIGN), put(21, PEER), put(24, FURTHER);
  close_range(PEER + 1, FURTHER - 1, 0);
  close_range(FURTHER + 1, ~0u, 0);
  pthread_t thread;
  if (strcmp(action->name, "enter with two threads") == 0 && pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) fail("thread");
  int error = enter(action->name, forbidden);
  return error != 0 ? error : action->run();
}

// As a host: permits new code until the process has loaded its libraries. Returns at the end of its output.
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
    // A file is no place to write to in the sandbox.
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
    printf("refused %s", error ? error : "what nobody knows");
  }
  if (forbidden->is_noted) {
    const char *call = tessera_system_call_name(forbidden->number);
    printf(" by %s", call ? call : "what nobody knows");
  }
  puts("");
  munmap(forbidden, sizeof *forbidden);
}

int main(int count, char **arguments) {
  if (count != 5 && count != 6) return 2;
  open_folder = arguments[1];
  closed_folder = arguments[2];
  become(arguments[4]);
  // Who started this may have blocked signals.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  const action *const all[] = {file_actions, process_actions, memory_actions, descriptor_actions, hostile_actions};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    for (const action *action = all[i]; action->name; action++) {
      if (count == 5 || strcmp(action->name, arguments[5]) == 0) run(action, arguments[3]);
    }
  }
  return 0;
}
