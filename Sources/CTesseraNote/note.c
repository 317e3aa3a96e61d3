#include "tessera_note.h"

#include <tessera/tessera.h>

TESSERA_NOTE;

uint32_t tessera_note_abi_major(void) { return tessera_abi_note.abi_major; }

uint32_t tessera_note_abi_minor(void) { return tessera_abi_note.abi_minor; }
