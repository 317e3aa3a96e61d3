// Writes machine code into memory and runs it: a single `ret`.

#include "hostile.h"
#include <sys/mman.h>

static tessera_status attack(const hostile_call *call) {
  unsigned char *code = (unsigned char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return TESSERA_OK;
  code[0] = 0xc3;
  void (*run)(void);
  memcpy(&run, &code, sizeof run);
  run();
  return hostile_won(call, "it ran code that it made");
}

HOSTILE("code-at-run-time", .WHERE = attack)
