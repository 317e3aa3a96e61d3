// A thread calls the host's functions at the same time as the engine's own thread, and after its
// call has returned. It sets the size that six rows really have: only its timing is hostile.

#include "hostile.h"
#include <pthread.h>

static hostile_call given;

static void *talk(void *nothing) {
  for (;;) {
    given.host->report(given.host, TESSERA_OK, "from another thread");
    given.out->set_content_size(given.out, (tessera_size){375, 300});
  }
  return nothing;
}

static tessera_status attack(const hostile_call *call) {
  given = *call;
  pthread_t thread;
  if (pthread_create(&thread, NULL, talk, NULL) != 0) return TESSERA_ERROR_FAILED;
  for (int i = 0; i < 10000; i++) call->host->report(call->host, TESSERA_OK, "from its own thread");
  return TESSERA_OK;
}

HOSTILE("thread-calls-host", .prepare = attack)
