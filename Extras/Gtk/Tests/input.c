// Tests of pointer and keyboard: selection, dragging, rubber bands, swipes, deceleration.

#include "support.h"

#include <math.h>
#include <string.h>

void selection(void) {
  fixture *self = open_window("flow", (int[]){20, 20, -1});
  // Six cells of 90 in 600 points, 102 apart, under a header of 24; rows are 70 apart.
  act(self, "mousemove 45 50 click 1");
  expect(gtk_selection_model_is_selected(self->selection, 0) && self->view->focus == 0, "a click on the first cell focuses %u", self->view->focus);
  act(self, "key Right");
  act(self, "key Down");
  expect(self->view->focus == 7 && gtk_selection_model_is_selected(self->selection, 7), "Right and Down from 0 lead to %u", self->view->focus);
  act(self, "key shift+Right");
  // Away from the last click, to avoid a double click.
  act(self, "keydown ctrl mousemove 351 50 click 1 keyup ctrl");
  GtkBitset *bits = gtk_selection_model_get_selection(self->selection);
  expect(gtk_bitset_get_size(bits) == 3 && gtk_bitset_contains(bits, 3) && gtk_bitset_contains(bits, 8), "%d are selected",
         (int)gtk_bitset_get_size(bits));
  gtk_bitset_unref(bits);
  act(self, "key End");
  expect(self->view->focus == 39, "End leads to %u", self->view->focus);
  act(self, "key Home");
  expect(self->view->focus == 0, "Home leads to %u", self->view->focus);
  act(self, "key Return");
  act(self, "mousemove 147 50 click --repeat 2 1");
  expect(!strcmp(self->log->str, "activate 0;activate 1;"), "%s", self->log->str);
  act(self, "key ctrl+a");
  bits = gtk_selection_model_get_selection(self->selection);
  expect(gtk_bitset_get_size(bits) == 40, "%d are selected", (int)gtk_bitset_get_size(bits));
  gtk_bitset_unref(bits);
  // GTK's actions, activated from inside a cell.
  GtkWidget *label = tessera_gtk_item_get_child(tg_view_find(self->view, 1));
  expect(gtk_widget_activate_action(label, "list.unselect-all", NULL), "there is no list.unselect-all");
  gtk_widget_activate_action(label, "list.select-item", "(ubb)", 4, FALSE, FALSE);
  gtk_widget_activate_action(label, "list.select-item", "(ubb)", 6, FALSE, TRUE);
  gtk_widget_activate_action(label, "list.select-item", "(ubb)", 5, TRUE, FALSE);
  gtk_widget_activate_action(label, "list.select-item", "(ubb)", 40, TRUE, FALSE);
  bits = gtk_selection_model_get_selection(self->selection);
  expect(gtk_bitset_get_size(bits) == 2 && gtk_bitset_contains(bits, 4) && gtk_bitset_contains(bits, 6), "%d are selected",
         (int)gtk_bitset_get_size(bits));
  gtk_bitset_unref(bits);
  gtk_widget_activate_action(label, "list.activate-item", "u", 7);
  expect(g_str_has_suffix(self->log->str, ";activate 7;"), "%s", self->log->str);
  gtk_widget_activate_action(label, "list.scroll-to-item", "u", 39);
  settle(self);
  graphene_rect_t bounds;
  expect(tessera_gtk_view_get_bounds(self->view, 39, &bounds) && self->view->focus == 1, "the last item is not in sight at %g, or the focus is at %u",
         self->view->offset[1], self->view->focus);
  // The focus survives being scrolled out of sight.
  tg_view_focus(self->view, 0, TRUE);
  gtk_adjustment_set_value(self->view->adjustments[1], 300);
  settle(self);
  // After the frame, the window looks for another focus.
  expect(self->view->offset[1] == 188, "a step away from the focus ends at %g of %g", self->view->offset[1], self->view->content[1]);
  act(self, "key Right");
  expect(self->view->focus == 1 && self->view->offset[1] < 30, "Right leads to %u at %g", self->view->focus, self->view->offset[1]);
  // So does a focus moved by a click or a screen reader.
  gtk_widget_grab_focus(GTK_WIDGET(tg_view_find(self->view, 13)));
  act(self, "key Left");
  expect(self->view->focus == 12, "Left from the cell 13, which has the focus, leads to %u", self->view->focus);
  // A rubber band from the gap right of the first section's last row.
  g_object_set(self->view, "enable-rubberband", TRUE, NULL);
  gtk_selection_model_unselect_all(self->selection);
  act(self, "mousemove 300 280 mousedown 1");
  act(self, "mousemove 280 260");
  act(self, "mousemove 120 200");
  act(self, "mouseup 1");
  bits = gtk_selection_model_get_selection(self->selection);
  expect(gtk_bitset_get_size(bits) == 3 && gtk_bitset_contains(bits, 13) && gtk_bitset_contains(bits, 14) && gtk_bitset_contains(bits, 19),
         "%d are selected, from %u", (int)gtk_bitset_get_size(bits), gtk_bitset_get_minimum(bits));
  gtk_bitset_unref(bits);
  close_window(self);
}

void reorders(void) {
  fixture *self = open_window("flow", (int[]){0, -1});
  GListStore *store = g_list_store_new(TYPE_THING);
  insert(store, 0, 0, 12);
  GtkSelectionModel *flat = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(store)));
  tessera_gtk_view_set_model(self->view, G_LIST_MODEL(flat));
  g_object_set(self->view, "reorderable", TRUE, NULL);
  self->view->animation_duration = 60;
  settle(self);
  Thing *first = g_list_model_get_item(G_LIST_MODEL(store), 0), *second = g_list_model_get_item(G_LIST_MODEL(store), 1);
  act(self, "mousemove 45 50 mousedown 1");
  act(self, "mousemove 60 52");
  act(self, "mousemove 250 50");
  // The held cell is under the pointer, grabbed 15 points from its left edge; the next two have
  // made room, and the model is unchanged. The cells are 90 wide and 102 apart.
  static const float lefts[] = {205, 0, 102, 306};
  for (guint i = 0; i < 4; i++) {
    graphene_rect_t bounds;
    expect(tessera_gtk_view_get_bounds(self->view, i, &bounds) && fabsf(bounds.origin.x - lefts[i]) < 1, "cell %u is at %g, and %g is expected", i,
           bounds.origin.x, lefts[i]);
  }
  gpointer unmoved = g_list_model_get_item(G_LIST_MODEL(store), 0);
  g_object_unref(unmoved);
  expect(unmoved == (gpointer)first, "the model has changed before the item was dropped");
  act(self, "mouseup 1");
  expect_fresh(self, "after an item was dropped");
  gpointer now = g_list_model_get_item(G_LIST_MODEL(store), 2);
  g_object_unref(now);
  expect(now == (gpointer)first, "the item that was dragged is not the third");
  act(self, "key ctrl+shift+Left");
  now = g_list_model_get_item(G_LIST_MODEL(store), 1);
  g_object_unref(now);
  expect(now == (gpointer)first, "the item that was moved with the keyboard is not the second");
  // A cell whose item moves keeps its widget.
  tg_element *element = tg_view_find(self->view, 0);
  expect(tessera_gtk_item_get_item(element) == (gpointer)second, "another item is the first");
  // Dropped at its origin, it isn't moved.
  act(self, "mousemove 45 50 mousedown 1");
  act(self, "mousemove 250 50");
  expect(self->view->drop == 2, "the item that is held is at %u", self->view->drop);
  act(self, "mousemove 20 50");
  expect(self->view->drop == 0, "the item that is held is at %u", self->view->drop);
  act(self, "mouseup 1");
  expect_fresh(self, "after an item was dropped where it was");
  // A change of the model or the layout ends the drag.
  act(self, "mousemove 45 50 mousedown 1");
  act(self, "mousemove 250 50");
  insert(store, 5, 0, 1);
  settle(self);
  expect_fresh(self, "after a change while an item was held");
  act(self, "mouseup 1");
  act(self, "mousemove 45 50 mousedown 1");
  act(self, "mousemove 250 50");
  TesseraGtkLayout *grid = layout_of("grid");
  tessera_gtk_view_set_layout(self->view, grid);
  g_object_unref(grid);
  settle(self);
  expect_fresh(self, "after another layout while an item was held");
  act(self, "mouseup 1");
  now = g_list_model_get_item(G_LIST_MODEL(store), 0);
  g_object_unref(now);
  expect(now == (gpointer)second && tg_view_count(self->view) == 13, "the model was changed by a drag that had ended");
  expect_fresh(self, "at last");
  g_object_unref(first);
  g_object_unref(second);
  tessera_gtk_view_set_model(self->view, NULL);
  g_object_unref(flat);
  close_window(self);
}

// Holds the pointer at the lower edge until the view has scrolled by a page, then releases it.
static void drag_beyond(fixture *self, const char *from) {
  GSubprocess *hands = begin_to_act("mousemove %s mousedown 1 mousemove 110 100 mousemove 300 395", from);
  for (int i = 0; i < 500 && self->view->offset[1] < 400; i++) run_for(0.01);
  expect(g_subprocess_wait_check(hands, NULL, NULL), "xdotool failed");
  g_object_unref(hands);
  expect(self->view->offset[1] >= 400, "a drag at the edge scrolls to %g", self->view->offset[1]);
  act(self, "mousemove 300 200 mouseup 1");
}

// Scrolling at the edge: a rubber band selects the passed cells, a held item is dropped there.
void edges(void) {
  fixture *self = open_window("flow", (int[]){600, -1});
  g_object_set(self->view, "enable-rubberband", TRUE, NULL);
  drag_beyond(self, "96 50"); // in the gap behind the first cell
  GtkBitset *bits = gtk_selection_model_get_selection(self->selection);
  // Columns 1 and 2 of 6, from the first row to the pointer.
  guint last = gtk_bitset_get_maximum(bits);
  expect(gtk_bitset_get_minimum(bits) == 1 && last > 42 && gtk_bitset_get_size(bits) == 2 * (last / 6 + 1), "%d are selected, from %u to %u",
         (int)gtk_bitset_get_size(bits), gtk_bitset_get_minimum(bits), last);
  gtk_bitset_unref(bits);
  gtk_selection_model_unselect_all(self->selection);
  GListStore *store = g_object_ref(section(self, 0));
  GtkSelectionModel *flat = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(store)));
  tessera_gtk_view_set_model(self->view, G_LIST_MODEL(flat));
  gtk_adjustment_set_value(self->view->adjustments[1], 0);
  g_object_set(self->view, "reorderable", TRUE, NULL);
  settle(self);
  gpointer first = g_list_model_get_item(G_LIST_MODEL(store), 0);
  drag_beyond(self, "45 50");
  guint position = 0;
  expect(g_list_store_find(store, first, &position) && position > 35, "an item that was dropped beyond the edge is at %u", position);
  expect_fresh(self, "after an item was dropped beyond the edge");
  g_object_unref(first);
  tessera_gtk_view_set_model(self->view, NULL);
  g_object_unref(flat);
  close_window(self);
}

static double left_of(fixture *self, guint position) {
  tessera_session *session;
  // Busy with the resting place.
  while (!(session = tg_session_get(tg_layout_get_session(self->view->layout)))) run_for(0.001);
  uint64_t item, section = tg_section_of(self->view->counts, position, &item);
  tessera_element cell;
  expect(!tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, section, item, &cell, sizeof cell), "there is no cell %u", position);
  return cell.x;
}

// Swipes sections with the wheel and with a finger, simulated by the pointer.
void swipes(void) {
  fixture *self = open_window("compositional", (int[]){20, 20, 20, -1});
  expect_fresh(self, "at first");
  // GtkScrolledWindow's wheel step in a page of 600 points.
  double step = pow(600, 2.0 / 3);
  act(self, "mousemove 300 40 keydown shift click 5 keyup shift");
  expect(fabs(left_of(self, 0) + step) < 0.01, "after Shift and the wheel, the first cell is at %g", left_of(self, 0));
  act(self, "click 7");
  expect(fabs(left_of(self, 0) + 2 * step) < 0.01, "after the wheel's side, the first cell is at %g", left_of(self, 0));
  act(self, "click 6 click 6");
  expect(left_of(self, 0) == 0, "back at the start, the first cell is at %g", left_of(self, 0));
  // The section below has nothing to scroll, and the content doesn't scroll sideways.
  act(self, "mousemove 300 200 click 7");
  expect(left_of(self, 0) == 0 && left_of(self, 20) == 0 && self->view->offset[0] == 0, "the cell is at %g", left_of(self, 20));
  expect_fresh(self, "after the wheel");
  g_object_set(controller_of(self, GTK_TYPE_GESTURE_SWIPE), "touch-only", FALSE, NULL);
  act(self, "mousemove 400 40 mousedown 1");
  act(self, "mousemove 350 42 mousemove 250 42");
  expect(left_of(self, 0) == -150 && left_of(self, 20) == 0, "under the finger, the first cell is at %g", left_of(self, 0));
  expect_fresh(self, "under the finger");
  run_for(0.3); // longer than the window of a velocity
  act(self, "mouseup 1");
  expect(left_of(self, 0) == -150, "after a finger that stood still, the first cell is at %g", left_of(self, 0));
  // Sets the velocity, as a pointer's depends on the machine. It decays by e^4 in a second.
  act(self, "mousemove 500 40 mousedown 1 mousemove 420 40");
  act(self, "mousemove 400 40"); // counts even if the first answer was late
  g_signal_emit_by_name(controller_of(self, GTK_TYPE_GESTURE_SWIPE), "swipe", -2000.0, 0.0);
  settle(self);
  expect(left_of(self, 0) == -(150 + 100 + 2000 / 4), "after a flick, the first cell is at %g", left_of(self, 0));
  act(self, "mouseup 1");
  for (int i = 0; i < 4; i++) act(self, "mousemove 590 40 mousedown 1 mousemove 480 40 sleep 0.05 mousemove 240 40 sleep 0.05 mousemove 10 40 mouseup 1");
  // 20 cells of 100 points in 600.
  expect(left_of(self, 0) == -1400, "at the end, the first cell is at %g", left_of(self, 0));
  expect_fresh(self, "at the end");
  gtk_adjustment_set_value(self->view->adjustments[1], 10000);
  settle(self);
  act(self, "mousemove 300 360 keydown shift click 5 keyup shift");
  expect(left_of(self, 40) == -600, "after a step of the wheel, the page is at %g", left_of(self, 40));
  act(self, "mousemove 590 360 mousedown 1 mousemove 520 360 mousemove 200 360 mouseup 1");
  expect(left_of(self, 40) == -1200, "after a flick, the page is at %g", left_of(self, 40));
  expect_fresh(self, "after pages");
  // Keyboard and program reach cells out of sight, with and without pages.
  expect(tg_view_focus(self->view, 57, TRUE), "cell 57 is not in sight");
  // A key before the last answer is lost.
  for (int i = 0; i < 40 && self->view->focus != 48; i++) act(self, "key Left");
  expect(self->view->focus == 48 && left_of(self, 40) == -600 && gtk_selection_model_is_selected(self->selection, 48),
         "Left leads to %u, and the page is at %g", self->view->focus, left_of(self, 40));
  for (int i = 0; i < 40; i++) act(self, "key Right");
  expect(self->view->focus == 59 && left_of(self, 40) == -1800, "the last cell is %u, and the page is at %g", self->view->focus, left_of(self, 40));
  tessera_gtk_view_scroll_to(self->view, 2, TESSERA_GTK_PLACEMENT_START, TRUE);
  settle(self);
  expect(left_of(self, 2) == 0 && self->view->focus == 2, "the third cell is at %g, and the focus at %u", left_of(self, 2), self->view->focus);
  tessera_gtk_view_scroll_to(self->view, 19, TESSERA_GTK_PLACEMENT_NEAREST, FALSE);
  settle(self);
  expect_fresh(self, "after the keyboard");
  // Swipe offsets stay when a section is inserted before them.
  GListStore *new = g_list_store_new(TYPE_THING);
  insert(new, 0, 0, 3);
  tessera_gtk_layout_set_section_values(self->view->layout, "orthogonal", g_variant_new_parsed("['none', 'continuous', 'none', 'paging']"));
  g_list_store_insert(self->sections, 0, new);
  g_object_unref(new);
  settle(self);
  expect(left_of(self, 0) == 0 && left_of(self, 3) == -1400 && left_of(self, 43) == -1800, "the sections are at %g, %g and %g", left_of(self, 0),
         left_of(self, 3), left_of(self, 43));
  expect_fresh(self, "after a section was inserted");
  close_window(self);
}

// The engine's resting place for an offset, a proposed offset and a velocity.
static double rest_of(fixture *self, double offset, double x, double velocity) {
  tessera_session *session = fresh_session(self);
  double resting_x, resting_y;
  uint64_t count;
  tessera_session_set_offset(session, offset, 0);
  // Cell frames depend on the offset.
  tessera_session_query_viewport(session, NULL, sizeof(tessera_element), 0, &count);
  expect(!tessera_session_resting_offset(session, x, 0, velocity, 0, &resting_x, &resting_y), "%s", tessera_session_message(session));
  tessera_session_destroy(session);
  return resting_x;
}

// Releases a touchpad and waits for the resting place, which may be late.
static void decelerate(fixture *self, double velocity) {
  g_signal_emit_by_name(controller_of(self, GTK_TYPE_EVENT_CONTROLLER_SCROLL), "decelerate", velocity, 0.0);
  for (int i = 0; i < 500 && !self->view->scroll_start; i++) run_for(0.01);
}

// Kinetic scrolling ends where the snapping engine decides.
void rests(void) {
  fixture *self = open_window("cover-flow", (int[]){400, -1});
  expect(!gtk_scrolled_window_get_kinetic_scrolling(self->scrolled), "GtkScrolledWindow would decelerate to any place");
  gtk_adjustment_set_value(self->view->adjustments[0], 137);
  // Its answer may be late.
  for (int i = 0; i < 500 && self->view->offset[0] == 137; i++) run_for(0.01);
  settle(self);
  double offset = self->view->offset[0];
  expect(fabs(offset - rest_of(self, 137, 137, 0)) < 0.5 && offset != 137, "137 comes to rest at %g, and %g is expected", offset,
         rest_of(self, 137, 137, 0));
  decelerate(self, 1500);
  double expected = rest_of(self, offset, offset + 1500 / 4.0, 1500);
  expect(self->view->scroll_start && self->view->scroll_to[0] == expected, "a touchpad's 1500 points a second end at %g, and %g is expected",
         self->view->scroll_to[0], expected);
  settle(self);
  expect(fabs(self->view->offset[0] - expected) < 0.5 && expected > offset, "it has come to rest at %g, and %g is expected", self->view->offset[0],
         expected);
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
  decelerate(self, 1500);
  expect(self->view->scroll_start && self->view->scroll_duration < 1000, "without animations, it comes to rest in %g µs", self->view->scroll_duration);
  settle(self);
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
  TesseraGtkLayout *flow = layout_of("flow");
  tessera_gtk_view_set_layout(self->view, flow);
  g_object_unref(flow);
  settle(self);
  expect(gtk_scrolled_window_get_kinetic_scrolling(self->scrolled), "GtkScrolledWindow does not decelerate any more");
  close_window(self);
}
