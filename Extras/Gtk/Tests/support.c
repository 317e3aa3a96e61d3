#include "support.h"

#include <gdk/gdkkeysyms.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Items

struct _Thing {
  GObject parent;
  double ratio;
};

G_DEFINE_FINAL_TYPE(Thing, thing, G_TYPE_OBJECT)

static void get_ratio(GObject *object, guint id, GValue *value, GParamSpec *property) {
  g_value_set_double(value, TEST_THING(object)->ratio);
}

static void set_ratio(GObject *object, guint id, const GValue *value, GParamSpec *property) {
  TEST_THING(object)->ratio = g_value_get_double(value);
}

static void thing_class_init(ThingClass *class) {
  G_OBJECT_CLASS(class)->get_property = get_ratio;
  G_OBJECT_CLASS(class)->set_property = set_ratio;
  // The same value by two names.
  g_object_class_install_property(G_OBJECT_CLASS(class), 1, g_param_spec_double("ratio", NULL, NULL, 0.01, 100, 1, G_PARAM_READWRITE));
  g_object_class_install_property(G_OBJECT_CLASS(class), 2, g_param_spec_double("other", NULL, NULL, 0.01, 100, 1, G_PARAM_READWRITE));
}

static void thing_init(Thing *self) { self->ratio = 1; }

Thing *thing_new(double ratio) { return g_object_new(TYPE_THING, "ratio", ratio, NULL); }
double thing_ratio(Thing *thing) { return thing->ratio; }
void thing_set_ratio(Thing *thing, double ratio) { g_object_set(thing, "ratio", ratio, NULL); }

// MARK: The window

static void setup(GtkSignalListItemFactory *factory, GObject *item, gpointer data) {
  tessera_gtk_item_set_child(TESSERA_GTK_ITEM(item), gtk_label_new(NULL));
}

static void bind(GtkSignalListItemFactory *factory, GObject *item, gpointer data) {
  expect(tessera_gtk_item_get_item(TESSERA_GTK_ITEM(item)), "a cell is bound without an item");
  char *text = g_strdup_printf("%u", tessera_gtk_item_get_position(TESSERA_GTK_ITEM(item)));
  gtk_label_set_text(GTK_LABEL(tessera_gtk_item_get_child(TESSERA_GTK_ITEM(item))), text);
  g_free(text);
}

static void activated(TesseraGtkView *view, guint position, fixture *self) { g_string_append_printf(self->log, "activate %u;", position); }

static gboolean failed(TesseraGtkView *view, const GError *error, fixture *self) {
  g_string_append_printf(self->log, "failed %d;", error->code);
  return FALSE;
}

TesseraGtkLayout *layout_of(const char *engine) {
  TesseraGtkLayout *layout = tessera_gtk_layout_new(engine);
  if (strstr(engine, "flow")) tessera_gtk_layout_set_size(layout, "itemSize", 90, 60);
  if (!strcmp(engine, "flow")) {
    tessera_gtk_layout_set_size(layout, "headerReferenceSize", 0, 24);
    tessera_gtk_layout_set_number(layout, "sectionHeadersPinToVisibleBounds", 1);
  }
  if (!strcmp(engine, "waterfall") || !strcmp(engine, "justified")) tessera_gtk_layout_bind_property(layout, "aspectRatio", "ratio");
  if (!strcmp(engine, "compositional")) {
    // Groups of one item of 100 × 80; the first and third section scroll across the second.
    tessera_gtk_layout_set_parameter(layout, "nodes",
                                     g_variant_new_parsed("[{'kind': <'horizontal'>, 'widthIs': <'absolute'>, 'heightIs': <'absolute'>,"
                                                          "  'width': <100>, 'height': <80>}, {'parent': <0>}]"));
    tessera_gtk_layout_set_section_values(layout, "orthogonal", g_variant_new_parsed("['continuous', 'none', 'paging']"));
  }
  return layout;
}

static GListStore *new_section(int count) {
  GListStore *store = g_list_store_new(TYPE_THING);
  for (int i = 0; i < count; i++) {
    Thing *thing = thing_new(0.5 + (i * 37 % 100) / 66.0);
    g_list_store_append(store, thing);
    g_object_unref(thing);
  }
  return store;
}

fixture *open_window(const char *engine, const int *counts) {
  fixture *self = g_new0(fixture, 1);
  self->engine = engine;
  self->log = g_string_new(NULL);
  self->sections = g_list_store_new(G_TYPE_LIST_MODEL);
  for (; *counts >= 0; counts++) {
    GListStore *store = new_section(*counts);
    g_list_store_append(self->sections, store);
    g_object_unref(store);
  }
  GtkFlattenListModel *flat = gtk_flatten_list_model_new(G_LIST_MODEL(g_object_ref(self->sections)));
  self->selection = GTK_SELECTION_MODEL(gtk_multi_selection_new(G_LIST_MODEL(flat)));
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  self->view = TESSERA_GTK_VIEW(tessera_gtk_view_new(G_LIST_MODEL(g_object_ref(self->selection)), layout_of(engine), factory));
  g_signal_connect(self->view, "activate", G_CALLBACK(activated), self);
  g_signal_connect(self->view, "layout-failed", G_CALLBACK(failed), self);
  self->scrolled = GTK_SCROLLED_WINDOW(gtk_scrolled_window_new());
  gtk_scrolled_window_set_child(self->scrolled, GTK_WIDGET(self->view));
  self->window = GTK_WINDOW(gtk_window_new());
  gtk_window_set_decorated(self->window, FALSE);
  gtk_window_set_default_size(self->window, 600, 400);
  gtk_window_set_child(self->window, GTK_WIDGET(self->scrolled));
  gtk_window_present(self->window);
  settle(self);
  return self;
}

void close_window(fixture *self) {
  GtkWidget *view = GTK_WIDGET(self->view);
  g_object_add_weak_pointer(G_OBJECT(view), (gpointer *)&view);
  gtk_window_destroy(self->window);
  for (int i = 0; i < 500 && view; i++) run_for(0.01);
  expect(view == NULL, "the view is still alive after its window was closed");
  g_object_unref(self->selection);
  g_object_unref(self->sections);
  g_string_free(self->log, TRUE);
  g_free(self);
}

GListStore *section(fixture *self, guint index) {
  GListStore *store = g_list_model_get_item(G_LIST_MODEL(self->sections), index);
  g_object_unref(store);
  return store;
}

void insert(GListStore *store, guint position, guint removed, guint added) {
  gpointer *things = g_new(gpointer, added + 1);
  for (guint i = 0; i < added; i++) things[i] = thing_new(g_random_double_range(0.3, 3));
  g_list_store_splice(store, position, removed, things, added);
  for (guint i = 0; i < added; i++) g_object_unref(things[i]);
  g_free(things);
}

static gboolean end_wait(gpointer flag) {
  *(gboolean *)flag = TRUE;
  return G_SOURCE_REMOVE;
}

void run_for(double seconds) {
  gboolean has_ended = FALSE;
  g_timeout_add((guint)(seconds * 1000), end_wait, &has_ended);
  while (!has_ended) g_main_context_iteration(NULL, TRUE);
}

static gboolean is_settled(TesseraGtkView *view) {
  return !view->job && !view->idle && (!view->needs || view->failure) && !view->animation_start && !view->scroll_start && view->order->len &&
         // Ready for the pointer.
         gtk_widget_get_mapped(GTK_WIDGET(view)) && !view->rest && view->is_placed;
}

void settle(fixture *self) {
  gint64 deadline = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
  while (g_main_context_pending(NULL)) g_main_context_iteration(NULL, FALSE);
  while (!is_settled(self->view) && g_get_monotonic_time() < deadline) {
    if (self->view->failure || (self->view->items && !tg_view_count(self->view) && !self->view->needs && !self->view->job)) break;
    run_for(0.002);
  }
  expect(g_get_monotonic_time() < deadline, "the view does not settle: needs %d, job %p, animation %d, %u elements, idle %u, rest %u",
         self->view->needs, (void *)self->view->job, self->view->animation_start != 0, self->view->order->len,
         self->view->idle, self->view->rest);
}

// MARK: A session made new

tessera_session *fresh_session(fixture *self) {
  TesseraGtkView *view = self->view;
  tessera_engines *engines = tessera_engines_copy(tg_engines());
  tessera_session *session = NULL;
  const char *engine = tessera_gtk_layout_get_engine(view->layout);
  expect(!tessera_session_create(engines, engine, &session), "%s", tessera_engines_message(engines));
  tessera_engines_destroy(engines);
  tessera_session_set_bounds(session, view->bounds[0], view->bounds[1]);
  tessera_session_set_scale(session, gtk_widget_get_scale_factor(GTK_WIDGET(view)));
  if (gtk_widget_get_direction(GTK_WIDGET(view)) == GTK_TEXT_DIR_RTL)
    tessera_session_set_direction(session, TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT);
  GArray *counts = tg_view_count_sections(view);
  tessera_session_set_sections(session, (uint64_t *)(gpointer)counts->data, counts->len);
  GPtrArray *settings = tg_layout_take_changes(view->layout, TRUE);
  expect(!tg_layout_apply(settings, session, counts->len), "%s", tessera_session_message(session));
  g_ptr_array_unref(settings);
  g_array_unref(counts);
  if (view->layout->bindings->len && tg_view_count(view)) {
    guint count = tg_view_count(view);
    double *ratios = g_new(double, count);
    for (guint i = 0; i < count; i++) {
      Thing *thing = g_list_model_get_item(view->items, i);
      ratios[i] = thing_ratio(thing);
      g_object_unref(thing);
    }
    expect(!tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "aspectRatio", ratios, 1, count, sizeof(double)), "%s",
           tessera_session_message(session));
    g_free(ratios);
  }
  return session;
}

void expect_fresh(fixture *self, const char *when) {
  TesseraGtkView *view = self->view;
  tessera_session *session = fresh_session(self);
  tessera_columns columns;
  expect(!tessera_session_set_offset(session, view->offset[0], view->offset[1]), "%s", tessera_session_message(session));
  expect(!tessera_session_query_columns(session, NULL, &columns, sizeof columns), "%s", tessera_session_message(session));
  expect(fabs(columns.content_width - view->content[0]) < 0.001 && fabs(columns.content_height - view->content[1]) < 0.001,
         "%s: the content is %g × %g, and %g × %g is expected", when, view->content[0], view->content[1], columns.content_width,
         columns.content_height);
  GArray *counts = tg_view_count_sections(view);
  uint64_t index = 0;
  GtkWidget *child = gtk_widget_get_first_child(view->canvas);
  for (uint64_t run = 0; run < columns.run_count; run++) {
    const tessera_element_run *elements = columns.runs + run;
    gboolean is_cell = elements->category == TESSERA_HOST_CATEGORY_CELL;
    for (uint64_t i = 0; i < elements->count; i++, index++) {
      tg_key key = {.category = elements->category, .section = is_cell ? 0 : (guint)elements->section};
      if (!is_cell) key.kind = g_quark_from_string(tessera_session_kind_name(session, elements->kind));
      key.index = is_cell ? tg_position_of(counts, elements->section, elements->first_item + i) : (guint)(elements->first_item + i);
      tg_element *element = g_hash_table_lookup(view->elements, &key);
      tessera_element place;
      tg_place_of_column(&place, &columns, index);
      expect(element && !element->is_kept, "%s: element %d %s %u %u is missing", when, key.category, g_quark_to_string(key.kind), key.section,
             key.index);
      while (child && child != GTK_WIDGET(element)) child = gtk_widget_get_next_sibling(child);
      expect(child, "%s: the widget of element %d %u %u is not in order", when, key.category, key.section, key.index);
      tessera_element *seen = &element->to;
      expect(fabs(seen->x - place.x) < 0.001 && fabs(seen->y - place.y) < 0.001 && fabs(seen->width - place.width) < 0.001 &&
                 fabs(seen->height - place.height) < 0.001 && seen->alpha == place.alpha && seen->z_index == place.z_index,
             "%s: element %d %u %u is at %g, %g, %g, %g, and %g, %g, %g, %g is expected", when, key.category, key.section, key.index, seen->x,
             seen->y, seen->width, seen->height, place.x, place.y, place.width, place.height);
      if (!is_cell) continue;
      GObject *item = g_list_model_get_item(view->items, key.index);
      expect(tessera_gtk_item_get_item(element) == (gpointer)item && tessera_gtk_item_get_position(element) == key.index,
             "%s: the cell at %u shows another item, or position %u", when, key.index, tessera_gtk_item_get_position(element));
      g_object_unref(item);
    }
  }
  guint kept = 0;
  GHashTableIter iterator;
  gpointer value;
  g_hash_table_iter_init(&iterator, view->elements);
  while (g_hash_table_iter_next(&iterator, NULL, &value)) kept += ((tg_element *)value)->is_kept;
  expect(g_hash_table_size(view->elements) - kept == columns.count, "%s: %u elements are shown, and %d are expected", when,
         g_hash_table_size(view->elements) - kept, (int)columns.count);
  g_array_unref(counts);
  tessera_session_destroy(session);
}

// Whether widgets are in place, edges rounded to points.
static gboolean is_in_place(TesseraGtkView *view, char **wrong) {
  for (guint i = 0; i < view->order->len; i++) {
    tg_element *element = view->order->pdata[i];
    graphene_rect_t bounds;
    if (element->key.category == TESSERA_HOST_CATEGORY_DECORATION || tg_is_transformed(&element->to) || element->to.hidden) continue;
    double left = element->to.x - view->offset[0], top = element->to.y - view->offset[1];
    if (gtk_widget_compute_bounds(GTK_WIDGET(element), GTK_WIDGET(view), &bounds) && fabs(bounds.origin.x - left) <= 1 &&
        fabs(bounds.origin.y - top) <= 1 && fabs(bounds.size.width - element->to.width) <= 1 &&
        fabs(bounds.size.height - element->to.height) <= 1)
      continue;
    g_free(*wrong);
    *wrong = g_strdup_printf("the widget of element %u is at %g, %g, and %g, %g is expected", element->key.index, bounds.origin.x,
                             bounds.origin.y, left, top);
    return FALSE;
  }
  return TRUE;
}

void expect_in_place(fixture *self, const char *when) {
  char *wrong = NULL;
  // Until the next frame.
  for (int i = 0; i < 500 && !is_in_place(self->view, &wrong); i++) run_for(0.004);
  expect(is_in_place(self->view, &wrong), "%s: %s", when, wrong);
  g_free(wrong);
}

// MARK: Hands

// Ends each xdotool command: when the window has it, all earlier events are handled.
enum { LAST_KEY = GDK_KEY_F12 };

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gboolean *has_last) {
  *has_last |= key == LAST_KEY;
  return key == LAST_KEY;
}

static void act_ended(GObject *process, GAsyncResult *result, gpointer ended) {
  GError *error = NULL;
  expect(g_subprocess_wait_check_finish(G_SUBPROCESS(process), result, &error), "xdotool: %s", error->message);
  *(gboolean *)ended = TRUE;
}

static GSubprocess *start(const char *format, va_list arguments, const char *last) {
  char *text = g_strdup_vprintf(format, arguments), *command = g_strconcat("exec xdotool ", text, last, NULL);
  GError *error = NULL;
  GSubprocess *process = g_subprocess_new(G_SUBPROCESS_FLAGS_NONE, &error, "sh", "-c", command, NULL);
  expect(process, "%s", error->message);
  g_free(text);
  g_free(command);
  return process;
}

GSubprocess *begin_to_act(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  GSubprocess *process = start(format, arguments, "");
  va_end(arguments);
  return process;
}

void act(fixture *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  GSubprocess *process = start(format, arguments, " key F12");
  va_end(arguments);
  gboolean has_ended = FALSE, has_last = FALSE;
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), &has_last);
  gtk_widget_add_controller(GTK_WIDGET(self->window), keys);
  g_subprocess_wait_check_async(process, NULL, act_ended, &has_ended);
  while (!has_ended || !has_last) g_main_context_iteration(NULL, TRUE);
  gtk_widget_remove_controller(GTK_WIDGET(self->window), keys);
  g_object_unref(process);
  settle(self);
}

gpointer controller_of(fixture *self, GType type) {
  GListModel *controllers = gtk_widget_observe_controllers(GTK_WIDGET(self->view));
  gpointer found = NULL;
  for (guint i = 0; i < g_list_model_get_n_items(controllers) && !found; i++) {
    gpointer controller = g_list_model_get_item(controllers, i);
    if (G_OBJECT_TYPE(controller) == type) found = controller;
    g_object_unref(controller); // the view keeps it
  }
  g_object_unref(controllers);
  expect(found, "the view has no %s", g_type_name(type));
  return found;
}

static int by_value(gconstpointer a, gconstpointer b) { return (int)*(const guint *)a - (int)*(const guint *)b; }

char *shown(fixture *self) {
  GArray *positions = g_array_new(FALSE, FALSE, sizeof(guint));
  GHashTableIter iterator;
  gpointer value;
  g_hash_table_iter_init(&iterator, self->view->elements);
  while (g_hash_table_iter_next(&iterator, NULL, &value)) {
    tg_element *element = value;
    if (element->key.category == TESSERA_HOST_CATEGORY_CELL && !element->is_kept) g_array_append_val(positions, element->key.index);
  }
  g_array_sort(positions, by_value);
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < positions->len; i++) g_string_append_printf(text, i ? " %u" : "%u", g_array_index(positions, guint, i));
  g_array_unref(positions);
  return g_string_free(text, FALSE);
}

guint all_widgets(TesseraGtkView *view) {
  guint count = 0;
  for (GtkWidget *child = gtk_widget_get_first_child(view->canvas); child; child = gtk_widget_get_next_sibling(child)) count++;
  return count;
}
