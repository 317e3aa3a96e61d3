// Writes a program into an anonymous file and executes it.

#include "hostile.h"
#include <sys/mman.h>

static tessera_status attack(const hostile_call *call) {
  int file = memfd_create("program", 0);
  if (file < 0) return TESSERA_OK;
  char text[] = "#!/bin/true\n";
  char *arguments[] = {text, NULL};
  if (write(file, text, sizeof text - 1) > 0) fexecve(file, arguments, arguments + 1);
  return hostile_won(call, "it made a file in memory");
}

HOSTILE("memfd-exec", .WHERE = attack)
