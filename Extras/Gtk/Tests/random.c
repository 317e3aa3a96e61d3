// Random changes, drags and windows, from the seed TESSERA_GTK_SEED.

#include "support.h"

#include <stdlib.h>
#include <string.h>

// Repetitions: from the environment, else `usual`.
static int times(const char *variable, int usual) {
  const char *number = g_getenv(variable);
  return number ? atoi(number) : usual;
}

static int between(int least, int end) { return g_random_int_range(least, MAX(end, least + 1)); }

// MARK: Changes

// Moves a dragged item within its section or into another one.
static gboolean reordered(TesseraGtkView *view, guint from, guint to, fixture *self) {
  GArray *counts = tg_view_count_sections(view);
  uint64_t item, section_of_item = tg_section_of(counts, from, &item);
  GListStore *store = section(self, (guint)section_of_item);
  gpointer thing = g_list_model_get_item(G_LIST_MODEL(store), (guint)item);
  g_list_store_remove(store, (guint)item);
  g_array_index(counts, uint64_t, section_of_item)--;
  uint64_t place, target = tg_section_of(counts, to, &place);
  // The end of the model is the end of the last section.
  if (target >= counts->len) target = counts->len - 1, place = g_array_index(counts, uint64_t, target);
  g_list_store_insert(section(self, (guint)target), (guint)place, thing);
  g_object_unref(thing);
  g_array_unref(counts);
  return TRUE;
}

// Drags an item, a rubber band or a finger.
static void drag_at_random(fixture *self) {
  int kind = between(0, 3), x = between(40, 280), y = between(40, 190);
  g_object_set(self->view, "reorderable", kind == 0, "enable-rubberband", kind == 1, NULL);
  g_object_set(controller_of(self, GTK_TYPE_GESTURE_SWIPE), "touch-only", kind != 2, NULL);
  act(self, "mousemove %d %d mousedown 1 mousemove %d %d mousemove %d %d mouseup 1", x, y, x + between(-40, 40), y + between(-40, 40),
      between(5, 290), between(5, 195));
  g_object_set(controller_of(self, GTK_TYPE_GESTURE_SWIPE), "touch-only", TRUE, NULL);
}

static void change_at_random(fixture *self) {
  static const char *const engines[] = {"flow", "waterfall", "mosaic", "table", "grid", "cover-flow", "even-flow", "justified", "compositional"};
  TesseraGtkView *view = self->view;
  guint sections = g_list_model_get_n_items(G_LIST_MODEL(self->sections)), kind = (guint)between(0, 100);
  GListStore *store = sections ? section(self, (guint)between(0, (int)sections)) : NULL;
  guint count = store ? g_list_model_get_n_items(G_LIST_MODEL(store)) : 0;
  if (kind < 28 && store) {
    insert(store, (guint)between(0, (int)count + 1), 0, (guint)between(1, count > 300 ? 2 : 8));
  } else if (kind < 53 && count) {
    guint first = (guint)between(0, (int)count), removed = (guint)between(1, 12);
    removed = MIN(count - first, removed);
    insert(store, first, removed, (guint)between(0, 4));
  } else if (kind < 58) {
    GListStore *new = g_list_store_new(TYPE_THING);
    insert(new, 0, 0, (guint)between(0, 40));
    if (sections < 12) g_list_store_insert(self->sections, (guint)between(0, (int)sections + 1), new);
    g_object_unref(new);
  } else if (kind < 61 && sections > 1) {
    g_list_store_remove(self->sections, (guint)between(0, (int)sections));
  } else if (kind < 78) {
    int axis = g_random_boolean();
    gtk_adjustment_set_value(view->adjustments[axis], g_random_double_range(0, view->content[axis] + 1));
  } else if (kind < 84 && count) {
    GObject *thing = g_list_model_get_item(G_LIST_MODEL(store), (guint)between(0, (int)count));
    thing_set_ratio(TEST_THING(thing), g_random_double_range(0.3, 3));
    g_object_unref(thing);
  } else if (kind < 87) {
    TesseraGtkLayout *layout = layout_of(engines[between(0, G_N_ELEMENTS(engines))]);
    tessera_gtk_view_set_layout(view, layout);
    g_object_unref(layout);
  } else if (kind < 89) {
    gtk_widget_set_size_request(GTK_WIDGET(self->scrolled), between(300, 600), -1);
    gtk_window_set_default_size(self->window, between(300, 640), between(200, 440));
  } else if (kind < 92 && g_str_has_suffix(tessera_gtk_layout_get_engine(view->layout), "flow")) {
    tessera_gtk_layout_set_number(view->layout, "minimumLineSpacing", between(0, 20));
  } else if (kind < 95) {
    drag_at_random(self);
  } else if (tg_view_count(view)) {
    tg_view_focus(view, (guint)between(0, (int)tg_view_count(view)), g_random_boolean());
  }
}

void changes_at_random(void) {
  g_random_set_seed((guint32)times("TESSERA_GTK_SEED", 1));
  fixture *self = open_window("flow", (int[]){40, 60, 5, -1});
  g_signal_connect(self->view, "reorder", G_CALLBACK(reordered), self);
  self->view->animation_duration = 12;
  guint most = 0, screen = 0;
  int changes = times("TESSERA_GTK_CHANGES", 1000);
  for (int i = 0; i < changes; i++) {
    change_at_random(self);
    if (between(0, 3) == 0) run_for(0.003);
    if (i % 10) continue;
    settle(self);
    char *when = g_strdup_printf("after change %d, in %s", i, tessera_gtk_layout_get_engine(self->view->layout));
    expect(!self->view->failure, "%s: %s", when, self->view->failure->message);
    expect_fresh(self, when);
    expect_in_place(self, when);
    screen = MAX(screen, g_hash_table_size(self->view->elements));
    most = MAX(most, all_widgets(self->view));
    expect(most < 3 * screen, "%s: %u widgets, and there were %u elements in sight at most", when, most, screen);
    g_free(when);
  }
  printf("%d changes: each like a new session; %u widgets at most, of %u elements in sight\n", changes, most, screen);
  close_window(self);
}

// MARK: Windows

// Windows that close during a drag, a deceleration or a change: no view outlives its window.
void closes(void) {
  static const char *const engines[] = {"cover-flow", "flow", "compositional"};
  g_random_set_seed((guint32)times("TESSERA_GTK_SEED", 1));
  for (int i = 0; i < times("TESSERA_GTK_WINDOWS", 12); i++) {
    fixture *self = open_window(engines[i % 3], (int[]){60, 20, -1});
    g_object_set(self->view, "reorderable", i % 2, NULL);
    g_object_set(controller_of(self, GTK_TYPE_GESTURE_SWIPE), "touch-only", i % 4 == 3, NULL);
    GSubprocess *hands = begin_to_act("mousemove 400 %d mousedown 1 mousemove 350 42 sleep 0.01 mousemove 250 42 sleep 0.01 mousemove %d 60 mouseup 1",
                                      between(20, 60), between(20, 300));
    run_for(between(1, 150) / 1000.0);
    if (between(0, 3) == 0) insert(section(self, 0), 3, 2, 4);
    if (between(0, 4) == 0) {
      TesseraGtkLayout *layout = layout_of("flow");
      tessera_gtk_view_set_layout(self->view, layout);
      g_object_unref(layout);
    }
    close_window(self);
    expect(g_subprocess_wait_check(hands, NULL, NULL), "xdotool failed");
    g_object_unref(hands);
  }
}
