// Hostile, dead and missing engines in a window.

#include "beat.h"
#include "support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// MARK: Engines that fail

enum { LONGEST = 100000 }; // microseconds without an answer to input

// Shows each engine of a folder, and the first one after each.
void hostile(void) {
  const char *folder = g_getenv("TESSERA_GTK_HOSTILE");
  expect(folder, "TESSERA_GTK_HOSTILE names no folder");
  tessera_gtk_set_limits(0.8, 256 << 20);
  fixture *self = open_window("flow", (int[]){60, 60, -1});
  TesseraGtkLayout *honest = g_object_ref(self->view->layout);
  GDir *files = g_dir_open(folder, 0, NULL);
  guint timer = begin_to_beat(5, FALSE), count = 0, slow = 0;
  for (const char *name; (name = g_dir_read_name(files));) {
    char *path = g_build_filename(folder, name, NULL);
    TesseraGtkLayout *layout = tessera_gtk_layout_new(path);
    longest_beat(TRUE);
    if (g_getenv("TESSERA_GTK_VERBOSE")) fprintf(stderr, "%s\n", name);
    tessera_gtk_view_set_layout(self->view, layout);
    run_for(0.15);
    gtk_adjustment_set_value(self->view->adjustments[1], 100);
    insert(section(self, 0), 1, 1, 1);
    run_for(0.25);
    tessera_gtk_view_set_layout(self->view, honest);
    settle(self);
    gint64 longest = longest_beat(FALSE);
    if (longest > LONGEST) fprintf(stderr, "%s: the main loop stood still for %d ms\n", name, (int)(longest / 1000)), slow++;
    expect_fresh(self, name);
    g_object_unref(layout);
    g_free(path);
    count++;
  }
  g_source_remove(timer);
  g_dir_close(files);
  expect(count >= 40 && !slow, "%u of %u engines stopped the main loop", slow, count);
  g_object_unref(honest);
  close_window(self);
}

// Workers are children of this process.
static void signal_workers(int number) {
  GDir *processes = g_dir_open("/proc", 0, NULL);
  guint count = 0;
  for (const char *name; (name = g_dir_read_name(processes));) {
    char *path = g_build_filename("/proc", name, "stat", NULL), *text = NULL;
    int parent;
    const char *end = g_ascii_isdigit(*name) && g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    if (end && strstr(text, "(tessera-worker") && sscanf(end, ") %*c %d", &parent) == 1 && parent == getpid()) kill(atoi(name), number), count++;
    g_free(text);
    g_free(path);
  }
  g_dir_close(processes);
  expect(count, "no engine runs in a process");
}

// While an engine is slow to answer a key, the window goes on; the key takes effect later.
void answers_late(void) {
  fixture *self = open_window("grid", (int[]){1000, -1});
  act(self, "mousemove 30 30 click 1");
  expect(self->view->focus == 0, "the click is at %u", self->view->focus);
  signal_workers(SIGSTOP);
  act(self, "key Right");
  expect(self->view->focus == 0, "an engine that is stopped has answered %u", self->view->focus);
  signal_workers(SIGCONT);
  for (int i = 0; i < 500 && self->view->focus != 1; i++) run_for(0.01);
  expect(self->view->focus == 1, "the key leads to %u", self->view->focus);
  expect_fresh(self, "after a late answer");
  // A new model and position while the engine works on the old model: the new cells appear.
  GtkSelectionModel *small = GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(g_list_store_new(TYPE_THING))));
  GListModel *things;
  g_object_get(small, "model", &things, NULL);
  insert(G_LIST_STORE(things), 0, 0, 300);
  gtk_adjustment_set_value(self->view->adjustments[1], 1e6); // beyond the new model's items
  settle(self);
  signal_workers(SIGSTOP);
  insert(section(self, 0), 0, 1, 0);
  for (int i = 0; i < 100 && !self->view->job; i++) run_for(0.01);
  tessera_gtk_view_set_model(self->view, G_LIST_MODEL(small));
  tessera_gtk_view_scroll_to(self->view, 299, TESSERA_GTK_PLACEMENT_END, FALSE);
  run_for(0.1);
  signal_workers(SIGCONT);
  settle(self);
  for (int i = 0; i < 500 && !tg_view_find(self->view, 299); i++) run_for(0.01);
  settle(self);
  expect(tg_view_find(self->view, 299), "the last item is not in sight at %g of %g", self->view->offset[1], self->view->content[1]);
  expect_fresh(self, "after a late answer for another model");
  g_object_unref(things);
  g_object_unref(small);
  close_window(self);
}

// Replaces a library by a copy, as a build does.
static void replace_file(const char *path, const char *source) {
  char *command = g_strdup_printf("cp %s %s.new && mv %s.new %s", source, path, path, path);
  expect(!system(command), "%s", command);
  g_free(command);
}

// After an engine dies the cells stay; the view recovers when its file is replaced. Two libraries
// of the same engine: one works, one crashes.
void recovers(void) {
  const char *good = g_getenv("TESSERA_GTK_GOOD"), *bad = g_getenv("TESSERA_GTK_BAD");
  char *folder = g_dir_make_tmp("tessera-XXXXXX", NULL), *path = g_build_filename(folder, "engine.so", NULL);
  expect(good && bad && folder, "TESSERA_GTK_GOOD and TESSERA_GTK_BAD name no libraries");
  fixture *self = open_window("flow", (int[]){60, 60, -1});
  replace_file(path, good);
  TesseraGtkLayout *layout = tessera_gtk_layout_new(path);
  tessera_gtk_view_set_layout(self->view, layout);
  settle(self);
  expect_fresh(self, "with an honest engine");
  guint before = g_hash_table_size(self->view->elements);
  replace_file(path, bad);
  for (int i = 0; i < 400 && !self->view->failure; i++) run_for(0.01);
  expect(self->view->failure && self->view->bar, "nothing says that the engine has died");
  expect(g_hash_table_size(self->view->elements) == before, "%u cells are left of %u", g_hash_table_size(self->view->elements), before);
  // It retries once by itself.
  for (int i = 0; i < 1000 && strcmp(self->log->str, "failed 70;failed 70;"); i++) run_for(0.01);
  run_for(0.7);
  expect(self->view->failure && !strcmp(self->log->str, "failed 70;failed 70;"), "%s", self->log->str);
  // A click on the bar must not reach the cells below.
  int width = gtk_widget_get_width(self->view->bar), bottom = gtk_widget_get_height(GTK_WIDGET(self->view));
  GtkBitset *selected = gtk_selection_model_get_selection(self->selection);
  for (int x = 10; x < width / 2; x += 20) act(self, "mousemove %d %d click 1", x, bottom - 10);
  GtkBitset *now = gtk_selection_model_get_selection(self->selection);
  expect(gtk_bitset_equals(now, selected) && gtk_bitset_is_empty(now), "a click on the bar selects %d items", (int)gtk_bitset_get_size(now));
  gtk_bitset_unref(now);
  gtk_bitset_unref(selected);
  // Tab reaches the bar's button from the cells, and back.
  tg_view_focus(self->view, 1, FALSE);
  act(self, "key Tab");
  GtkWidget *button = gtk_window_get_focus(self->window);
  expect(button && gtk_widget_is_ancestor(button, self->view->bar), "Tab does not lead to the bar");
  act(self, "key shift+Tab");
  expect(gtk_window_get_focus(self->window) == GTK_WIDGET(tg_view_find(self->view, 1)), "Shift+Tab does not lead back to the cells");
  gtk_adjustment_set_value(self->view->adjustments[1], 60);
  insert(section(self, 1), 0, 0, 3);
  for (int i = 0; i < 1000 && strlen(self->log->str) < 3 * strlen("failed 70;"); i++) run_for(0.01);
  run_for(0.3);
  expect(self->view->failure && !self->view->retry, "%s", self->log->str);
  replace_file(path, good);
  for (int i = 0; i < 400 && (self->view->failure || self->view->retry); i++) run_for(0.01);
  settle(self);
  expect(!self->view->failure && !self->view->bar, "the view does not go on: %s", self->view->failure->message);
  expect_fresh(self, "after the file was replaced");
  g_object_unref(layout);
  g_free(path);
  g_free(folder);
  close_window(self);
}

static void end_wait(gpointer flag) { *(gboolean *)flag = TRUE; }

// Idle for a second.
static void expect_idle(const char *when) {
  gboolean has_ended = FALSE;
  guint turns = 0;
  struct timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  g_timeout_add_once(1000, end_wait, &has_ended);
  for (; !has_ended; turns++) g_main_context_iteration(NULL, TRUE);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  double used = (double)(after.tv_sec - before.tv_sec) * 1e3 + (double)(after.tv_nsec - before.tv_nsec) / 1e6;
  if (g_getenv("TESSERA_GTK_VERBOSE")) fprintf(stderr, "%s: %u turns of the main loop, %.1f ms\n", when, turns, used);
  expect(turns < 30 && used < 50, "%s: %u turns of the main loop and %.1f ms in an idle second", when, turns, used);
}

// An idle window takes no processor time, even after its engine died or its file changed.
void idles(void) {
  const char *good = g_getenv("TESSERA_GTK_GOOD"), *bad = g_getenv("TESSERA_GTK_BAD");
  char *folder = g_dir_make_tmp("tessera-XXXXXX", NULL), *path = g_build_filename(folder, "engine.so", NULL);
  expect(good && bad && folder, "TESSERA_GTK_GOOD and TESSERA_GTK_BAD name no libraries");
  fixture *self = open_window("flow", (int[]){60, 60, -1});
  replace_file(path, good);
  TesseraGtkLayout *layout = tessera_gtk_layout_new(path);
  tessera_gtk_view_set_layout(self->view, layout);
  settle(self);
  run_for(1); // pointer and styles settle
  expect_idle("with an honest engine");
  signal_workers(SIGKILL);
  run_for(1.5);
  settle(self);
  expect(!self->view->failure, "%s", self->view->failure->message);
  expect_idle("after the engine's process was killed");
  replace_file(path, "/dev/null");
  run_for(1.5);
  expect_idle("after the file was replaced by an empty one");
  replace_file(path, good);
  run_for(1.5);
  settle(self);
  expect_fresh(self, "after the file was replaced by an honest engine");
  expect_idle("after the file was replaced by an honest engine");
  replace_file(path, bad);
  run_for(4);
  expect(self->view->failure, "nothing says that the engine has died");
  expect_idle("after the engine has died");
  expect(!g_remove(path), "the file cannot be removed");
  run_for(0.5);
  expect_idle("after the file was removed");
  expect(!g_remove(folder), "the folder cannot be removed");
  run_for(0.5);
  expect_idle("after the folder was removed");
  g_object_unref(layout);
  g_free(path);
  g_free(folder);
  close_window(self);
}

void refuses(void) {
  fixture *self = open_window("flow", (int[]){10, -1});
  tessera_gtk_layout_set_number(self->view->layout, "minimumLineSpacig", 4);
  settle(self);
  expect(self->view->failure && strstr(self->view->failure->message, "minimumLineSpacing"), "%s",
         self->view->failure ? self->view->failure->message : "no failure");
  tessera_gtk_layout_set_parameter(self->view->layout, "minimumLineSpacig", NULL);
  settle(self);
  expect(!self->view->failure && !self->view->bar, "what was wrong was reset, and the view does not go on");
  expect_fresh(self, "after what was wrong was reset");
  // Without a layout or a model, nothing is shown and keys do nothing.
  TesseraGtkLayout *flow = g_object_ref(self->view->layout);
  GListModel *model = g_object_ref(self->view->model);
  for (int i = 0; i < 2; i++) {
    if (i) tessera_gtk_view_set_model(self->view, NULL);
    else tessera_gtk_view_set_layout(self->view, NULL);
    gtk_widget_grab_focus(GTK_WIDGET(self->view));
    GSubprocess *hands = begin_to_act("key Down key Page_Down key End key ctrl+shift+Right mousemove 45 50 click 1 keydown shift click 5 keyup shift");
    expect(g_subprocess_wait_check(hands, NULL, NULL), "xdotool failed");
    g_object_unref(hands);
    run_for(0.1);
    expect(!self->view->order->len && gtk_adjustment_get_upper(self->view->adjustments[1]) == 400, "%u elements of nothing, in %g points",
           self->view->order->len, gtk_adjustment_get_upper(self->view->adjustments[1]));
    if (i) tessera_gtk_view_set_model(self->view, model);
    else tessera_gtk_view_set_layout(self->view, flow);
    settle(self);
    expect_fresh(self, "after nothing was shown");
  }
  // Another view takes the layout.
  fixture *taker = open_window("grid", (int[]){100, -1});
  tessera_gtk_view_set_layout(taker->view, flow);
  expect(!self->view->layout && !self->view->order->len, "two views have one layout");
  settle(taker);
  expect_fresh(taker, "with the layout of another view");
  close_window(taker);
  g_object_unref(model);
  g_object_unref(flow);
  GError *error = NULL;
  TesseraGtkLayout *none = tessera_gtk_layout_new("no-such-engine");
  expect(!tessera_gtk_layout_load(none, &error) && error->domain == TESSERA_GTK_ERROR && error->code == TESSERA_HOST_ERROR_NOT_FOUND, "%s",
         error ? error->message : "an engine that does not exist was started");
  g_error_free(error);
  g_object_unref(none);
  close_window(self);
}
