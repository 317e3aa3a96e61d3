#define _GNU_SOURCE
#include "prisoner.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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
static int read_passwd(void) { return read_at("/etc/passwd"); }
static int read_environment_of_parent(void) {
  char text[64];
  snprintf(text, sizeof text, "/proc/%d/environ", getppid());
  return read_at(text);
}
static int read_environment_of_first(void) { return read_at("/proc/1/environ"); }
static int read_own_maps(void) { return read_at("/proc/self/maps"); }
static int list_open(void) { return outcome(open(open_folder, O_RDONLY | O_DIRECTORY)); }
static int list_closed(void) { return outcome(open(closed_folder, O_RDONLY | O_DIRECTORY)); }
static int write_open(void) { return outcome(open(path(open_folder, "open"), O_WRONLY)); }
static int append_open(void) { return outcome(open(path(open_folder, "open"), O_RDWR | O_APPEND)); }
static int create_open(void) { return outcome(open(path(open_folder, "new"), O_RDONLY | O_CREAT, 0600)); }
static int truncate_open(void) { return outcome(open(path(open_folder, "open"), O_RDONLY | O_TRUNC)); }
static int create_nameless(void) { return outcome(open(open_folder, O_RDWR | O_TMPFILE, 0600)); }
static int remove_open(void) { return outcome(unlink(path(open_folder, "open"))); }
static int make_folder(void) { return outcome(mkdir(path(open_folder, "new"), 0700)); }
static int change_mode(void) { return outcome(chmod(path(open_folder, "open"), 0600)); }
static int change_folder(void) { return outcome(chdir(open_folder)); }
static int write_own_memory(void) { return outcome(open("/proc/self/mem", O_RDWR)); }

static int load_sealed(void) {
  char text[32];
  snprintf(text, sizeof text, "/proc/self/fd/%d", LIBRARY);
  void *library = dlopen(text, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return ENOEXEC;
  }
  int (*answer)(void) = NULL;
  // The detour by which POSIX makes a function of an object's address.
  *(void **)&answer = dlsym(library, "answer");
  return answer && answer() == 42 ? 0 : ERANGE;
}

static int load_after(void) {
  int32_t error = 0;
  if (tessera_sandbox_forbid_new_code(SOCKET, &error) != TESSERA_SANDBOX_ENTERED) return error;
  return load_sealed();
}

const action file_actions[] = {
    {"read an open file", read_open},
    {"read a closed file", read_closed},
    {"read the list of users", read_passwd},
    {"read the environment of the parent", read_environment_of_parent},
    {"read the environment of the first process", read_environment_of_first},
    {"read the own maps", read_own_maps},
    {"list an open folder", list_open},
    {"list a closed folder", list_closed},
    {"write an open file", write_open},
    {"append to an open file", append_open},
    {"create a file", create_open},
    {"truncate an open file", truncate_open},
    {"create a file without a name", create_nameless},
    {"remove an open file", remove_open},
    {"make a folder", make_folder},
    {"change a mode", change_mode},
    {"change the folder", change_folder},
    {"write the own memory as a file", write_own_memory},
    {"load a sealed library", load_sealed},
    {"load a library once new code is forbidden", load_after},
    {0},
};
