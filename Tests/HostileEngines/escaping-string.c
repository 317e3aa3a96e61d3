// Has an id with a control sequence that clears a terminal.

#include "hostile.h"

static tessera_status describe(const hostile_call *call) {
  call->engine->id = "org.example.\033[2J\r\n";
  return TESSERA_OK;
}

HOSTILE("escaping-string", .registration = describe)
