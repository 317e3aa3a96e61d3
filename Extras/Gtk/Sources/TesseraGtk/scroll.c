// Scrolling beyond the edge, to rest, and swiped sections of a composition.

#include "view.h"

#include <math.h>

// MARK: Beyond the edge

enum { EDGE = 24 }; // points; the pointer scrolls within

void tg_view_scroll_at_edge(TesseraGtkView *self) {
  for (int axis = 0; axis < 2; axis++) {
    double beyond = self->pointer[axis] < EDGE ? self->pointer[axis] - EDGE : MAX(self->pointer[axis] - (self->bounds[axis] - EDGE), 0);
    if (beyond != 0) gtk_adjustment_set_value(self->adjustments[axis], self->offset[axis] + CLAMP(beyond, -60, 60) / 2);
  }
  tg_view_follow_pointer(self);
}

// MARK: Sections that are swiped

// Swiping sets a section's value `orthogonalOffset`, which moves its cells.
static const char *const offset_name = "orthogonalOffset", *const kind_name = "orthogonal";

int tg_view_across(const TesseraGtkView *self) { return self->content[0] > self->bounds[0] && self->content[1] <= self->bounds[1]; }

static gboolean is_mirrored(TesseraGtkView *self) {
  return tg_view_across(self) == 0 && gtk_widget_get_direction(GTK_WIDGET(self)) == GTK_TEXT_DIR_RTL;
}

static GVariant *section_values(TesseraGtkView *self, const char *name, const char *type) {
  tg_setting *setting = tg_layout_find(self->layout, SECTION_VALUES, name);
  gboolean has_values = setting && setting->value && g_variant_is_of_type(setting->value, G_VARIANT_TYPE(type));
  return has_values && g_variant_n_children(setting->value) ? setting->value : NULL;
}

static double section_offset(TesseraGtkView *self, guint section) {
  GVariant *values = section_values(self, offset_name, "ad");
  double offset = 0;
  if (values) g_variant_get_child(values, MIN(section, g_variant_n_children(values) - 1), "d", &offset);
  return offset;
}

// Frees the offsets.
static void set_section_offsets(TesseraGtkView *self, double *offsets, guint count) {
  tessera_gtk_layout_set_section_values(self->layout, offset_name, tg_numbers(offsets, count));
  g_free(offsets);
}

static gboolean has_pages(TesseraGtkView *self, guint section) {
  GVariant *values = section_values(self, kind_name, "as");
  tg_setting *parameter = tg_layout_find(self->layout, PARAMETER, kind_name);
  const char *kind = NULL;
  if (values) g_variant_get_child(values, MIN(section, g_variant_n_children(values) - 1), "&s", &kind);
  else if (parameter && parameter->value && g_variant_is_of_type(parameter->value, G_VARIANT_TYPE_STRING))
    kind = g_variant_get_string(parameter->value, NULL);
  return !g_strcmp0(kind, "paging");
}

void tg_view_splice_section_offsets(TesseraGtkView *self, guint position, guint removed, guint added) {
  if (self->swiped != GTK_INVALID_LIST_POSITION && self->swiped >= position)
    self->swiped = self->swiped < position + removed ? GTK_INVALID_LIST_POSITION : self->swiped + added - removed;
  if (!self->layout || !section_values(self, offset_name, "ad")) return;
  guint count = g_list_model_get_n_items(self->sections);
  double *offsets = g_new0(double, count + 1);
  for (guint i = 0; i < count; i++)
    if (i < position || i >= position + added) offsets[i] = section_offset(self, i < position ? i : i - added + removed);
  set_section_offsets(self, offsets, count);
}

tg_reaching tg_view_reaching(TesseraGtkView *self, uint64_t section) {
  int across = tg_view_across(self);
  return (tg_reaching){.section = section, .count = section < self->counts->len ? g_array_index(self->counts, uint64_t, section) : 0,
                       .axis = across, .is_mirrored = is_mirrored(self), .has_pages = has_pages(self, (guint)section),
                       .extent = self->bounds[across], .offset = section_offset(self, (guint)section), .changes = self->changes};
}

// At the end, the last cell is as far from the edge as the first one at the start.
int32_t tg_find_reach(tessera_session *session, void *data) {
  tg_reaching *reaching = data;
  tessera_declaration declared;
  uint32_t index;
  gboolean is_declared = tg_find_declaration(session, TESSERA_HOST_DECLARED_SECTION_VALUES, offset_name, &declared, &index);
  double least = INFINITY, most = -INFINITY;
  for (uint64_t i = 0; is_declared && i < MIN(reaching->count, TG_NEAREST + 1); i++) {
    tessera_element cell;
    int32_t status = tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, reaching->section, i ? reaching->count - i : 0, &cell,
                                          sizeof cell);
    if (status) return status;
    double first = reaching->axis ? cell.y : cell.x, last = first + (reaching->axis ? cell.height : cell.width);
    if (i == 0) least = reaching->is_mirrored ? reaching->extent - last : first;
    most = MAX(most, reaching->is_mirrored ? reaching->extent - first : last);
  }
  reaching->reach = most > least ? MAX(most + least + 2 * reaching->offset - reaching->extent, 0) : 0;
  if (reaching->has_pages) reaching->reach = ceil(reaching->reach / reaching->extent - 0.001) * reaching->extent;
  return 0;
}

enum { BETWEEN = 200000 }; // microseconds between steps of one swipe

static void scroll_by(TesseraGtkView *self, const double by[2]);

static void take_reach(TesseraGtkView *self, gboolean is_answered, gpointer data) {
  const tg_reaching *reaching = data;
  if (self->swiped != reaching->section || self->changes != reaching->changes) return;
  self->swipe_reach = is_answered ? reaching->reach : 0;
  if (self->swipe_reach <= 0) self->swiped = GTK_INVALID_LIST_POSITION;
  double by[2] = {0, 0};
  by[tg_view_across(self)] = self->swipe_by;
  if (self->swipe_by != 0) scroll_by(self, by);
}

static gboolean begin_swipe(TesseraGtkView *self, const double point[2]) {
  int across = tg_view_across(self), along = 1 - across;
  guint section = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < self->order->len; i++) {
    const tg_element *element = self->order->pdata[i];
    double start = (along ? element->to.y : element->to.x) - self->offset[along];
    if (element->key.category == TESSERA_HOST_CATEGORY_CELL && !element->is_leaving && start <= point[along] &&
        point[along] < start + (along ? element->to.height : element->to.width))
      section = element->key.section;
  }
  gint64 now = g_get_monotonic_time();
  gboolean goes_on = section == self->swiped && now - self->swipe_time < BETWEEN;
  self->swipe_time = now;
  self->swiped = section;
  if (goes_on || section >= self->counts->len) return goes_on && section < self->counts->len && self->swipe_reach > 0;
  tg_reaching reaching = tg_view_reaching(self, section);
  self->swipe_offset = reaching.offset;
  self->swipe_reach = -1, self->swipe_by = 0;
  tg_view_ask(self, tg_find_reach, take_reach, &reaching, sizeof reaching);
  return self->swipe_reach > 0;
}

static void swipe_to(TesseraGtkView *self, double wanted) {
  guint count = self->sections ? g_list_model_get_n_items(self->sections) : 1;
  if (self->swiped >= count) return;
  double extent = self->bounds[tg_view_across(self)];
  double offset = self->swipe_offset = CLAMP(wanted, 0, self->swipe_reach);
  gboolean turns_pages = has_pages(self, self->swiped);
  if (turns_pages) offset = round(offset / extent) * extent;
  if (offset == section_offset(self, self->swiped)) return;
  double *offsets = g_new(double, count);
  for (guint i = 0; i < count; i++) offsets[i] = i == self->swiped ? offset : section_offset(self, i);
  set_section_offsets(self, offsets, count);
  if (!turns_pages) self->needs &= ~(tg_needs)TG_ANIMATE; // it follows the hand
}

void tg_view_scroll_section(TesseraGtkView *self, const tg_reaching *reaching, double offset) {
  self->swiped = (guint)reaching->section, self->swipe_reach = reaching->reach;
  swipe_to(self, offset);
  self->swiped = GTK_INVALID_LIST_POSITION;
  tg_view_work(self);
}

static void scroll_by(TesseraGtkView *self, const double by[2]) {
  if (self->swiped == GTK_INVALID_LIST_POSITION) tg_view_set_offset(self, self->offset[0] + by[0], self->offset[1] + by[1]);
  else swipe_to(self, self->swipe_offset + (is_mirrored(self) ? -1 : 1) * by[tg_view_across(self)]);
}

// MARK: Rest

typedef struct {
  double x, y, velocity[2]; // proposed, then final resting place
  double from[2];
} tg_resting;

static int32_t find_rest(tessera_session *session, void *data) {
  tg_resting *resting = data;
  return tessera_session_resting_offset(session, resting->x, resting->y, resting->velocity[0], resting->velocity[1], &resting->x, &resting->y);
}

enum { SHORTEST = 250000, LONGEST = 1500000 }; // microseconds of scrolling to rest

static void scroll_smoothly(TesseraGtkView *self, double x, double y, const double velocity[2]) {
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(self));
  gboolean swipes = self->swiped != GTK_INVALID_LIST_POSITION, is_smooth = TRUE;
  double distance = swipes ? fabs(x - self->swipe_offset) : hypot(x - self->offset[0], y - self->offset[1]), speed = hypot(velocity[0], velocity[1]);
  if (distance < 0.5 || !clock) return;
  self->scroll_from[0] = swipes ? self->swipe_offset : self->offset[0], self->scroll_from[1] = self->offset[1];
  self->scroll_to[0] = x, self->scroll_to[1] = y;
  self->scroll_start = gdk_frame_clock_get_frame_time(clock);
  g_object_get(gtk_widget_get_settings(GTK_WIDGET(self)), "gtk-enable-animations", &is_smooth, NULL);
  // The cubic curve below starts at three times the mean velocity.
  self->scroll_duration = !is_smooth ? 1 : speed > 0 ? CLAMP(3e6 * distance / speed, SHORTEST, LONGEST) : SHORTEST;
  gtk_widget_queue_draw(GTK_WIDGET(self));
  tg_view_start_ticking(self);
}

gboolean tg_view_step_scroll(TesseraGtkView *self, gint64 now) {
  if (!self->scroll_start) return FALSE;
  double progress = CLAMP((double)(now - self->scroll_start) / self->scroll_duration, 0, 1), eased = 1 - pow(1 - progress, 3);
  double x = self->scroll_from[0] + (self->scroll_to[0] - self->scroll_from[0]) * eased;
  double y = self->scroll_from[1] + (self->scroll_to[1] - self->scroll_from[1]) * eased;
  if (self->swiped == GTK_INVALID_LIST_POSITION) tg_view_set_offset(self, x, y);
  else swipe_to(self, x);
  if (progress >= 1) self->scroll_start = 0;
  return progress < 1;
}

enum { FRICTION = 4 }; // as in GTK: velocity decays by this power of e per second

static void take_rest(TesseraGtkView *self, gboolean is_answered, gpointer data) {
  const tg_resting *resting = data;
  if (is_answered && resting->from[0] == self->offset[0] && resting->from[1] == self->offset[1])
    scroll_smoothly(self, resting->x, resting->y, resting->velocity);
  // Asks again if the session was busy or a late answer is for another place.
  else if (is_answered || (self->layout && !self->failure && tg_session_is_busy(tg_layout_get_session(self->layout)))) tg_view_scrolled_by_hand(self);
}

// A section with pages rests at the next page, a snapping engine at its choice.
static void fling(TesseraGtkView *self, double velocity_x, double velocity_y) {
  tg_resting resting = {.x = self->offset[0] + velocity_x / FRICTION, .y = self->offset[1] + velocity_y / FRICTION,
                        .velocity = {velocity_x, velocity_y}, .from = {self->offset[0], self->offset[1]}};
  if (self->swiped != GTK_INVALID_LIST_POSITION) {
    int across = tg_view_across(self);
    double to = self->swipe_offset + (is_mirrored(self) ? -1 : 1) * resting.velocity[across] / FRICTION, extent = self->bounds[across];
    if (has_pages(self, self->swiped)) to = CLAMP(round(to / extent), floor(self->swipe_offset / extent), ceil(self->swipe_offset / extent)) * extent;
    scroll_smoothly(self, CLAMP(to, 0, self->swipe_reach), 0, resting.velocity);
  } else if (self->snaps && self->layout) {
    tg_view_ask(self, find_rest, take_rest, &resting, sizeof resting);
  }
}

static gboolean come_to_rest(void *data) {
  TesseraGtkView *self = data;
  self->rest = 0;
  if (self->is_swiping) return G_SOURCE_REMOVE;
  self->swiped = GTK_INVALID_LIST_POSITION;
  fling(self, 0, 0);
  return G_SOURCE_REMOVE;
}

void tg_view_scrolled_by_hand(TesseraGtkView *self) {
  if (self->scroll_start || (!self->snaps && self->swiped == GTK_INVALID_LIST_POSITION)) return;
  g_clear_handle_id(&self->rest, g_source_remove);
  self->rest = g_timeout_add(120, come_to_rest, self);
}

// MARK: Touch, touchpad and wheel

// GtkScrolledWindow's deceleration ignores snapping engines, so the view replaces it.
void tg_view_take_kinetic(TesseraGtkView *self, gboolean snaps) {
  GtkWidget *scrolled = gtk_widget_get_ancestor(GTK_WIDGET(self), GTK_TYPE_SCROLLED_WINDOW);
  self->snaps = snaps;
  if (!scrolled || self->is_kinetic == snaps || (snaps && !gtk_scrolled_window_get_kinetic_scrolling(GTK_SCROLLED_WINDOW(scrolled)))) return;
  self->is_kinetic = snaps;
  gtk_scrolled_window_set_kinetic_scrolling(GTK_SCROLLED_WINDOW(scrolled), !snaps);
}

static void hovered(GtkEventControllerMotion *controller, double x, double y, TesseraGtkView *self) { self->hover[0] = x, self->hover[1] = y; }

static gboolean is_across(TesseraGtkView *self, const double by[2]) {
  int across = tg_view_across(self);
  return fabs(by[across]) > fabs(by[1 - across]);
}

// Swaps the axes while Shift is held, as GtkScrolledWindow does; returns whether the view scrolls.
static gboolean turn(GtkEventControllerScroll *controller, double by[2]) {
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(controller));
  double x = by[0];
  if (state & GDK_SHIFT_MASK) by[0] = by[1], by[1] = x;
  return !(state & GDK_CONTROL_MASK);
}

static gboolean wheel_turned(GtkEventControllerScroll *controller, double dx, double dy, TesseraGtkView *self) {
  double by[2] = {dx, dy};
  gboolean is_wheel = gtk_event_controller_scroll_get_unit(controller) == GDK_SCROLL_UNIT_WHEEL;
  self->scroll_start = 0;
  if (!turn(controller, by) || !self->layout) return FALSE;
  gboolean swipes = is_across(self, by) && begin_swipe(self, self->hover);
  gboolean is_asked = !swipes && self->swiped != GTK_INVALID_LIST_POSITION && self->swipe_reach < 0;
  if (!swipes && !is_asked) self->swiped = GTK_INVALID_LIST_POSITION;
  if (!swipes && !is_asked && (is_wheel || !self->is_kinetic)) return FALSE;
  for (int axis = 0; axis < 2 && is_wheel; axis++)
    // GTK's step.
    by[axis] *= has_pages(self, self->swiped) ? self->bounds[axis] : pow(self->bounds[axis], 2.0 / 3);
  if (is_asked) self->swipe_by += by[tg_view_across(self)];
  else scroll_by(self, by);
  return TRUE;
}

static void decelerated(GtkEventControllerScroll *controller, double velocity_x, double velocity_y, TesseraGtkView *self) {
  double velocity[2] = {velocity_x, velocity_y};
  if (turn(controller, velocity) && (self->swiped != GTK_INVALID_LIST_POSITION || self->is_kinetic)) fling(self, velocity[0], velocity[1]);
}

static void touched(GtkGesture *gesture, GdkEventSequence *sequence, TesseraGtkView *self) {
  self->scroll_start = 0;
  self->is_swiping = FALSE;
  gtk_gesture_get_point(gesture, sequence, &self->touch[0], &self->touch[1]);
}

static void touch_moved(GtkGesture *gesture, GdkEventSequence *sequence, TesseraGtkView *self) {
  double point[2], by[2];
  gtk_gesture_get_point(gesture, sequence, &point[0], &point[1]);
  by[0] = self->touch[0] - point[0], by[1] = self->touch[1] - point[1];
  if (!self->is_swiping) {
    if (hypot(by[0], by[1]) < 8 || self->drag_is_active || self->band || !self->layout) return;
    self->is_swiping = is_across(self, by) && begin_swipe(self, self->touch);
    // Unknown yet.
    if (!self->is_swiping && self->swiped != GTK_INVALID_LIST_POSITION && self->swipe_reach < 0) return;
    if (!self->is_swiping) self->swiped = GTK_INVALID_LIST_POSITION, self->is_swiping = self->is_kinetic;
    gtk_gesture_set_state(gesture, self->is_swiping ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
    if (!self->is_swiping) return;
  }
  self->touch[0] = point[0], self->touch[1] = point[1];
  scroll_by(self, by);
}

static void touch_ended(GtkGestureSwipe *gesture, double velocity_x, double velocity_y, TesseraGtkView *self) {
  if (self->is_swiping) fling(self, -velocity_x, -velocity_y);
  self->is_swiping = FALSE;
}

void tg_view_init_scrolling(TesseraGtkView *self) {
  self->swiped = GTK_INVALID_LIST_POSITION;
  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "motion", G_CALLBACK(hovered), self);
  gtk_widget_add_controller(GTK_WIDGET(self), motion);
  GtkEventController *scroll =
      gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  g_signal_connect(scroll, "scroll", G_CALLBACK(wheel_turned), self);
  g_signal_connect(scroll, "decelerate", G_CALLBACK(decelerated), self);
  gtk_widget_add_controller(GTK_WIDGET(self), scroll);
  GtkGesture *swipe = gtk_gesture_swipe_new();
  gtk_gesture_single_set_touch_only(GTK_GESTURE_SINGLE(swipe), TRUE);
  gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(swipe), GTK_PHASE_CAPTURE);
  g_signal_connect(swipe, "begin", G_CALLBACK(touched), self);
  g_signal_connect(swipe, "update", G_CALLBACK(touch_moved), self);
  g_signal_connect(swipe, "swipe", G_CALLBACK(touch_ended), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(swipe));
}
