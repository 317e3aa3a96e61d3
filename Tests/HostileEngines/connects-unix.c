// Creates a local socket with a name that others could connect to.

#include "hostile.h"
#include <sys/socket.h>
#include <sys/un.h>

static tessera_status attack(const hostile_call *call) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return TESSERA_OK;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path + 1, "tessera-canary");
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
    return hostile_won(call, "it bound a socket");
  return hostile_won(call, "it has a socket");
}

HOSTILE("connects-unix", .WHERE = attack)
