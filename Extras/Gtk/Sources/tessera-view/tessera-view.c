// tessera-view: shows a folder of pictures, a table or numbers with any engine, with its parameters
// in a sidebar.

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tesseragtk/tesseragtk.h>

// MARK: Rows

// A picture, a line of a table, or a number.
#define TV_TYPE_ROW (tv_row_get_type())
G_DECLARE_FINAL_TYPE(TvRow, tv_row, TV, ROW, GObject)

struct _TvRow {
  GObject parent;
  char *path;      // of a picture
  const char *line; // of a table; borrowed from the model
  guint number;
  double ratio;
  int uses; // by cells
  GdkTexture *texture, *read; // `read` belongs to a thread until the main loop takes it
  gboolean is_waiting, is_unreadable; // for a thread
};

G_DEFINE_FINAL_TYPE(TvRow, tv_row, G_TYPE_OBJECT)

enum { ROW_0, ROW_TEXTURE, ROW_NAME, ROW_COUNT };
static GParamSpec *row_properties[ROW_COUNT];

// Cell text, accessible name and search text.
static char *name_of(TvRow *self) {
  return self->path ? g_filename_display_basename(self->path) : self->line ? g_strdup(self->line) : g_strdup_printf("%u", self->number + 1);
}

static void row_get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  if (id == ROW_TEXTURE) g_value_set_object(value, TV_ROW(object)->texture);
  else g_value_take_string(value, name_of(TV_ROW(object)));
}

static void row_finalize(GObject *object) {
  g_clear_object(&TV_ROW(object)->texture);
  g_free(TV_ROW(object)->path);
  G_OBJECT_CLASS(tv_row_parent_class)->finalize(object);
}

static void tv_row_class_init(TvRowClass *class) {
  G_OBJECT_CLASS(class)->get_property = row_get_property;
  G_OBJECT_CLASS(class)->finalize = row_finalize;
  row_properties[ROW_TEXTURE] = g_param_spec_object("texture", NULL, NULL, GDK_TYPE_TEXTURE, G_PARAM_READABLE);
  row_properties[ROW_NAME] = g_param_spec_string("name", NULL, NULL, NULL, G_PARAM_READABLE);
  g_object_class_install_properties(G_OBJECT_CLASS(class), ROW_COUNT, row_properties);
}

static void tv_row_init(TvRow *self) { self->ratio = 1; }

// MARK: A table

// Finds lines once, creates rows on demand.
#define TV_TYPE_TABLE (tv_table_get_type())
G_DECLARE_FINAL_TYPE(TvTable, tv_table, TV, TABLE, GObject)

struct _TvTable {
  GObject parent;
  char *text;      // null: numbers alone
  char **names;    // of the columns
  GArray *lines;   // of const char *
  guint count;
};

static GType table_item_type(GListModel *model) { return TV_TYPE_ROW; }
static guint table_count(GListModel *model) { return TV_TABLE(model)->count; }

static gpointer table_item(GListModel *model, guint position) {
  TvTable *self = TV_TABLE(model);
  if (position >= self->count) return NULL;
  TvRow *row = g_object_new(TV_TYPE_ROW, NULL);
  row->number = position;
  if (self->lines) row->line = g_array_index(self->lines, const char *, position);
  return row;
}

static void table_model_init(GListModelInterface *interface) {
  interface->get_item_type = table_item_type;
  interface->get_n_items = table_count;
  interface->get_item = table_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(TvTable, tv_table, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, table_model_init))
static void tv_table_class_init(TvTableClass *class) {}
static void tv_table_init(TvTable *self) {}

// Null after the last field. A comma in quotes ends no field.
static const char *next_field(const char *field) {
  gboolean is_quoted = FALSE;
  for (; *field && (is_quoted || *field != ','); field++) is_quoted ^= *field == '"';
  return *field ? field + 1 : NULL;
}

static char **split_fields(const char *line) {
  GPtrArray *fields = g_ptr_array_new();
  for (const char *field = line, *next; field; field = next) {
    next = next_field(field);
    char *text = next ? g_strndup(field, (gsize)(next - field - 1)) : g_strdup(field);
    gsize length = strlen(g_strstrip(text));
    gboolean is_quoted = length > 1 && *text == '"' && text[length - 1] == '"';
    g_ptr_array_add(fields, is_quoted ? g_strndup(text + 1, length - 2) : g_strdup(text));
    g_free(text);
  }
  g_ptr_array_add(fields, NULL);
  return (char **)g_ptr_array_free(fields, FALSE);
}

static TvTable *read_table(const char *path, GError **error) {
  char *text;
  gsize length;
  if (!g_file_get_contents(path, &text, &length, error)) return NULL;
  if (!g_utf8_validate(text, (gssize)length, NULL)) {
    // Old tables are usually Latin-1, where any bytes are valid.
    char *converted = g_convert(text, (gssize)length, "UTF-8", "ISO-8859-1", NULL, NULL, error);
    g_free(text);
    if (!(text = converted)) return NULL;
  }
  TvTable *self = g_object_new(TV_TYPE_TABLE, NULL);
  self->text = text;
  self->lines = g_array_new(FALSE, FALSE, sizeof(char *));
  for (char *line = g_str_has_prefix(text, "\xef\xbb\xbf") ? text + 3 : text; line && *line;) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    g_strchomp(line);
    if (!self->names) self->names = split_fields(line);
    else if (*line) g_array_append_val(self->lines, line);
    line = end ? end + 1 : NULL;
  }
  self->count = self->lines->len;
  return self;
}

typedef struct {
  guint column;
} tv_column;

static double find_number(TvRow *row, tv_column *data) {
  const char *at = row->line;
  for (guint column = data->column; at && column; column--) at = next_field(at);
  return at ? g_ascii_strtod(*at == '"' ? at + 1 : at, NULL) : 0;
}

static double find_ratio(TvRow *row, gpointer data) { return row->ratio; }

// MARK: Pictures

static GThreadPool *readers;

enum { MOST_KEPT = 128 }; // most recent pictures
static GQueue kept = G_QUEUE_INIT;

static void want_picture(TvRow *row) {
  if (row->texture || row->is_waiting || row->is_unreadable) return;
  row->is_waiting = TRUE;
  g_thread_pool_push(readers, g_object_ref(row), NULL);
}

static gboolean finish_picture(gpointer data) {
  TvRow *row = data;
  row->is_waiting = FALSE;
  row->texture = g_steal_pointer(&row->read);
  if (row->texture || row->is_unreadable) g_object_notify_by_pspec(G_OBJECT(row), row_properties[ROW_TEXTURE]);
  else if (row->uses) want_picture(row);
  return G_SOURCE_REMOVE;
}

// Skips pictures scrolled out of sight.
static void read_picture(gpointer data, gpointer pool) {
  TvRow *row = data;
  GdkPixbuf *pixbuf = NULL;
  if (g_atomic_int_get(&row->uses)) {
    pixbuf = gdk_pixbuf_new_from_file_at_scale(row->path, 512, 512, TRUE, NULL);
    row->is_unreadable = !pixbuf;
  }
  if (pixbuf) {
    row->read = gdk_texture_new_for_pixbuf(pixbuf);
    g_object_unref(pixbuf);
  }
  g_idle_add_full(G_PRIORITY_LOW, finish_picture, row, g_object_unref);
}

static void forget_picture(TvRow *row) {
  g_atomic_int_add(&row->uses, -1);
  g_queue_push_tail(&kept, g_object_ref(row));
  if (g_queue_get_length(&kept) <= MOST_KEPT) return;
  TvRow *oldest = g_queue_pop_head(&kept);
  if (!oldest->uses) g_clear_object(&oldest->texture);
  g_object_unref(oldest);
}

static int by_name(gconstpointer a, gconstpointer b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static GListModel *read_folder(const char *path, GError **error) {
  GDir *folder = g_dir_open(path, 0, error);
  if (!folder) return NULL;
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name; (name = g_dir_read_name(folder));) g_ptr_array_add(names, g_build_filename(path, name, NULL));
  g_dir_close(folder);
  g_ptr_array_sort(names, by_name);
  GListStore *store = g_list_store_new(TV_TYPE_ROW);
  for (guint i = 0; i < names->len; i++) {
    int width, height;
    if (!gdk_pixbuf_get_file_info(names->pdata[i], &width, &height) || !height) continue;
    TvRow *row = g_object_new(TV_TYPE_ROW, NULL);
    row->path = g_strdup(names->pdata[i]);
    row->ratio = (double)width / height;
    row->number = g_list_model_get_n_items(G_LIST_MODEL(store));
    g_list_store_append(store, row);
    g_object_unref(row);
  }
  g_ptr_array_unref(names);
  return G_LIST_MODEL(store);
}

// MARK: Cells

static void show_texture(TvRow *row, GParamSpec *property, GtkPicture *picture) {
  GdkPaintable *paintable = row->texture ? g_object_ref(GDK_PAINTABLE(row->texture)) : NULL;
  if (row->is_unreadable && !row->is_waiting)
    paintable = GDK_PAINTABLE(gtk_icon_theme_lookup_icon(gtk_icon_theme_get_for_display(gtk_widget_get_display(GTK_WIDGET(picture))),
                                                         "image-missing", NULL, 32, 1, GTK_TEXT_DIR_NONE, 0));
  gtk_picture_set_content_fit(picture, row->is_unreadable ? GTK_CONTENT_FIT_SCALE_DOWN : GTK_CONTENT_FIT_COVER);
  gtk_picture_set_paintable(picture, paintable);
  g_clear_object(&paintable);
}

static void setup(GtkSignalListItemFactory *factory, TesseraGtkItem *item, gboolean *has_pictures) {
  GtkWidget *child;
  if (*has_pictures) {
    child = g_object_new(GTK_TYPE_PICTURE, "can-shrink", TRUE, NULL);
  } else {
    child = g_object_new(GTK_TYPE_LABEL, "ellipsize", PANGO_ELLIPSIZE_END, "margin-start", 4, "margin-end", 4, NULL);
  }
  tessera_gtk_item_set_child(item, child);
}

static void bind(GtkSignalListItemFactory *factory, TesseraGtkItem *item, gpointer data) {
  TvRow *row = tessera_gtk_item_get_item(item);
  GtkWidget *child = tessera_gtk_item_get_child(item);
  char *name = name_of(row);
  if (GTK_IS_LABEL(child)) {
    gtk_label_set_text(GTK_LABEL(child), name);
  } else {
    gtk_widget_set_tooltip_text(child, name);
    gtk_accessible_update_property(GTK_ACCESSIBLE(child), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    g_signal_connect_object(row, "notify::texture", G_CALLBACK(show_texture), child, 0);
    g_atomic_int_inc(&row->uses);
    show_texture(row, NULL, GTK_PICTURE(child));
    want_picture(row);
  }
  g_free(name);
}

static void unbind(GtkSignalListItemFactory *factory, TesseraGtkItem *item, gpointer data) {
  GtkWidget *child = tessera_gtk_item_get_child(item);
  if (!GTK_IS_PICTURE(child)) return;
  g_signal_handlers_disconnect_by_func(tessera_gtk_item_get_item(item), show_texture, child);
  forget_picture(tessera_gtk_item_get_item(item));
  gtk_picture_set_paintable(GTK_PICTURE(child), NULL);
}

// MARK: The window

typedef struct {
  char *engine, *folder;
  int rows;
  GListModel *model;
  TvTable *table; // null for pictures
  gboolean has_pictures, is_new;
  GVariant *engines, *parameters; // `parameters` of the layout
  GtkWindow *window;
  TesseraGtkView *view;
  TesseraGtkLayout *layout;
  GtkWidget *sidebar, *scrolled;
  double pinched; // the size when a pinch began
} tv_program;

// Binds picture aspect ratios and table columns with declared names.
static void bind_values(tv_program *self) {
  GVariant *values = tessera_gtk_layout_get_declarations(self->layout, TRUE, NULL);
  for (gsize i = 0; values && i < g_variant_n_children(values); i++) {
    const char *name, *type;
    GVariant *row = g_variant_get_child_value(values, i);
    g_variant_get_child(row, 0, "&s", &name);
    g_variant_get_child(row, 1, "&s", &type);
    if (self->has_pictures && !strcmp(name, "aspectRatio")) 
      tessera_gtk_layout_bind_closure(self->layout, name, g_cclosure_new(G_CALLBACK(find_ratio), NULL, NULL));
    for (guint column = 0; self->table && self->table->names && self->table->names[column]; column++) {
      if (strcmp(self->table->names[column], name) || (strcmp(type, "number") && strcmp(type, "integer"))) continue;
      tv_column *data = g_new0(tv_column, 1);
      data->column = column;
      GClosure *closure = g_cclosure_new(G_CALLBACK(find_number), data, (GClosureNotify)(void (*)(void))g_free);
      tessera_gtk_layout_bind_closure(self->layout, name, closure);
    }
    g_variant_unref(row);
  }
  g_clear_pointer(&values, g_variant_unref);
}

// MARK: Parameters

// Controls of a parameter: a switch, a list of choices, or one to four numbers.
typedef struct {
  TesseraGtkLayout *layout;
  char *name, *type;
  GtkWidget *controls[4];
  guint count;
} tv_parameter;

static void parameter_free(gpointer data, GClosure *closure) {
  tv_parameter *self = data;
  g_object_unref(self->layout);
  g_free(self->name);
  g_free(self->type);
  g_free(self);
}

static void parameter_changed(GObject *control, GParamSpec *property, tv_parameter *self) {
  if (GTK_IS_SWITCH(control)) {
    tessera_gtk_layout_set_number(self->layout, self->name, gtk_switch_get_active(GTK_SWITCH(control)));
  } else if (GTK_IS_DROP_DOWN(control)) {
    GtkStringObject *choice = gtk_drop_down_get_selected_item(GTK_DROP_DOWN(control));
    if (choice)
      tessera_gtk_layout_set_parameter(self->layout, self->name, g_variant_new_string(gtk_string_object_get_string(choice)));
  } else {
    double numbers[4];
    for (guint i = 0; i < self->count; i++) numbers[i] = gtk_spin_button_get_value(GTK_SPIN_BUTTON(self->controls[i]));
    tessera_gtk_layout_set_parameter(self->layout, self->name,
                                     g_variant_new_fixed_array(G_VARIANT_TYPE_DOUBLE, numbers, self->count, sizeof *numbers));
  }
}

static GtkWidget *controls_of(tv_parameter *self, char **choices, const double *initial, const double *limits) {
  GtkWidget *grid = g_object_new(GTK_TYPE_GRID, "row-spacing", 4, "column-spacing", 4, NULL);
  if (*choices) {
    self->controls[0] = gtk_drop_down_new_from_strings((const char *const *)choices);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(self->controls[0]), (guint)initial[0]);
    g_signal_connect_data(self->controls[0], "notify::selected", G_CALLBACK(parameter_changed), self, parameter_free, 0);
  } else if (!strcmp(self->type, "bool")) {
    self->controls[0] = gtk_switch_new();
    gtk_switch_set_active(GTK_SWITCH(self->controls[0]), initial[0] != 0);
    g_signal_connect_data(self->controls[0], "notify::active", G_CALLBACK(parameter_changed), self, parameter_free, 0);
  } else {
    for (guint i = 0; i < self->count; i++) {
      // Sizes, insets and most numbers above 2 are points.
      gboolean is_fine = fabs(initial[i]) < 2 && !strcmp(self->type, "number");
      GtkWidget *spin = self->controls[i] = gtk_spin_button_new_with_range(MAX(limits[0], -1e6), MIN(limits[1], 1e6), is_fine ? 0.05 : 1);
      gtk_spin_button_set_digits(GTK_SPIN_BUTTON(spin), is_fine ? 2 : 0);
      gtk_spin_button_set_value(GTK_SPIN_BUTTON(spin), initial[i]);
      gtk_editable_set_width_chars(GTK_EDITABLE(spin), 4);
    }
    for (guint i = 0; i < self->count; i++)
      g_signal_connect_data(self->controls[i], "notify::value", G_CALLBACK(parameter_changed), self, i ? NULL : parameter_free, 0);
  }
  for (guint i = 0; i < MAX(self->count, 1) && self->controls[i]; i++)
    gtk_grid_attach(GTK_GRID(grid), self->controls[i], (int)i % 2, (int)i / 2, 1, 1);
  return grid;
}

static void fill_sidebar(tv_program *self) {
  for (GtkWidget *child; (child = gtk_widget_get_first_child(self->sidebar));) gtk_box_remove(GTK_BOX(self->sidebar), child);
  GVariant *parameters = self->parameters;
  for (gsize i = 0; parameters && i < g_variant_n_children(parameters); i++) {
    const char *name, *type, *help;
    char **choices;
    GVariant *initial, *limits;
    g_variant_get_child(parameters, i, "(&s&s&s^as@ad@ad)", &name, &type, &help, &choices, &initial, &limits);
    gsize count, two;
    const double *numbers = g_variant_get_fixed_array(initial, &count, sizeof *numbers);
    const double *range = g_variant_get_fixed_array(limits, &two, sizeof *range);
    tv_parameter *parameter = g_new0(tv_parameter, 1);
    parameter->layout = g_object_ref(self->layout);
    parameter->name = g_strdup(name);
    parameter->type = g_strdup(type);
    parameter->count = (guint)MIN(count, 4);
    GtkWidget *label = g_object_new(GTK_TYPE_LABEL, "label", name, "xalign", 0.0, "tooltip-text", help, NULL);
    gtk_widget_add_css_class(label, "dim-label");
    gtk_box_append(GTK_BOX(self->sidebar), label);
    gtk_box_append(GTK_BOX(self->sidebar), controls_of(parameter, choices, numbers, range));
    g_strfreev(choices);
    g_variant_unref(initial);
    g_variant_unref(limits);
  }
}

// MARK: Size

// The parameter for the size of elements, and its value; more columns mean smaller elements.
static const char *size_parameter(tv_program *self, double *numbers, guint *count) {
  static const char *const names[] = {"itemSize", "targetRowHeight", "cellHeight", "rowHeight", "segmentHeight", "columnCount", "columns"};
  GVariant *parameters = tessera_gtk_layout_get_declarations(self->layout, FALSE, NULL);
  const char *found = NULL;
  for (guint k = 0; parameters && !found && k < G_N_ELEMENTS(names); k++) {
    for (gsize i = 0; !found && i < g_variant_n_children(parameters); i++) {
      const char *name;
      GVariant *row = g_variant_get_child_value(parameters, i), *initial = g_variant_get_child_value(row, 4);
      g_variant_get_child(row, 0, "&s", &name);
      if (!strcmp(name, names[k])) {
        GVariant *all = NULL;
        g_object_get(self->layout, "parameters", &all, NULL);
        GVariant *set = g_variant_lookup_value(all, name, G_VARIANT_TYPE("ad"));
        *count = (guint)MIN(g_variant_n_children(initial), 4);
        for (guint n = 0; n < *count; n++) {
          g_variant_get_child(initial, n, "d", numbers + n);
          if (set) g_variant_get_child(set, n, "d", numbers + n);
        }
        g_clear_pointer(&set, g_variant_unref);
        g_variant_unref(all);
        found = names[k];
      }
      g_variant_unref(initial);
      g_variant_unref(row);
    }
  }
  g_clear_pointer(&parameters, g_variant_unref);
  return found;
}

static void resize(tv_program *self, double factor) {
  double numbers[4];
  guint count = 0;
  const char *name = self->is_new ? NULL : size_parameter(self, numbers, &count);
  if (!name) return;
  gboolean is_columns = g_str_has_prefix(name, "column");
  for (guint i = 0; i < count; i++)
    numbers[i] = is_columns ? MAX(1, factor > 1 ? numbers[i] - 1 : numbers[i] + 1) : CLAMP(numbers[i] * factor, 8, 4000);
  tessera_gtk_layout_set_parameter(self->layout, name, g_variant_new_fixed_array(G_VARIANT_TYPE_DOUBLE, numbers, count, sizeof *numbers));
}

static gboolean wheel(GtkEventControllerScroll *controller, double dx, double dy, tv_program *self) {
  if (!(gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(controller)) & GDK_CONTROL_MASK)) return FALSE;
  resize(self, pow(1.15, -dy));
  return TRUE;
}

static void pinch_began(GtkGesture *gesture, GdkEventSequence *sequence, tv_program *self) { self->pinched = 1; }

static void pinch(GtkGestureZoom *gesture, double scale, tv_program *self) {
  if (fabs(scale / self->pinched - 1) < 0.05) return;
  resize(self, scale / self->pinched);
  self->pinched = scale;
}

// MARK: Engines

// A replaced library may have other parameters.
static void shown(TesseraGtkView *view, tv_program *self) {
  GVariant *parameters = tessera_gtk_layout_get_declarations(self->layout, FALSE, NULL);
  if (parameters && (self->is_new || !g_variant_equal(parameters, self->parameters))) {
    g_clear_pointer(&self->parameters, g_variant_unref);
    self->parameters = g_variant_ref(parameters);
    self->is_new = FALSE;
    bind_values(self);
    fill_sidebar(self);
  }
  g_clear_pointer(&parameters, g_variant_unref);
}

static void show_engine(tv_program *self, const char *engine) {
  g_clear_object(&self->layout);
  self->layout = tessera_gtk_layout_new(engine);
  self->is_new = TRUE;
  tessera_gtk_view_set_layout(self->view, self->layout);
}

static void engine_chosen(GtkDropDown *menu, GParamSpec *property, tv_program *self) {
  const char *id;
  g_variant_get_child(self->engines, gtk_drop_down_get_selected(menu), "(&sss)", &id, NULL, NULL);
  show_engine(self, id);
}

// Index in the menu.
static gboolean find_engine(tv_program *self, const char *engine, guint *number) {
  for (*number = 0; *number < g_variant_n_children(self->engines); (*number)++) {
    const char *id;
    g_variant_get_child(self->engines, *number, "(&s&s&s)", &id, NULL, NULL);
    gsize end = strlen(id), length = strlen(engine);
    if (g_str_has_suffix(id, engine) && (end == length || id[end - length - 1] == '.')) return TRUE;
  }
  return FALSE;
}

static GtkWidget *engine_menu(tv_program *self) {
  GtkStringList *names = gtk_string_list_new(NULL);
  guint selected;
  for (gsize i = 0; i < g_variant_n_children(self->engines); i++) {
    const char *name;
    g_variant_get_child(self->engines, i, "(&s&s&s)", NULL, &name, NULL);
    gtk_string_list_append(names, name);
  }
  // A library given by path need not be installed.
  if (!find_engine(self, self->engine, &selected)) selected = GTK_INVALID_LIST_POSITION;
  GtkWidget *menu = gtk_drop_down_new(G_LIST_MODEL(names), NULL);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(menu), selected);
  g_signal_connect(menu, "notify::selected", G_CALLBACK(engine_chosen), self);
  return menu;
}

// MARK: The program

static void activated(TesseraGtkView *view, guint position, tv_program *self) {
  TvRow *row = g_list_model_get_item(self->model, position);
  if (row->path) {
    char *uri = g_filename_to_uri(row->path, NULL, NULL);
    if (uri) gtk_show_uri(self->window, uri, GDK_CURRENT_TIME);
    g_free(uri);
  }
  g_object_unref(row);
}

static gboolean full_screen(GtkWidget *widget, GVariant *arguments, gpointer data) {
  GtkWindow *window = GTK_WINDOW(widget);
  if (gtk_window_is_fullscreen(window)) gtk_window_unfullscreen(window);
  else gtk_window_fullscreen(window);
  return TRUE;
}

static void activate(GtkApplication *application, tv_program *self) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), &self->has_pictures);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(unbind), NULL);
  GtkMultiSelection *selection = gtk_multi_selection_new(g_object_ref(self->model));
  self->view = TESSERA_GTK_VIEW(tessera_gtk_view_new(G_LIST_MODEL(selection), NULL, factory));
  g_object_set(self->view, "enable-rubberband", TRUE, "reorderable", self->has_pictures, NULL);
  g_signal_connect(self->view, "visible-range-changed", G_CALLBACK(shown), self);
  g_signal_connect(self->view, "activate", G_CALLBACK(activated), self);
  self->scrolled = gtk_scrolled_window_new();
  gtk_widget_set_hexpand(self->scrolled, TRUE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scrolled), GTK_WIDGET(self->view));
  GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  gtk_event_controller_set_propagation_phase(scroll, GTK_PHASE_CAPTURE);
  g_signal_connect(scroll, "scroll", G_CALLBACK(wheel), self);
  gtk_widget_add_controller(self->scrolled, scroll);
  GtkGesture *zoom = gtk_gesture_zoom_new();
  g_signal_connect(zoom, "begin", G_CALLBACK(pinch_began), self);
  g_signal_connect(zoom, "scale-changed", G_CALLBACK(pinch), self);
  gtk_widget_add_controller(self->scrolled, GTK_EVENT_CONTROLLER(zoom));

  self->sidebar = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 4, "margin-start", 12, "margin-end", 12,
                               "margin-top", 12, "margin-bottom", 12, NULL);
  GtkWidget *side = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "child", self->sidebar, "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
  GtkWidget *toggle = g_object_new(GTK_TYPE_TOGGLE_BUTTON, "label", "Parameters", "active", TRUE, NULL);
  g_object_bind_property(toggle, "active", side, "visible", G_BINDING_DEFAULT);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *header = gtk_header_bar_new();
  gtk_box_append(GTK_BOX(box), self->scrolled);
  gtk_box_append(GTK_BOX(box), side);
  gtk_header_bar_pack_start(GTK_HEADER_BAR(header), engine_menu(self));
  gtk_header_bar_pack_end(GTK_HEADER_BAR(header), toggle);
  char *title = self->folder ? g_filename_display_basename(self->folder) : g_strdup("Tessera");
  self->window = g_object_new(GTK_TYPE_APPLICATION_WINDOW, "application", application, "default-width", 1000, "default-height", 700, "title",
                              title, "titlebar", header, "child", box, NULL);
  g_free(title);
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys), gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_F11, 0),
                                                                                      gtk_callback_action_new(full_screen, NULL, NULL)));
  gtk_widget_add_controller(GTK_WIDGET(self->window), keys);
  // Shows the selection around a picture.
  GtkCssProvider *style = gtk_css_provider_new();
  gtk_css_provider_load_from_data(style, "tesseraview child { padding: 3px; border-radius: 4px; }", -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(style);
  show_engine(self, self->engine);
  gtk_window_set_focus(self->window, GTK_WIDGET(self->view));
  gtk_window_present(self->window);
}

int main(int count, char **arguments) {
  tv_program self = {.engine = NULL};
  char **engines = NULL, **files = NULL;
  GError *error = NULL;
  const GOptionEntry options[] = {
      {"layout", 'l', 0, G_OPTION_ARG_STRING, &self.engine, "The engine to begin with", "ENGINE"},
      {"engines", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &engines, "A folder of engines, instead of those that are installed", "FOLDER"},
      {"rows", 'n', 0, G_OPTION_ARG_INT, &self.rows, "Shows numbers instead of files", "COUNT"},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "FOLDER | TABLE.csv"},
      {0}};
  GOptionContext *context = g_option_context_new("- shows pictures or a table with any layout engine");
  g_option_context_add_main_entries(context, options, NULL);
  if (!g_option_context_parse(context, &count, &arguments, &error)) {
    fprintf(stderr, "tessera-view: %s; see tessera-view --help\n", error->message);
    return 64;
  }
  if ((self.rows > 0) == (files && files[0]) || (files && files[1])) {
    fprintf(stderr, "tessera-view: give a folder of pictures, a table, or --rows COUNT; see tessera-view --help\n");
    return 64;
  }
  if (!gtk_init_check()) {
    fprintf(stderr, "tessera-view: there is no display; set DISPLAY or WAYLAND_DISPLAY\n");
    return 69;
  }
  for (char **engine = engines; engine && *engine; engine++) tessera_gtk_add_engine_folder(*engine);
  self.folder = files ? files[0] : NULL;
  self.has_pictures = self.folder && g_file_test(self.folder, G_FILE_TEST_IS_DIR);
  if (self.has_pictures) {
    self.model = read_folder(self.folder, &error);
  } else if (self.folder) {
    self.table = read_table(self.folder, &error);
    self.model = G_LIST_MODEL(self.table);
  } else {
    self.table = g_object_new(TV_TYPE_TABLE, NULL);
    self.table->count = (guint)self.rows;
    self.model = G_LIST_MODEL(self.table);
  }
  if (!self.model) {
    fprintf(stderr, "tessera-view: %s\n", error->message);
    return 66;
  }
  if (!g_list_model_get_n_items(self.model)) {
    fprintf(stderr, "tessera-view: there are no %s in %s; give another\n", self.has_pictures ? "pictures" : "rows", self.folder);
    return 66;
  }
  self.engines = tessera_gtk_list_engines(&error);
  if (!self.engines || !g_variant_n_children(self.engines)) {
    fprintf(stderr, "tessera-view: %s\n", error ? error->message : "no engine is installed; install one, or give --engines");
    return 66;
  }
  guint number;
  if (!self.engine) {
    self.engine = self.has_pictures ? "justified" : self.rows ? "grid" : "table";
    if (!find_engine(&self, self.engine, &number)) g_variant_get_child(self.engines, 0, "(sss)", &self.engine, NULL, NULL);
  } else if (!strchr(self.engine, '/') && !find_engine(&self, self.engine, &number)) {
    fprintf(stderr, "tessera-view: there is no engine \"%s\"; give the path of a library, or one of:", self.engine);
    for (gsize i = 0; i < g_variant_n_children(self.engines); i++) {
      const char *id;
      g_variant_get_child(self.engines, i, "(&s&s&s)", &id, NULL, NULL);
      fprintf(stderr, " %s", id);
    }
    fprintf(stderr, "\n");
    return 66;
  }
  readers = g_thread_pool_new_full(read_picture, NULL, NULL, 2, FALSE, NULL);
  GtkApplication *application = gtk_application_new(NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), &self);
  return g_application_run(G_APPLICATION(application), 0, NULL);
}
