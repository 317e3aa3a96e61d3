// Engines with inconsistent answers or invalid UTF-8.

#include "hostile.h"
#include <fenv.h>
#include <sys/mman.h>

// Adds a cell too many and ignores the refusal.
ATTACK(beyond_section, filled) {
  const tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, hostile_items(call->in, 0), 1};
  const tessera_rows *rows;
  if (call->out->add(call->out, &run, &rows) == TESSERA_OK)
    return hostile_won(call, "a cell past the section was taken");
  return TESSERA_OK;
}

// Reports invalid UTF-8, line breaks and escape sequences.
ATTACK(binary_report, WHERE) {
  call->host->report(call->host, TESSERA_ERROR_FAILED,
                     "bad \xff\xfe\xc0\x80 bytes\033[2J\r\ntessera: all is well\n\x9b" "0m\a end");
  return TESSERA_ERROR_FAILED;
}

ATTACK(cells_missing, prepare) {
  const tessera_rows *rows;
  hostile_set_size(call->in, call->out);
  for (uint64_t i = 0; i < hostile_items(call->in, 0); i += 2) {
    const tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, i, 1};
    tessera_status status = call->out->add(call->out, &run, &rows);
    if (status != TESSERA_OK) return status;
    rows->frame[0] = (tessera_rect){0, 50 * (double)i, call->in->viewport.width, 50};
  }
  return HOSTILE_DONE;
}

ATTACK(cells_twice, filled) {
  const tessera_rows *rows;
  return hostile_add(call->in, call->out, 0, &rows);
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

ATTACK(endless_runs, prepare) {
  const tessera_run nothing = {TESSERA_CATEGORY_CELL, 0, 0, 0, 0, 0};
  const tessera_rows *rows;
  for (uint64_t i = 0; i < 1000000; i++) {
    tessera_status status = call->out->add(call->out, &nothing, &rows);
    if (status != TESSERA_OK) return status;
  }
  return TESSERA_OK;
}

ATTACK(no_content_size, prepare) {
  const tessera_rows *rows;
  tessera_status status = hostile_add(call->in, call->out, 0, &rows);
  return status == TESSERA_OK ? HOSTILE_DONE : status;
}

ATTACK(null_report, WHERE) {
  const char *volatile nothing = NULL;
  call->host->report(call->host, TESSERA_ERROR_FAILED, nothing);
  return TESSERA_ERROR_FAILED;
}

// SIZE: an invalid content size.
#ifndef SIZE
#define SIZE NAN, 10
#endif

ATTACK(odd_content_size, filled) {
  call->out->set_content_size(call->out, (tessera_size){SIZE});
  return TESSERA_OK;
}

// FRAME: an invalid frame of the fourth cell.
#ifndef FRAME
#define FRAME NAN, 0, 10, 10
#endif

ATTACK(odd_frame, filled) {
  call->rows->frame[3] = (tessera_rect){FRAME};
  return TESSERA_OK;
}

ATTACK(odd_status, WHERE) { return (tessera_status)-2147483647; }

HOSTILE_ATTACKS
