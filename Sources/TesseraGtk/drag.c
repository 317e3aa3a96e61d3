// Drags: items that go to other places, and the rubber band that selects.

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
  element->to.z_index = G_MAXINT32;
  element->is_moving = FALSE;
  self->has_z = TRUE;
}

static gboolean begin_to_hold(TesseraGtkView *self, double x, double y) {
  guint position = self->reorderable ? tessera_gtk_view_get_position_at(self, x, y) : GTK_INVALID_LIST_POSITION;
  graphene_rect_t bounds;
  if (position == GTK_INVALID_LIST_POSITION || !tessera_gtk_view_get_bounds(self, position, &bounds)) return FALSE;
  self->dragged = position;
  self->grabbed[0] = x - bounds.origin.x - bounds.size.width / 2, self->grabbed[1] = y - bounds.origin.y - bounds.size.height / 2;
  return TRUE;
}

static void move_held(TesseraGtkView *self) {
  for (int axis = 0; axis < 2; axis++) self->held[axis] = self->pointer[axis] + self->offset[axis] - self->grabbed[axis];
  tg_element *element = tg_view_find(self, self->dragged);
  if (element) tg_view_place_held(self, element);
  tg_view_place_again(self);
  tg_view_need(self, TG_DRAG | TG_ANIMATE);
}

void tg_view_release_held(TesseraGtkView *self) {
  tg_view_autoscroll(self, 0, 0, FALSE);
  self->dragged = self->drop = GTK_INVALID_LIST_POSITION;
  if (self->drag_is_active) tg_view_need(self, TG_DRAG | TG_ANIMATE);
  self->drag_is_active = FALSE;
}

static void drop(TesseraGtkView *self) {
  // Where the pointer is now; the session may not have got there.
  tg_view_work(self);
  guint from = self->dragged, to = self->drop;
  tg_view_release_held(self);
  if (to != GTK_INVALID_LIST_POSITION) tg_view_move_item(self, from, to);
}

// MARK: Rubber band

typedef struct {
  double rect[4];
  GtkBitset *cells; // of the positions that it touches
  const GArray *counts;
} tg_banding;

static int32_t find_in_band(tessera_session *session, void *data) {
  tg_banding *banding = data;
  tessera_columns columns;
  int32_t status = tessera_session_query_columns(session, banding->rect, &columns, sizeof columns);
  for (uint64_t run = 0; !status && run < columns.run_count; run++) {
    const tessera_element_run *elements = columns.runs + run;
    if (elements->category != TESSERA_HOST_CATEGORY_CELL) continue;
    gtk_bitset_add_range(banding->cells, tg_position_of(banding->counts, elements->section, elements->first_item), (guint)elements->count);
  }
  return status;
}

static void select_in_band(TesseraGtkView *self) {
  tg_banding banding = {.cells = gtk_bitset_new_empty(), .counts = g_array_ref(self->counts)};
  for (int axis = 0; axis < 2; axis++) {
    banding.rect[axis] = MIN(self->band_from[axis], self->band_to[axis]);
    banding.rect[axis + 2] = MAX(fabs(self->band_to[axis] - self->band_from[axis]), 0.1);
  }
  // If the answer comes too late, the bitset and the counts are left to the work.
  if (tg_view_ask(self, find_in_band, &banding, sizeof banding)) {
    GtkBitset *mask = gtk_bitset_new_range(0, tg_view_count(self));
    gtk_bitset_union(banding.cells, self->band_before);
    gtk_selection_model_set_selection(self->selection, banding.cells, mask);
    gtk_bitset_unref(mask);
    gtk_bitset_unref(banding.cells);
    g_array_unref((GArray *)banding.counts);
  }
  tg_view_need(self, TG_QUERY);
}

static gboolean begin_band(TesseraGtkView *self, double x, double y, GdkModifierType state) {
  if (!self->rubberband_enabled || !GTK_IS_MULTI_SELECTION(self->selection) || tg_view_element_at(self, x, y)) return FALSE;
  self->band_before = state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK) ? gtk_bitset_copy(gtk_selection_model_get_selection(self->selection))
                                                                  : gtk_bitset_new_empty();
  self->band_from[0] = x + self->offset[0], self->band_from[1] = y + self->offset[1];
  return TRUE;
}

static void update_band(TesseraGtkView *self) {
  self->band_to[0] = self->pointer[0] + self->offset[0], self->band_to[1] = self->pointer[1] + self->offset[1];
  if (!self->band) {
    self->band = g_object_new(GTK_TYPE_BOX, "css-name", "rubberband", NULL);
    gtk_widget_set_parent(self->band, GTK_WIDGET(self));
  }
  select_in_band(self);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static void end_band(TesseraGtkView *self) {
  tg_view_autoscroll(self, 0, 0, FALSE);
  g_clear_pointer(&self->band_before, gtk_bitset_unref);
  g_clear_pointer(&self->band, gtk_widget_unparent);
  self->band_is_active = FALSE;
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

// MARK: The gesture

enum { THRESHOLD = 8 }; // points, after which a press is a drag

static void drag_began(GtkGestureDrag *gesture, double x, double y, TesseraGtkView *self) {
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));
  if (!begin_to_hold(self, x, y) && !begin_band(self, x, y, state)) gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void drag_moved(GtkGestureDrag *gesture, double dx, double dy, TesseraGtkView *self) {
  gboolean *is_active = self->band_before ? &self->band_is_active : &self->drag_is_active;
  if (!self->band_before && self->dragged == GTK_INVALID_LIST_POSITION) return; // a change of the model has ended it
  if (!*is_active && hypot(dx, dy) < THRESHOLD) return;
  *is_active = TRUE;
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  double x, y;
  gtk_gesture_drag_get_start_point(gesture, &x, &y);
  tg_view_autoscroll(self, x + dx, y + dy, TRUE);
  tg_view_follow_pointer(self);
}

static void drag_ended(GtkGestureDrag *gesture, double dx, double dy, TesseraGtkView *self) {
  if (self->drag_is_active) drop(self);
  else tg_view_release_held(self);
  end_band(self);
}

void tg_view_follow_pointer(TesseraGtkView *self) {
  if (self->drag_is_active) move_held(self);
  if (self->band_is_active) update_band(self);
}

void tg_view_init_drag(TesseraGtkView *self) {
  GtkGesture *drag = gtk_gesture_drag_new();
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_began), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_moved), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(drag_ended), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
}
