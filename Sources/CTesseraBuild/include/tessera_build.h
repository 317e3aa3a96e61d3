// The sources that this build was made from.

#ifndef TESSERA_BUILD_H
#define TESSERA_BUILD_H

// The commit, which ends with "-dirty" if files had been changed; NULL if the build was not told.
const char *tessera_build_commit(void);

#endif
