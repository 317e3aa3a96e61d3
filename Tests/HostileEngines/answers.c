// Engines with inconsistent answers or invalid UTF-8.

#include "hostile.h"
#include <fenv.h>
#include <sys/mman.h>

// Reports invalid UTF-8, line breaks and escape sequences.
ATTACK(binary_report, WHERE) {
  call->host->report(call->host, TESSERA_ERROR_FAILED,
                     "bad \xff\xfe\xc0\x80 bytes\033[2J\r\ntessera: all is well\n\x9b" "0m\a end");
  return TESSERA_ERROR_FAILED;
}

// Changes the FPU's rounding mode.
ATTACK(changes_rounding, WHERE) {
  fesetround(FE_UPWARD);
  return TESSERA_OK;
}

// Calls a delegate function from a million nested frames.
static uint32_t dive(const tessera_function *function, uint32_t depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  uint32_t answer = ((uint32_t (*)(void *, uint32_t))function->call)(function->context, depth);
  return depth == 0 ? answer : answer + dive(function, depth - 1) + (uint32_t)room[0];
}

ATTACK(delegate_recursion, prepare) {
  const tessera_function function = call->in->functions[0];
  if (function.call == NULL) return hostile_won(call, "there is no delegate function to call");
  return dive(&function, 1000000) == 12345 ? TESSERA_ERROR_FAILED : TESSERA_OK;
}

// Passes no context to a delegate function.
ATTACK(delegate_without_context, prepare) {
  const tessera_function function = call->in->functions[0];
  if (function.call == NULL) return hostile_won(call, "there is no delegate function to call");
  ((uint32_t (*)(void *, uint32_t))function.call)(NULL, 1);
  ((uint32_t (*)(void *, uint32_t))function.call)((void *)(uintptr_t)0xdeadbeef0000, 1);
  return TESSERA_OK;
}

ATTACK(endless_report, WHERE) {
  size_t page = 4096, pages = 64;
  char *text = (char *)mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (text == MAP_FAILED) return TESSERA_ERROR_FAILED;
  memset(text, 'a', pages * page);
  mprotect(text + pages * page, page, PROT_NONE);
  call->host->report(call->host, TESSERA_ERROR_FAILED, text);
  return TESSERA_ERROR_FAILED;
}

ATTACK(null_report, WHERE) {
  const char *volatile nothing = NULL;
  call->host->report(call->host, TESSERA_ERROR_FAILED, nothing);
  return TESSERA_ERROR_FAILED;
}

HOSTILE_ATTACKS
