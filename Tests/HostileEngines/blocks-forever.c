// Waits for a lock that it holds itself, with every signal blocked.

#include "hostile.h"
#include <pthread.h>
#include <signal.h>

static tessera_status attack(const hostile_call *call) {
  (void)call;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return TESSERA_OK;
}

HOSTILE("blocks-forever", .WHERE = attack)
