#include "session.h"

#include "include/tesseragtk/tesseragtk.h"

#include <string.h>

G_DEFINE_QUARK(tessera-gtk-error-quark, tessera_gtk_error)

// MARK: Engines

enum { SECONDS = 5 }; // limit per call into an engine

tessera_engines *tg_engines(void) {
  static tessera_engines *engines;
  if (!engines) {
    engines = tessera_engines_create();
    tessera_engines_set_time_limit(engines, SECONDS);
    // Switching between a few layouts starts no new process.
    tessera_engines_set_kept_workers(engines, 3);
  }
  return engines;
}

// MARK: The thread

typedef enum { IDLE, QUEUED, RUNNING, FINISHED, LENT } tg_state;

struct tg_session {
  gatomicrefcount references;
  char *engine;
  GThread *thread;
  GMutex mutex;
  GCond changed;
  // Guarded by the mutex:
  tg_state state;
  gboolean is_awaited; // the main thread waits in tg_session_run
  gboolean is_released;
  tg_work work;
  tg_done done;
  void *data;
  GError *error;
  int32_t (*question)(void *data);
  void *question_data;
  int32_t answer;
  // Owned by the thread while it works, else by the main thread.
  tessera_engines *engines;
  tessera_session *session;
};

static void destroy(tg_session *self) {
  g_clear_pointer(&self->session, tessera_session_destroy);
  tessera_engines_destroy(self->engines);
  g_clear_error(&self->error);
  g_mutex_clear(&self->mutex);
  g_cond_clear(&self->changed);
  g_free(self->engine);
  g_free(self);
}

// Answers the thread's question, or calls `done` and returns true. Unlocks the mutex meanwhile.
static gboolean attend(tg_session *self) {
  gboolean has_finished = !self->question && self->state == FINISHED;
  int32_t (*question)(void *) = self->question, answer = 0;
  GError *error = has_finished ? g_steal_pointer(&self->error) : NULL;
  if (has_finished) self->state = IDLE;
  g_mutex_unlock(&self->mutex);
  if (question) answer = question(self->question_data);
  else if (has_finished) self->done(error, self->data);
  g_clear_error(&error);
  g_mutex_lock(&self->mutex);
  if (!question) return has_finished;
  self->answer = answer;
  self->question = NULL;
  g_cond_broadcast(&self->changed);
  return FALSE;
}

static gboolean attend_when_idle(void *data) {
  tg_session *self = data;
  g_mutex_lock(&self->mutex);
  gboolean has_finished = attend(self);
  g_mutex_unlock(&self->mutex);
  if (has_finished) tg_session_unref(self); // kept by tg_session_run
  return G_SOURCE_REMOVE;
}

// Wakes the main thread for a question or `done`. Unlocks the mutex first, as a woken thread would
// block on it, which is slow on a busy machine.
static void call_main(tg_session *self) {
  gboolean is_awaited = self->is_awaited;
  g_mutex_unlock(&self->mutex);
  if (is_awaited) g_cond_broadcast(&self->changed);
  else g_idle_add_full(GTK_PRIORITY_RESIZE - 1, attend_when_idle, tg_session_ref(self), (GDestroyNotify)tg_session_unref);
}

static void *serve(void *data) {
  tg_session *self = data;
  for (;;) {
    g_mutex_lock(&self->mutex);
    while (self->state != QUEUED && !self->is_released) g_cond_wait(&self->changed, &self->mutex);
    if (self->state != QUEUED) break;
    self->state = RUNNING;
    tg_work work = self->work;
    void *argument = self->data;
    g_mutex_unlock(&self->mutex);

    int32_t status = self->session ? 0 : tessera_session_create(self->engines, self->engine, &self->session);
    const char *message = status ? tessera_engines_message(self->engines) : NULL;
    if (!status && work && (status = work(self->session, argument))) message = tessera_session_message(self->session);

    g_mutex_lock(&self->mutex);
    self->error = status ? g_error_new_literal(TESSERA_GTK_ERROR, status, message) : NULL;
    self->state = FINISHED;
    call_main(self);
  }
  g_mutex_unlock(&self->mutex);
  destroy(self);
  return NULL;
}

tg_session *tg_session_new(const char *engine) {
  tg_session *self = g_new0(tg_session, 1);
  g_atomic_ref_count_init(&self->references);
  self->engine = g_strdup(engine);
  self->engines = tessera_engines_copy(tg_engines());
  g_mutex_init(&self->mutex);
  g_cond_init(&self->changed);
  self->thread = g_thread_new("tessera-session", serve, self);
  g_thread_unref(self->thread);
  return self;
}

tg_session *tg_session_ref(tg_session *self) {
  g_atomic_ref_count_inc(&self->references);
  return self;
}

void tg_session_unref(tg_session *self) {
  if (!self || !g_atomic_ref_count_dec(&self->references)) return;
  g_mutex_lock(&self->mutex);
  self->is_released = TRUE;
  g_cond_broadcast(&self->changed);
  g_mutex_unlock(&self->mutex);
}

gboolean tg_session_run(tg_session *self, gint64 patience, tg_work work, tg_done done, void *data) {
  gint64 deadline = g_get_monotonic_time() + patience;
  tg_session_ref(self); // until `done` was called
  g_mutex_lock(&self->mutex);
  g_assert(self->state == IDLE);
  self->work = work;
  self->done = done;
  self->data = data;
  self->state = QUEUED;
  self->is_awaited = TRUE;
  g_cond_broadcast(&self->changed);
  while (self->state != FINISHED && (self->question || g_cond_wait_until(&self->changed, &self->mutex, deadline))) {
    gint64 asked = g_get_monotonic_time();
    // Excludes the time in the program's callbacks.
    if (self->question) attend(self), deadline += g_get_monotonic_time() - asked;
  }
  self->is_awaited = FALSE;
  gboolean asks = self->question != NULL, has_finished = !asks && self->state == FINISHED && attend(self);
  if (asks) call_main(self);
  else g_mutex_unlock(&self->mutex);
  if (has_finished) tg_session_unref(self);
  return has_finished;
}

gboolean tg_session_is_busy(tg_session *self) {
  g_mutex_lock(&self->mutex);
  gboolean busy = self->state != IDLE;
  g_mutex_unlock(&self->mutex);
  return busy;
}

static void set_state(tg_session *self, tg_state state) {
  g_mutex_lock(&self->mutex);
  self->state = state;
  g_mutex_unlock(&self->mutex);
}

tessera_session *tg_session_lend(tg_session *self) {
  tessera_session *session = tg_session_get(self);
  if (session) set_state(self, LENT);
  return session;
}

void tg_session_return(tg_session *self) { set_state(self, IDLE); }

tessera_session *tg_session_get(tg_session *self) { return tg_session_is_busy(self) ? NULL : self->session; }

int32_t tg_session_ask_main(tg_session *self, int32_t (*question)(void *data), void *data) {
  g_mutex_lock(&self->mutex);
  self->question_data = data;
  self->question = question;
  call_main(self);
  g_mutex_lock(&self->mutex);
  while (self->question) g_cond_wait(&self->changed, &self->mutex);
  int32_t answer = self->answer;
  g_mutex_unlock(&self->mutex);
  return answer;
}
