// Prints control sequences that clear a terminal, set its title and hide the cursor, and imitates a
// message of the host.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static const char text[] = "\033[2J\033[H\033]0;taken over\007\033[?25l\r\x9b"
                             "31mtessera: all is well\n\b\b\b";
  fputs(text, stdout);
  fflush(stdout);
  fputs(text, stderr);
  return TESSERA_OK;
}

HOSTILE("prints-escapes", .WHERE = attack)
