// Sets an invalid content size: SIZE.

#include "hostile.h"

#ifndef SIZE
#define SIZE NAN, 10
#endif

static tessera_status attack(const hostile_call *call) {
  call->out->set_content_size(call->out, (tessera_size){SIZE});
  return TESSERA_OK;
}

HOSTILE("odd-content-size", .filled = attack)
