// The note in every engine library, see TESSERA_NOTE in tessera/tessera.h.

#ifndef TESSERA_NOTE_H
#define TESSERA_NOTE_H

#include <stdint.h>

// The ABI version in the note. The SDK's calls make a linker take the note from a static archive.
uint32_t tessera_note_abi_major(void);
uint32_t tessera_note_abi_minor(void);

#endif
