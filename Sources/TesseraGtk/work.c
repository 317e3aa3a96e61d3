// What the session does for a view: one piece of work at a time, on the session's thread. The view waits for a few milliseconds, which
// nearly all work takes at most, so that it has the result in the same frame; else it goes on with what it shows.

#include "work.h"

#include <stddef.h>
#include <string.h>

enum {
  PATIENCE = 6000,  // microseconds, of work
  ANSWERED = 80000, // the same, of a question that a key or the pointer asks
  GATHERING = 4000, // of each turn of the main loop
};

static void job_free(tg_job *job) {
  g_clear_pointer(&job->near_runs, g_array_unref);
  g_clear_pointer(&job->near_frames, g_array_unref);
  g_clear_pointer(&job->settings, g_ptr_array_unref);
  g_clear_pointer(&job->values, g_ptr_array_unref);
  g_clear_pointer(&job->counts, g_array_unref);
  g_clear_pointer(&job->edits, g_array_unref);
  g_clear_pointer(&job->resized, g_array_unref);
  if (job->before) tg_session_return(job->lender);
  g_clear_pointer(&job->lender, tg_session_unref);
  g_free(job->from);
  g_free(job->to);
  g_free(job->fates);
  g_object_unref(job->layout);
  g_object_unref(job->view);
  g_free(job);
}

// MARK: On the session's thread

static int32_t supply(void *context, tessera_session *session) {
  tg_job *job = context;
  int32_t status = 0;
  for (guint i = 0; job->values && i < job->values->len && !status; i++) {
    tg_values *values = job->values->pdata[i];
    uint64_t stride = values->components * sizeof(double);
    if (values->choices && values->is_splice)
      status = tessera_session_splice_value_choices(session, values->scope, values->name, values->place, values->removed,
                                                    (const char *const *)values->choices, values->count, sizeof(char *));
    else if (values->choices)
      status = tessera_session_set_value_choices(session, values->scope, values->name, (const char *const *)values->choices, values->count,
                                                 sizeof(char *));
    else if (values->is_splice)
      status = tessera_session_splice_values(session, values->scope, values->name, values->place, values->removed, values->numbers,
                                             values->components, values->count, stride);
    else if (values->count)
      status = tessera_session_set_values(session, values->scope, values->name, values->numbers, values->components, values->count, stride);
  }
  return status ? status : tg_layout_apply(job->settings, session, job->counts->len);
}

static int32_t set_viewport(tg_job *job, tessera_session *session) {
  int32_t status = tessera_session_set_bounds(session, job->bounds[0], job->bounds[1]);
  if (!status) status = tessera_session_set_scale(session, job->scale);
  if (!status) status = tessera_session_set_direction(session, job->direction);
  return status;
}

static int32_t change(tg_job *job, tessera_session *session) {
  int32_t status = tg_layout_set_functions(job->layout, session);
  if (!status && (job->needs & (TG_SETTINGS | TG_RESET | TG_SWITCH))) status = set_viewport(job, session);
  if (status) return status;
  const uint64_t *counts = (const uint64_t *)(gpointer)job->counts->data;
  if (job->needs & (TG_RESET | TG_SWITCH)) {
    status = tessera_session_set_sections(session, counts, job->counts->len);
    if (!status) status = supply(job, session);
    return status;
  }
  if (!(job->needs & TG_UPDATE)) return tg_layout_apply(job->settings, session, job->counts->len);
  status = tessera_session_update_visible(session, (const tessera_edit *)(gpointer)job->edits->data, job->edits->len, counts,
                                          job->counts->len, supply, job, &job->track_count);
  if (!status) status = tessera_session_offset(session, &job->offset[0], &job->offset[1]);
  return status;
}

static int32_t copy_tracks(tg_job *job, tessera_session *session) {
  job->from = g_new(tessera_element, job->track_count + 1);
  job->to = g_new(tessera_element, job->track_count + 1);
  job->fates = g_new(uint32_t, job->track_count + 1);
  return tessera_session_copy_tracks(session, 0, job->from, job->to, job->fates, sizeof *job->from, job->track_count, &job->track_count);
}

static int32_t perform(tessera_session *session, void *data) {
  tg_job *job = data;
  int32_t status = tessera_session_set_offset(session, job->offset[0], job->offset[1]);
  if (!status && job->cancels_drag) status = tessera_session_drag_cancel(session);
  if (!status && job->needs & ~(TG_QUERY | TG_DRAG | TG_ANIMATE)) status = change(job, session);
  if (!status && job->picks_up) status = tessera_session_drag_begin(session, job->dragged[0], job->dragged[1]);
  if (!status && job->needs & TG_DRAG && !job->cancels_drag)
    status = tessera_session_drag_to(session, job->held[0], job->held[1], job->target, job->target + 1);
  for (guint i = 0; !status && job->resized && i < job->resized->len; i++) {
    tg_key key = g_array_index(job->resized, tg_key, i);
    guint section = key.section, item = 0;
    if (!key.kind) section = tg_section_of(job->counts, key.index, &item);
    tg_layout_measure_again(job->layout, session, key.kind ? g_quark_to_string(key.kind) : NULL, section, item);
  }
  if (!status && job->reveals) {
    double x, y;
    if (!tessera_session_offset_revealing(session, job->revealed[0], job->revealed[1], TESSERA_HOST_PLACEMENT_START, &x, &y))
      status = tessera_session_set_offset(session, job->offset[0] = x, job->offset[1] = y);
  }
  // A transition that fails, such as from an engine that has died, is shown without tracks.
  if (!status && job->before && tessera_session_transition_visible(session, job->before, &job->track_count)) job->track_count = 0;
  if (!status && job->track_count) status = copy_tracks(job, session);
  if (status) return status;
  // A scroll step asks for a screen around what is in sight, which the next steps need, unless elements depend on the offset.
  gboolean asks_near = job->asks_near && !tessera_session_attribute_count(session) &&
                       !(tessera_session_needs(session) & (TESSERA_HOST_NEEDS_SCROLLING | TESSERA_HOST_NEEDS_MEASURING));
  double rect[4], *near = job->near_rect;
  for (int axis = 0; axis < 2; axis++) {
    double over = job->overscan + (asks_near ? job->bounds[axis] : 0);
    rect[axis] = near[axis] = job->offset[axis] - over;
    rect[axis + 2] = job->bounds[axis] + 2 * over;
    near[axis + 2] = near[axis] + rect[axis + 2];
  }
  tessera_columns *columns = &job->columns;
  status = tessera_session_query_columns(session, asks_near || job->overscan ? rect : NULL, columns, sizeof *columns);
  if (status || !asks_near) return status;
  job->near_runs = g_array_new(FALSE, FALSE, sizeof *columns->runs);
  job->near_frames = g_array_new(FALSE, FALSE, 4 * sizeof *columns->frames);
  g_array_append_vals(job->near_runs, columns->runs, (guint)columns->run_count);
  g_array_append_vals(job->near_frames, columns->frames, (guint)columns->count);
  return 0;
}

// MARK: The work

static void done(const GError *error, void *data) {
  tg_job *job = data;
  TesseraGtkView *self = job->view;
  if (self->job == job) self->job = NULL;
  g_clear_handle_id(&self->hang, g_source_remove);
  gboolean is_current = self->layout == job->layout && self->elements;
  if (!is_current) {
    // The view has gone on without it.
  } else if (error) {
    // Edits that the session does not understand are replaced by all of the model.
    if (error->code == TESSERA_HOST_ERROR_INVALID && job->edits && job->edits->len) self->needs |= TG_RESET | TG_SETTINGS;
    else tg_view_fail(self, error);
  } else if (job->needs && (self->segments || self->section_segments)) {
    // The model has changed since: positions are others, and the next work is of those.
    if (job->needs & ~TG_QUERY) {
      g_array_unref(self->counts);
      self->counts = g_steal_pointer(&job->counts);
      self->needs |= job->needs & (TG_ANIMATE | TG_SETTINGS);
    }
  } else if (job->needs) {
    tg_view_hide_bar(self);
    if (job->near_runs && !self->near_runs) {
      self->near_runs = g_steal_pointer(&job->near_runs), self->near_frames = g_steal_pointer(&job->near_frames);
      memcpy(self->near_rect, job->near_rect, sizeof job->near_rect);
      self->content[0] = job->columns.content_width, self->content[1] = job->columns.content_height;
      tg_view_take_near(self, job);
    }
    if (job->needs != TG_QUERY) self->has_retried = FALSE;
    if (job->needs & TG_DRAG && self->drag_is_active) {
      // The session has the item at its target already; the model does not.
      g_array_index(job->counts, uint64_t, job->dragged[0])--;
      g_array_index(job->counts, uint64_t, job->target[0])++;
      guint drop = tg_first_of_section(job->counts, job->target[0]) + (guint)job->target[1];
      if (drop == self->drop) job->needs = TG_QUERY;
      self->drop = drop;
    }
    if (job->needs & TG_SWITCH) g_clear_object(&self->layout_before);
    tg_view_show_result(self, job);
    self->shown = job->layout;
    if (!self->is_allocating) gtk_widget_queue_allocate(GTK_WIDGET(self));
    g_signal_emit(self, tg_signal_visible_range_changed, 0);
  }
  g_object_ref(self);
  job_free(job);
  if (self->layout && self->needs && !self->failure) tg_view_need(self, 0);
  tg_view_watch_engine(self);
  g_object_unref(self);
}

static int32_t nothing(tessera_session *session, void *data) { return 0; }

// Gathers the values that the work needs; returns whether all are there.
static gboolean gather(TesseraGtkView *self) {
  if (!(self->needs & (TG_RESET | TG_UPDATE | TG_SWITCH))) return TRUE;
  if (!self->gatherings) self->gatherings = tg_view_gather(self, self->needs & (TG_RESET | TG_SWITCH));
  gint64 deadline = g_get_monotonic_time() + GATHERING;
  for (guint i = 0; i < self->gatherings->len; i++)
    if (!tg_gathering_go_on(self->gatherings->pdata[i], self->items, MAX(deadline - g_get_monotonic_time(), 500))) return FALSE;
  return TRUE;
}

static gboolean work_when_idle(void *data) {
  TesseraGtkView *self = data;
  self->idle = 0;
  tg_view_work(self);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
  return G_SOURCE_REMOVE;
}

static void work_later(TesseraGtkView *self) {
  if (!self->idle) self->idle = g_idle_add_full(GTK_PRIORITY_RESIZE - 5, work_when_idle, self, NULL);
}

void tg_view_forget_work(TesseraGtkView *self) {
  g_clear_pointer(&self->gatherings, g_ptr_array_unref);
  g_clear_handle_id(&self->idle, g_source_remove);
  g_clear_handle_id(&self->retry, g_source_remove);
  g_clear_handle_id(&self->hang, g_source_remove);
  g_clear_handle_id(&self->watch, g_source_remove);
  g_clear_error(&self->failure);
  g_clear_pointer(&self->resized, g_array_unref);
  tg_view_forget_near(self);
  self->has_retried = FALSE;
}

void tg_view_need(TesseraGtkView *self, tg_needs needs) {
  // What was gathered is of the model before this change.
  if (needs & (TG_UPDATE | TG_RESET | TG_SWITCH)) g_clear_pointer(&self->gatherings, g_ptr_array_unref);
  self->needs |= needs;
  if (needs & ~TG_QUERY) g_clear_error(&self->failure);
  work_later(self);
}

// Which item is kept in sight when the layout is switched.
static gboolean find_revealed(TesseraGtkView *self, uint64_t revealed[2]) {
  guint first, item;
  if ((self->offset[0] == 0 && self->offset[1] == 0) || !tessera_gtk_view_get_visible_range(self, &first, &item)) return FALSE;
  revealed[0] = tg_view_section_of(self, first, &item);
  revealed[1] = item;
  return TRUE;
}

void tg_view_work(TesseraGtkView *self) {
  if (self->job || self->is_binding || !self->needs || self->failure || !self->layout || !self->items) return;
  if (self->bounds[0] <= 0 || self->bounds[1] <= 0) return;
  tg_session *session = tg_layout_get_session(self->layout);
  if (tg_session_is_busy(session)) return;
  tg_job *job = g_new0(tg_job, 1);
  job->view = g_object_ref(self);
  job->layout = g_object_ref(self->layout);
  job->session = session;
  job->bounds[0] = self->bounds[0], job->bounds[1] = self->bounds[1];
  job->offset[0] = self->offset[0], job->offset[1] = self->offset[1];
  job->overscan = self->overscan;
  self->job = job;
  tg_work work = perform;
  if (!tg_session_get(session)) {
    // The engine starts first: it says which values it reads.
    work = nothing;
  } else if (!gather(self)) {
    self->job = NULL;
    job_free(job);
    work_later(self);
    return;
  } else {
    job->needs = self->needs;
    job->resized = g_steal_pointer(&self->resized);
    job->asks_near = self->is_plain && job->needs == TG_QUERY;
    gboolean all = job->needs & (TG_RESET | TG_SWITCH);
    if (all) job->needs &= ~(tg_needs)TG_UPDATE;
    if (job->needs & TG_QUERY && job->needs != TG_QUERY) job->needs &= ~(tg_needs)TG_QUERY;
    self->needs = 0;
    job->scale = gtk_widget_get_scale_factor(GTK_WIDGET(self));
    job->direction = gtk_widget_get_direction(GTK_WIDGET(self)) == GTK_TEXT_DIR_RTL ? TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT
                                                                                    : TESSERA_HOST_DIRECTION_LEFT_TO_RIGHT;
    job->settings = tg_layout_take_changes(self->layout, all);
    job->counts = job->needs == TG_QUERY ? g_array_ref(self->counts) : tg_view_count_sections(self);
    if (job->needs & TG_UPDATE) job->edits = tg_view_edits(self, job->counts);
    job->values = g_ptr_array_new_with_free_func((GDestroyNotify)tg_values_free);
    for (guint i = 0; self->gatherings && i < self->gatherings->len; i++) {
      GPtrArray *values = tg_gathering_finish(self->gatherings->pdata[i]);
      g_ptr_array_extend_and_steal(job->values, values);
    }
    if (self->gatherings) {
      g_ptr_array_set_free_func(self->gatherings, NULL);
      g_clear_pointer(&self->gatherings, g_ptr_array_unref);
    }
    if (job->needs & (TG_UPDATE | TG_RESET | TG_SWITCH)) {
      tg_view_forget_changes(self);
      g_array_unref(self->sent);
      self->sent = g_array_ref(job->counts);
    }
    if (!self->drag_is_active) job->needs &= ~(tg_needs)TG_DRAG;
    if (all) self->drop = GTK_INVALID_LIST_POSITION;
    job->cancels_drag = self->session_holds && !all && !(job->needs & TG_DRAG);
    job->picks_up = job->needs & TG_DRAG && !self->session_holds;
    self->session_holds = job->needs & TG_DRAG || (self->session_holds && !all && !job->cancels_drag);
    if (job->needs & TG_DRAG) {
      guint item;
      job->dragged[0] = tg_section_of(self->sent, self->dragged, &item), job->dragged[1] = item;
      job->held[0] = self->held[0], job->held[1] = self->held[1];
    }
    if (job->needs & TG_SWITCH) {
      job->reveals = find_revealed(self, job->revealed);
      if (self->layout_before && gtk_widget_get_mapped(GTK_WIDGET(self))) {
        job->lender = tg_session_ref(tg_layout_get_session(self->layout_before));
        job->before = tg_session_lend(job->lender);
      }
    }
  }
  g_object_ref(self);
  gboolean is_known = tg_view_take_near(self, job);
  if (!is_known) tg_view_forget_near(self);
  if (is_known) done(NULL, job);
  else if (!tg_session_run(session, PATIENCE, work, done, job) && !self->hang) self->hang = g_timeout_add(TG_HANG, tg_view_say_that_it_hangs, self);
  if (work == nothing && !self->job && !self->failure) tg_view_work(self);
  g_object_unref(self);
}

typedef struct {
  TesseraGtkView *view;
  gpointer answer; // null when nobody waits for it any more
  gsize size;
  gboolean is_answered;
  max_align_t copy[];
} tg_asking;

static void asked(const GError *error, void *data) {
  tg_asking *asking = (tg_asking *)(gpointer)((char *)data - offsetof(tg_asking, copy));
  if (!asking->answer) {
    // Work that came meanwhile found the session busy.
    if (asking->view->needs) tg_view_need(asking->view, 0);
    tg_view_watch_engine(asking->view);
    g_object_unref(asking->view);
    g_free(asking);
    return;
  }
  asking->is_answered = !error;
  memcpy(asking->answer, asking->copy, asking->size);
  asking->answer = NULL;
}

gboolean tg_view_ask(TesseraGtkView *self, tg_work work, gpointer data, gsize size) {
  tg_session *session = self->layout ? tg_layout_get_session(self->layout) : NULL;
  if (!session || !tg_session_get(session) || self->failure) return FALSE;
  tg_asking *asking = g_malloc0(sizeof *asking + size);
  asking->view = g_object_ref(self);
  asking->answer = data;
  asking->size = size;
  memcpy(asking->copy, data, size);
  if (!tg_session_run(session, ANSWERED, work, asked, asking->copy)) {
    asking->answer = NULL;
    return FALSE;
  }
  gboolean is_answered = asking->is_answered;
  g_object_unref(self);
  g_free(asking);
  return is_answered;
}
