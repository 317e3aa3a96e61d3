// Reports invalid UTF-8, line breaks and terminal control sequences.

#include "hostile.h"

static tessera_status attack(const hostile_call *call) {
  call->host->report(call->host, TESSERA_ERROR_FAILED,
                     "bad \xff\xfe\xc0\x80 bytes\033[2J\r\ntessera: all is well\n\x9b" "0m\a end");
  return TESSERA_ERROR_FAILED;
}

HOSTILE("binary-report", .WHERE = attack)
