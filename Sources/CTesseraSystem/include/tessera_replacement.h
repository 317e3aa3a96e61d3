// Replaces functions that loaded libraries import.
#ifndef TESSERA_REPLACEMENT_H
#define TESSERA_REPLACEMENT_H

#include <stddef.h>

typedef struct tessera_replacement {
  const char *name;
  void (*function)(void);
} tessera_replacement;

// Makes the loaded libraries call other functions instead of those that they import by name. The program itself, the C library and the
// loader keep theirs; with `only_engines`, so do the runtimes of languages.
void tessera_replace(const tessera_replacement *replacements, size_t count, int only_engines);

#endif
