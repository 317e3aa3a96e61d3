// Changes the locale, in which numbers are then written otherwise.

#include "hostile.h"
#include <locale.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  setlocale(LC_ALL, "de_DE.UTF-8");
  setlocale(LC_ALL, "");
  return TESSERA_OK;
}

HOSTILE("changes-locale", .WHERE = attack)
