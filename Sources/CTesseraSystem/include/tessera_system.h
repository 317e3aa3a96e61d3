// What the host needs of Linux and Swift cannot say itself.
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H
#endif
