// Loads another library from outside the loader's folders.

#include "hostile.h"
#include <dlfcn.h>

static tessera_status attack(const hostile_call *call) {
  return dlopen(CANARY, RTLD_NOW) != NULL ? hostile_won(call, "it loaded a library") : TESSERA_OK;
}

HOSTILE("loads-library", .WHERE = attack)
