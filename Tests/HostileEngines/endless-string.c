// Has a summary without an end, before unreadable memory.

#include "hostile.h"
#include <sys/mman.h>

static tessera_status describe(const hostile_call *call) {
  size_t page = 4096;
  char *text = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (text == MAP_FAILED) return TESSERA_ERROR_FAILED;
  memset(text, 'a', page);
  mprotect(text + page, page, PROT_NONE);
  call->engine->summary = text;
  return TESSERA_OK;
}

HOSTILE("endless-string", .registration = describe)
