// Jobs of a view, one at a time on the session's thread. The view waits a few milliseconds, enough
// for nearly all jobs to finish in the same frame; otherwise it continues with the old elements.

#include "view.h"

#include <glib-unix.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
  PATIENCE = 6000,  // microseconds to wait per turn of the main loop
  GATHERING = 4000, // microseconds per turn of the main loop
};

struct tg_job {
  TesseraGtkView *view;
  tg_session *session;
  tg_session *lender; // the previous layout's session
  tessera_session *before;
  TesseraGtkLayout *layout;
  tg_needs needs;
  double bounds[2], offset[2], scale;
  gboolean asks_near;
  tessera_host_direction direction;
  GPtrArray *settings, *gatherings;
  GArray *counts, *edits, *resized;
  // Distance from the right edge, the start of right-to-left content; negative: ask the session.
  double from_start;
  uint64_t revealed[2]; // section and item to keep in sight on a switch
  gboolean reveals;
  // Section and item of the held element, in the model and the session.
  uint64_t dragged[2], target[2];
  double held[2];
  gboolean picks_up, cancels_drag;
  // Results:
  tessera_columns columns;
  double near_rect[4];
  GArray *near_runs, *near_frames;
  tessera_element *from, *to;
  uint32_t *fates;
  uint64_t track_count;
};

static void job_free(tg_job *job) {
  g_clear_pointer(&job->near_runs, g_array_unref);
  g_clear_pointer(&job->near_frames, g_array_unref);
  g_clear_pointer(&job->settings, g_ptr_array_unref);
  g_clear_pointer(&job->gatherings, g_ptr_array_unref);
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
  for (guint i = 0; job->gatherings && i < job->gatherings->len && !status; i++)
    status = tg_gathering_send(job->gatherings->pdata[i], session);
  return status ? status : tg_layout_apply(job->settings, session, job->counts->len);
}

static int32_t change(tg_job *job, tessera_session *session) {
  int32_t status = tg_layout_set_functions(job->layout, session);
  if (job->needs & (TG_SETTINGS | TG_RESET | TG_SWITCH)) {
    if (!status) status = tessera_session_set_bounds(session, job->bounds[0], job->bounds[1]);
    if (!status) status = tessera_session_set_scale(session, job->scale);
    if (!status) status = tessera_session_set_direction(session, job->direction);
  }
  if (status) return status;
  const uint64_t *counts = (const uint64_t *)(gpointer)job->counts->data;
  if (job->needs & (TG_RESET | TG_SWITCH)) {
    status = tessera_session_set_sections(session, counts, job->counts->len);
    return status ? status : supply(job, session);
  }
  if (!(job->needs & TG_UPDATE)) return tg_layout_apply(job->settings, session, job->counts->len);
  status = tessera_session_update_visible(session, (const tessera_edit *)(gpointer)job->edits->data, job->edits->len, counts,
                                          job->counts->len, supply, job, &job->track_count);
  return status ? status : tessera_session_offset(session, &job->offset[0], &job->offset[1]);
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
    uint64_t section = key.section, item = 0;
    if (!key.kind) section = tg_section_of(job->counts, key.index, &item);
    double proposed[2], size[2];
    tg_measuring measuring = {job->layout, key.kind ? g_quark_to_string(key.kind) : NULL, section, item, proposed, size};
    // The model may have lost the item.
    if (!tessera_session_proposed_size(session, measuring.kind, section, item, proposed, proposed + 1) &&
        !tg_session_ask_main(job->session, tg_view_measure, &measuring))
      tessera_session_set_measured(session, measuring.kind, section, item, size, 1);
  }
  if (!status && job->reveals) {
    double x, y;
    if (!tessera_session_offset_revealing(session, job->revealed[0], job->revealed[1], TESSERA_HOST_PLACEMENT_START, &x, &y))
      status = tessera_session_set_offset(session, job->offset[0] = x, job->offset[1] = y);
  }
  if (!status && job->from_start >= 0 && !job->reveals) {
    status = tessera_session_query_columns(session, NULL, &job->columns, sizeof job->columns);
    job->offset[0] = MAX(job->columns.content_width - job->bounds[0] - job->from_start, 0);
    if (!status) status = tessera_session_set_offset(session, job->offset[0], job->offset[1]);
  }
  // If a transition fails, for example because the old engine died, there are no tracks.
  if (!status && job->before && tessera_session_transition_visible(session, job->before, &job->track_count)) job->track_count = 0;
  if (!status && job->track_count) status = copy_tracks(job, session);
  if (status) return status;
  // Elements may depend on the offset.
  gboolean asks_near = job->asks_near && !tessera_session_attribute_count(session) &&
                       !(tessera_session_needs(session) & (TESSERA_HOST_NEEDS_SCROLLING | TESSERA_HOST_NEEDS_MEASURING));
  tessera_columns *columns = &job->columns;
  status = tessera_session_query_columns(session, asks_near ? job->near_rect : NULL, columns, sizeof *columns);
  if (status || !asks_near) return status;
  job->near_runs = g_array_new(FALSE, FALSE, sizeof *columns->runs);
  job->near_frames = g_array_new(FALSE, FALSE, 4 * sizeof *columns->frames);
  g_array_append_vals(job->near_runs, columns->runs, (guint)columns->run_count);
  g_array_append_vals(job->near_frames, columns->frames, (guint)columns->count);
  return 0;
}

// MARK: What is near

// Leaving the known area prefetches some screens in the direction of scrolling. A jump doesn't.
static void ask_near(TesseraGtkView *self, tg_job *job) {
  job->asks_near = self->is_plain && job->needs == TG_QUERY;
  for (int axis = 0; axis < 2; axis++) {
    double size = job->bounds[axis], start = job->offset[axis], end = start + size;
    double known_start = self->near_rect[axis], known_end = known_start + self->near_rect[axis + 2];
    if (end <= known_start || known_end <= start) job->asks_near = FALSE;
    job->near_rect[axis] = start - size * (start < known_start ? 2.5 : 0.5);
    job->near_rect[axis + 2] = end + size * (end > known_end ? 2.5 : 0.5) - job->near_rect[axis];
  }
  for (int i = 0; i < 4; i++) self->near_rect[i] = job->asks_near ? job->near_rect[i] : i < 2 ? job->offset[i] : job->bounds[i - 2];
}

static gboolean take_near(TesseraGtkView *self, tg_job *job) {
  if (job->needs != TG_QUERY || !self->near_runs) return FALSE;
  double sight[4];
  for (int axis = 0; axis < 2; axis++) {
    sight[axis] = job->offset[axis];
    sight[axis + 2] = job->offset[axis] + job->bounds[axis];
    if (sight[axis] < self->near_rect[axis] || sight[axis + 2] > self->near_rect[axis] + self->near_rect[axis + 2]) return FALSE;
  }
  GArray *runs = g_array_set_size(self->runs, 0), *frames = g_array_set_size(self->frames, 0);
  const double *frame = (const double *)(gpointer)self->near_frames->data;
  for (guint i = 0; i < self->near_runs->len; i++) {
    tessera_element_run whole = g_array_index(self->near_runs, tessera_element_run, i), part = whole;
    part.count = 0;
    for (uint64_t item = whole.first_item; item < whole.first_item + whole.count; item++, frame += 4) {
      if (frame[0] >= sight[2] || frame[0] + frame[2] <= sight[0] || frame[1] >= sight[3] || frame[1] + frame[3] <= sight[1]) continue;
      if (part.count && part.first_item + part.count != item) {
        g_array_append_val(runs, part);
        part.count = 0;
      }
      if (!part.count++) part.first_item = item;
      g_array_append_vals(frames, frame, 1);
    }
    if (part.count) g_array_append_val(runs, part);
  }
  job->columns = (tessera_columns){.count = frames->len, .run_count = runs->len, .content_width = self->content[0],
                                   .content_height = self->content[1], .offset_x = job->offset[0], .offset_y = job->offset[1]};
  job->columns.runs = (const tessera_element_run *)(gpointer)runs->data;
  job->columns.frames = (const double *)(gpointer)frames->data;
  return TRUE;
}

static void forget_near(TesseraGtkView *self) {
  g_clear_pointer(&self->near_runs, g_array_unref);
  g_clear_pointer(&self->near_frames, g_array_unref);
}

// MARK: Animation

static double ease(double t) { return 1 - pow(1 - t, 3); }

// Recycles elements that leave since before a query.
static void end_leaving(TesseraGtkView *self, guint64 generation) {
  guint staying = 0;
  for (guint i = 0; i < self->order->len; i++) {
    tg_element *element = self->order->pdata[i];
    if (element->is_leaving && element->seen < generation) tg_view_recycle(self, element);
    else self->order->pdata[staying++] = element;
  }
  g_ptr_array_set_size(self->order, (int)staying);
}

static void stop_animation(TesseraGtkView *self) {
  self->animation_start = 0;
  self->animation_progress = 0;
  end_leaving(self, G_MAXUINT64);
  for (guint i = 0; i < self->order->len; i++) ((tg_element *)self->order->pdata[i])->is_moving = FALSE;
}

static gboolean step(GtkWidget *widget, GdkFrameClock *clock, void *data) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  gboolean goes_on = tg_view_step_scroll(self, now) || self->scrolls_at_edge;
  if (self->scrolls_at_edge) tg_view_scroll_at_edge(self);
  if (self->animation_start) {
    double progress = (double)(now - self->animation_start) / (self->animation_duration * 1000.0);
    self->animation_progress = ease(CLAMP(progress, 0, 1));
    if (progress >= 1) stop_animation(self), tg_view_hide_pool(self);
    else goes_on = TRUE;
    tg_view_place_again(self);
  }
  if (!goes_on) self->tick = 0;
  return goes_on;
}

void tg_view_start_ticking(TesseraGtkView *self) {
  if (!self->tick) self->tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), step, NULL, NULL);
}

// MARK: Results

static void shift(tessera_element *place, const double by[2]) { place->x += by[0], place->y += by[1]; }

// Starts a movement from the visible places.
static void begin_to_move(TesseraGtkView *self, const double by[2]) {
  // Don't let leaving elements pile up when the model changes in each frame.
  if (self->order->len > 3 * g_hash_table_size(self->elements) / 2) end_leaving(self, self->generation);
  for (guint i = 0; i < self->order->len; i++) {
    tg_element *element = self->order->pdata[i];
    tg_element_place(self, element, &element->from);
    shift(&element->from, by);
    if (element->is_leaving) shift(&element->to, by);
    element->is_moving = TRUE;
  }
}

static tg_element *leaving_cell(TesseraGtkView *self, guint old_index) {
  for (guint i = 0; i < self->order->len; i++) {
    tg_element *element = self->order->pdata[i];
    if (element->is_leaving && element->key.category == TESSERA_HOST_CATEGORY_CELL && element->old_index == old_index) return element;
  }
  return NULL;
}

// Reads starts and ends of elements outside the view from the tracks.
static void follow_tracks(TesseraGtkView *self, tg_job *job, tessera_session *session, const double by[2]) {
  for (uint64_t i = 0; i < job->track_count; i++) {
    const tessera_element *from = job->from + i, *to = job->to + i;
    tg_key key = {.category = to->category};
    if (to->category == TESSERA_HOST_CATEGORY_CELL) {
      key.index = job->fates[i] == TESSERA_HOST_FATE_DISAPPEARS ? GTK_INVALID_LIST_POSITION : tg_position_of(job->counts, to->section, to->item);
    } else {
      key.kind = g_quark_from_string(tessera_session_kind_name(session, to->kind));
      key.section = (guint)to->section, key.index = (guint)to->item;
    }
    tg_element *element = job->fates[i] == TESSERA_HOST_FATE_DISAPPEARS ? NULL : g_hash_table_lookup(self->elements, &key);
    if (element) {
      // Visible elements start where they are.
      if (element->old_index != GTK_INVALID_LIST_POSITION || element->is_kept) continue;
      element->from = *from;
      if (job->fates[i] == TESSERA_HOST_FATE_STAYS) shift(&element->from, by);
    } else if (to->category == TESSERA_HOST_CATEGORY_CELL) {
      element = leaving_cell(self, tg_position_of(self->counts, from->section, from->item));
      if (!element) continue;
      element->to = *to;
      if (job->fates[i] == TESSERA_HOST_FATE_DISAPPEARS) shift(&element->to, by);
    }
  }
}

static void configure_adjustments(TesseraGtkView *self) {
  for (int axis = 0; axis < 2; axis++) {
    GtkAdjustment *adjustment = self->adjustments[axis];
    double page = self->bounds[axis], upper = MAX(self->content[axis], page);
    double value = CLAMP(self->offset[axis], 0, upper - page);
    g_signal_handlers_block_matched(adjustment, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
    gtk_adjustment_configure(adjustment, value, 0, upper, page * 0.1, page * 0.9, page);
    g_signal_handlers_unblock_matched(adjustment, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self);
    if (value != self->offset[axis]) {
      self->offset[axis] = value;
      self->needs |= TG_QUERY;
    }
  }
}

void tg_view_show_nothing(TesseraGtkView *self) {
  tg_view_clear(self);
  self->content[0] = self->content[1] = 0;
  configure_adjustments(self);
}

static gboolean is_animated(TesseraGtkView *self, tg_job *job) {
  gboolean enabled = self->animation_duration && (job->needs & TG_ANIMATE) && !(job->needs & TG_RESET) &&
                     gtk_widget_get_mapped(GTK_WIDGET(self)) && self->order->len;
  if (enabled) g_object_get(gtk_widget_get_settings(GTK_WIDGET(self)), "gtk-enable-animations", &enabled, NULL);
  return enabled;
}

static void show_result(TesseraGtkView *self, tg_job *job) {
  tessera_session *session = tg_session_get(job->session);
  double by[2] = {job->columns.offset_x - job->offset[0], job->columns.offset_y - job->offset[1]};
  gboolean animate = is_animated(self, job);
  if (job->needs & TG_RESET) tg_view_clear(self);
  // Updates and measuring move the offset. Keeps scrolling since the job began.
  double delta[2] = {0};
  for (int axis = 0; axis < 2; axis++) {
    double now = axis ? job->columns.offset_y : job->columns.offset_x;
    delta[axis] = now - self->offset[axis];
    if (job->needs == TG_QUERY && self->needs & TG_QUERY) delta[axis] = by[axis];
    self->offset[axis] += delta[axis];
  }
  self->content[0] = job->columns.content_width, self->content[1] = job->columns.content_height;
  if (animate) begin_to_move(self, delta);
  else if (job->needs & ~TG_QUERY) stop_animation(self);
  GArray *counts_before = self->counts;
  self->counts = job->counts;
  tg_view_show(self, session, &job->columns, animate, job->needs != TG_QUERY);
  if (animate) {
    self->counts = counts_before;
    follow_tracks(self, job, session, delta);
    self->counts = job->counts;
    self->animation_start = gdk_frame_clock_get_frame_time(gtk_widget_get_frame_clock(GTK_WIDGET(self)));
    self->animation_progress = 0;
    tg_view_start_ticking(self);
  }
  job->counts = counts_before;
  if (job->needs & ~TG_QUERY) {
    // The session uses the new positions now.
    TG_EACH_ELEMENT(self, element) element->old_index = element->key.index;
    self->was_mirrored = job->direction == TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT;
    tg_view_take_kinetic(self, (tessera_session_needs(session) & TESSERA_HOST_NEEDS_SNAPPING) != 0);
  }
  configure_adjustments(self);
}

// MARK: Failures

static gboolean try_again(void *data) {
  TesseraGtkView *self = data;
  self->retry = 0;
  g_clear_error(&self->failure);
  tg_view_need(self, TG_RESET | TG_SETTINGS);
  return G_SOURCE_REMOVE;
}

enum { LONGEST_MESSAGE = 400 }; // characters; an engine may send anything

static void show_bar(TesseraGtkView *self, const char *message, gboolean can_try) {
  g_clear_pointer(&self->bar, gtk_widget_unparent);
  char *start = g_utf8_strlen(message, -1) > LONGEST_MESSAGE ? g_utf8_substring(message, 0, LONGEST_MESSAGE) : g_strdup(message);
  self->bar = g_object_new(GTK_TYPE_INFO_BAR, "message-type", GTK_MESSAGE_ERROR, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  gtk_info_bar_add_child(GTK_INFO_BAR(self->bar), g_object_new(GTK_TYPE_LABEL, "label", start, "wrap", TRUE, "lines", 4, "ellipsize",
                                                               PANGO_ELLIPSIZE_END, "xalign", 0.0, "hexpand", TRUE, NULL));
  g_free(start);
  if (can_try) gtk_info_bar_add_button(GTK_INFO_BAR(self->bar), "Try again", GTK_RESPONSE_OK);
  g_signal_connect_swapped(self->bar, "response", G_CALLBACK(try_again), self);
  gtk_widget_set_parent(self->bar, GTK_WIDGET(self));
}

enum { LOOKING = 250 }; // milliseconds

static void watch_engine(TesseraGtkView *self);

static gboolean look_at_engine(void *data) {
  TesseraGtkView *self = data;
  self->watch = 0;
  watch_engine(self);
  return G_SOURCE_REMOVE;
}

static gboolean engine_changed(int descriptor, GIOCondition condition, void *data) { return look_at_engine(data); }

static void watch_engine(TesseraGtkView *self) {
  tessera_session *session = self->layout ? tg_session_get(tg_layout_get_session(self->layout)) : NULL;
  int32_t descriptor;
  uint32_t events;
  if (self->watch || !session || tessera_session_watch(session, &descriptor, &events)) return;
  gboolean is_replaced = (events & TESSERA_HOST_ENGINE_REPLACED) != 0;
  if (is_replaced) self->has_retried = FALSE;
  if (!self->retry && (is_replaced || (events && !self->failure && !self->needs))) self->retry = g_timeout_add(100, try_again, self);
  // A dead engine's descriptor is readable until restart.
  self->watch = events ? g_timeout_add(LOOKING, look_at_engine, self) : g_unix_fd_add(descriptor, G_IO_IN, engine_changed, self);
}

static void fail(TesseraGtkView *self, const GError *error) {
  tg_view_release_held(self);
  g_clear_error(&self->failure);
  self->failure = g_error_copy(error);
  // The session may have applied a part.
  self->needs |= TG_RESET | TG_SETTINGS;
  gboolean is_handled = FALSE;
  g_signal_emit(self, tg_signal_layout_failed, 0, error, &is_handled);
  if (is_handled) g_clear_pointer(&self->bar, gtk_widget_unparent);
  else show_bar(self, error->message, error->code == TESSERA_HOST_ERROR_DIED);
  // Retry once after a death.
  if (error->code == TESSERA_HOST_ERROR_DIED && !self->has_retried && !self->retry) {
    self->has_retried = TRUE;
    self->retry = g_timeout_add(500, try_again, self);
  }
}

// MARK: The work

static void done(const GError *error, void *data) {
  tg_job *job = data;
  TesseraGtkView *self = job->view;
  gboolean is_current = self->job == job; // else the view has moved on
  if (is_current) self->job = NULL;
  if (is_current && error) {
    // After invalid edits, send the whole model.
    if (error->code == TESSERA_HOST_ERROR_INVALID && job->edits && job->edits->len) self->needs |= TG_RESET | TG_SETTINGS;
    else fail(self, error);
  } else if (is_current && job->needs && (self->segments || self->section_segments)) {
    // The model has changed since; the next job has the new positions.
    if (job->needs & ~TG_QUERY) {
      g_array_unref(self->counts);
      self->counts = g_steal_pointer(&job->counts);
      self->needs |= job->needs & (TG_ANIMATE | TG_SETTINGS);
    }
  } else if (is_current && job->needs) {
    g_clear_pointer(&self->bar, gtk_widget_unparent);
    if (job->near_runs && !self->near_runs) {
      self->near_runs = g_steal_pointer(&job->near_runs), self->near_frames = g_steal_pointer(&job->near_frames);
      self->content[0] = job->columns.content_width, self->content[1] = job->columns.content_height;
      take_near(self, job);
    }
    if (job->needs != TG_QUERY) self->has_retried = FALSE;
    if (job->needs & TG_DRAG && self->drag_is_active) {
      // The session has the item at its target already, the model doesn't.
      g_array_index(job->counts, uint64_t, job->dragged[0])--;
      g_array_index(job->counts, uint64_t, job->target[0])++;
      guint drop = tg_position_of(job->counts, job->target[0], job->target[1]);
      if (drop == self->drop) job->needs = TG_QUERY;
      self->drop = drop;
    }
    if (job->needs & TG_SWITCH) g_clear_object(&self->layout_before);
    guint64 shown = self->generation;
    show_result(self, job);
    self->shown = job->layout;
    if (!self->is_allocating) gtk_widget_queue_allocate(GTK_WIDGET(self));
    if (self->generation != shown) g_signal_emit(self, tg_signal_visible_range_changed, 0);
  }
  g_object_ref(self);
  job_free(job);
  if (self->layout && (self->needs || self->wanted != GTK_INVALID_LIST_POSITION) && !self->failure) tg_view_need(self, 0);
  watch_engine(self);
  g_object_unref(self);
}

// Returns true when all values are gathered.
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
  if (self->wanted != GTK_INVALID_LIST_POSITION && !self->job && self->shown == self->layout)
    tessera_gtk_view_scroll_to(self, self->wanted, self->wanted_placement, self->wants_focus);
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
  g_clear_handle_id(&self->watch, g_source_remove);
  g_clear_error(&self->failure);
  g_clear_pointer(&self->resized, g_array_unref);
  forget_near(self);
  self->has_retried = FALSE;
}

void tg_view_need(TesseraGtkView *self, tg_needs needs) {
  // Gathered values belong to the old model.
  if (needs & (TG_UPDATE | TG_RESET | TG_SWITCH)) g_clear_pointer(&self->gatherings, g_ptr_array_unref);
  self->needs |= needs;
  if (needs & ~TG_QUERY) g_clear_error(&self->failure);
  work_later(self);
}

// The item to keep in sight on a switch.
static gboolean find_revealed(TesseraGtkView *self, uint64_t revealed[2]) {
  guint first, last;
  if ((self->offset[0] == 0 && self->offset[1] == 0) || !tessera_gtk_view_get_visible_range(self, &first, &last)) return FALSE;
  revealed[0] = tg_section_of(self->counts, first, &revealed[1]);
  return TRUE;
}

void tg_view_work(TesseraGtkView *self) {
  if (self->job || self->showing || !self->needs || self->failure || !self->layout || !self->items) return;
  if (self->bounds[0] <= 0 || self->bounds[1] <= 0) return;
  gint64 deadline = g_get_monotonic_time() + PATIENCE;
  tg_session *session = tg_layout_get_session(self->layout);
  if (tg_session_is_busy(session)) return;
  // Start the engine first: it declares the values it reads.
  gboolean has_started = tg_session_get(session) != NULL;
  if (has_started && !gather(self)) {
    work_later(self);
    return;
  }
  tg_job *job = self->job = g_new0(tg_job, 1);
  *job = (tg_job){.view = g_object_ref(self), .layout = g_object_ref(self->layout), .session = session,
                  .bounds = {self->bounds[0], self->bounds[1]}, .offset = {self->offset[0], self->offset[1]},
                  .held = {self->held[0], self->held[1]}};
  if (has_started) {
    job->needs = self->needs;
    job->resized = g_steal_pointer(&self->resized);
    gboolean all = job->needs & (TG_RESET | TG_SWITCH);
    if (all) job->needs &= ~(tg_needs)TG_UPDATE;
    if (job->needs & TG_QUERY && job->needs != TG_QUERY) job->needs &= ~(tg_needs)TG_QUERY;
    self->needs = 0;
    job->scale = gtk_widget_get_scale_factor(GTK_WIDGET(self));
    job->direction = gtk_widget_get_direction(GTK_WIDGET(self)) == GTK_TEXT_DIR_RTL ? TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT
                                                                                    : TESSERA_HOST_DIRECTION_LEFT_TO_RIGHT;
    // From right to left, keep the distance from the right edge, except for item changes.
    double end = gtk_adjustment_get_upper(self->adjustments[0]) - gtk_adjustment_get_page_size(self->adjustments[0]);
    gboolean is_mirrored = job->direction == TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT, keeps = end <= 0 || !(job->needs & TG_UPDATE);
    job->from_start = !is_mirrored || !keeps || !(job->needs & ~(TG_QUERY | TG_DRAG | TG_ANIMATE)) ? -1
                      : self->was_mirrored ? MAX(end - job->offset[0], 0) : job->offset[0];
    if (self->was_mirrored && !is_mirrored) job->offset[0] = end - job->offset[0];
    job->settings = tg_layout_take_changes(self->layout, all);
    job->counts = job->needs == TG_QUERY ? g_array_ref(self->counts) : tg_view_count_sections(self);
    if (job->needs & TG_UPDATE) job->edits = tg_view_edits(self, job->counts);
    job->gatherings = g_steal_pointer(&self->gatherings);
    if (job->needs & (TG_UPDATE | TG_RESET | TG_SWITCH)) {
      tg_view_forget_changes(self);
      g_array_unref(self->sent);
      self->sent = g_array_ref(job->counts);
      if (self->changed_items) self->needs = TG_UPDATE | TG_ANIMATE; // changed while gathering
    }
    if (!self->drag_is_active) job->needs &= ~(tg_needs)TG_DRAG;
    if (all) self->drop = GTK_INVALID_LIST_POSITION;
    job->cancels_drag = self->session_holds && !all && !(job->needs & TG_DRAG);
    job->picks_up = job->needs & TG_DRAG && !self->session_holds;
    self->session_holds = job->needs & TG_DRAG || (self->session_holds && !all && !job->cancels_drag);
    if (job->needs & TG_DRAG) job->dragged[0] = tg_section_of(self->sent, self->dragged, &job->dragged[1]);
    if (job->needs & TG_SWITCH) {
      job->reveals = find_revealed(self, job->revealed);
      if (self->layout_before && gtk_widget_get_mapped(GTK_WIDGET(self))) {
        job->lender = tg_session_ref(tg_layout_get_session(self->layout_before));
        job->before = tg_session_lend(job->lender);
      }
    }
  }
  g_object_ref(self);
  gboolean is_known = take_near(self, job);
  if (!is_known) forget_near(self), ask_near(self, job);
  if (is_known) done(NULL, job);
  else tg_session_run(session, MAX(deadline - g_get_monotonic_time(), 1000), has_started ? perform : NULL, done, job);
  g_object_unref(self);
}

typedef struct {
  TesseraGtkView *view;
  TesseraGtkLayout *layout;
  tg_take take;
  gboolean is_late, is_answered;
  max_align_t copy[]; // of the question, for the session's thread
} tg_asking;

static void take_answer(tg_asking *asking) {
  asking->take(asking->view, asking->is_answered, asking->copy);
  g_object_unref(asking->view);
  g_object_unref(asking->layout);
  g_free(asking);
}

static void asked(const GError *error, void *data) {
  tg_asking *asking = (tg_asking *)(gpointer)((char *)data - offsetof(tg_asking, copy));
  asking->is_answered = !error && asking->view->layout == asking->layout;
  if (!asking->is_late) return;
  // Work that came meanwhile found the session busy.
  if (asking->view->needs) tg_view_need(asking->view, 0);
  watch_engine(asking->view);
  take_answer(asking);
}

gboolean tg_view_ask(TesseraGtkView *self, tg_work work, tg_take take, gpointer data, gsize size) {
  tg_session *session = self->layout ? tg_layout_get_session(self->layout) : NULL;
  if (!session || !tg_session_get(session) || self->failure) {
    take(self, FALSE, data);
    return FALSE;
  }
  tg_asking *asking = g_malloc0(sizeof *asking + size);
  asking->view = g_object_ref(self);
  asking->layout = g_object_ref(self->layout);
  asking->take = take;
  memcpy(asking->copy, data, size);
  asking->is_late = !tg_session_run(session, PATIENCE, work, asked, asking->copy);
  if (asking->is_late) return TRUE;
  gboolean is_answered = asking->is_answered;
  take_answer(asking);
  return is_answered;
}
