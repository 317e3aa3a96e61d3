// The contacts list: one column when the window is narrow, more when it is wide.
//
// With UICollectionView: a layout that reads the width in prepare, and invalidates itself when the bounds change. Here: the engine
// column-flow, which does that, and buttons that add and remove a person, which the view animates.

#include <tesseragtk/tesseragtk.h>

static const char *const people[] = {"Ada",     "Blaise", "Carl", "Dorothy",   "Emmy",     "Felix", "Grace",
                                     "Hypatia", "Isaac",  "John", "Katherine", "Leonhard", NULL};

static void setup(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append(GTK_BOX(box), g_object_new(GTK_TYPE_IMAGE, "icon-name", "avatar-default-symbolic", "pixel-size", 40, "margin-start", 12, NULL));
  gtk_box_append(GTK_BOX(box), gtk_label_new(NULL));
  tessera_gtk_item_set_child(item, box);
}

static void bind(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  GtkWidget *label = gtk_widget_get_last_child(tessera_gtk_item_get_child(item));
  gtk_label_set_text(GTK_LABEL(label), gtk_string_object_get_string(tessera_gtk_item_get_item(item)));
}

static void add(GtkButton *button, GtkStringList *list) { gtk_string_list_splice(list, 1, 0, (const char *[]){"Someone new", NULL}); }

static void remove_first(GtkButton *button, GtkStringList *list) {
  if (g_list_model_get_n_items(G_LIST_MODEL(list))) gtk_string_list_remove(list, 0);
}

static GtkWidget *make_button(const char *icon, GCallback clicked, GtkStringList *list) {
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  g_signal_connect(button, "clicked", clicked, list);
  return button;
}

static void activate(GtkApplication *application) {
  GtkStringList *list = gtk_string_list_new(people);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  TesseraGtkLayout *layout = tessera_gtk_layout_new("column-flow");
  tessera_gtk_layout_set_number(layout, "minColumnWidth", 220);
  tessera_gtk_layout_set_number(layout, "cellHeight", 60);
  GtkWidget *view = tessera_gtk_view_new(G_LIST_MODEL(gtk_single_selection_new(G_LIST_MODEL(list))), layout, factory);

  GtkWidget *header = gtk_header_bar_new(), *window = gtk_application_window_new(application);
  gtk_header_bar_pack_start(GTK_HEADER_BAR(header), make_button("list-add-symbolic", G_CALLBACK(add), list));
  gtk_header_bar_pack_start(GTK_HEADER_BAR(header), make_button("list-remove-symbolic", G_CALLBACK(remove_first), list));
  gtk_window_set_titlebar(GTK_WINDOW(window), header);
  gtk_window_set_default_size(GTK_WINDOW(window), 500, 400);
  gtk_window_set_child(GTK_WINDOW(window), g_object_new(GTK_TYPE_SCROLLED_WINDOW, "child", view, NULL));
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **arguments) {
  GtkApplication *application = gtk_application_new("org.tessera.Contacts", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), count, arguments);
}
