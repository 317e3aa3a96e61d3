// Items dragged to other places, and where scrolling comes to rest.

#include "view.h"

#include <math.h>

// MARK: Reordering

// The list store at the bottom of a model, which can be changed.
static GListStore *store_of(GListModel *model) {
  while (model && !G_IS_LIST_STORE(model)) {
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(model), "model");
    // A model that sorts or filters has other positions.
    if (!property || !GTK_IS_SELECTION_MODEL(model)) return NULL;
    GListModel *below = NULL;
    g_object_get(model, "model", &below, NULL);
    if (below) g_object_unref(below);
    model = below;
  }
  return model ? G_LIST_STORE(model) : NULL;
}

gboolean tg_view_move_item(TesseraGtkView *self, guint from, guint to) {
  if (from == to || from >= tg_view_count(self) || to >= tg_view_count(self)) return FALSE;
  gboolean is_done = FALSE, was_selected = self->selection && gtk_selection_model_is_selected(self->selection, from);
  g_signal_emit(self, tg_signal_reorder, 0, from, to, &is_done);
  GListStore *store = is_done ? NULL : store_of(self->model);
  if (store) {
    GObject *item = g_list_model_get_item(G_LIST_MODEL(store), from);
    g_list_store_remove(store, from);
    g_list_store_insert(store, to, item);
    g_object_unref(item);
    is_done = TRUE;
  }
  if (!is_done) return FALSE;
  if (was_selected) gtk_selection_model_select_item(self->selection, to, FALSE);
  tg_view_work(self);
  tg_view_focus(self, to, TRUE);
  return TRUE;
}

guint tg_view_model_position(const TesseraGtkView *self, guint position) {
  guint from = self->dragged, to = self->drop;
  if (from == GTK_INVALID_LIST_POSITION || to == GTK_INVALID_LIST_POSITION) return position;
  if (position == to) return from;
  if (from <= position && position < to) return position + 1;
  return to < position && position <= from ? position - 1 : position;
}

void tg_view_place_held(TesseraGtkView *self, tg_element *element) {
  element->to.x = self->held[0] - element->to.width / 2, element->to.y = self->held[1] - element->to.height / 2;
  element->to.z = G_MAXINT32;
  element->is_moving = FALSE;
  self->has_z = TRUE;
}

static void drag_began(GtkGestureDrag *gesture, double x, double y, TesseraGtkView *self) {
  guint position = self->reorderable ? tessera_gtk_view_get_position_at(self, x, y) : GTK_INVALID_LIST_POSITION;
  graphene_rect_t bounds;
  if (position == GTK_INVALID_LIST_POSITION || !tessera_gtk_view_get_bounds(self, position, &bounds)) {
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  self->dragged = position;
  self->grabbed[0] = x - bounds.origin.x - bounds.size.width / 2, self->grabbed[1] = y - bounds.origin.y - bounds.size.height / 2;
}

void tg_view_move_held(TesseraGtkView *self) {
  for (int axis = 0; axis < 2; axis++) self->held[axis] = self->pointer[axis] + self->offset[axis] - self->grabbed[axis];
  tg_element *element = tg_view_find(self, self->dragged);
  if (element) tg_view_place_held(self, element);
  tg_view_place_again(self);
  tg_view_need(self, TG_DRAG | TG_ANIMATE);
}

static void drag_moved(GtkGestureDrag *gesture, double dx, double dy, TesseraGtkView *self) {
  if (self->dragged == GTK_INVALID_LIST_POSITION || (!self->drag_is_active && hypot(dx, dy) < 8)) return;
  self->drag_is_active = TRUE;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  double x, y;
  gtk_gesture_drag_get_start_point(gesture, &x, &y);
  tg_view_autoscroll(self, x + dx, y + dy, TRUE);
  tg_view_move_held(self);
}

void tg_view_release_held(TesseraGtkView *self) {
  tg_view_autoscroll(self, 0, 0, FALSE);
  self->dragged = self->drop = GTK_INVALID_LIST_POSITION;
  if (self->drag_is_active) tg_view_need(self, TG_DRAG | TG_ANIMATE);
  self->drag_is_active = FALSE;
}

static void drag_ended(GtkGestureDrag *gesture, double dx, double dy, TesseraGtkView *self) {
  // Where the pointer is now; the session may not have got there.
  if (self->drag_is_active) tg_view_work(self);
  guint from = self->dragged, to = self->drop;
  tg_view_release_held(self);
  if (to != GTK_INVALID_LIST_POSITION) tg_view_move_item(self, from, to);
}

// MARK: Rest

// Where scrolling comes to rest, for engines that say so: a moment after the last step, from wherever it has come.

typedef struct {
  double x, y, velocity[2], resting_x, resting_y;
} tg_resting;

static int32_t find_rest(tessera_session *session, void *data) {
  tg_resting *resting = data;
  resting->resting_x = resting->x, resting->resting_y = resting->y;
  if (!(tessera_session_needs(session) & TESSERA_HOST_NEEDS_SNAPPING)) return 0;
  return tessera_session_resting_offset(session, resting->x, resting->y, resting->velocity[0], resting->velocity[1], &resting->resting_x,
                                        &resting->resting_y);
}

static gboolean come_to_rest(void *data) {
  TesseraGtkView *self = data;
  self->rest = 0;
  tg_resting resting = {.x = self->offset[0], .y = self->offset[1]};
  if (tg_view_ask(self, find_rest, &resting, sizeof resting)) tg_view_scroll_smoothly(self, resting.resting_x, resting.resting_y);
  // An answer that comes too late is asked for again.
  else if (self->layout && !self->failure && tg_session_is_busy(tg_layout_get_session(self->layout))) tg_view_scrolled_by_hand(self);
  return G_SOURCE_REMOVE;
}

void tg_view_scrolled_by_hand(TesseraGtkView *self) {
  if (!self->snap || self->scroll_start) return;
  g_clear_handle_id(&self->rest, g_source_remove);
  self->rest = g_timeout_add(120, come_to_rest, self);
}

// A flick of a touchpad: the engine decides with its velocity, and GtkScrolledWindow does not see it.
static void decelerated(GtkEventControllerScroll *controller, double velocity_x, double velocity_y, TesseraGtkView *self) {
  tg_resting resting = {.velocity = {velocity_x, velocity_y}};
  resting.x = self->offset[0] + velocity_x * 0.3, resting.y = self->offset[1] + velocity_y * 0.3;
  if (!self->snap || !tg_view_ask(self, find_rest, &resting, sizeof resting)) return;
  if (resting.resting_x != resting.x || resting.resting_y != resting.y) tg_view_scroll_smoothly(self, resting.resting_x, resting.resting_y);
}

void tg_view_scroll_smoothly(TesseraGtkView *self, double x, double y) {
  if (fabs(x - self->offset[0]) < 0.5 && fabs(y - self->offset[1]) < 0.5) return;
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(self));
  if (!clock) return;
  self->scroll_from[0] = self->offset[0], self->scroll_from[1] = self->offset[1];
  self->scroll_to[0] = x, self->scroll_to[1] = y;
  self->scroll_start = gdk_frame_clock_get_frame_time(clock);
  gtk_widget_queue_draw(GTK_WIDGET(self));
  tg_view_start_ticking(self);
}

// A step of scrolling to rest; a scroll by hand in between ends it.
gboolean tg_view_step_scroll(TesseraGtkView *self, gint64 now) {
  if (!self->scroll_start) return FALSE;
  double progress = CLAMP((double)(now - self->scroll_start) / 250000.0, 0, 1), eased = 1 - pow(1 - progress, 3);
  tg_view_set_offset(self, self->scroll_from[0] + (self->scroll_to[0] - self->scroll_from[0]) * eased,
                     self->scroll_from[1] + (self->scroll_to[1] - self->scroll_from[1]) * eased);
  if (progress >= 1) self->scroll_start = 0;
  return progress < 1;
}

static gboolean scroll_began(GtkEventControllerScroll *controller, double dx, double dy, TesseraGtkView *self) {
  self->scroll_start = 0;
  return FALSE;
}

void tg_view_init_drag(TesseraGtkView *self) {
  GtkGesture *drag = gtk_gesture_drag_new();
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_began), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_moved), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(drag_ended), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
  GtkEventController *scroll =
      gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  g_signal_connect(scroll, "scroll", G_CALLBACK(scroll_began), self);
  g_signal_connect(scroll, "decelerate", G_CALLBACK(decelerated), self);
  gtk_widget_add_controller(GTK_WIDGET(self), scroll);
}

void tg_view_end_drag(TesseraGtkView *self) {
  tg_view_release_held(self);
  g_clear_handle_id(&self->rest, g_source_remove);
}
