// Sends descriptors over every descriptor that accepts them.

#include "hostile.h"
#include <sys/socket.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  union {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  char byte = 'x';
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room,
                           .msg_controllen = sizeof control.room};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memset(CMSG_DATA(header), 0, sizeof(int));
  for (int round = 0; round < 100; round++)
    for (int descriptor = 3; descriptor < 16; descriptor++)
      sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return TESSERA_OK;
}

HOSTILE("passes-descriptors", .WHERE = attack)
