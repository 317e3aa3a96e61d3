// A thread keeps writing the rows after prepare has returned, alternating valid and invalid values.

#include "hostile.h"
#include <pthread.h>

static void *scribble(void *rows) {
  volatile tessera_rect *frame = (volatile tessera_rect *)rows;
  for (;;) {
    frame[3].width = NAN;
    frame[3].width = 375;
  }
  return NULL;
}

static tessera_status attack(const hostile_call *call) {
  pthread_t thread;
  pthread_create(&thread, NULL, scribble, call->rows->frame);
  return TESSERA_OK;
}

HOSTILE("keeps-writing", .filled = attack)
