
#ifndef TESSERA_BUILD_H
#define TESSERA_BUILD_H

// The commit of the sources, with "-dirty" after local changes; NULL if unknown.
const char *tessera_build_commit(void);

#endif
