#define _GNU_SOURCE
#include "tessera_sandbox.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

int32_t tessera_supervisor_receive(int32_t socket, tessera_sandbox_state *state, int32_t *listener) {
  // Exactly one descriptor: CMSG_SPACE would have room for two.
  char control[CMSG_LEN(sizeof(int))] __attribute__((aligned(sizeof(size_t)))) = {0};
  struct iovec data = {state, sizeof *state};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
  if (listener) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  const ssize_t count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  // An empty message looks like the end.
  if (count == 0) {
    struct pollfd entry = {socket, POLLRDHUP, 0};
    return poll(&entry, 1, 0) == 0 ? 0 : -1;
  }
  for (struct cmsghdr *header = listener ? CMSG_FIRSTHDR(&message) : NULL; header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) continue;
    if (*listener >= 0) close(*listener);
    memcpy(listener, CMSG_DATA(header), sizeof *listener);
  }
  return count == (ssize_t)sizeof *state && state->mark == TESSERA_SANDBOX_MARK ? 1 : 0;
}

// The kernel's structures may be larger than the headers'.
union notification {
  struct seccomp_notif call;
  char space[512];
};
union response {
  struct seccomp_notif_resp answer;
  char space[512];
};

void tessera_supervisor_permit(int32_t listener) {
  // Several threads can ask faster than one answers, and the caller has a deadline.
  for (int count = 0; count < 64; count++) {
    struct pollfd entry = {listener, POLLIN, 0};
    if (poll(&entry, 1, 0) != 1 || !(entry.revents & POLLIN)) return;
    union notification notification = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
      if (errno == EINTR) continue;
      return;
    }
    union response response = {.answer = {.id = notification.call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE}};
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
}

int32_t tessera_supervisor_answer(int32_t socket) {
  const char answer = 0;
  return send(socket, &answer, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : -1;
}

void tessera_supervisor_wait(int32_t socket, int32_t listener, int64_t nanoseconds) {
  struct pollfd entries[] = {{socket, POLLIN, 0}, {listener, POLLIN, 0}};
  const struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  (void)ppoll(entries, listener >= 0 ? 2 : 1, &timeout, NULL);
}

static long field(const char *text, const char *name) {
  const char *line = strstr(text, name);
  return line ? strtol(line + strlen(name), NULL, 10) : -1;
}

static int read_status(int32_t process, char *text, size_t size) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/status", (int)process);
  FILE *file = fopen(path, "re");
  if (!file) return -1;
  const size_t count = fread(text, 1, size - 1, file);
  fclose(file);
  text[count] = 0;
  return count > 0 ? 0 : -1;
}

int32_t tessera_supervisor_filters(int32_t process) {
  char own[8192], other[8192];
  if (read_status(getpid(), own, sizeof own) != 0 || read_status(process, other, sizeof other) != 0) return -1;
  const long before = field(own, "\nSeccomp_filters:"), after = field(other, "\nSeccomp_filters:");
  if (before < 0 || after < 0) return -1;
  return field(other, "\nSeccomp:") == 2 && field(other, "\nNoNewPrivs:") == 1 ? (int32_t)(after - before) : 0;
}
