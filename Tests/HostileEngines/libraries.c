// Libraries with wrong descriptions.

#include "hostile.h"
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

// Keeps changing its description after registration.
static void *change(void *engine) {
  volatile tessera_engine *description = (volatile tessera_engine *)engine;
  for (uint32_t count = 0;; count++) {
    description->struct_size = count;
    description->parameter_count = count;
    description->id = count % 2 == 0 ? HOSTILE_ID "changed" : NULL;
    description->prepare = NULL;
  }
  return NULL;
}

ATTACK(changing_description, registration) {
  tessera_status status = call->registry->add_engine(call->registry, call->engine);
  if (status != TESSERA_OK) return status;
  pthread_t thread;
  return pthread_create(&thread, NULL, change, call->engine) == 0 ? HOSTILE_DONE : TESSERA_ERROR_FAILED;
}

// A chain of 200 derived engines.
static tessera_engine engines[200];
static char ids[200][64];

ATTACK(deep_bases, registration) {
  for (int i = 0; i < 200; i++) snprintf(ids[i], sizeof ids[i], HOSTILE_ID "deep-%d", i);
  for (int i = 0; i < 200; i++) {
    engines[i] = *call->engine;
    engines[i].id = ids[i];
    engines[i].base = i < 199 ? ids[i + 1] : NULL;
    tessera_status status = call->registry->add_engine(call->registry, &engines[i]);
    if (status != TESSERA_OK) return status;
  }
  return HOSTILE_DONE;
}

// A summary without terminator, before unreadable memory.
ATTACK(endless_string, registration) {
  size_t page = 4096;
  char *text = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (text == MAP_FAILED) return TESSERA_ERROR_FAILED;
  memset(text, 'a', page);
  mprotect(text + page, page, PROT_NONE);
  call->engine->summary = text;
  return TESSERA_OK;
}

// 4096 parameters with help texts of 64 KiB.
static tessera_parameter parameters[4096];
static char names[4096][16];
static char help[65536];

ATTACK(huge_description, registration) {
  memset(help, 'a', sizeof help - 1);
  for (int i = 0; i < 4096; i++) {
    snprintf(names[i], sizeof names[i], "parameter%d", i);
    parameters[i].name = names[i];
    parameters[i].help = help;
    parameters[i].type = TESSERA_TYPE_NUMBER;
  }
  call->engine->parameters = parameters;
  call->engine->parameter_count = 4096;
  return TESSERA_OK;
}

// A summary of 16 MiB, over the limit.
static char text[16 << 20];

ATTACK(long_string, registration) {
  memset(text, 'a', sizeof text - 1);
  call->engine->summary = text;
  return TESSERA_OK;
}

ATTACK(many_engines, registration) {
  static char id[64];
  call->engine->id = id;
  for (int number = 0;; number++) {
    snprintf(id, sizeof id, HOSTILE_ID "engine-%d", number);
    tessera_status status = call->registry->add_engine(call->registry, call->engine);
    if (status != TESSERA_OK) return status;
  }
}

// Claims COUNT parameters but has one, before unreadable memory.
#ifndef COUNT
#define COUNT 0x80000000u
#endif

ATTACK(many_parameters, registration) {
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

// Registers null and an invalid address.
ATTACK(null_engine, registration) {
  const tessera_engine *volatile nowhere = NULL;
  call->registry->add_engine(call->registry, nowhere);
  call->registry->add_engine(call->registry, (const tessera_engine *)(uintptr_t)0xdeadbeef0000);
  return HOSTILE_DONE;
}

// EDIT changes a member of the description.
#ifndef EDIT
#define EDIT prepare = NULL
#endif

ATTACK(odd_description, registration) {
  call->engine->EDIT;
  return TESSERA_OK;
}

// Each registration has another id, from the time.
static char id[64];

ATTACK(other_description, registration) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long moment = now.tv_nsec + now.tv_sec * 1000000000LL;
  snprintf(id, sizeof id, HOSTILE_ID "other-%lld", moment);
  call->engine->id = id;
  return TESSERA_OK;
}

HOSTILE_ATTACKS
