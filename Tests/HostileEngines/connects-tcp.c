// Connects to a port of this machine that nobody listens on.

#include "hostile.h"
#include <arpa/inet.h>
#include <sys/socket.h>

static tessera_status attack(const hostile_call *call) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return TESSERA_OK;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  errno = 0;
  connect(descriptor, (struct sockaddr *)&address, sizeof address);
  return errno == EACCES || errno == EPERM ? TESSERA_OK : hostile_won(call, "it reached a network");
}

HOSTILE("connects-tcp", .WHERE = attack)
