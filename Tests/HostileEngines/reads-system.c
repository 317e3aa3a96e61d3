// Reads what the system tells about itself and about others: files of /proc, links, file systems.

#include "hostile.h"
#include <fcntl.h>
#include <sys/vfs.h>

static tessera_status attack(const hostile_call *call) {
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

HOSTILE("reads-system", .WHERE = attack)
