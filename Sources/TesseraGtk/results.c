// What comes back from the session: elements that are near, movements, and failures.

#include "work.h"

#include <glib-unix.h>
#include <math.h>

// MARK: What is near

gboolean tg_view_take_near(TesseraGtkView *self, tg_job *job) {
  if (job->needs != TG_QUERY || !self->near_runs) return FALSE;
  double sight[4];
  for (int axis = 0; axis < 2; axis++) {
    sight[axis] = job->offset[axis] - job->overscan;
    sight[axis + 2] = job->offset[axis] + job->bounds[axis] + job->overscan;
    if (sight[axis] < self->near_rect[axis] || sight[axis + 2] > self->near_rect[axis + 2]) return FALSE;
  }
  GArray *runs = g_array_new(FALSE, FALSE, sizeof(tessera_element_run)), *frames = g_array_new(FALSE, FALSE, 4 * sizeof(double));
  // The offsets at which an element comes into sight or leaves it: it is in sight between them.
  for (int axis = 0; axis < 2; axis++) {
    double *offsets = self->near_offsets[axis];
    offsets[0] = -INFINITY, offsets[1] = self->near_rect[axis + 2] - job->bounds[axis] - job->overscan;
    offsets[2] = self->near_rect[axis] + job->overscan, offsets[3] = INFINITY;
  }
  const double *frame = (const double *)(gpointer)self->near_frames->data;
  for (guint i = 0; i < self->near_runs->len; i++) {
    tessera_element_run whole = g_array_index(self->near_runs, tessera_element_run, i), part = whole;
    part.count = 0;
    for (uint64_t item = whole.first_item; item < whole.first_item + whole.count; item++, frame += 4) {
      for (int axis = 0; axis < 2; axis++) {
        double comes = frame[axis] - job->bounds[axis] - job->overscan, leaves = frame[axis] + frame[axis + 2] + job->overscan;
        double *offsets = self->near_offsets[axis], offset = job->offset[axis];
        if (comes < offset) offsets[0] = MAX(offsets[0], comes);
        else offsets[1] = MIN(offsets[1], comes);
        if (leaves <= offset) offsets[2] = MAX(offsets[2], leaves);
        else offsets[3] = MIN(offsets[3], leaves);
      }
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
  job->near_runs = runs, job->near_frames = frames;
  return TRUE;
}

gboolean tg_view_shows_the_same(const TesseraGtkView *self) {
  if (!self->near_runs || self->needs || self->job) return FALSE;
  for (int axis = 0; axis < 2; axis++) {
    const double *offsets = self->near_offsets[axis], offset = self->offset[axis];
    if (offset <= offsets[0] || offset > offsets[1] || offset < offsets[2] || offset >= offsets[3]) return FALSE;
  }
  return TRUE;
}

void tg_view_forget_near(TesseraGtkView *self) {
  g_clear_pointer(&self->near_runs, g_array_unref);
  g_clear_pointer(&self->near_frames, g_array_unref);
}

// MARK: Animation

static double ease(double t) { return 1 - pow(1 - t, 3); }

static gboolean step(GtkWidget *widget, GdkFrameClock *clock, void *data) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  gboolean goes_on = tg_view_step_scroll(self, now);
  if (self->animation_start) {
    double progress = (double)(now - self->animation_start) / (self->animation_duration * 1000.0);
    self->animation_progress = ease(CLAMP(progress, 0, 1));
    if (progress >= 1) tg_view_stop_animation(self);
    else goes_on = TRUE;
    tg_view_place_again(self);
  }
  if (!goes_on) self->tick = 0;
  return goes_on;
}

void tg_view_start_ticking(TesseraGtkView *self) {
  if (!self->tick) self->tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), step, NULL, NULL);
}

void tg_view_animate(TesseraGtkView *self) {
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(self));
  if (!clock) {
    tg_view_stop_animation(self);
    return;
  }
  self->animation_start = gdk_frame_clock_get_frame_time(clock);
  self->animation_progress = 0;
  tg_view_start_ticking(self);
}

void tg_view_stop_animation(TesseraGtkView *self) {
  self->animation_start = 0;
  self->animation_progress = 0;
  TG_EACH_ELEMENT(self, element) element->is_moving = FALSE;
  for (guint i = 0; i < self->leaving->len; i++) {
    g_ptr_array_remove(self->order, self->leaving->pdata[i]);
    gtk_widget_set_child_visible(((tg_element *)self->leaving->pdata[i])->widget, FALSE);
    tg_view_recycle(self, self->leaving->pdata[i]);
  }
  g_ptr_array_set_size(self->leaving, 0);
}

// MARK: Results

// Lets what is shown begin a movement where it is now.
static void begin_to_move(TesseraGtkView *self) {
  TG_EACH_ELEMENT(self, element) {
    tg_element_place(self, element, &element->from);
    element->is_moving = !element->is_kept;
  }
  for (guint i = 0; i < self->leaving->len; i++) {
    tg_element *element = self->leaving->pdata[i];
    tg_element_place(self, element, &element->from);
  }
}

static void shift(tg_place *place, const double by[2]) { place->x += by[0], place->y += by[1]; }

static guint flat(const GArray *counts, const tessera_element *element) {
  return tg_first_of_section(counts, element->section) + (guint)element->item;
}

static tg_element *leaving_cell(TesseraGtkView *self, guint old_index) {
  for (guint i = 0; i < self->leaving->len; i++) {
    tg_element *element = self->leaving->pdata[i];
    if (element->key.category == TESSERA_HOST_CATEGORY_CELL && element->old_index == old_index) return element;
  }
  return NULL;
}

// Takes from the tracks where elements come from that were not shown, and where those go that are not shown any more.
static void follow_tracks(TesseraGtkView *self, tg_job *job, tessera_session *session, const double by[2]) {
  for (uint64_t i = 0; i < job->track_count; i++) {
    const tessera_element *from = job->from + i, *to = job->to + i;
    tg_key key = {.category = to->category};
    if (to->category == TESSERA_HOST_CATEGORY_CELL) {
      key.index = job->fates[i] == TESSERA_HOST_FATE_DISAPPEARS ? GTK_INVALID_LIST_POSITION : flat(job->counts, to);
    } else {
      key.kind = g_quark_from_string(tessera_session_kind_name(session, to->kind));
      key.section = (guint)to->section, key.index = (guint)to->item;
    }
    tg_element *element = job->fates[i] == TESSERA_HOST_FATE_DISAPPEARS ? NULL : g_hash_table_lookup(self->elements, &key);
    if (element) {
      // One that was shown before comes from where it was seen.
      if (element->old_index != GTK_INVALID_LIST_POSITION || element->is_kept) continue;
      tg_place_of_element(&element->from, from);
      if (job->fates[i] == TESSERA_HOST_FATE_STAYS) shift(&element->from, by);
    } else if (to->category == TESSERA_HOST_CATEGORY_CELL) {
      element = leaving_cell(self, flat(self->counts, from));
      if (!element) continue;
      tg_place_of_element(&element->to, to);
      if (job->fates[i] == TESSERA_HOST_FATE_DISAPPEARS) shift(&element->to, by);
    }
  }
}

// Notes which position the session knows each cell by; new ones get theirs at the end of a change.
static void note_positions(TesseraGtkView *self) {
  TG_EACH_ELEMENT(self, element) element->old_index = element->key.index;
}

static void configure_adjustments(TesseraGtkView *self) {
  for (int axis = 0; axis < 2; axis++) {
    GtkAdjustment *adjustment = self->adjustments[axis];
    if (!adjustment) continue;
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

static gboolean is_animated(TesseraGtkView *self, tg_job *job) {
  gboolean enabled = FALSE;
  g_object_get(gtk_widget_get_settings(GTK_WIDGET(self)), "gtk-enable-animations", &enabled, NULL);
  return enabled && self->animate_changes && self->animation_duration && (job->needs & TG_ANIMATE) && !(job->needs & TG_RESET) &&
         gtk_widget_get_mapped(GTK_WIDGET(self)) && self->order->len;
}

void tg_view_show_result(TesseraGtkView *self, tg_job *job) {
  tessera_session *session = tg_session_get(job->session);
  double by[2] = {job->columns.offset_x - job->offset[0], job->columns.offset_y - job->offset[1]};
  gboolean animate = is_animated(self, job);
  if (job->needs & TG_RESET) tg_view_clear(self, FALSE);
  // An update and a query that measures move the offset. What the user has scrolled since the work began stays.
  double delta[2] = {0};
  for (int axis = 0; axis < 2; axis++) {
    double now = axis ? job->columns.offset_y : job->columns.offset_x;
    delta[axis] = now - self->offset[axis];
    if (job->needs == TG_QUERY && self->needs & TG_QUERY) delta[axis] = by[axis];
    self->offset[axis] += delta[axis];
  }
  self->content[0] = job->columns.content_width, self->content[1] = job->columns.content_height;
  if (animate) {
    begin_to_move(self);
    TG_EACH_ELEMENT(self, element) shift(&element->from, delta);
    for (guint i = 0; i < self->leaving->len; i++) {
      tg_element *element = self->leaving->pdata[i];
      shift(&element->from, delta);
      shift(&element->to, delta);
    }
  } else if (job->needs & ~TG_QUERY) {
    tg_view_stop_animation(self);
  }
  GArray *counts_before = self->counts;
  self->counts = job->counts;
  tg_view_show(self, session, &job->columns, animate, job->needs != TG_QUERY);
  if (animate) {
    self->counts = counts_before;
    follow_tracks(self, job, session, delta);
    self->counts = job->counts;
    tg_view_animate(self);
  }
  job->counts = counts_before;
  if (job->needs & ~TG_QUERY) note_positions(self);
  configure_adjustments(self);
}

// MARK: Failures

void tg_view_hide_bar(TesseraGtkView *self) { g_clear_pointer(&self->bar, gtk_widget_unparent); }

static gboolean try_again(void *data) {
  TesseraGtkView *self = data;
  self->retry = 0;
  g_clear_error(&self->failure);
  tg_view_need(self, TG_RESET | TG_SETTINGS);
  return G_SOURCE_REMOVE;
}

static void try_again_clicked(GtkButton *button, TesseraGtkView *self) { try_again(self); }

enum { LONGEST_MESSAGE = 400 }; // characters; an engine may say anything

static void show_bar(TesseraGtkView *self, const char *message, gboolean can_try) {
  tg_view_hide_bar(self);
  char *start = g_utf8_strlen(message, -1) > LONGEST_MESSAGE ? g_utf8_substring(message, 0, LONGEST_MESSAGE) : g_strdup(message);
  self->bar = g_object_new(GTK_TYPE_BOX, "css-name", "infobar", "spacing", 12, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  gtk_widget_add_css_class(self->bar, "error");
  GtkWidget *label = g_object_new(GTK_TYPE_LABEL, "label", start, "wrap", TRUE, "lines", 4, "ellipsize", PANGO_ELLIPSIZE_END, "xalign", 0.0, "hexpand", TRUE, "margin-start", 12,
                                  "margin-top", 6, "margin-bottom", 6, NULL);
  g_free(start);
  gtk_box_append(GTK_BOX(self->bar), label);
  if (can_try) {
    GtkWidget *button = g_object_new(GTK_TYPE_BUTTON, "label", "Try again", "valign", GTK_ALIGN_CENTER, "margin-end", 12, NULL);
    g_signal_connect(button, "clicked", G_CALLBACK(try_again_clicked), self);
    gtk_box_append(GTK_BOX(self->bar), button);
  }
  gtk_widget_set_parent(self->bar, GTK_WIDGET(self));
}

enum { LOOKING = 250 }; // milliseconds

static gboolean look_at_engine(void *data) {
  TesseraGtkView *self = data;
  self->watch = 0;
  tg_view_watch_engine(self);
  return G_SOURCE_REMOVE;
}

static gboolean engine_changed(int descriptor, GIOCondition condition, void *data) { return look_at_engine(data); }

void tg_view_watch_engine(TesseraGtkView *self) {
  tessera_session *session = self->layout ? tg_session_get(tg_layout_get_session(self->layout)) : NULL;
  int32_t descriptor;
  uint32_t events;
  if (self->watch || !session || tessera_session_watch(session, &descriptor, &events)) return;
  gboolean is_replaced = (events & TESSERA_HOST_ENGINE_REPLACED) != 0;
  if (is_replaced) self->has_retried = FALSE;
  if (!self->retry && (is_replaced || (events && !self->failure && !self->needs))) self->retry = g_timeout_add(100, try_again, self);
  // The descriptor of an engine that has ended is readable until it is started again.
  self->watch = events ? g_timeout_add(LOOKING, look_at_engine, self) : g_unix_fd_add(descriptor, G_IO_IN, engine_changed, self);
}

void tg_view_fail(TesseraGtkView *self, const GError *error) {
  tg_view_release_held(self);
  g_clear_error(&self->failure);
  self->failure = g_error_copy(error);
  // The session may have taken a part of what it was given.
  self->needs |= TG_RESET | TG_SETTINGS;
  gboolean is_handled = FALSE;
  g_signal_emit(self, tg_signal_layout_failed, 0, error, &is_handled);
  if (is_handled) tg_view_hide_bar(self);
  else show_bar(self, error->message, error->code == TESSERA_HOST_ERROR_DIED);
  // An engine that died once may have been unlucky.
  if (error->code == TESSERA_HOST_ERROR_DIED && !self->has_retried && !self->retry) {
    self->has_retried = TRUE;
    self->retry = g_timeout_add(500, try_again, self);
  }
}

gboolean tg_view_say_that_it_hangs(void *data) {
  TesseraGtkView *self = data;
  self->hang = 0;
  char *message = g_strdup_printf("The layout engine \"%s\" has not answered for %d second.", tessera_gtk_layout_get_engine(self->layout),
                                  TG_HANG / 1000);
  show_bar(self, message, FALSE);
  g_free(message);
  return G_SOURCE_REMOVE;
}
