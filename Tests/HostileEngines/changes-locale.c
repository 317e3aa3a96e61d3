// Changes the locale, and with it the format of numbers.

#include "hostile.h"
#include <locale.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  setlocale(LC_ALL, "de_DE.UTF-8");
  setlocale(LC_ALL, "");
  return TESSERA_OK;
}

HOSTILE("changes-locale", .WHERE = attack)
