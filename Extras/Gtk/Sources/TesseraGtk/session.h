// A libtessera session on its own thread, so that a slow engine never blocks the main loop.

#ifndef TG_SESSION_H
#define TG_SESSION_H

#include <glib.h>
#include <tessera/tessera_host.h>

typedef struct tg_session tg_session;

// Runs on the session's thread. Returns a status.
typedef int32_t (*tg_work)(tessera_session *session, void *data);

// Runs on the main thread once per work; `error` is null for status 0.
typedef void (*tg_done)(const GError *error, void *data);

tg_session *tg_session_new(const char *engine);
tg_session *tg_session_ref(tg_session *self);
// Never waits for a hanging engine.
void tg_session_unref(tg_session *self);

// Runs work and waits up to `patience` microseconds. Returns true if `done` was called already;
// otherwise the main loop calls it later. There must be no other work. Null work only starts the
// engine.
gboolean tg_session_run(tg_session *self, gint64 patience, tg_work work, tg_done done, void *data);

gboolean tg_session_is_busy(tg_session *self);

// The session for main-thread calls that ask no engine; null before the first work, or while busy.
tessera_session *tg_session_get(tg_session *self);

// Lends the session to read-only work of another one; null if busy. It is busy until the main
// thread returns it.
tessera_session *tg_session_lend(tg_session *self);
void tg_session_return(tg_session *self);

// Runs a function on the main thread and returns its result, or a failure if the session has been
// released. Call it on the session's thread.
int32_t tg_session_ask_main(tg_session *self, int32_t (*function)(void *data), void *data);

tessera_engines *tg_engines(void);

#endif
