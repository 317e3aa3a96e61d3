// What a program does in the sandbox. Each action has a harmless target, so that it does no damage where the sandbox fails.
#ifndef PRISONER_H
#define PRISONER_H

#include "tessera_sandbox.h"

#include <stdint.h>

enum {
  SOCKET = 3,  // the one that may be sent on
  LIBRARY = 4, // a sealed memfd that holds a library
  FOREIGN = 5, // a pipe that does not belong to the prisoner
  PEER = 6,    // the other end of the socket
  FURTHER = 8, // as FOREIGN; before it a number is free
};

typedef struct action {
  const char *name;
  int (*run)(void); // 0, or an errno
} action;

extern const char *open_folder;   // may be read; holds the file "open"
extern const char *closed_folder; // may not; holds the file "closed"

extern const action file_actions[], process_actions[], memory_actions[], descriptor_actions[], hostile_actions[];

// Asks the keeper to permit no more code. 0, or an errno.
int forbid_new_code(void);

// The errno of a call that answered with -1, else 0.
int outcome(long result);

#endif
