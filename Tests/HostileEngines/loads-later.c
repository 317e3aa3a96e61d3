// Loads a library of the system after its registration, and maps its code by hand.

#include "hostile.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>

static tessera_status attack(const hostile_call *call) {
  static const char *const names[] = {"libanl.so.1", "libresolv.so.2", "libnss_compat.so.2", "libthread_db.so.1"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (dlopen(names[i], RTLD_NOW) != NULL) return hostile_won(call, names[i]);
  int file = open("/lib64/ld-linux-x86-64.so.2", O_RDONLY);
  if (file >= 0 && mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED)
    return hostile_won(call, "it mapped code");
  return TESSERA_OK;
}

HOSTILE("loads-later", .WHERE = attack)
