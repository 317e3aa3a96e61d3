// The note that the SDK puts into every engine library, see TESSERA_NOTE in tessera/tessera.h.

#ifndef TESSERA_NOTE_H
#define TESSERA_NOTE_H

#include <stdint.h>

// The ABI version that the library's note states. The SDK calls these, which is what makes a linker take the note's object out of
// a static archive.
uint32_t tessera_note_abi_major(void);
uint32_t tessera_note_abi_minor(void);

#endif
