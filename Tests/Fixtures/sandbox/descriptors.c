#define _GNU_SOURCE
#include "prisoner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int write_out(void) { return outcome(write(STDERR_FILENO, "hello\n", 6)); }
static int write_foreign(void) { return outcome(write(FOREIGN, "x", 1)); }
static int write_further(void) { return outcome(write(FURTHER, "x", 1)); }
static int write_input(void) { return outcome(write(STDIN_FILENO, "x", 1)); }
static int copy_foreign(void) { return outcome(dup(FOREIGN)); }
static int copy_foreign_on_output(void) { return outcome(dup2(FOREIGN, STDOUT_FILENO)); }
static int copy_foreign_by_fcntl(void) { return outcome(fcntl(FOREIGN, F_DUPFD_CLOEXEC, 10)); }
static int own_foreign(void) { return outcome(fcntl(FOREIGN, F_SETOWN, getppid())); }
static int reopen_foreign(void) {
  char text[32];
  snprintf(text, sizeof text, "/proc/self/fd/%d", FOREIGN);
  return outcome(open(text, O_WRONLY));
}
static int send_file_to_foreign(void) { return outcome(sendfile(FOREIGN, LIBRARY, NULL, 1)); }
static int write_own_pipe(void) {
  int ends[2];
  char byte = 'x';
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  if (write(ends[1], &byte, 1) != 1) return errno;
  return read(ends[0], &byte, 1) == 1 && byte == 'x' ? 0 : errno;
}
static int wake_own_counter(void) {
  int counter = eventfd(0, EFD_CLOEXEC), poll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, counter, &event) != 0 || eventfd_write(counter, 1) != 0) return errno;
  return epoll_wait(poll, &event, 1, 1000) == 1 ? 0 : ETIME;
}
static int open_many(void) {
  for (int i = 0; i < 100; i++) {
    if (dup(STDERR_FILENO) < 0) return errno;
  }
  return 0;
}
static int control(void) {
  int count;
  return outcome(ioctl(STDIN_FILENO, FIONREAD, &count));
}

static int send_reply(void) { return outcome(send(SOCKET, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT)); }
static int write_reply(void) { return outcome(write(SOCKET, "x", 1)); }
static int send_elsewhere(void) { return outcome(send(FOREIGN, "x", 1, MSG_NOSIGNAL)); }
static int send_to_name(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "nobody"};
  return outcome(sendto(SOCKET, "x", 1, MSG_NOSIGNAL, (struct sockaddr *)&name, sizeof name));
}
static int send_descriptor(void) {
  struct msghdr message = {0};
  return outcome(sendmsg(SOCKET, &message, MSG_NOSIGNAL));
}
static int connect_socket(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "nobody"};
  return outcome(connect(SOCKET, (struct sockaddr *)&name, sizeof name));
}
static int open_tcp(void) { return outcome(socket(AF_INET, SOCK_STREAM, 0)); }
static int open_udp(void) { return outcome(socket(AF_INET6, SOCK_DGRAM, 0)); }
static int open_netlink(void) { return outcome(socket(AF_NETLINK, SOCK_RAW, 0)); }
static int open_local(void) { return outcome(socket(AF_UNIX, SOCK_STREAM, 0)); }
static int open_pair(void) {
  int pair[2];
  return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

const action descriptor_actions[] = {
    {"write to the errors", write_out},
    {"write to a foreign descriptor", write_foreign},
    {"write to another foreign descriptor", write_further},
    {"write to the input", write_input},
    {"copy a foreign descriptor", copy_foreign},
    {"copy a foreign descriptor over the output", copy_foreign_on_output},
    {"copy a foreign descriptor by fcntl", copy_foreign_by_fcntl},
    {"give a foreign descriptor an owner", own_foreign},
    {"open a foreign descriptor anew", reopen_foreign},
    {"send a file to a foreign descriptor", send_file_to_foreign},
    {"write to an own pipe", write_own_pipe},
    {"wake by an own counter", wake_own_counter},
    {"open many descriptors", open_many},
    {"control a device", control},
    {"send on the socket", send_reply},
    {"write to the socket", write_reply},
    {"send on a foreign descriptor", send_elsewhere},
    {"send to a name", send_to_name},
    {"send a message with descriptors", send_descriptor},
    {"connect the socket", connect_socket},
    {"open a TCP socket", open_tcp},
    {"open a UDP socket", open_udp},
    {"open a netlink socket", open_netlink},
    {"open a local socket", open_local},
    {"open a pair of sockets", open_pair},
    {0},
};
