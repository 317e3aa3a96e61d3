// Declares 4096 parameters with a help text of 64 KiB each.

#include "hostile.h"

static tessera_parameter parameters[4096];
static char names[4096][16];
static char help[65536];

static tessera_status describe(const hostile_call *call) {
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

HOSTILE("huge-description", .registration = describe)
