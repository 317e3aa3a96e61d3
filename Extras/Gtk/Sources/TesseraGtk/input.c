// Keyboard and pointer: focus, selection, dragging, rubber band.

#include "view.h"

#include <gdk/gdkkeysyms.h>
#include <math.h>
#include <string.h>

// MARK: Focus

gboolean tg_view_focus(TesseraGtkView *self, guint position, gboolean scroll) {
  if (position >= tg_view_count(self)) return FALSE;
  if (scroll) tessera_gtk_view_scroll_to(self, position, TESSERA_GTK_PLACEMENT_NEAREST, FALSE);
  self->focus = position;
  tg_element *element = tg_view_find(self, position);
  return element && gtk_widget_grab_focus(GTK_WIDGET(element));
}

static guint focused_or_first(TesseraGtkView *self) {
  guint first, last;
  if (self->focus < tg_view_count(self)) return self->focus;
  return tessera_gtk_view_get_visible_range(self, &first, &last) ? first : GTK_INVALID_LIST_POSITION;
}

static gboolean focus(GtkWidget *widget, GtkDirectionType direction) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  GtkWidget *child = gtk_widget_get_focus_child(self->canvas);
  gboolean is_in_bar = self->bar && gtk_widget_get_focus_child(widget) == self->bar, is_back = direction == GTK_DIR_TAB_BACKWARD;
  if (child && gtk_widget_child_focus(child, direction)) return TRUE;
  if (self->bar && (is_in_bar || !is_back) && (child || is_in_bar || !self->order->len) && gtk_widget_child_focus(self->bar, direction)) return TRUE;
  return !child && (!is_in_bar || is_back) && tg_view_focus(self, focused_or_first(self), TRUE);
}

// GTK also calls this when the focused cell is scrolled out of sight; don't scroll back.
static gboolean grab_focus(GtkWidget *widget) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  guint position = focused_or_first(self);
  return tg_view_focus(self, position, !tg_view_find(self, position)) || GTK_WIDGET_CLASS(g_type_class_peek_parent(GTK_WIDGET_GET_CLASS(widget)))->grab_focus(widget);
}

// MARK: Selection

static void select_item(TesseraGtkView *self, guint position, gboolean extend, gboolean modify) {
  GtkSelectionModel *selection = self->selection;
  if (!selection || position >= tg_view_count(self)) return;
  guint anchor = self->anchor < tg_view_count(self) ? self->anchor : position;
  if (extend && gtk_selection_model_select_range(selection, MIN(anchor, position), MAX(anchor, position) - MIN(anchor, position) + 1, !modify)) {
    self->anchor = anchor;
    return;
  }
  if (modify && gtk_selection_model_is_selected(selection, position)) gtk_selection_model_unselect_item(selection, position);
  else gtk_selection_model_select_item(selection, position, !modify);
  self->anchor = position;
}

static void activate(TesseraGtkView *self, guint position) {
  if (position < tg_view_count(self)) g_signal_emit(self, tg_signal_activate, 0, position);
}

// MARK: Keyboard

enum { STEP, PAGE, END };

typedef struct {
  uint64_t section, item;
  tessera_host_toward toward;
  double distance;
  guint from;
  int key;
  gboolean extend, modify, is_forward;
  tg_reaching reaching;
} tg_step;

// The next cell in a section that scrolls across the others, in sight or not.
static int32_t find_beside(tessera_session *session, tg_step *step, const tessera_element *start) {
  const tg_reaching *reaching = &step->reaching;
  double best = INFINITY;
  for (uint64_t i = 1; i <= TG_NEAREST; i++) {
    tessera_element cell;
    uint64_t item = (step->toward % 2 != 0) == reaching->is_mirrored ? start->item - i : start->item + i;
    if (item >= reaching->count) break;
    int32_t status = tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, step->section, item, &cell, sizeof cell);
    if (status) return status;
    double x = fabs(cell.x + cell.width / 2 - start->x - start->width / 2), y = fabs(cell.y + cell.height / 2 - start->y - start->height / 2);
    // Skips its own group above and below.
    gboolean is_beside = reaching->axis ? y >= start->height / 2 : x >= start->width / 2;
    double distance = reaching->axis ? y + 2 * x : x + 2 * y;
    if (is_beside && distance < best) best = distance, step->item = item;
  }
  return best < INFINITY ? 0 : TESSERA_HOST_ERROR_NOT_FOUND;
}

static int32_t find_next(tessera_session *session, void *data) {
  tg_step *step = data;
  tessera_element start, element;
  int32_t status = tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, step->section, step->item, &start, sizeof start);
  double gone = 0;
  gboolean has_found = FALSE, is_across = step->key == STEP && (step->toward > TESSERA_HOST_TOWARD_RIGHT) == step->reaching.axis;
  if (!status && is_across) status = tg_find_reach(session, &step->reaching);
  if (!status && is_across && step->reaching.reach > 0) return find_beside(session, step, &start);
  // At least one step; for a page, as many as fit.
  while (!status && !(has_found && gone >= step->distance)) {
    status = tessera_session_find_next(session, step->section, step->item, step->toward, &element, sizeof element);
    if (status) break;
    gone = step->toward <= TESSERA_HOST_TOWARD_RIGHT ? fabs(element.x - start.x) : fabs(element.y - start.y);
    if (has_found && step->distance > 0 && gone > step->distance) break;
    has_found = TRUE;
    step->section = element.section, step->item = element.item;
  }
  return has_found ? 0 : status;
}

static void go(TesseraGtkView *self, guint position, gboolean extend, gboolean modify) {
  if (!tg_view_focus(self, position, TRUE)) return;
  if (extend || !modify) select_item(self, position, extend, modify);
}

// Takes the next cell by geometry, else the first or the last unless it is a step.
static void take_step(TesseraGtkView *self, gboolean is_answered, gpointer data) {
  const tg_step *step = data;
  guint count = tg_view_count(self), position = step->is_forward ? count - 1 : 0;
  if (!count || self->changes != step->reaching.changes || (!is_answered && step->key == STEP)) return;
  if (is_answered) position = tg_position_of(self->counts, step->section, step->item);
  if (step->key == STEP && step->extend && step->modify && self->reorderable) tg_view_move_item(self, step->from, position);
  else go(self, position, step->extend, step->modify);
}

static gboolean move(GtkWidget *widget, GVariant *arguments, gpointer data) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  gint32 distance, toward;
  gboolean extend, modify;
  g_variant_get(arguments, "(iibb)", &distance, &toward, &extend, &modify);
  if (!tg_view_count(self) || !self->layout) return FALSE;
  // A page is along the direction of scrolling.
  int axis = tg_view_across(self) == 0, is_mirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;
  tg_step step = {.toward = toward, .distance = distance == PAGE ? self->bounds[axis] : 0, .from = focused_or_first(self), .key = distance,
                  .extend = extend, .modify = modify, .is_forward = toward % 2, .reaching.changes = self->changes};
  if (distance == PAGE && !axis) step.toward = (toward - TESSERA_HOST_TOWARD_UP) ^ is_mirrored;
  if (distance == END || step.from == GTK_INVALID_LIST_POSITION) {
    take_step(self, FALSE, &step);
    return distance != STEP;
  }
  tg_view_work(self);
  // Drops a key before the last answer, but keeps the focus in the view.
  if (tg_session_is_busy(tg_layout_get_session(self->layout))) return TRUE;
  step.section = tg_section_of(self->counts, step.from, &step.item);
  step.reaching = tg_view_reaching(self, step.section);
  return tg_view_ask(self, find_next, take_step, &step, sizeof step) || distance != STEP;
}

static gboolean take_focused(GtkWidget *widget, GVariant *arguments, gpointer data) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  gboolean extend, modify;
  if (self->focus >= tg_view_count(self)) return FALSE;
  if (arguments) g_variant_get(arguments, "(bb)", &extend, &modify), select_item(self, self->focus, extend, modify);
  else activate(self, self->focus);
  return TRUE;
}

static void perform(GtkWidget *widget, const char *name, GVariant *arguments) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  guint position;
  gboolean modify, extend;
  if (!strcmp(name, "list.scroll-to-item")) {
    tessera_gtk_view_scroll_to(self, g_variant_get_uint32(arguments), TESSERA_GTK_PLACEMENT_NEAREST, FALSE);
  } else if (!strcmp(name, "list.activate-item")) {
    activate(self, g_variant_get_uint32(arguments));
  } else if (!strcmp(name, "list.select-item")) {
    g_variant_get(arguments, "(ubb)", &position, &modify, &extend);
    select_item(self, position, extend, modify);
  } else if (self->selection) {
    if (!strcmp(name, "list.select-all")) gtk_selection_model_select_all(self->selection);
    else gtk_selection_model_unselect_all(self->selection);
  }
}

void tg_view_install_input(GtkWidgetClass *class) {
  class->focus = focus;
  class->grab_focus = grab_focus;
  static const struct {
    guint key, keypad;
    int distance;
    tessera_host_toward toward;
  } keys[] = {{GDK_KEY_Left, GDK_KEY_KP_Left, STEP, TESSERA_HOST_TOWARD_LEFT},
              {GDK_KEY_Right, GDK_KEY_KP_Right, STEP, TESSERA_HOST_TOWARD_RIGHT},
              {GDK_KEY_Up, GDK_KEY_KP_Up, STEP, TESSERA_HOST_TOWARD_UP},
              {GDK_KEY_Down, GDK_KEY_KP_Down, STEP, TESSERA_HOST_TOWARD_DOWN},
              {GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, PAGE, TESSERA_HOST_TOWARD_UP},
              {GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, PAGE, TESSERA_HOST_TOWARD_DOWN},
              {GDK_KEY_Home, GDK_KEY_KP_Home, END, TESSERA_HOST_TOWARD_UP},
              {GDK_KEY_End, GDK_KEY_KP_End, END, TESSERA_HOST_TOWARD_DOWN}};
  for (int held = 0; held < 4; held++) {
    gboolean extend = held & 1, modify = (held & 2) != 0;
    GdkModifierType modifiers = (extend ? GDK_SHIFT_MASK : 0) | (modify ? GDK_CONTROL_MASK : 0);
    for (guint i = 0; i < 2 * G_N_ELEMENTS(keys); i++)
      gtk_widget_class_add_binding(class, i % 2 ? keys[i / 2].keypad : keys[i / 2].key, modifiers, move, "(iibb)", keys[i / 2].distance,
                                   keys[i / 2].toward, extend, modify);
    gtk_widget_class_add_binding(class, GDK_KEY_space, modifiers, take_focused, "(bb)", extend, modify);
  }
  gtk_widget_class_add_binding(class, GDK_KEY_Return, 0, take_focused, NULL);
  gtk_widget_class_add_binding(class, GDK_KEY_KP_Enter, 0, take_focused, NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_a, GDK_CONTROL_MASK, "list.select-all", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_a, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "list.unselect-all", NULL);
  static const char *const actions[][2] = {{"list.scroll-to-item", "u"}, {"list.activate-item", "u"}, {"list.select-item", "(ubb)"},
                                           {"list.select-all", NULL}, {"list.unselect-all", NULL}};
  for (guint i = 0; i < G_N_ELEMENTS(actions); i++) gtk_widget_class_install_action(class, actions[i][0], actions[i][1], perform);
}

// MARK: Finding what is typed

// Microseconds: typing pause before a new search; search time per turn.
enum { PAUSE = 1000000, SEARCHING = 4000 };

static gboolean begins_with_typed(TesseraGtkView *self, guint position) {
  GObject *item = g_list_model_get_item(self->items, position);
  GObject *object = GTK_IS_TREE_LIST_ROW(item) ? gtk_tree_list_row_get_item(GTK_TREE_LIST_ROW(item)) : g_object_ref(item);
  char *text = tg_text_of(object, self->search_property), *folded = text ? g_utf8_casefold(text, -1) : NULL;
  gboolean begins = folded && g_str_has_prefix(folded, self->searched->str);
  g_free(folded);
  g_free(text);
  g_clear_object(&object);
  g_object_unref(item);
  return begins;
}

static gboolean search(void *data) {
  TesseraGtkView *self = data;
  gint64 deadline = g_get_monotonic_time() + SEARCHING;
  guint count = tg_view_count(self);
  for (; self->search_left && count; self->search_left--, self->search_next++) {
    if (self->search_left % 64 == 0 && g_get_monotonic_time() > deadline) return G_SOURCE_CONTINUE;
    if (!begins_with_typed(self, self->search_next % count)) continue;
    go(self, self->search_next % count, FALSE, FALSE);
    break;
  }
  self->search = 0;
  return G_SOURCE_REMOVE;
}

static gboolean typed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TesseraGtkView *self) {
  gunichar character = gdk_keyval_to_unicode(key);
  gint64 now = g_get_monotonic_time();
  gboolean goes_on = self->searched->len && now - self->last_typed < PAUSE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK) || !g_unichar_isprint(character)) return FALSE;
  if (!goes_on && character == ' ') return FALSE;
  if (!goes_on) g_string_set_size(self->searched, 0);
  char utf8[7] = {0};
  g_unichar_to_utf8(character, utf8);
  char *folded = g_utf8_casefold(utf8, -1);
  g_string_append(self->searched, folded);
  g_free(folded);
  self->last_typed = now;
  // A first letter starts at the next item; later letters may stay.
  guint from = focused_or_first(self);
  self->search_next = from == GTK_INVALID_LIST_POSITION ? 0 : from + (goes_on ? 0 : 1);
  self->search_left = tg_view_count(self);
  if (!self->search) self->search = g_idle_add(search, self);
  return TRUE;
}

// MARK: Pointer

static gboolean is_over_bar(TesseraGtkView *self, double x, double y) {
  GtkWidget *widget = self->bar ? gtk_widget_pick(GTK_WIDGET(self), x, y, GTK_PICK_DEFAULT) : NULL;
  return widget && (widget == self->bar || gtk_widget_is_ancestor(widget, self->bar));
}

static void pressed(GtkGestureClick *gesture, int count, double x, double y, TesseraGtkView *self) {
  if (is_over_bar(self, x, y)) {
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  guint position = tessera_gtk_view_get_position_at(self, x, y);
  if (position == GTK_INVALID_LIST_POSITION) return;
  tg_view_focus(self, position, FALSE);
  if (count == 2 && !self->single_click) activate(self, position);
}

static void released(GtkGestureClick *gesture, int count, double x, double y, TesseraGtkView *self) {
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));
  gboolean extend = (state & GDK_SHIFT_MASK) != 0, modify = (state & GDK_CONTROL_MASK) != 0;
  guint position = tessera_gtk_view_get_position_at(self, x, y);
  if (self->drag_is_active || self->band) return;
  if (position != GTK_INVALID_LIST_POSITION) {
    if (count == 1) select_item(self, position, extend, modify);
    if (self->single_click && !extend && !modify) activate(self, position);
  } else if (self->selection && !extend && !modify && !tg_view_element_at(self, x, y)) {
    gtk_selection_model_unselect_all(self->selection);
  }
}

// MARK: Reordering

// The mutable store at the bottom of a model.
static GListStore *store_of(GListModel *model) {
  // Sorted or filtered models have other positions.
  while (GTK_IS_SELECTION_MODEL(model)) model = tg_model_below(model);
  return G_IS_LIST_STORE(model) ? G_LIST_STORE(model) : NULL;
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
  self->scrolls_at_edge = FALSE;
  self->dragged = self->drop = GTK_INVALID_LIST_POSITION;
  if (self->drag_is_active) tg_view_need(self, TG_DRAG | TG_ANIMATE);
  self->drag_is_active = FALSE;
}

static void drop(TesseraGtkView *self) {
  tg_view_work(self);
  guint from = self->dragged, to = self->drop;
  tg_view_release_held(self);
  if (to != GTK_INVALID_LIST_POSITION) tg_view_move_item(self, from, to);
}

// MARK: Rubber band

typedef struct {
  double rect[4];
  GtkBitset *cells;
  GtkBitset *before;
  GArray *counts;
} tg_banding;

static void get_band(const TesseraGtkView *self, double rect[4]) {
  for (int axis = 0; axis < 2; axis++) {
    rect[axis] = MIN(self->band_from[axis], self->band_to[axis]);
    rect[axis + 2] = MAX(fabs(self->band_to[axis] - self->band_from[axis]), 0.1);
  }
}

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

static void select_in_band(TesseraGtkView *self, GtkBitset *before);

static void take_band(TesseraGtkView *self, gboolean is_answered, gpointer data) {
  const tg_banding *banding = data;
  if (is_answered && self->selection && (!self->band_before || self->band_before == banding->before)) {
    GtkBitset *mask = gtk_bitset_new_range(0, tg_view_count(self));
    gtk_bitset_union(banding->cells, banding->before);
    gtk_selection_model_set_selection(self->selection, banding->cells, mask);
    gtk_bitset_unref(mask);
    // A late answer may be for an earlier band.
    double rect[4];
    get_band(self, rect);
    if (memcmp(rect, banding->rect, sizeof rect)) select_in_band(self, banding->before);
  }
  gtk_bitset_unref(banding->cells);
  gtk_bitset_unref(banding->before);
  g_array_unref(banding->counts);
}

static void select_in_band(TesseraGtkView *self, GtkBitset *before) {
  tg_banding banding = {.cells = gtk_bitset_new_empty(), .before = gtk_bitset_ref(before), .counts = g_array_ref(self->counts)};
  get_band(self, banding.rect);
  tg_view_ask(self, find_in_band, take_band, &banding, sizeof banding);
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
  select_in_band(self, self->band_before);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static void end_band(TesseraGtkView *self) {
  self->scrolls_at_edge = FALSE;
  g_clear_pointer(&self->band_before, gtk_bitset_unref);
  g_clear_pointer(&self->band, gtk_widget_unparent);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

// MARK: The gesture

enum { THRESHOLD = 8 }; // points before a press becomes a drag

static void drag_began(GtkGestureDrag *gesture, double x, double y, TesseraGtkView *self) {
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));
  if (is_over_bar(self, x, y) || (!begin_to_hold(self, x, y) && !begin_band(self, x, y, state))) gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void drag_moved(GtkGestureDrag *gesture, double dx, double dy, TesseraGtkView *self) {
  if (!self->band_before && self->dragged == GTK_INVALID_LIST_POSITION) return;
  if (!self->drag_is_active && !self->band) {
    if (hypot(dx, dy) < THRESHOLD) return;
    self->drag_is_active = !self->band_before;
    if (self->band_before) self->band = g_object_new(GTK_TYPE_BOX, "css-name", "rubberband", NULL);
    if (self->band) gtk_widget_set_parent(self->band, GTK_WIDGET(self));
  }
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  double x, y;
  gtk_gesture_drag_get_start_point(gesture, &x, &y);
  self->pointer[0] = x + dx, self->pointer[1] = y + dy;
  self->scrolls_at_edge = TRUE;
  tg_view_start_ticking(self);
  tg_view_follow_pointer(self);
}

static void drag_ended(GtkGestureDrag *gesture, double dx, double dy, TesseraGtkView *self) {
  if (self->drag_is_active) drop(self);
  else tg_view_release_held(self);
  end_band(self);
}

void tg_view_follow_pointer(TesseraGtkView *self) {
  if (self->drag_is_active) move_held(self);
  if (self->band) update_band(self);
}

void tg_view_init_input(TesseraGtkView *self) {
  self->searched = g_string_new(NULL);
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(typed), self);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
  GtkGesture *click = gtk_gesture_click_new();
  g_signal_connect(click, "pressed", G_CALLBACK(pressed), self);
  g_signal_connect(click, "released", G_CALLBACK(released), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
  GtkGesture *drag = gtk_gesture_drag_new();
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_began), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_moved), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(drag_ended), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
}
