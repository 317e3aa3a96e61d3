// Compares the view with GtkGridView and GtkListView in one process: a million equal cells, about
// 110 in sight, or 11 rows. `Extras/Gtk/bench` runs it; it prints name, our figure, GTK's figure,
// in ms or MB.
//
//     view [FOLDER-OF-ENGINES [ENGINE]]
//
// A step is processor time from setting the adjustment to the end of the frame's layout, without
// painting and without the worker: the median of 30, three times in turns. Memory is the difference
// between a process with the view (and its worker) and one with a label. An animation frame is
// compared with our own step of 40 points. The longest block of the main loop by a prepare has no
// counterpart.

#include "../beat.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tesseragtk/tesseragtk.h>
#include <time.h>
#include <unistd.h>

enum { ITEMS = 1000000, STEPS = 60 };

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

// MARK: A model of a million items, which creates them when they are asked for

#define NUMBERS_TYPE (numbers_get_type())
G_DECLARE_FINAL_TYPE(Numbers, numbers, BENCH, NUMBERS, GObject)
struct _Numbers {
  GObject parent;
  guint count;
};
static GType item_type(GListModel *model) { return GTK_TYPE_STRING_OBJECT; }
static guint item_count(GListModel *model) { return BENCH_NUMBERS(model)->count; }
static gpointer get_item(GListModel *model, guint position) {
  if (position >= BENCH_NUMBERS(model)->count) return NULL;
  char text[16];
  g_snprintf(text, sizeof text, "%u", position);
  return gtk_string_object_new(text);
}
static void model_init(GListModelInterface *interface) {
  interface->get_item_type = item_type;
  interface->get_n_items = item_count;
  interface->get_item = get_item;
}
G_DEFINE_FINAL_TYPE_WITH_CODE(Numbers, numbers, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, model_init))
static void numbers_class_init(NumbersClass *class) {}
static void numbers_init(Numbers *self) { self->count = ITEMS; }

// MARK: The two views

static GtkWidget *new_label(void) {
  return g_object_new(GTK_TYPE_LABEL, "width-request", 50, "height-request", 50, NULL);
}

static void setup(GtkSignalListItemFactory *factory, GObject *item) { g_object_set(item, "child", new_label(), NULL); }

static void bind_grid(GtkSignalListItemFactory *factory, GtkListItem *item) {
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), gtk_string_object_get_string(gtk_list_item_get_item(item)));
}

static void bind_tessera(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  gtk_label_set_text(GTK_LABEL(tessera_gtk_item_get_child(item)), gtk_string_object_get_string(tessera_gtk_item_get_item(item)));
}

typedef struct {
  GtkWidget *view;
  Numbers *model;
  GtkAdjustment *adjustment;
  GdkFrameClock *clock;
  double steps[STEPS], start, first;
  int step, count;
  double distance;
  gboolean measures, is_done, animates;
} subject;

static int by_value(const void *a, const void *b) {
  double first = *(const double *)a, second = *(const double *)b;
  return first < second ? -1 : first > second;
}

static void update(GdkFrameClock *clock, subject *self) {
  if (!self->measures) return;
  self->start = processor_time();
  if (self->distance) {
    double value = gtk_adjustment_get_value(self->adjustment) + self->distance;
    double end = gtk_adjustment_get_upper(self->adjustment) - gtk_adjustment_get_page_size(self->adjustment);
    gtk_adjustment_set_value(self->adjustment, value > end ? 0 : value);
  } else if (self->animates && self->step) {
    gtk_widget_queue_draw(self->view); // the animation goes on
  } else {
    // An insertion in sight, then a removal.
    guint place = 5;
    self->model->count += self->step % 2 ? -1 : 1;
    g_list_model_items_changed(G_LIST_MODEL(self->model), place, self->step % 2 ? 1 : 0, self->step % 2 ? 0 : 1);
  }
}

static void laid_out(GdkFrameClock *clock, subject *self) {
  if (!self->measures || !self->start) return;
  self->steps[self->step++] = processor_time() - self->start;
  self->start = 0;
  if (self->step == self->count) self->measures = FALSE, self->is_done = TRUE;
  else gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_UPDATE);
}

static double median(subject *self, double distance, int count) {
  self->distance = distance;
  self->count = count;
  self->step = 0;
  self->is_done = FALSE;
  self->measures = TRUE;
  gdk_frame_clock_request_phase(self->clock, GDK_FRAME_CLOCK_PHASE_UPDATE);
  while (!self->is_done) g_main_context_iteration(NULL, TRUE);
  qsort(self->steps, (size_t)count, sizeof *self->steps, by_value);
  return self->steps[count / 2];
}

static void pump(double seconds) {
  gint64 end = g_get_monotonic_time() + (gint64)(seconds * 1e6);
  while (g_get_monotonic_time() < end) {
    g_main_context_iteration(NULL, FALSE);
    g_usleep(500);
  }
}

// Proportional memory of a process and its children, in KiB.
static long memory_of(int process) {
  long sum = 0, value;
  char line[256];
  g_snprintf(line, sizeof line, "/proc/%d/smaps_rollup", process);
  FILE *file = fopen(line, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "Pss: %ld", &value) == 1) sum += value;
  if (file) fclose(file);
  g_snprintf(line, sizeof line, "/proc/%d/task", process);
  GDir *threads = g_dir_open(line, 0, NULL);
  for (const char *thread; threads && (thread = g_dir_read_name(threads));) {
    g_snprintf(line, sizeof line, "/proc/%d/task/%s/children", process, thread);
    char *children = NULL;
    if (g_file_get_contents(line, &children, NULL, NULL))
      for (char *next = children; (value = strtol(next, &next, 10));) sum += memory_of((int)value);
    g_free(children);
  }
  if (threads) g_dir_close(threads);
  return sum;
}

static subject *show(GtkWidget *view, Numbers *model) {
  subject *self = g_new0(subject, 1);
  self->view = view;
  self->model = model;
  double start = processor_time();
  GtkWidget *scrolled = gtk_scrolled_window_new(), *window = gtk_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), view);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 500, 550);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  gtk_window_present(GTK_WINDOW(window));
  self->adjustment = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(view));
  while (gtk_adjustment_get_upper(self->adjustment) < 1e6) g_main_context_iteration(NULL, TRUE);
  self->first = processor_time() - start;
  pump(0.5);
  self->clock = gtk_widget_get_frame_clock(view);
  g_signal_connect(self->clock, "update", G_CALLBACK(update), self);
  g_signal_connect_after(self->clock, "layout", G_CALLBACK(laid_out), self);
  gdk_frame_clock_begin_updating(self->clock);
  return self;
}

// Ten columns or one.
static subject *show_gtk(int columns) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind_grid), NULL);
  Numbers *model = g_object_new(NUMBERS_TYPE, NULL);
  GtkSelectionModel *selection = GTK_SELECTION_MODEL(gtk_multi_selection_new(G_LIST_MODEL(model)));
  if (columns == 1) return show(gtk_list_view_new(selection, factory), model);
  GtkWidget *view = gtk_grid_view_new(selection, factory);
  gtk_grid_view_set_min_columns(GTK_GRID_VIEW(view), (guint)columns);
  gtk_grid_view_set_max_columns(GTK_GRID_VIEW(view), (guint)columns);
  return show(view, model);
}

static TesseraGtkLayout *layout_of(const char *engine, int columns) {
  TesseraGtkLayout *layout = tessera_gtk_layout_new(engine);
  gboolean is_grid = !strcmp(engine, "grid");
  tessera_gtk_layout_set_size(layout, "itemSize", 500.0 / columns, 50);
  tessera_gtk_layout_set_number(layout, is_grid ? "spacing" : "minimumLineSpacing", 0);
  if (!is_grid) tessera_gtk_layout_set_number(layout, "minimumInteritemSpacing", 0);
  return layout;
}

static subject *show_tessera(const char *engine, int columns) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind_tessera), NULL);
  Numbers *model = g_object_new(NUMBERS_TYPE, NULL);
  GListModel *selection = G_LIST_MODEL(gtk_multi_selection_new(G_LIST_MODEL(model)));
  return show(tessera_gtk_view_new(selection, layout_of(engine, columns), factory), model);
}

// GTK's theme pads its own cells, so fewer would be in sight.
static void make_cells_equal(void) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, "gridview > child, listview > row { padding: 0; }", -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_USER);
  g_object_unref(provider);
}

// MARK: The main loop

// Longest block of the main loop in ms, while an engine prepares a million items.
static double longest_block(subject *self) {
  TesseraGtkLayout *flow = layout_of("flow", 10);
  guint timer = begin_to_beat(1, TRUE);
  tessera_gtk_view_set_layout(TESSERA_GTK_VIEW(self->view), flow);
  pump(1);
  g_source_remove(timer);
  g_object_unref(flow);
  return (double)longest_beat(FALSE) / 1000;
}

// MARK: Memory

// A separate process, because views share first-time costs.
static int print_memory(const char *kind, const char *engine) {
  GtkWidget *window = gtk_window_new();
  gtk_window_set_child(GTK_WINDOW(window), new_label());
  gtk_window_present(GTK_WINDOW(window));
  pump(0.5);
  subject *shown = !strcmp(kind, "gtk") ? show_gtk(10) : !strcmp(kind, "tessera") ? show_tessera(engine, 10) : NULL;
  pump(0.5);
  malloc_trim(0);
  long before = memory_of(getpid());
  if (shown) median(shown, 0, 40);
  pump(0.5);
  malloc_trim(0);
  printf("%ld %ld\n", before, memory_of(getpid()));
  return 0;
}

// KiB at first, and after 20 insertions and 20 removals.
static void find_memory(char **arguments, const char *kind, const char *engine, long memory[2]) {
  const char *program[] = {"/proc/self/exe", arguments[1] ? arguments[1] : "", engine, kind, NULL};
  char *output = NULL;
  if (!g_spawn_sync(NULL, (char **)program, NULL, 0, NULL, NULL, &output, NULL, NULL, NULL) ||
      sscanf(output, "%ld %ld", memory, memory + 1) != 2)
    exit(1);
  g_free(output);
}

static void print_row(const char *kind, const char *name, double ours, double theirs) { printf("%s%s\t%g\t%g\n", kind, name, ours, theirs); }

// Measures first layout and steps in turns; returns our step of 40 points.
static double compare_scrolling(const char *kind, subject *ours, subject *theirs) {
  static const double distances[] = {8, 40, 400, 8000};
  double result = 0;
  print_row(kind, "first layout", ours->first, theirs->first);
  for (int i = 0; i < 4; i++) {
    double sums[2] = {0};
    for (int turn = 0; turn < 3; turn++) {
      sums[0] += median(ours, distances[i], STEPS / 2);
      sums[1] += median(theirs, distances[i], STEPS / 2);
    }
    char name[32];
    g_snprintf(name, sizeof name, "step of %.0f points", distances[i]);
    print_row(kind, name, sums[0] / 3, sums[1] / 3);
    if (distances[i] == 40) result = sums[0] / 3;
  }
  return result;
}

int main(int count, char **arguments) {
  gtk_init();
  make_cells_equal();
  if (count > 1 && *arguments[1]) tessera_gtk_add_engine_folder(arguments[1]);
  const char *engine = count > 2 ? arguments[2] : "grid";
  if (count > 3) return print_memory(arguments[3], engine);
  // Pays for fonts, styles and engine discovery in advance.
  g_variant_unref(tessera_gtk_list_engines(NULL));
  gtk_window_destroy(GTK_WINDOW(gtk_widget_get_root(show_gtk(10)->view)));
  pump(0.3);
  subject *gtk = show_gtk(10), *tessera = show_tessera(engine, 10);
  double step = compare_scrolling("", tessera, gtk);
  gtk_adjustment_set_value(tessera->adjustment, 0);
  gtk_adjustment_set_value(gtk->adjustment, 0);
  pump(0.3);
  print_row("", "insertion in sight", median(tessera, 0, 40), median(gtk, 0, 40));
  g_object_set(tessera->view, "animation-duration", 60000, NULL);
  tessera->animates = TRUE;
  print_row("", "frame of an animation", median(tessera, 0, STEPS), step);
  print_row("", "longest block", longest_block(tessera), 0);
  subject *list = show_gtk(1), *rows = show_tessera(engine, 1);
  compare_scrolling("rows: ", rows, list);
  long none[2], with_gtk[2], with_tessera[2];
  find_memory(arguments, "none", engine, none);
  find_memory(arguments, "gtk", engine, with_gtk);
  find_memory(arguments, "tessera", engine, with_tessera);
  for (int i = 0; i < 2; i++)
    print_row("", i ? "memory after insertions" : "memory", (double)(with_tessera[i] - none[i]) / 1024, (double)(with_gtk[i] - none[i]) / 1024);
  return 0;
}
