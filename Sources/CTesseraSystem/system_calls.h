// The sandbox's rule for each system call.
#ifndef TESSERA_SYSTEM_CALLS_H
#define TESSERA_SYSTEM_CALLS_H

#include <stdint.h>

typedef enum tessera_call_rule {
  TESSERA_CALL_ALLOWED,
  TESSERA_CALL_FATAL,       // ends the process
  TESSERA_CALL_DENIED,      // fails with EPERM
  TESSERA_CALL_CLOSED,      // fails with EACCES, as for another user's file
  TESSERA_CALL_MISSING,     // fails with ENOSYS, so that a library falls back on an older call
  TESSERA_CALL_NO_TERMINAL, // fails with ENOTTY
  TESSERA_CALL_OPEN,        // only for reading; the flags are argument 1
  TESSERA_CALL_OPENAT,      // only for reading; the flags are argument 2
  TESSERA_CALL_WRITE,       // only to descriptors that are not foreign, see seccomp.c
  TESSERA_CALL_CLOSE,       // all descriptors except the socket
  TESSERA_CALL_DUPLICATE,   // only descriptors that are not foreign
  TESSERA_CALL_DUPLICATE_TO, // the same, but not to the number of the socket
  TESSERA_CALL_FCNTL,       // only reading and setting flags, and duplicating as above
  TESSERA_CALL_MESSAGE,     // only on the socket, and without an address
  TESSERA_CALL_SOCKET,      // fails for a local socket, which name services try to open; ends the process for others
  TESSERA_CALL_MAP,         // files, and anonymous memory that counts towards the data limit
  TESSERA_CALL_CLONE,       // only threads
  TESSERA_CALL_SIGNAL,      // only to this process
  TESSERA_CALL_SIGACTION,   // not for SIGSYS
  TESSERA_CALL_LIMIT,       // only reading the limits of this process
  TESSERA_CALL_CLOCK,       // only the system's clocks, and those of the processor time of this process and its threads
  TESSERA_CALL_SELF,        // only about this process; fails with ENOSYS for others, and for threads, whose numbers no filter knows
  TESSERA_CALL_PRIORITY,    // the same; the process is argument 1
  TESSERA_CALL_PRCTL,       // only names of threads and memory
  TESSERA_CALL_SECCOMP,     // only adding a filter for all threads
} tessera_call_rule;

typedef struct tessera_system_call {
  const char *name;
  int32_t number;
  tessera_call_rule rule;
} tessera_system_call;

// Calls that are frequent or whose rules depend on arguments come first. The rule for calls that are not listed is TESSERA_CALL_MISSING.
extern const tessera_system_call tessera_system_calls[];
extern const uint32_t tessera_system_call_count;

#endif
