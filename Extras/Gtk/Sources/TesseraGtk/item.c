// An element's widget, and the item for factories.

#include "view.h"

G_DEFINE_FINAL_TYPE(TesseraGtkItem, tessera_gtk_item, GTK_TYPE_WIDGET)

// MARK: The widget

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                    int *natural_baseline) {
  GtkWidget *child = gtk_widget_get_first_child(widget);
  TESSERA_GTK_ITEM(widget)->has_new_size = TRUE; // not from GTK's cache
  if (child) gtk_widget_measure(child, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) TESSERA_GTK_ITEM(widget)->least = *minimum;
  // The layout decides, even if the child needs more.
  *minimum = 0;
}

gboolean tg_item_measure(TesseraGtkItem *self) {
  int least;
  gtk_widget_measure(GTK_WIDGET(self), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gboolean has_changed = self->has_new_size;
  self->has_new_size = FALSE;
  return has_changed;
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  GtkWidget *child = gtk_widget_get_first_child(widget);
  if (!child || !gtk_widget_should_layout(child)) return;
  int least = 0;
  width = MAX(width, TESSERA_GTK_ITEM(widget)->least);
  gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_allocate(child, width, MAX(height, least), baseline, NULL);
}

static void dispose(GObject *object) {
  TesseraGtkItem *self = TESSERA_GTK_ITEM(object);
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child) gtk_widget_unparent(child);
  g_clear_object((GObject **)&self->object);
  g_clear_object(&self->factory);
  g_clear_pointer(&self->attributes, g_variant_unref);
  G_OBJECT_CLASS(tessera_gtk_item_parent_class)->dispose(object);
}

// MARK: The item

enum { ITEM_0, ITEM_ITEM, ITEM_CHILD, ITEM_POSITION, ITEM_SECTION, ITEM_KIND, ITEM_SELECTED, ITEM_COUNT };
static GParamSpec *item_properties[ITEM_COUNT];
static guint attributes_changed;

static void item_get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  TesseraGtkItem *self = TESSERA_GTK_ITEM(object);
  switch (id) {
  case ITEM_ITEM: g_value_set_object(value, self->object); break;
  case ITEM_CHILD: g_value_set_object(value, tessera_gtk_item_get_child(self)); break;
  case ITEM_POSITION: g_value_set_uint(value, self->key.index); break;
  case ITEM_SECTION: g_value_set_uint(value, self->key.section); break;
  case ITEM_KIND: g_value_set_string(value, tessera_gtk_item_get_kind(self)); break;
  case ITEM_SELECTED: g_value_set_boolean(value, self->selected); break;
  default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, property);
  }
}

static void item_set_property(GObject *object, guint id, const GValue *value, GParamSpec *property) {
  if (id == ITEM_CHILD) tessera_gtk_item_set_child(TESSERA_GTK_ITEM(object), g_value_get_object(value));
  else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, property);
}

static void tessera_gtk_item_class_init(TesseraGtkItemClass *class) {
  GObjectClass *objects = G_OBJECT_CLASS(class);
  objects->get_property = item_get_property;
  objects->set_property = item_set_property;
  objects->dispose = dispose;
  GTK_WIDGET_CLASS(class)->measure = measure;
  GTK_WIDGET_CLASS(class)->size_allocate = size_allocate;
  GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  /**
   * TesseraGtkItem:item: (getter get_item)
   *
   * The object of the model.
   */
  item_properties[ITEM_ITEM] = g_param_spec_object("item", NULL, NULL, G_TYPE_OBJECT, readable);
  /**
   * TesseraGtkItem:child: (getter get_child) (setter set_child)
   *
   * The widget that shows the item.
   */
  item_properties[ITEM_CHILD] = g_param_spec_object("child", NULL, NULL, GTK_TYPE_WIDGET,
                                                    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  /**
   * TesseraGtkItem:position: (getter get_position)
   *
   * The position in the model.
   */
  item_properties[ITEM_POSITION] = g_param_spec_uint("position", NULL, NULL, 0, G_MAXUINT, GTK_INVALID_LIST_POSITION, readable);
  /**
   * TesseraGtkItem:section: (getter get_section)
   *
   * The section's number.
   */
  item_properties[ITEM_SECTION] = g_param_spec_uint("section", NULL, NULL, 0, G_MAXUINT, 0, readable);
  /**
   * TesseraGtkItem:kind: (getter get_kind)
   *
   * The kind of a supplementary element or decoration.
   */
  item_properties[ITEM_KIND] = g_param_spec_string("kind", NULL, NULL, NULL, readable);
  /**
   * TesseraGtkItem:selected: (getter get_selected)
   *
   * The selected state.
   */
  item_properties[ITEM_SELECTED] = g_param_spec_boolean("selected", NULL, NULL, FALSE, readable);
  g_object_class_install_properties(objects, ITEM_COUNT, item_properties);
  /**
   * TesseraGtkItem::attributes-changed:
   * @self: the item
   *
   * The layout has changed the element's attributes.
   */
  attributes_changed = g_signal_new("attributes-changed", TESSERA_GTK_TYPE_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void tessera_gtk_item_init(TesseraGtkItem *self) { self->key.index = GTK_INVALID_LIST_POSITION; }

void tg_item_set_position(TesseraGtkItem *self, guint position, guint section) {
  tg_key before = self->key;
  self->key.index = position, self->key.section = section;
  if (before.index != position) g_object_notify_by_pspec(G_OBJECT(self), item_properties[ITEM_POSITION]);
  if (before.section != section) g_object_notify_by_pspec(G_OBJECT(self), item_properties[ITEM_SECTION]);
}

void tg_item_set_selected(TesseraGtkItem *self, gboolean selected) {
  if (self->selected == selected) return;
  self->selected = selected;
  gtk_accessible_update_state(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
  if (selected) gtk_widget_set_state_flags(GTK_WIDGET(self), GTK_STATE_FLAG_SELECTED, FALSE);
  else gtk_widget_unset_state_flags(GTK_WIDGET(self), GTK_STATE_FLAG_SELECTED);
  g_object_notify_by_pspec(G_OBJECT(self), item_properties[ITEM_SELECTED]);
}

void tg_item_set(TesseraGtkItem *self, gpointer object, guint position, guint section, gboolean selected) {
  gboolean is_other = self->object != object;
  g_set_object(&self->object, object);
  tg_item_set_position(self, position, section);
  tg_item_set_selected(self, selected);
  if (is_other) g_object_notify_by_pspec(G_OBJECT(self), item_properties[ITEM_ITEM]);
}

void tg_item_set_attributes(TesseraGtkItem *self, GVariant *attributes) {
  if (attributes) g_variant_ref_sink(attributes);
  gboolean is_same = attributes && self->attributes ? g_variant_equal(attributes, self->attributes) : attributes == self->attributes;
  g_clear_pointer(&self->attributes, g_variant_unref);
  self->attributes = attributes;
  if (!is_same) g_signal_emit(self, attributes_changed, 0);
}

void tessera_gtk_item_set_child(TesseraGtkItem *self, GtkWidget *child) {
  g_return_if_fail(TESSERA_GTK_IS_ITEM(self));
  g_return_if_fail(!child || GTK_IS_WIDGET(child));
  GtkWidget *before = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (before == child) return;
  if (before) gtk_widget_unparent(before);
  if (child) gtk_widget_set_parent(child, GTK_WIDGET(self));
  // The child's text is the accessible name.
  GtkAccessibleRole role = child ? gtk_accessible_get_accessible_role(GTK_ACCESSIBLE(child)) : GTK_ACCESSIBLE_ROLE_NONE;
  if (role == GTK_ACCESSIBLE_ROLE_LABEL || role == GTK_ACCESSIBLE_ROLE_IMG)
    gtk_accessible_update_relation(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, child, NULL, -1);
  else gtk_accessible_reset_relation(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  g_object_notify_by_pspec(G_OBJECT(self), item_properties[ITEM_CHILD]);
}

#define TG_GETTER(type, name, value, otherwise)                         \
  type tessera_gtk_item_get_##name(TesseraGtkItem *self) {              \
    g_return_val_if_fail(TESSERA_GTK_IS_ITEM(self), otherwise);         \
    return value;                                                       \
  }
TG_GETTER(gpointer, item, self->object, NULL)
TG_GETTER(GtkWidget *, child, gtk_widget_get_first_child(GTK_WIDGET(self)), NULL)
TG_GETTER(guint, position, self->key.index, GTK_INVALID_LIST_POSITION)
TG_GETTER(guint, section, self->key.section, 0)
TG_GETTER(const char *, kind, g_quark_to_string(self->key.kind), NULL)
TG_GETTER(gboolean, selected, self->selected, FALSE)

GVariant *tessera_gtk_item_get_attribute(TesseraGtkItem *self, const char *name) {
  g_return_val_if_fail(TESSERA_GTK_IS_ITEM(self), NULL);
  return self->attributes ? g_variant_lookup_value(self->attributes, name, G_VARIANT_TYPE("ad")) : NULL;
}

double tessera_gtk_item_get_number(TesseraGtkItem *self, const char *name, double fallback) {
  GVariant *numbers = tessera_gtk_item_get_attribute(self, name);
  if (numbers) g_variant_get_child(numbers, 0, "d", &fallback);
  g_clear_pointer(&numbers, g_variant_unref);
  return fallback;
}

// MARK: Factories

// GTK can't set up foreign items from a factory, so use its signals and template.

void tg_factory_emit(GtkListItemFactory *factory, tg_factory_signal signal, TesseraGtkItem *item) {
  static const char *const names[] = {"setup", "bind", "unbind", "teardown"};
  static guint signals[G_N_ELEMENTS(names)];
  if (!GTK_IS_SIGNAL_LIST_ITEM_FACTORY(factory)) return;
  if (!signals[signal]) signals[signal] = g_signal_lookup(names[signal], GTK_TYPE_SIGNAL_LIST_ITEM_FACTORY);
  g_signal_emit(factory, signals[signal], 0, item);
}

void tg_factory_setup(GtkListItemFactory *factory, TesseraGtkItem *item) {
  tg_factory_emit(factory, TG_SETUP, item);
  if (!GTK_IS_BUILDER_LIST_ITEM_FACTORY(factory)) return;
  GtkBuilderListItemFactory *built = GTK_BUILDER_LIST_ITEM_FACTORY(factory);
  GBytes *bytes = gtk_builder_list_item_factory_get_bytes(built);
  GtkBuilderScope *scope = gtk_builder_list_item_factory_get_scope(built);
  GtkBuilder *builder = gtk_builder_new();
  gtk_builder_set_current_object(builder, G_OBJECT(item));
  if (scope) gtk_builder_set_scope(builder, scope);
  GError *error = NULL;
  if (!gtk_builder_extend_with_template(builder, G_OBJECT(item), TESSERA_GTK_TYPE_ITEM, g_bytes_get_data(bytes, NULL),
                                        (gssize)g_bytes_get_size(bytes), &error)) {
    g_critical("the template of an item cannot be built: %s; its class must be TesseraGtkItem", error->message);
    g_error_free(error);
  }
  g_object_unref(builder);
}
