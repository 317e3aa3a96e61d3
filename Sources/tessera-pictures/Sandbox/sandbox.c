// The engines' sandbox, compiled into this program too: the rest of its module needs libffi.
#include "../../CTesseraSystem/sandbox.c"
