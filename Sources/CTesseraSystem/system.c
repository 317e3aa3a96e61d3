#include "tessera_system.h"

#include <sys/auxv.h>
#include <unistd.h>

int tessera_is_privileged(void) {
  return getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid();
}
