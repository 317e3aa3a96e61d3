// Sends what its worker reports to the host about the sandbox, forged in every field, and messages that are empty or garbage.

#include "hostile.h"
#include <sys/socket.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static const char garbage[8000];
  for (int i = 0; i < 8; i++) {
    // A mark, the progress, and the protections that are there.
    int32_t report[7] = {0x58425354, i % 4, i, -i, i % 2, 1, 1};
    (void)!send(3, report, sizeof report, MSG_DONTWAIT);
    (void)!send(3, report, sizeof report - 1, MSG_DONTWAIT);
    (void)!send(3, garbage, (size_t)i * 900, MSG_DONTWAIT);
    (void)!send(3, "", 0, MSG_DONTWAIT);
  }
  return TESSERA_OK;
}

HOSTILE("forges-reports", .WHERE = attack)
