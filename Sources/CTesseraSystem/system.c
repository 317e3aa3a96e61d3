#define _GNU_SOURCE
#include "tessera_system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <link.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/xattr.h>
#include <ucontext.h>
#include <unistd.h>

int tessera_is_privileged(void) {
  return getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid();
}

const char *tessera_own_file(void) {
  Dl_info info;
  return dladdr((const void *)&tessera_own_file, &info) ? info.dli_fname : NULL;
}

struct search {
  uint32_t wanted, seen;
  const char *found;
};

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct search *search = context;
  if (search->seen++ < search->wanted) return 0;
  search->found = info->dlpi_name;
  return 1;
}

const char *tessera_loaded_file(uint32_t index) {
  struct search search = {index, 0, NULL};
  dl_iterate_phdr(visit, &search);
  return search.found;
}

const char *tessera_signal_name(int32_t number) { return sigabbrev_np(number); }

void tessera_run_on_large_stack(uint64_t least, void (*body)(void)) {
  enum { USUAL = 8 << 20 };
  const size_t size = least > USUAL ? least : USUAL;
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) {
    body();
    return;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, least);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  static ucontext_t before, during;
  void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED || getcontext(&during) != 0) {
    body();
    return;
  }
  mprotect(stack, 4096, PROT_NONE);
  during.uc_stack.ss_sp = stack;
  during.uc_stack.ss_size = size;
  during.uc_link = &before;
  makecontext(&during, body, 0);
  swapcontext(&before, &during);
}

static void path_of(int32_t descriptor, char path[32]) { snprintf(path, 32, "/proc/self/fd/%d", (int)descriptor); }

int32_t tessera_file_without_name(const char *folder, uint32_t mode) {
  const int file = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, (mode_t)mode);
  char path[32];
  path_of(file, path);
  if (file < 0 || access(path, F_OK) == 0) return file;
  close(file);
  return -1;
}

int32_t tessera_file_name(int32_t descriptor, const char *path) {
  char own[32];
  path_of(descriptor, own);
  return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

void tessera_print_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

void tessera_print_all(void) { fflush(stdout); }

static _Thread_local const void *refused_handle;

const void *tessera_refused_handle(void) { return refused_handle; }

void tessera_set_refused_handle(const void *handle) { refused_handle = handle; }

// Room for a few thousand members; a larger group is not private.
#define BUFFER_SIZE 65536

static int is_primary_of_another(uint32_t user, uint32_t group) {
  FILE *accounts = fopen("/etc/passwd", "re");
  if (!accounts) return 1;
  struct passwd entry, *found;
  char buffer[4096];
  int is_shared = 0, result;
  while (!is_shared && (result = fgetpwent_r(accounts, &entry, buffer, sizeof buffer, &found)) != ENOENT)
    is_shared = result != 0 || (entry.pw_gid == group && entry.pw_uid != user);
  fclose(accounts);
  return is_shared;
}

int tessera_group_is_private(uint32_t user, uint32_t group) {
  struct passwd account, *found_account;
  struct group members, *found_group;
  char names[4096], buffer[BUFFER_SIZE];
  if (getpwuid_r(user, &account, names, sizeof names, &found_account) != 0 || !found_account) return 0;
  if (account.pw_gid != group) return 0;
  if (getgrgid_r(group, &members, buffer, sizeof buffer, &found_group) != 0 || !found_group) return 0;
  if (strcmp(account.pw_name, members.gr_name) != 0) return 0;
  for (char **member = members.gr_mem; *member; member++)
    if (strcmp(*member, account.pw_name) != 0) return 0;
  return !is_primary_of_another(user, group);
}

int tessera_has_access_list(const char *path) {
  return getxattr(path, "system.posix_acl_access", NULL, 0) >= 0 || (errno != ENODATA && errno != ENOTSUP);
}

void tessera_user_name(uint32_t user, char *name, size_t size) {
  struct passwd account, *found;
  char names[4096];
  if (getpwuid_r(user, &account, names, sizeof names, &found) == 0 && found)
    snprintf(name, size, "%s", account.pw_name);
  else
    snprintf(name, size, "%u", user);
}

void tessera_group_name(uint32_t group, char *name, size_t size) {
  struct group members, *found;
  char buffer[BUFFER_SIZE];
  if (getgrgid_r(group, &members, buffer, sizeof buffer, &found) == 0 && found)
    snprintf(name, size, "%s", members.gr_name);
  else
    snprintf(name, size, "%u", group);
}
