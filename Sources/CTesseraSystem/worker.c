#define _GNU_SOURCE
#include "tessera_worker.h"
#include "tessera_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int32_t tessera_socket_pair(int32_t *first, int32_t *second) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
  *first = pair[0];
  *second = pair[1];
  return 0;
}

int32_t tessera_pipe(int32_t *reading, int32_t *writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *reading = ends[0];
  *writing = ends[1];
  return 0;
}

// For the starter thread.
struct request {
  const char *path;
  char *const *arguments;
  char *const *environment;
  int output;
  const int *descriptors;
  uint32_t count;
  pid_t process;
  int error;
  int is_done;
};

// A worker is killed when the thread that started it ends: one permanent thread starts all workers.
// A forked process creates another one.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct request *waiting;
static pid_t starter_of;

// Duplicates descriptors above their target range first, to avoid overwriting.
static int spawn(struct request *request) {
  enum { FIRST = 3, LIMIT = 64 };
  int moved[LIMIT];
  const int target = FIRST + (int)request->count;
  if (request->count > LIMIT) return E2BIG;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  int error = 0;
  uint32_t count = 0;
  // A descriptor limit below the target is EINVAL.
  int output = fcntl(request->output, F_DUPFD_CLOEXEC, target);
  if (output < 0) error = errno;
  for (; count < request->count && error == 0; count++) {
    moved[count] = fcntl(request->descriptors[count], F_DUPFD_CLOEXEC, target);
    if (moved[count] < 0) {
      error = errno;
      break;
    }
    error = posix_spawn_file_actions_adddup2(&actions, moved[count], FIRST + (int)count);
  }
  if (error == 0) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_addclose(&actions, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, FIRST + (int)request->count);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    error = posix_spawn(&request->process, request->path, &actions, &attributes, request->arguments, request->environment);
  }
  while (count > 0) close(moved[--count]);
  if (output >= 0) close(output);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == EINVAL ? EMFILE : error;
}

static void *start_all(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!waiting || waiting->is_done) pthread_cond_wait(&changed, &lock);
    waiting->error = spawn(waiting);
    waiting->is_done = 1;
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static void forget_starter(void) {
  waiting = NULL;
  pthread_cond_init(&changed, NULL);
}
static void guard_lock(void) { tessera_guard_forks(TESSERA_LOCK_STARTER, &lock, forget_starter); }

static int start(struct request *request) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, guard_lock);
  pthread_mutex_lock(&lock);
  int error = tessera_permanent_thread(&starter_of, start_all);
  if (error == 0) {
    while (waiting) pthread_cond_wait(&changed, &lock);
    waiting = request;
    pthread_cond_broadcast(&changed);
    while (!request->is_done) pthread_cond_wait(&changed, &lock);
    waiting = NULL;
    pthread_cond_broadcast(&changed);
    error = request->error;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

static char **list(const char *const *items, uint32_t count) {
  char **copy = calloc(count + 1, sizeof *copy);
  if (copy) memcpy(copy, items, count * sizeof *copy);
  return copy;
}

int32_t tessera_worker_start(const char *path, const char *const *arguments, uint32_t argument_count, const char *const *environment,
                             uint32_t environment_count, int32_t output, const int32_t *descriptors, uint32_t descriptor_count) {
  char **argument_list = list(arguments, argument_count);
  char **environment_list = list(environment, environment_count);
  struct request request = {path, argument_list, environment_list, output, descriptors, descriptor_count, -1, 0, 0};
  int error = argument_list && environment_list ? start(&request) : ENOMEM;
  free(argument_list);
  free(environment_list);
  if (error == 0) return request.process;
  errno = error;
  return -1;
}

int32_t tessera_worker_follow_parent(int32_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
  return getppid() == parent ? 0 : -1;
}

// In the child of `parent`, with all signals blocked. On failure, writes an error number to
// `failure`.
static _Noreturn void become(const char *program, char *const *arguments, char *const *environment, const int32_t *standard, int32_t follows,
                             pid_t parent, int failure) {
  // Above the targets, to avoid overwriting.
  int moved[3] = {-1, -1, -1};
  failure = fcntl(failure, F_DUPFD_CLOEXEC, 4);
  if (failure < 0 || setsid() < 0 || (follows && tessera_worker_follow_parent(parent) != 0)) goto failed;
  for (int i = 0; i < 3; i++) {
    moved[i] = standard[i] < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : standard[i];
    if ((moved[i] = fcntl(moved[i], F_DUPFD_CLOEXEC, 4)) < 0) goto failed;
  }
  for (int i = 0; i < 3; i++) dup2(moved[i], i);
  failure = dup3(failure, 3, O_CLOEXEC);
  closefrom(4);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(program, arguments, environment);
failed:;
  // A descriptor limit below those numbers is EINVAL.
  const int error = errno == EINVAL ? EMFILE : errno;
  _exit(write(failure, &error, sizeof error) == sizeof error ? 127 : 126);
}

int32_t tessera_child_start(const char *program, char *const *arguments, char *const *environment, const int32_t *standard, int32_t follows) {
  int ends[2], error = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child == 0) become(program, arguments, environment, standard, follows, parent, ends[1]);
  if (child < 0) error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  // End of file: the child has become the program.
  while (child > 0 && read(ends[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  if (error == 0) return child;
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  errno = error;
  return -1;
}

int32_t tessera_socket_is_closed(int32_t socket) {
  struct pollfd entry = {socket, POLLIN | POLLRDHUP, 0};
  return poll(&entry, 1, 0) == 1 && (entry.revents & (POLLHUP | POLLERR | POLLRDHUP | POLLNVAL)) != 0;
}

int32_t tessera_poll_set(void) { return epoll_create1(EPOLL_CLOEXEC); }

int32_t tessera_poll_add(int32_t set, int32_t descriptor, int32_t only_end) {
  struct epoll_event event = {.events = only_end ? EPOLLRDHUP : EPOLLIN};
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static tessera_worker_usage usage_of(const struct rusage *usage) {
  return (tessera_worker_usage){(uint64_t)usage->ru_maxrss * 1024, seconds(usage->ru_utime) + seconds(usage->ru_stime)};
}

tessera_worker_usage tessera_own_usage(void) {
  struct rusage resources;
  return getrusage(RUSAGE_SELF, &resources) == 0 ? usage_of(&resources) : (tessera_worker_usage){0, 0};
}

double tessera_worker_seconds(int32_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return HUGE_VAL;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A file of /proc; empty if unreadable.
static void read_file(const char *path, char text[128]) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t count = read(file, text, 127);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
}

// 0 if unreadable.
static uint64_t private_memory(const char *path) {
  char text[128];
  read_file(path, text);
  unsigned long long resident, shared;
  if (sscanf(text, "%*u %llu %llu", &resident, &shared) != 2 || shared > resident) return 0;
  return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t tessera_worker_private_memory(int32_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
  uint64_t found = private_memory(path);
  if (found != 0) return found;
  // After its main thread has ended, the process has memory only under its other threads.
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *threads = opendir(path);
  if (!threads) return 0;
  for (struct dirent *thread; found == 0 && (thread = readdir(threads));) {
    if (thread->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/statm", (int)process, thread->d_name);
    found = private_memory(path);
  }
  closedir(threads);
  return found;
}

uint64_t tessera_address_space_left(void) {
  struct rlimit space, data;
  if (getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0) return UINT64_MAX;
  if (space.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  char text[128];
  read_file("/proc/self/statm", text);
  unsigned long long used = 0, own = 0;
  (void)sscanf(text, "%llu %*u %*u %*u %*u %llu", &used, &own);
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t space_left = used * page < space.rlim_cur ? space.rlim_cur - used * page : 0;
  const uint64_t data_left = own * page < data.rlim_cur ? data.rlim_cur - own * page : 0;
  return space_left < data_left ? space_left : data_left;
}

uint64_t tessera_file_size_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

int32_t tessera_worker_end(int32_t process, int64_t nanoseconds, tessera_worker_usage *usage) {
  *usage = (tessera_worker_usage){0, 0};
  const struct timespec pause = {0, 200000};
  for (int64_t waited = 0; waited < nanoseconds; waited += pause.tv_nsec) {
    siginfo_t found = {0};
    // The id is not reused before it is collected: the signal below hits no other process.
    if (waitid(P_PID, (id_t)process, &found, WEXITED | WNOHANG | WNOWAIT) != 0 || found.si_pid == process) break;
    nanosleep(&pause, NULL);
  }
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
  int status;
  struct rusage resources;
  while (wait4(process, &status, 0, &resources) != process) {
    if (errno != EINTR) return -1;
  }
  *usage = usage_of(&resources);
  return status;
}

void tessera_worker_pin(int32_t process, int32_t processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)processor, &set);
  sched_setaffinity(process, sizeof set, &set);
}

int32_t tessera_processor(void) { return sched_getcpu(); }

int32_t tessera_other_processor(int32_t processor) {
  cpu_set_t set;
  if (processor < 0 || sched_getaffinity(0, sizeof set, &set) != 0) return -1;
  for (int step = 1; step < CPU_SETSIZE; step++) {
    const int other = (processor + step) % CPU_SETSIZE;
    if (CPU_ISSET((size_t)other, &set)) return other;
  }
  return -1;
}
