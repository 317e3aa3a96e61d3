// Replaces the decoder library, does one action on a harmless target, and prints "works" or the
// errno.
// ATTACK: an action, or the number of a system call. STAGE: "load", or "decode" for the first
// picture.
// TARGET: a folder with the file "secret".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int outcome(long result) { return result == -1 ? errno : 0; }

static const char *target(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("TARGET"), name);
  return path;
}

static int ask_device(void) {
  int count;
  return outcome(ioctl(STDOUT_FILENO, FIONREAD, &count));
}
static int be_in_session(void) { return getsid(0) == getpid() ? EPERM : 0; }
static int read_secret(void) { return outcome(open(target("secret"), O_RDONLY)); }
static int list_folder(void) { return outcome(open(getenv("TARGET"), O_RDONLY | O_DIRECTORY)); }
static int write_secret(void) { return outcome(open(target("secret"), O_WRONLY)); }
static int make_file(void) { return outcome(open(target("new"), O_WRONLY | O_CREAT, 0600)); }
static int remove_file(void) { return outcome(unlink(target("spare"))); }
static int change_mode(void) { return outcome(chmod(target("secret"), 0644)); }
static int change_mode_newly(void) { return outcome(syscall(452, AT_FDCWD, target("secret"), 0644, 0)); }
static int change_mode_of_open(void) { return outcome(fchmod(STDOUT_FILENO, 0600)); }
static int change_owner(void) { return outcome(chown(target("secret"), (uid_t)-1, (gid_t)-1)); }
static int change_times(void) { return outcome(utimensat(AT_FDCWD, target("secret"), NULL, 0)); }
static int change_attribute(void) { return outcome(syscall(SYS_setxattr, target("secret"), "user.x", "y", 1, 0)); }
static int truncate_file(void) { return outcome(truncate(target("secret"), 3)); }
static int open_handle(void) { return outcome(syscall(SYS_open_by_handle_at, -1, NULL, 0)); }
static int signal_parent(void) { return outcome(kill(getppid(), 0)); }
static int signal_group(void) { return outcome(kill(0, 0)); }
static int limit_parent(void) {
  struct rlimit limit;
  return outcome(prlimit(getppid(), RLIMIT_CORE, NULL, &limit));
}
static int make_memory_file(void) { return outcome(memfd_create("x", 0)); }
static int share_memory(void) { return outcome(syscall(SYS_shmget, 0, 4096, 01600)); }
static int map_shared(void) { return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0; }
static int map_much(void) { return mmap(NULL, 3ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0; }
static int map_code(void) { return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0; }
static int set_clock(void) { return outcome(syscall(SYS_clock_settime, -1, NULL)); }
static int adjust_clock(void) {
  struct timex change = {0};
  return outcome(adjtimex(&change));
}
static int start_process(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return outcome(child);
}
static int start_program(void) {
  char *const words[] = {"/bin/true", NULL};
  return outcome(execv(words[0], words));
}
static int leave_namespaces(void) { return outcome(unshare(CLONE_NEWUSER)); }
static int trace(void) { return outcome(ptrace(PTRACE_TRACEME, 0, NULL, NULL)); }
static int read_parent(void) {
  char byte;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  return outcome(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}
static int ask_keys(void) { return outcome(syscall(SYS_keyctl, 0, -3, 0)); }
static int load_program(void) { return outcome(syscall(SYS_bpf, -1, NULL, 0)); }
static int make_ring(void) { return outcome(syscall(SYS_io_uring_setup, 1, NULL)); }
static int count_events(void) { return outcome(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0)); }
static int handle_faults(void) { return outcome(syscall(SYS_userfaultfd, 1)); }
static int open_socket(void) { return outcome(socket(AF_INET, SOCK_STREAM, 0)); }
static int open_local_socket(void) { return outcome(socket(AF_UNIX, SOCK_STREAM, 0)); }
static int be_root(void) { return getuid() == 0 || geteuid() == 0 || getgid() == 0 ? 0 : EPERM; }
static int have_rights(void) {
  FILE *status = fopen("/proc/self/status", "re");
  char line[256];
  int found = 0;
  for (unsigned long long set; status && fgets(line, sizeof line, status);) {
    if (sscanf(line, "Cap%*3s:%llx", &set) == 1 && (found++, set != 0) && strncmp(line, "CapBnd", 6) != 0) return 0;
  }
  return found == 5 ? EPERM : ENOENT;
}
static int read_time_of_parent(void) {
  struct timespec time;
  return outcome(clock_gettime((clockid_t)(~(unsigned)getppid() << 3 | 2), &time));
}
static int read_group_of_parent(void) { return outcome(getpgid(getppid())); }
static int read_priority_of_parent(void) {
  errno = 0;
  (void)getpriority(PRIO_PROCESS, (id_t)getppid());
  return errno;
}
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
static int grow_files(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_max == 0 ? EPERM : 0;
}
static int load_code(void) { return dlopen("libz.so.1", RTLD_NOW) == NULL ? EACCES : 0; }

static const struct {
  const char *name;
  int (*run)(void);
} actions[] = {
    {"ask a device", ask_device}, {"be in the caller's session", be_in_session}, {"read a file", read_secret},
    {"list a folder", list_folder}, {"write a file", write_secret}, {"make a file", make_file}, {"remove a file", remove_file},
    {"change a mode", change_mode}, {"change a mode by the newer call", change_mode_newly}, {"change the mode of an open file", change_mode_of_open},
    {"change an owner", change_owner}, {"change times", change_times}, {"change an attribute", change_attribute},
    {"truncate a file", truncate_file}, {"open by handle", open_handle}, {"signal the parent", signal_parent},
    {"signal the group", signal_group}, {"limit the parent", limit_parent}, {"make a memory file", make_memory_file},
    {"make a shared segment", share_memory}, {"map shared memory", map_shared}, {"map much memory", map_much},
    {"map code", map_code}, {"set the clock", set_clock}, {"adjust the clock", adjust_clock}, {"start a process", start_process},
    {"start a program", start_program}, {"leave namespaces", leave_namespaces}, {"be traced", trace}, {"read the parent's memory", read_parent},
    {"ask for keys", ask_keys}, {"load a kernel program", load_program}, {"make a ring", make_ring}, {"count events", count_events},
    {"handle faults", handle_faults}, {"open a socket", open_socket}, {"open a local socket", open_local_socket}, {"be root", be_root},
    {"have capabilities", have_rights}, {"let files grow", grow_files}, {"load code", load_code},
    {"read the parent's processor time", read_time_of_parent}, {"read the parent's group", read_group_of_parent},
    {"read the parent's priority", read_priority_of_parent}, {"let many signals wait", let_signals_wait},
};

static void print(int error) {
  if (error == 0) puts("works");
  else printf("%s\n", strerrorname_np(error) ? strerrorname_np(error) : "an unknown error");
  fflush(stdout);
  _exit(0);
}

static void attack(const char *stage) {
  const char *name = getenv("ATTACK");
  if (name == NULL || strcmp(getenv("STAGE"), stage) != 0) return;
  char *end;
  long number = strtol(name, &end, 10);
  if (end != name) print(outcome(syscall(number, -1L, -1L, -1L, -1L, -1L, -1L)));
  for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
    if (strcmp(actions[i].name, name) == 0) print(actions[i].run());
  }
  if (strcmp(name, "list") == 0) {
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) puts(actions[i].name);
    fflush(stdout);
    _exit(0);
  }
}

__attribute__((constructor)) static void be_loaded(void) { attack("load"); }

// Also called before a picture is read, while libraries may still be loaded.
void *gdk_pixbuf_loader_new_with_type(const char *type, void **error) {
  static char loader;
  (void)type, (void)error;
  return &loader;
}

int gdk_pixbuf_loader_write(void *loader, const unsigned char *bytes, size_t count, void **error) {
  (void)loader, (void)bytes, (void)count, (void)error;
  attack("decode");
  return 0;
}

#define UNUSED(name) \
  void name(void) {}
UNUSED(gdk_pixbuf_set_option) UNUSED(gdk_pixbuf_loader_close) UNUSED(gdk_pixbuf_loader_set_size)
UNUSED(gdk_pixbuf_loader_get_pixbuf) UNUSED(gdk_pixbuf_get_option) UNUSED(gdk_pixbuf_get_width) UNUSED(gdk_pixbuf_get_height)
UNUSED(gdk_pixbuf_get_has_alpha) UNUSED(gdk_pixbuf_get_rowstride) UNUSED(gdk_pixbuf_read_pixels)
UNUSED(gdk_pixbuf_apply_embedded_orientation) UNUSED(gdk_pixbuf_save_to_bufferv) UNUSED(g_signal_connect_data) UNUSED(g_object_unref)
UNUSED(g_free) UNUSED(g_error_free)
