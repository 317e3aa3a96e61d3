// A session of libtessera with a thread of its own, so that an engine that is slow or hangs does not block the main loop.

#ifndef TG_SESSION_H
#define TG_SESSION_H

#include <glib.h>
#include <tessera/tessera_host.h>

typedef struct tg_session tg_session;

// Runs on the session's thread. Returns a status.
typedef int32_t (*tg_work)(tessera_session *session, void *data);

// Runs on the main thread, once for each work, with its status; `error` is null if that is 0.
typedef void (*tg_done)(const GError *error, void *data);

// Creates one whose engine starts with the first work.
tg_session *tg_session_new(const char *engine);
tg_session *tg_session_ref(tg_session *self);
// Whoever releases the last reference does not wait for an engine that hangs.
void tg_session_unref(tg_session *self);

// Runs work, and waits for it for up to `patience` microseconds. Returns whether `done` was called already; if not, it is called in a
// later turn of the main loop. There must be no other work. Work that is null only starts the engine.
gboolean tg_session_run(tg_session *self, gint64 patience, tg_work work, tg_done done, void *data);

gboolean tg_session_is_busy(tg_session *self);

// The session, for calls of the main thread that ask no engine; null before the first work has created it, or while work is being done.
tessera_session *tg_session_get(tg_session *self);

// Lends the session to work of another one, which only reads it; null if it is busy. It is busy until it is returned, on the main thread.
tessera_session *tg_session_lend(tg_session *self);
void tg_session_return(tg_session *self);

// Called by work on the session's thread: runs a function on the main thread and returns its result, or a failure if the session has been
// released.
int32_t tg_session_ask_main(tg_session *self, int32_t (*function)(void *data), void *data);

// Where engines are found and how they run, for sessions made later.
tessera_engines *tg_engines(void);

#endif
