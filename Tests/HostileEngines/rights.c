// Engines that access files, other processes, networks or the system.

#include "hostile.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>

// Sets the parent's limits, priority and CPU affinity, harmlessly.
ATTACK(changes_parent, WHERE) {
  const pid_t parent = getppid();
  struct rlimit limit;
  cpu_set_t all;
  memset(&all, 0xff, sizeof all);
  if (prlimit(parent, RLIMIT_NOFILE, NULL, &limit) == 0 &&
      prlimit(parent, RLIMIT_NOFILE, &limit, NULL) == 0)
    return hostile_won(call, "it sets its parent's limits");
  if (setpriority(PRIO_PROCESS, (id_t)parent, getpriority(PRIO_PROCESS, 0)) == 0)
    return hostile_won(call, "it sets its parent's priority");
  if (sched_setaffinity(parent, sizeof all, &all) == 0)
    return hostile_won(call, "it sets its parent's processors");
  return TESSERA_OK;
}

// Writes, renames, removes, links and truncates files, and changes their owners and modes.
ATTACK(changes_files, WHERE) {
  static const char *const paths[] = {CANARY, CANARY ".new", "tessera-canary.new",
                                      "/tmp/tessera-canary.new", "/dev/shm/tessera-canary.new"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_WRONLY | O_CREAT | O_TRUNC, 0600) >= 0) return hostile_won(call, paths[i]);
  if (truncate(CANARY, 0) == 0) return hostile_won(call, "it cut a file short");
  if (mkdir(CANARY ".folder", 0700) == 0) return hostile_won(call, "it made a folder");
  if (symlink("/", CANARY ".link") == 0) return hostile_won(call, "it made a symlink");
  if (link(CANARY, CANARY ".twin") == 0) return hostile_won(call, "it made a link");
  if (mkfifo(CANARY ".pipe", 0600) == 0) return hostile_won(call, "it made a pipe");
  if (chmod(CANARY, 0777) == 0) return hostile_won(call, "it changed a file's mode");
  if (chown(CANARY, getuid(), getgid()) == 0) return hostile_won(call, "it changed a file's owner");
  if (utimensat(AT_FDCWD, CANARY, NULL, 0) == 0) return hostile_won(call, "it changed a file's times");
  if (rename(CANARY, CANARY ".moved") == 0) return hostile_won(call, "it renamed a file");
  return unlink(CANARY) == 0 ? hostile_won(call, "it removed a file") : TESSERA_OK;
}

// Changes the working directory, umask and locale, and clears the environment.
ATTACK(changes_state, WHERE) {
  if (chdir("/proc") == 12345) return TESSERA_ERROR_FAILED;
  umask(0777);
  setlocale(LC_ALL, "de_DE.UTF-8");
  setlocale(LC_ALL, "");
  setenv("LD_PRELOAD", "/nonexistent.so", 1);
  clearenv();
  return TESSERA_OK;
}

ATTACK(closes_descriptors, WHERE) {
  for (int descriptor = 0; descriptor < 4096; descriptor++) close(descriptor);
  return TESSERA_OK;
}

// Tries indirect ways to run memory that it has written.
enum { PAGE = 4096, READ = PROT_READ, WRITE = PROT_READ | PROT_WRITE, RUN = PROT_READ | PROT_EXEC, ALL = RUN | PROT_WRITE };

static int is_code(void *memory) { return memory != MAP_FAILED; }
static void *anonymous(int rights) { return mmap(NULL, PAGE, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

static const char *detour(void) {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), library = open("/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY | O_CLOEXEC);
  const int files[] = {file, library, 6};
  for (int i = 0; i < 3; i++) {
    if (is_code(mmap(NULL, PAGE, ALL, MAP_PRIVATE, files[i], 0))) return "a file to write and run";
    if (is_code(mmap(NULL, PAGE, RUN, MAP_SHARED, files[i], 0))) return "a shared file to run";
    void *copy = mmap(NULL, PAGE, WRITE, MAP_PRIVATE, files[i], 0);
    if (copy != MAP_FAILED && mprotect(copy, PAGE, RUN) == 0) return "a written copy of a file";
    void *read = mmap(NULL, PAGE, READ, MAP_PRIVATE, files[i], 0);
    if (read != MAP_FAILED && mprotect(read, PAGE, RUN) == 0) return "a file that was data";
  }
  void *page = anonymous(WRITE);
  if (mprotect(page, PAGE, PROT_EXEC) == 0 || mprotect(page, PAGE, ALL) == 0) return "written memory";
  if (syscall(SYS_mprotect, page, PAGE, 0xffffffff00000000ul | PROT_EXEC) == 0) return "rights of 64 bits";
  if (syscall(SYS_pkey_mprotect, page, PAGE, RUN, -1) == 0) return "a key";
  if (is_code(anonymous(RUN)) || is_code(anonymous(ALL)) || is_code(anonymous(PROT_EXEC))) return "new memory";
  if (is_code(mmap(NULL, PAGE, RUN, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0))) return "a stack";
  if (is_code(mmap(NULL, PAGE, RUN, 8 | MAP_ANONYMOUS, -1, 0))) return "memory that may be dropped";
  void *moved = mremap(page, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
  if (moved != MAP_FAILED && mprotect(moved, PAGE, RUN) == 0) return "moved memory";
  if (syscall(SYS_personality, READ_IMPLIES_EXEC) >= 0) return "a personality";
  const int shared = shmget(IPC_PRIVATE, PAGE, 0700);
  if (shared >= 0 && is_code(shmat(shared, NULL, SHM_EXEC))) return "shared memory";
  if (memfd_create("code", 0) >= 0) return "a file in memory";
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory >= 0) return "its memory as a file";
  // Rows are in a file shared with the host.
  const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  if (zero >= 0 && is_code(mmap(NULL, PAGE, ALL, MAP_PRIVATE, zero, 0))) return "a device";
  // Code pages are writable only by host and loader.
  if (mprotect((void *)((uintptr_t)&detour & ~(uintptr_t)(PAGE - 1)), PAGE, ALL) == 0) return "its own code";
  return NULL;
}

ATTACK(code_by_detours, WHERE) {
  static char text[80];
  const char *won = detour();
  if (!won) return TESSERA_OK;
  snprintf(text, sizeof text, "it can run %s", won);
  return hostile_won(call, text);
}

ATTACK(connects_tcp, WHERE) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return TESSERA_OK;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  errno = 0;
  connect(descriptor, (struct sockaddr *)&address, sizeof address);
  return errno == EACCES || errno == EPERM ? TESSERA_OK : hostile_won(call, "it reached a network");
}

ATTACK(connects_unix, WHERE) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return TESSERA_OK;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path + 1, "tessera-canary");
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
    return hostile_won(call, "it bound a socket");
  return hostile_won(call, "it has a socket");
}

ATTACK(execs, WHERE) {
  execl("/bin/true", "true", (char *)NULL);
  return TESSERA_OK;
}

// Makes the system call CALL with harmless arguments.
#ifndef CALL
#define CALL SYS_mount
#endif
#ifndef ARGUMENTS
#define ARGUMENTS 0, 0, 0, 0, 0
#endif

ATTACK(forbidden_call, WHERE) {
  return syscall(CALL, ARGUMENTS) == 0 ? hostile_won(call, "the system call was made") : TESSERA_OK;
}

// Forges sandbox reports to the host, in every field, and sends empty or random messages.
ATTACK(forges_reports, WHERE) {
  static const char garbage[8000];
  for (int i = 0; i < 8; i++) {
    // A mark, the progress, and the protections.
    int32_t report[7] = {0x58425354, i % 4, i, -i, i % 2, 1, 1};
    (void)!send(3, report, sizeof report, MSG_DONTWAIT);
    (void)!send(3, report, sizeof report - 1, MSG_DONTWAIT);
    (void)!send(3, garbage, (size_t)i * 900, MSG_DONTWAIT);
    (void)!send(3, "", 0, MSG_DONTWAIT);
  }
  return TESSERA_OK;
}

ATTACK(forks, WHERE) {
  pid_t child = fork();
  if (child == 0) {
    sleep(5);
    _exit(0);
  }
  return child > 0 ? hostile_won(call, "it has a child") : TESSERA_OK;
}

// Ignores the signal of a forbidden call and tries the next.
static void go_on(int number) { (void)number; }

ATTACK(handles_refusal, WHERE) {
  signal(SIGSYS, go_on);
  int found = socket(AF_INET, SOCK_STREAM, 0);
  // A handler may leave anything in the result register; a descriptor is usable.
  struct sockaddr name;
  socklen_t size = sizeof name;
  if (found >= 0 && getsockname(found, &name, &size) == 0)
    return hostile_won(call, "it has a socket");
  return TESSERA_OK;
}

// Installs a filter that fakes success of later filters.
ATTACK(installs_filter, WHERE) {
  static struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  int worked = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  worked |= syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
  worked |= prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  return worked ? hostile_won(call, "it installed a filter") : TESSERA_OK;
}

ATTACK(kills_parent, WHERE) {
  return kill(getppid(), SIGTERM) == 0 ? hostile_won(call, "it ended its parent") : TESSERA_OK;
}

// Takes another name, and leaves its parent, process group and session.
ATTACK(leaves_group, WHERE) {
  prctl(PR_SET_NAME, "kworker/0:0");
  prctl(PR_SET_PDEATHSIG, 0);
  if (setsid() > 0 || setpgid(0, 0) == 0) return hostile_won(call, "it left its group");
  return TESSERA_OK;
}

// Loads a system library after registration, and maps its code by hand.
ATTACK(loads_later, WHERE) {
  static const char *const names[] = {"libanl.so.1", "libresolv.so.2", "libnss_compat.so.2", "libthread_db.so.1"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (dlopen(names[i], RTLD_NOW) != NULL) return hostile_won(call, names[i]);
  int file = open("/lib64/ld-linux-x86-64.so.2", O_RDONLY);
  if (file >= 0 && mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED)
    return hostile_won(call, "it mapped code");
  return TESSERA_OK;
}

// Sends descriptors over every socket.
ATTACK(passes_descriptors, WHERE) {
  union {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  char byte = 'x';
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room,
                           .msg_controllen = sizeof control.room};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memset(CMSG_DATA(header), 0, sizeof(int));
  for (int round = 0; round < 100; round++)
    for (int descriptor = 3; descriptor < 16; descriptor++)
      sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return TESSERA_OK;
}

// Prints escapes that clear a terminal, set its title and hide the cursor, and fakes a host
// message.
ATTACK(prints_escapes, WHERE) {
  static const char text[] = "\033[2J\033[H\033]0;taken over\007\033[?25l\r\x9b"
                             "31mtessera: all is well\n\b\b\b";
  fputs(text, stdout);
  fflush(stdout);
  fputs(text, stderr);
  return TESSERA_OK;
}

ATTACK(prints_much, WHERE) {
  static char line[1 << 16];
  memset(line, 'x', sizeof line);
  ssize_t sent = 0;
  for (int i = 0; i < 1600; i++) {
    sent += write(STDOUT_FILENO, line, sizeof line);
    sent += write(STDERR_FILENO, line, sizeof line);
  }
  return sent == 1 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

ATTACK(raises_limits, WHERE) {
  const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &none) == 0) return hostile_won(call, "it raised its memory");
  if (setrlimit(RLIMIT_CPU, &none) == 0) return hostile_won(call, "it raised its processor time");
  return TESSERA_OK;
}

ATTACK(reads_descriptors, WHERE) {
  char room[4096];
  ssize_t got = 0;
  for (int descriptor = 0; descriptor <= 1024; descriptor++) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    got += read(descriptor, room, sizeof room);
  }
  return got == 12345 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

ATTACK(reads_environment, WHERE) {
  return getenv("TESSERA_SECRET") != NULL ? hostile_won(call, "it sees the host's environment")
                                          : TESSERA_OK;
}

ATTACK(reads_files, WHERE) {
  static const char *const paths[] = {CANARY, "/etc/passwd", "/etc/shadow", "/root", "/home",
                                      "/etc/ssh", "/var/log", "/proc/1/environ", "/"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_RDONLY) >= 0) return hostile_won(call, paths[i]);
  return TESSERA_OK;
}

ATTACK(reads_parent, WHERE) {
  char path[64], byte;
  for (int kind = 0; kind < 2; kind++) {
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), kind == 0 ? "mem" : "environ");
    int file = open(path, O_RDONLY);
    if (file >= 0 && (kind == 0 || read(file, &byte, 1) == 1))
      return hostile_won(call, "it reads its parent through /proc");
  }
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1)
    return hostile_won(call, "it reads its parent's memory");
  return TESSERA_OK;
}

ATTACK(reads_system, WHERE) {
  static const char *const paths[] = {
      "/proc/vmallocinfo", "/proc/slabinfo",      "/proc/kpageflags", "/proc/kpagecount", "/proc/timer_list",
      "/proc/kallsyms",    "/proc/1/cmdline",     "/proc/net/tcp",    "/proc/mounts",     "/proc/modules",
      "/proc/version",     "/proc/sched_debug",   "/proc/kcore",      "/proc/iomem",      "/sys/kernel/notes",
  };
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_RDONLY) >= 0) return hostile_won(call, paths[i]);
  char link[256];
  if (readlink("/proc/self/cwd", link, sizeof link) > 0) return hostile_won(call, "readlink");
  if (readlinkat(AT_FDCWD, "/proc/self/exe", link, sizeof link) > 0) return hostile_won(call, "readlinkat");
  struct statfs system;
  if (statfs("/", &system) == 0) return hostile_won(call, "statfs");
  if (getuid() == 0) return hostile_won(call, "the user root");
  return TESSERA_OK;
}

ATTACK(sends_udp, WHERE) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  if (descriptor < 0) return TESSERA_OK;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ssize_t sent = sendto(descriptor, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
  return sent == 1 ? hostile_won(call, "it sent a datagram") : TESSERA_OK;
}

ATTACK(traces_parent, WHERE) {
  if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0)
    return hostile_won(call, "it traces its parent");
  return TESSERA_OK;
}

ATTACK(vforks, WHERE) {
  char name[] = "/bin/true";
  char *arguments[] = {name, NULL};
  pid_t child;
  int failure = posix_spawn(&child, name, NULL, NULL, arguments, NULL);
  return failure == 0 ? hostile_won(call, "it started a program") : TESSERA_OK;
}

// Reads its parent's CPU time, scheduling, group and capabilities.
ATTACK(watches_parent, WHERE) {
  const pid_t parent = getppid();
  const clockid_t clock = (clockid_t)(~(uint32_t)parent << 3 | 2);
  const struct timespec past = {0, 0};
  struct timespec time;
  if (clock_gettime(clock, &time) == 0) return hostile_won(call, "it reads its parent's processor time");
  if (clock_getres(clock, &time) == 0) return hostile_won(call, "it knows its parent's clock");
  if (clock_nanosleep(clock, TIMER_ABSTIME, &past, NULL) == 0)
    return hostile_won(call, "it sleeps by its parent's clock");
  cpu_set_t set;
  struct sched_param scheduling;
  errno = 0;
  if (getpriority(PRIO_PROCESS, (id_t)parent) != -1 || errno == 0)
    return hostile_won(call, "it reads its parent's priority");
  if (sched_getaffinity(parent, sizeof set, &set) == 0 || sched_getscheduler(parent) >= 0 ||
      sched_getparam(parent, &scheduling) == 0)
    return hostile_won(call, "it reads its parent's scheduling");
  if (getpgid(parent) > 0 || getsid(parent) > 0) return hostile_won(call, "it reads its parent's group");
  uint32_t header[2] = {0x20080522, (uint32_t)parent}, sets[6];
  if (syscall(SYS_capget, header, sets) == 0) return hostile_won(call, "it reads its parent's capabilities");
  return TESSERA_OK;
}

ATTACK(writes_to_descriptors, WHERE) {
  static const char text[] = "\x7f\0\1\2 this is no message that anyone expects\n";
  int written = 0;
  for (int descriptor = 3; descriptor <= 1024; descriptor++)
    written += write(descriptor, text, sizeof text) > 0;
  return written < 0 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

HOSTILE_ATTACKS
