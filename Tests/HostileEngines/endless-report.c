// Reports a message without an end, before unreadable memory.

#include "hostile.h"
#include <sys/mman.h>

static tessera_status attack(const hostile_call *call) {
  size_t page = 4096, pages = 64;
  char *text = (char *)mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (text == MAP_FAILED) return TESSERA_ERROR_FAILED;
  memset(text, 'a', pages * page);
  mprotect(text + pages * page, page, PROT_NONE);
  call->host->report(call->host, TESSERA_ERROR_FAILED, text);
  return TESSERA_ERROR_FAILED;
}

HOSTILE("endless-report", .WHERE = attack)
