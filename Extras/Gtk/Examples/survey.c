// The photo survey: shelves of photographs, evenly spread, with a binder behind each shelf.
//
// UICollectionView: a UICollectionViewFlowLayout subclass with decoration views, a data source with
// sections and a header view. Here: the engine even-flow, a model of models, factories for cells
// and headers, and CSS.

#include <tesseragtk/tesseragtk.h>

static const struct {
  const char *title;
  int photographs;
} shelves[] = {{"Lake", 3}, {"Forest", 4}, {"Town", 2}, {"Coast", 4}};

static void setup(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  tessera_gtk_item_set_child(item, g_object_new(GTK_TYPE_LABEL, "css-classes", (const char *[]){"photograph", NULL}, NULL));
}

static void bind_photograph(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  GtkStringObject *photograph = tessera_gtk_item_get_item(item);
  gtk_label_set_text(GTK_LABEL(tessera_gtk_item_get_child(item)), gtk_string_object_get_string(photograph));
}

static void setup_header(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  tessera_gtk_item_set_child(item, g_object_new(GTK_TYPE_LABEL, "xalign", 0.0, "css-classes", (const char *[]){"title-2", NULL}, NULL));
}

static void bind_header(GtkSignalListItemFactory *factory, TesseraGtkItem *item) {
  gtk_label_set_text(GTK_LABEL(tessera_gtk_item_get_child(item)), shelves[tessera_gtk_item_get_section(item)].title);
}

static GListModel *make_model(void) {
  GListStore *sections = g_list_store_new(G_TYPE_LIST_MODEL);
  for (guint i = 0; i < G_N_ELEMENTS(shelves); i++) {
    GtkStringList *shelf = gtk_string_list_new(NULL);
    for (int k = 1; k <= shelves[i].photographs; k++) gtk_string_list_take(shelf, g_strdup_printf("%s %d", shelves[i].title, k));
    g_list_store_append(sections, shelf);
    g_object_unref(shelf);
  }
  // The selection covers all photographs; the view finds the sections below it.
  GtkFlattenListModel *photographs = gtk_flatten_list_model_new(G_LIST_MODEL(sections));
  return G_LIST_MODEL(gtk_multi_selection_new(G_LIST_MODEL(photographs)));
}

static GtkListItemFactory *make_factory(GCallback setup, GCallback bind) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", setup, NULL);
  g_signal_connect(factory, "bind", bind, NULL);
  return factory;
}

static void activate(GtkApplication *application) {
  GtkCssProvider *style = gtk_css_provider_new();
  gtk_css_provider_load_from_data(style,
                                  "tesseraview decoration.binder { background: #8d6e4f; border-radius: 4px; }"
                                  ".photograph { background: #e8eef4; border: 6px solid white; color: #456; }",
                                  -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style), 600);

  TesseraGtkLayout *layout = tessera_gtk_layout_new("even-flow");
  tessera_gtk_layout_set_size(layout, "itemSize", 150, 150);
  tessera_gtk_layout_set_parameter(layout, "sectionInset", g_variant_new("(dddd)", 20.0, 60.0, 20.0, 20.0));
  GtkWidget *view = tessera_gtk_view_new(make_model(), layout, make_factory(G_CALLBACK(setup), G_CALLBACK(bind_photograph)));
  GtkListItemFactory *headers = make_factory(G_CALLBACK(setup_header), G_CALLBACK(bind_header));
  tessera_gtk_view_set_factory(TESSERA_GTK_VIEW(view), "header", headers);
  g_object_unref(headers);

  GtkWidget *scrolled = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "child", view, NULL);
  GtkWidget *window = gtk_application_window_new(application);
  gtk_window_set_default_size(GTK_WINDOW(window), 800, 600);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **arguments) {
  GtkApplication *application = gtk_application_new("org.tessera.Survey", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), count, arguments);
}
