// Handles the signal of a forbidden system call and tries the next one.

#include "hostile.h"
#include <signal.h>
#include <sys/socket.h>

static void go_on(int number) { (void)number; }

static tessera_status attack(const hostile_call *call) {
  signal(SIGSYS, go_on);
  int found = socket(AF_INET, SOCK_STREAM, 0);
  // A handler may leave anything in the register of the answer; a descriptor can be used.
  struct sockaddr name;
  socklen_t size = sizeof name;
  if (found >= 0 && getsockname(found, &name, &size) == 0)
    return hostile_won(call, "it has a socket");
  return TESSERA_OK;
}

HOSTILE("handles-refusal", .WHERE = attack)
