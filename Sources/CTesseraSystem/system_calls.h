// What the sandbox does about each system call that it knows.
#ifndef TESSERA_SYSTEM_CALLS_H
#define TESSERA_SYSTEM_CALLS_H

#include <stdint.h>

typedef enum tessera_call_rule {
  TESSERA_CALL_ALLOWED,
  TESSERA_CALL_FATAL,       // ends the process
  TESSERA_CALL_DENIED,      // EPERM
  TESSERA_CALL_CLOSED,      // EACCES, as a file that is not one's own
  TESSERA_CALL_MISSING,     // ENOSYS, so that a library falls back on an older call
  TESSERA_CALL_NO_TERMINAL, // ENOTTY
  TESSERA_CALL_OPEN,        // to read only; the flags are argument 1
  TESSERA_CALL_OPENAT,      // to read only; the flags are argument 2
  TESSERA_CALL_WRITE,       // to descriptors of one's own
  TESSERA_CALL_CLOSE,       // all but the one socket
  TESSERA_CALL_DUPLICATE,   // of descriptors of one's own
  TESSERA_CALL_DUPLICATE_TO, // the same, to a number that is not the socket's
  TESSERA_CALL_FCNTL,       // flags, and duplicates as above
  TESSERA_CALL_MESSAGE,     // on the one socket, to nobody by name
  TESSERA_CALL_SOCKET,      // refused politely for a local one, which a name service tries
  TESSERA_CALL_MAP,         // only what the limit of data counts
  TESSERA_CALL_CLONE,       // threads
  TESSERA_CALL_SIGNAL,      // to oneself
  TESSERA_CALL_SIGACTION,   // but for SIGSYS
  TESSERA_CALL_LIMIT,       // reading one's own
  TESSERA_CALL_PRCTL,       // names
  TESSERA_CALL_SECCOMP,     // another filter for all threads
} tessera_call_rule;

typedef struct tessera_system_call {
  const char *name;
  int32_t number;
  tessera_call_rule rule;
} tessera_system_call;

// Those that depend on arguments and are called often come first. Any other call is TESSERA_CALL_MISSING.
extern const tessera_system_call tessera_system_calls[];
extern const uint32_t tessera_system_call_count;

#endif
