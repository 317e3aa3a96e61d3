// Changes the permissions of new files.

#include "hostile.h"
#include <sys/stat.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  umask(0777);
  return TESSERA_OK;
}

HOSTILE("changes-umask", .WHERE = attack)
