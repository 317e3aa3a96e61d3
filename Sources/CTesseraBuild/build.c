#include "tessera_build.h"

#include <stddef.h>

#define TEXT(tokens) #tokens
#define TEXT_OF_VALUE(macro) TEXT(macro)

const char *tessera_build_commit(void) {
#ifdef TESSERA_COMMIT
  return TEXT_OF_VALUE(TESSERA_COMMIT);
#else
  return NULL;
#endif
}
