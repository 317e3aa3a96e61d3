// Claims COUNT parameters but has one, followed by unreadable memory.

#include "hostile.h"
#include <sys/mman.h>

#ifndef COUNT
#define COUNT 0x80000000u
#endif

static tessera_status describe(const hostile_call *call) {
  size_t page = 4096;
  char *memory = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                              -1, 0);
  if (memory == MAP_FAILED) return TESSERA_ERROR_FAILED;
  mprotect(memory + page, page, PROT_NONE);
  tessera_parameter *last = (tessera_parameter *)(memory + page - sizeof *last);
  *last = call->engine->parameters[0];
  call->engine->parameters = last;
  call->engine->parameter_count = COUNT;
  return TESSERA_OK;
}

HOSTILE("many-parameters", .registration = describe)
