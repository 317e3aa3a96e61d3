// Sends a datagram to a port of this machine that nobody listens on.

#include "hostile.h"
#include <arpa/inet.h>
#include <sys/socket.h>

static tessera_status attack(const hostile_call *call) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  if (descriptor < 0) return TESSERA_OK;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ssize_t sent = sendto(descriptor, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
  return sent == 1 ? hostile_won(call, "it sent a datagram") : TESSERA_OK;
}

HOSTILE("sends-udp", .WHERE = attack)
