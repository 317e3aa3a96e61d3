#include "view.h"

#include <math.h>

static void buildable_init(GtkBuildableIface *interface);
static GtkBuildableIface *parent_buildable;

G_DEFINE_FINAL_TYPE_WITH_CODE(TesseraGtkView, tessera_gtk_view, GTK_TYPE_WIDGET,
                              G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL)
                                  G_IMPLEMENT_INTERFACE(GTK_TYPE_BUILDABLE, buildable_init))

G_DEFINE_ENUM_TYPE(TesseraGtkPlacement, tessera_gtk_placement, G_DEFINE_ENUM_VALUE(TESSERA_GTK_PLACEMENT_NEAREST, "nearest"),
                   G_DEFINE_ENUM_VALUE(TESSERA_GTK_PLACEMENT_START, "start"), G_DEFINE_ENUM_VALUE(TESSERA_GTK_PLACEMENT_CENTER, "center"),
                   G_DEFINE_ENUM_VALUE(TESSERA_GTK_PLACEMENT_END, "end"))

enum {
  PROPERTY_0, PROPERTY_MODEL, PROPERTY_LAYOUT, PROPERTY_FACTORY, PROPERTY_ANIMATION_DURATION, PROPERTY_ENABLE_RUBBERBAND,
  PROPERTY_REORDERABLE, PROPERTY_SINGLE_CLICK_ACTIVATE, PROPERTY_SEARCH_PROPERTY, PROPERTY_COUNT,
  PROPERTY_HADJUSTMENT = PROPERTY_COUNT, PROPERTY_VADJUSTMENT, PROPERTY_HSCROLL_POLICY, PROPERTY_VSCROLL_POLICY,
};
static GParamSpec *properties[PROPERTY_COUNT];
guint tg_signal_activate, tg_signal_layout_failed, tg_signal_visible_range_changed, tg_signal_reorder;

// MARK: The model, the layout and the factories

void tessera_gtk_view_set_model(TesseraGtkView *self, GListModel *model) {
  g_return_if_fail(TESSERA_GTK_IS_VIEW(self));
  g_return_if_fail(!model || G_IS_LIST_MODEL(model));
  if (self->model == model) return;
  tg_view_factory_changed(self); // updates the selectable state
  tg_view_disconnect_model(self);
  self->focus = self->anchor = GTK_INVALID_LIST_POSITION;
  tg_view_connect_model(self, model);
  self->job = NULL; // drops the result, here and below
  if (!model) tg_view_show_nothing(self);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->canvas), GTK_ACCESSIBLE_PROPERTY_MULTI_SELECTABLE, GTK_IS_MULTI_SELECTION(model), -1);
  tg_view_need(self, TG_RESET | TG_SETTINGS);
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_MODEL]);
}

GListModel *tessera_gtk_view_get_model(TesseraGtkView *self) {
  g_return_val_if_fail(TESSERA_GTK_IS_VIEW(self), NULL);
  return self->model;
}

static void layout_changed(TesseraGtkLayout *layout, gboolean values, TesseraGtkView *self) {
  tg_view_need(self, values ? TG_RESET | TG_SETTINGS : TG_SETTINGS | TG_ANIMATE);
}

void tessera_gtk_view_set_layout(TesseraGtkView *self, TesseraGtkLayout *layout) {
  g_return_if_fail(TESSERA_GTK_IS_VIEW(self));
  g_return_if_fail(!layout || TESSERA_GTK_IS_LAYOUT(layout));
  if (self->layout == layout) return;
  // Don't ask a failed or busy engine for old places.
  gboolean is_sound = self->layout && self->shown == self->layout && !self->job && !self->failure;
  tg_view_release_held(self);
  self->session_holds = FALSE;
  self->swiped = GTK_INVALID_LIST_POSITION;
  tg_view_forget_work(self);
  self->job = NULL;
  if (self->layout) {
    g_signal_handlers_disconnect_by_data(self->layout, self);
    self->layout->view = NULL;
  }
  g_clear_object(&self->layout_before);
  if (is_sound && layout) self->layout_before = g_object_ref(self->layout);
  g_set_object(&self->layout, layout);
  if (layout) {
    if (layout->view) tessera_gtk_view_set_layout(layout->view, NULL);
    g_signal_connect(layout, "changed", G_CALLBACK(layout_changed), self);
    layout->view = self;
  } else {
    tg_view_show_nothing(self);
  }
  tg_view_need(self, TG_SETTINGS | (self->order->len ? TG_SWITCH | TG_ANIMATE : TG_RESET));
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_LAYOUT]);
}

TesseraGtkLayout *tessera_gtk_view_get_layout(TesseraGtkView *self) {
  g_return_val_if_fail(TESSERA_GTK_IS_VIEW(self), NULL);
  return self->layout;
}

void tessera_gtk_view_set_factory(TesseraGtkView *self, const char *kind, GtkListItemFactory *factory) {
  g_return_if_fail(TESSERA_GTK_IS_VIEW(self));
  g_return_if_fail(!factory || GTK_IS_LIST_ITEM_FACTORY(factory));
  gpointer key = GUINT_TO_POINTER(g_quark_from_string(kind));
  if (g_hash_table_lookup(self->factories, key) == factory) return;
  tg_view_factory_changed(self);
  if (factory) g_hash_table_insert(self->factories, key, g_object_ref(factory));
  else g_hash_table_remove(self->factories, key);
  // The measurements belong to the old factory.
  tg_view_need(self, self->layout && self->layout->measures ? TG_RESET | TG_SETTINGS : TG_QUERY);
  if (!kind) g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_FACTORY]);
}

GtkListItemFactory *tessera_gtk_view_get_factory(TesseraGtkView *self, const char *kind) {
  g_return_val_if_fail(TESSERA_GTK_IS_VIEW(self), NULL);
  return g_hash_table_lookup(self->factories, GUINT_TO_POINTER(g_quark_try_string(kind)));
}

// MARK: Scrolling

static void scrolled(GtkAdjustment *adjustment, TesseraGtkView *self) {
  for (int axis = 0; axis < 2; axis++) self->offset[axis] = gtk_adjustment_get_value(self->adjustments[axis]);
  // In the frame of the scroll step, as GTK's views do.
  self->needs |= TG_QUERY;
  self->wanted = GTK_INVALID_LIST_POSITION;
  tg_view_work(self);
  tg_view_scrolled_by_hand(self);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

void tg_view_set_offset(TesseraGtkView *self, double x, double y) {
  gtk_adjustment_set_value(self->adjustments[0], x);
  gtk_adjustment_set_value(self->adjustments[1], y);
}

static void set_adjustment(TesseraGtkView *self, int axis, GtkAdjustment *adjustment) {
  if (self->adjustments[axis] == adjustment && adjustment) return;
  if (self->adjustments[axis]) {
    g_signal_handlers_disconnect_by_data(self->adjustments[axis], self);
    g_object_unref(self->adjustments[axis]);
  }
  self->adjustments[axis] = g_object_ref_sink(adjustment ? adjustment : gtk_adjustment_new(0, 0, 0, 0, 0, 0));
  g_signal_connect(self->adjustments[axis], "value-changed", G_CALLBACK(scrolled), self);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

typedef struct {
  uint64_t section, item;
  tessera_host_placement placement;
  double x, y;
  tg_reaching reaching;
  double across;
  guint position;
  gboolean takes_focus;
} tg_revealing;

static int32_t reveal(tessera_session *session, void *data) {
  tg_revealing *revealing = data;
  tg_reaching *reaching = &revealing->reaching;
  int32_t status = tessera_session_offset_revealing(session, revealing->section, revealing->item, revealing->placement, &revealing->x, &revealing->y);
  tessera_element cell;
  if (!status) status = tg_find_reach(session, reaching);
  if (status || reaching->reach <= 0) return status;
  status = tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, NULL, revealing->section, revealing->item, &cell, sizeof cell);
  double start = reaching->axis ? cell.y : cell.x, end = start + (reaching->axis ? cell.height : cell.width) - reaching->extent;
  double by = revealing->placement == TESSERA_HOST_PLACEMENT_START ? start : revealing->placement == TESSERA_HOST_PLACEMENT_END ? end
            : revealing->placement == TESSERA_HOST_PLACEMENT_CENTRE ? (start + end) / 2 : start < 0 ? start : MAX(end, 0);
  if (reaching->has_pages) by = floor((start + 1) / reaching->extent) * reaching->extent;
  revealing->across = reaching->offset + (reaching->is_mirrored ? -by : by);
  return status;
}

static void take_revealed(TesseraGtkView *self, gboolean is_answered, gpointer data) {
  const tg_revealing *revealing = data;
  if (self->changes != revealing->reaching.changes) return; // the layout after the change shows it
  self->wanted = GTK_INVALID_LIST_POSITION;
  if (is_answered) tg_view_set_offset(self, revealing->x, revealing->y);
  if (is_answered && revealing->reaching.reach > 0) tg_view_scroll_section(self, &revealing->reaching, revealing->across);
  if (revealing->takes_focus) tg_view_focus(self, revealing->position, FALSE);
}

void tessera_gtk_view_scroll_to(TesseraGtkView *self, guint position, TesseraGtkPlacement placement, gboolean focus) {
  g_return_if_fail(TESSERA_GTK_IS_VIEW(self));
  tg_view_work(self);
  gboolean exists = position < tg_view_count(self);
  self->wanted = exists ? position : GTK_INVALID_LIST_POSITION;
  self->wanted_placement = placement, self->wants_focus = focus;
  if (!exists || self->job || self->needs || self->shown != self->layout) return;
  tg_revealing revealing = {.placement = (tessera_host_placement)placement, .position = position, .takes_focus = focus};
  revealing.section = tg_section_of(self->counts, position, &revealing.item);
  revealing.reaching = tg_view_reaching(self, revealing.section);
  tg_view_ask(self, reveal, take_revealed, &revealing, sizeof revealing);
}

// MARK: What is where

guint tessera_gtk_view_get_position_at(TesseraGtkView *self, double x, double y) {
  g_return_val_if_fail(TESSERA_GTK_IS_VIEW(self), GTK_INVALID_LIST_POSITION);
  tg_element *element = tg_view_element_at(self, x, y);
  return element && element->key.category == TESSERA_HOST_CATEGORY_CELL ? element->key.index : GTK_INVALID_LIST_POSITION;
}

gboolean tessera_gtk_view_get_bounds(TesseraGtkView *self, guint position, graphene_rect_t *bounds) {
  g_return_val_if_fail(TESSERA_GTK_IS_VIEW(self), FALSE);
  tg_element *element = tg_view_find(self, position);
  if (!element || element->is_kept) return FALSE;
  tessera_element place;
  tg_element_place(self, element, &place);
  graphene_rect_init(bounds, (float)(place.x - self->offset[0]), (float)(place.y - self->offset[1]), (float)place.width, (float)place.height);
  return TRUE;
}

gboolean tessera_gtk_view_get_visible_range(TesseraGtkView *self, guint *first, guint *last) {
  g_return_val_if_fail(TESSERA_GTK_IS_VIEW(self), FALSE);
  *first = G_MAXUINT, *last = 0;
  TG_EACH_ELEMENT(self, element) {
    if (element->key.category != TESSERA_HOST_CATEGORY_CELL || element->is_kept) continue;
    *first = MIN(*first, element->key.index);
    *last = MAX(*last, element->key.index);
  }
  return *first != G_MAXUINT;
}

// MARK: The widget

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                    int *natural_baseline) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  int least;
  gtk_widget_measure(self->canvas, orientation, -1, &least, NULL, NULL, NULL);
  if (self->bar) gtk_widget_measure(self->bar, orientation, -1, &least, NULL, NULL, NULL);
}

void tg_allocate_at(GtkWidget *widget, double x, double y, int width, int height) {
  gtk_widget_allocate(widget, width, height, -1, gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT((float)x, (float)y)));
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(widget);
  self->is_allocating = TRUE;
  if (self->bounds[0] != width || self->bounds[1] != height) {
    self->bounds[0] = width, self->bounds[1] = height;
    self->needs |= TG_SETTINGS;
  }
  if (self->needs & ~TG_QUERY) tg_view_work(self);
  tg_view_place(self, width, height);
  self->is_allocating = FALSE;
  if (self->bar) {
    int natural;
    gtk_widget_measure(self->bar, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
    tg_allocate_at(self->bar, 0, MAX(height - natural, 0), width, natural);
  }
  if (self->band) {
    double x = MIN(self->band_from[0], self->band_to[0]) - self->offset[0], y = MIN(self->band_from[1], self->band_to[1]) - self->offset[1];
    int least = 0;
    gtk_widget_measure(self->band, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    tg_allocate_at(self->band, x, y, MAX(least, (int)fabs(self->band_to[0] - self->band_from[0])),
                   MAX(least, (int)fabs(self->band_to[1] - self->band_from[1])));
  }
}

static void surroundings_changed(TesseraGtkView *self) { tg_view_need(self, TG_SETTINGS); }

// MARK: The object

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(object);
  switch (id) {
  case PROPERTY_MODEL: g_value_set_object(value, self->model); break;
  case PROPERTY_LAYOUT: g_value_set_object(value, self->layout); break;
  case PROPERTY_FACTORY: g_value_set_object(value, tessera_gtk_view_get_factory(self, NULL)); break;
  case PROPERTY_ANIMATION_DURATION: g_value_set_uint(value, self->animation_duration); break;
  case PROPERTY_ENABLE_RUBBERBAND: g_value_set_boolean(value, self->rubberband_enabled); break;
  case PROPERTY_REORDERABLE: g_value_set_boolean(value, self->reorderable); break;
  case PROPERTY_SINGLE_CLICK_ACTIVATE: g_value_set_boolean(value, self->single_click); break;
  case PROPERTY_SEARCH_PROPERTY: g_value_set_string(value, self->search_property); break;
  case PROPERTY_HADJUSTMENT:
  case PROPERTY_VADJUSTMENT: g_value_set_object(value, self->adjustments[id - PROPERTY_HADJUSTMENT]); break;
  case PROPERTY_HSCROLL_POLICY:
  case PROPERTY_VSCROLL_POLICY: g_value_set_enum(value, (int)self->policies[id - PROPERTY_HSCROLL_POLICY]); break;
  default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, property);
  }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *property) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(object);
  switch (id) {
  case PROPERTY_MODEL: tessera_gtk_view_set_model(self, g_value_get_object(value)); break;
  case PROPERTY_LAYOUT: tessera_gtk_view_set_layout(self, g_value_get_object(value)); break;
  case PROPERTY_FACTORY: tessera_gtk_view_set_factory(self, NULL, g_value_get_object(value)); break;
  case PROPERTY_ANIMATION_DURATION: self->animation_duration = g_value_get_uint(value); break;
  case PROPERTY_ENABLE_RUBBERBAND: self->rubberband_enabled = g_value_get_boolean(value); break;
  case PROPERTY_REORDERABLE: self->reorderable = g_value_get_boolean(value); break;
  case PROPERTY_SINGLE_CLICK_ACTIVATE: self->single_click = g_value_get_boolean(value); break;
  case PROPERTY_SEARCH_PROPERTY: g_free(self->search_property), self->search_property = g_value_dup_string(value); break;
  case PROPERTY_HADJUSTMENT:
  case PROPERTY_VADJUSTMENT: set_adjustment(self, (int)id - PROPERTY_HADJUSTMENT, g_value_get_object(value)); break;
  case PROPERTY_HSCROLL_POLICY:
  case PROPERTY_VSCROLL_POLICY: self->policies[id - PROPERTY_HSCROLL_POLICY] = (guint)g_value_get_enum(value); break;
  default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, property);
  }
}

static void dispose(GObject *object) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(object);
  tessera_gtk_view_set_layout(self, NULL);
  tessera_gtk_view_set_model(self, NULL);
  tg_view_forget_work(self);
  g_clear_object(&self->layout_before);
  g_clear_handle_id(&self->search, g_source_remove);
  g_clear_handle_id(&self->rest, g_source_remove);
  g_clear_pointer(&self->band_before, gtk_bitset_unref);
  g_clear_pointer(&self->bar, gtk_widget_unparent);
  g_clear_pointer(&self->band, gtk_widget_unparent);
  g_clear_pointer(&self->canvas, gtk_widget_unparent);
  for (int axis = 0; axis < 2; axis++) {
    if (self->adjustments[axis]) g_signal_handlers_disconnect_by_data(self->adjustments[axis], self);
    g_clear_object(&self->adjustments[axis]);
  }
  G_OBJECT_CLASS(tessera_gtk_view_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
  TesseraGtkView *self = TESSERA_GTK_VIEW(object);
  g_hash_table_unref(self->elements);
  g_ptr_array_unref(self->pool);
  g_hash_table_unref(self->factories);
  g_ptr_array_unref(self->order);
  g_byte_array_unref(self->seen);
  g_array_unref(self->runs);
  g_array_unref(self->frames);
  g_array_unref(self->keys);
  g_array_unref(self->counts);
  g_array_unref(self->sent);
  g_string_free(self->searched, TRUE);
  g_free(self->search_property);
  G_OBJECT_CLASS(tessera_gtk_view_parent_class)->finalize(object);
}

// `<child type="header">` with a factory in a .ui file sets the factory of that kind.
static void add_child(GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type) {
  if (GTK_IS_LIST_ITEM_FACTORY(child)) tessera_gtk_view_set_factory(TESSERA_GTK_VIEW(buildable), type, GTK_LIST_ITEM_FACTORY(child));
  else parent_buildable->add_child(buildable, builder, child, type);
}

static void buildable_init(GtkBuildableIface *interface) {
  parent_buildable = g_type_interface_peek_parent(interface);
  interface->add_child = add_child;
}

static void tessera_gtk_view_class_init(TesseraGtkViewClass *class) {
  GObjectClass *objects = G_OBJECT_CLASS(class);
  GtkWidgetClass *widgets = GTK_WIDGET_CLASS(class);
  objects->get_property = get_property;
  objects->set_property = set_property;
  objects->dispose = dispose;
  objects->finalize = finalize;
  widgets->measure = measure;
  widgets->size_allocate = size_allocate;
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY, plain = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  /**
   * TesseraGtkView:model: (getter get_model) (setter set_model)
   *
   * The model.
   */
  properties[PROPERTY_MODEL] = g_param_spec_object("model", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  /**
   * TesseraGtkView:layout: (getter get_layout) (setter set_layout)
   *
   * The layout.
   */
  properties[PROPERTY_LAYOUT] = g_param_spec_object("layout", NULL, NULL, TESSERA_GTK_TYPE_LAYOUT, flags);
  /**
   * TesseraGtkView:factory:
   *
   * The factory of cells.
   */
  properties[PROPERTY_FACTORY] = g_param_spec_object("factory", NULL, NULL, GTK_TYPE_LIST_ITEM_FACTORY, flags);
  /**
   * TesseraGtkView:animation-duration:
   *
   * Duration of movements when the model, a parameter or the layout changes, in ms; 0 turns them
   * off.
   */
  properties[PROPERTY_ANIMATION_DURATION] = g_param_spec_uint("animation-duration", NULL, NULL, 0, 60000, 250, plain);
  /**
   * TesseraGtkView:enable-rubberband:
   *
   * Whether dragging on empty space selects cells.
   */
  properties[PROPERTY_ENABLE_RUBBERBAND] = g_param_spec_boolean("enable-rubberband", NULL, NULL, FALSE, plain);
  /**
   * TesseraGtkView:reorderable:
   *
   * Whether users can move items by dragging, or with Ctrl+Shift and the arrow keys.
   */
  properties[PROPERTY_REORDERABLE] = g_param_spec_boolean("reorderable", NULL, NULL, FALSE, plain);
  /**
   * TesseraGtkView:single-click-activate:
   *
   * Whether one click activates an item.
   */
  properties[PROPERTY_SINGLE_CLICK_ACTIVATE] = g_param_spec_boolean("single-click-activate", NULL, NULL, FALSE, plain);
  /**
   * TesseraGtkView:search-property:
   *
   * The text property for search by typing: the focus goes to the next item that begins with the
   * typed letters. By default %NULL, the first non-empty one of `title`, `name` and `string`.
   */
  properties[PROPERTY_SEARCH_PROPERTY] = g_param_spec_string("search-property", NULL, NULL, NULL, plain);
  g_object_class_install_properties(objects, PROPERTY_COUNT, properties);
  g_object_class_override_property(objects, PROPERTY_HADJUSTMENT, "hadjustment");
  g_object_class_override_property(objects, PROPERTY_VADJUSTMENT, "vadjustment");
  g_object_class_override_property(objects, PROPERTY_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property(objects, PROPERTY_VSCROLL_POLICY, "vscroll-policy");
  GType type = TESSERA_GTK_TYPE_VIEW;
  /**
   * TesseraGtkView::activate:
   * @self: the view
   * @position: the position of the item
   *
   * An item was activated by a double click or Enter.
   */
  tg_signal_activate = g_signal_new("activate", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * TesseraGtkView::layout-failed:
   * @self: the view
   * @error: the failure
   *
   * The engine crashed, hung or refused. The last elements stay in sight.
   *
   * Returns: %TRUE if the program reports the error; otherwise the view shows a bar
   */
  tg_signal_layout_failed = g_signal_new("layout-failed", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL, NULL,
                                         G_TYPE_BOOLEAN, 1, G_TYPE_ERROR);
  /**
   * TesseraGtkView::visible-range-changed:
   * @self: the view
   *
   * The range of visible items has changed.
   */
  tg_signal_visible_range_changed = g_signal_new("visible-range-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * TesseraGtkView::reorder:
   * @self: the view
   * @position: the position of an item
   * @target: its new position
   *
   * The user has moved an item, and the handler changes the model. Without a handler, the view
   * changes it if a `GListStore` is at its bottom.
   *
   * Returns: whether the model was changed
   */
  tg_signal_reorder = g_signal_new("reorder", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 2,
                                   G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_css_name(widgets, "tesseraview");
  gtk_widget_class_set_accessible_role(widgets, GTK_ACCESSIBLE_ROLE_GROUP);
  tg_view_install_input(widgets);
}

// Default style of unthemed elements; every other style sheet overrides it.
static void add_style(void) {
  static gboolean is_added;
  GdkDisplay *display = gdk_display_get_default();
  if (is_added || !display) return;
  is_added = TRUE;
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider,
                                  "tesseraview > canvas > child:selected { background-color: alpha(@theme_selected_bg_color, 0.3); }"
                                  "tesseraview > canvas > child:focus:focus-visible {"
                                  " outline: 2px solid alpha(@theme_selected_bg_color, 0.8); outline-offset: -2px; }"
                                  "tesseraview > canvas > header { background-color: @theme_bg_color; font-weight: bold; }"
                                  "tesseraview > canvas > header, tesseraview > canvas > footer { padding: 0 6px; }"
                                  "tesseraview > canvas > decoration { background-color: alpha(@theme_fg_color, 0.1); }"
                                  "tesseraview > canvas > decoration.separator { background-color: alpha(@theme_fg_color, 0.25); }",
                                  -1);
  gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_FALLBACK);
  g_object_unref(provider);
}

static void tessera_gtk_view_init(TesseraGtkView *self) {
  add_style();
  self->canvas = g_object_new(tg_canvas_get_type(), NULL);
  gtk_widget_set_parent(self->canvas, GTK_WIDGET(self));
  self->factories = g_hash_table_new_full(NULL, NULL, NULL, g_object_unref);
  self->elements = g_hash_table_new(tg_key_hash, tg_key_equal);
  self->pool = g_ptr_array_new_with_free_func((GDestroyNotify)tg_element_remove);
  self->order = g_ptr_array_new();
  self->seen = g_byte_array_new();
  self->runs = g_array_new(FALSE, FALSE, sizeof(tessera_element_run));
  self->frames = g_array_new(FALSE, FALSE, 4 * sizeof(double));
  self->keys = g_array_new(FALSE, FALSE, sizeof(tg_key));
  self->counts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
  self->sent = g_array_ref(self->counts);
  self->focus = self->anchor = self->wanted = self->dragged = self->drop = GTK_INVALID_LIST_POSITION;
  self->animation_duration = 250;
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  set_adjustment(self, 0, NULL);
  set_adjustment(self, 1, NULL);
  g_signal_connect(self, "direction-changed", G_CALLBACK(surroundings_changed), NULL);
  g_signal_connect(self, "notify::scale-factor", G_CALLBACK(surroundings_changed), NULL);
  tg_view_init_input(self);
  tg_view_init_scrolling(self);
}

GtkWidget *tessera_gtk_view_new(GListModel *model, TesseraGtkLayout *layout, GtkListItemFactory *factory) {
  GtkWidget *view = g_object_new(TESSERA_GTK_TYPE_VIEW, "model", model, "layout", layout, "factory", factory, NULL);
  g_clear_object(&model);
  g_clear_object(&layout);
  g_clear_object(&factory);
  return view;
}
