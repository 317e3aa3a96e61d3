// A collection view for GTK 4 that lays out with Tessera engines.
//
//     GtkWidget *view = tessera_gtk_view_new(
//         G_LIST_MODEL(selection), tessera_gtk_layout_new("flow"), factory);
//     gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(window), view);
//
// Positions count the items of all sections in order. Lengths are points. Call all functions on the
// main thread.

#ifndef TESSERA_GTK_H
#define TESSERA_GTK_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TESSERA_GTK_EXPORT __attribute__((visibility("default")))

/**
 * TESSERA_GTK_ERROR:
 *
 * The domain of layout errors. The code is libtessera's status, such as 70 for an engine that
 * crashed, hung or broke the contract.
 */
#define TESSERA_GTK_ERROR (tessera_gtk_error_quark())
TESSERA_GTK_EXPORT GQuark tessera_gtk_error_quark(void);

/**
 * tessera_gtk_add_engine_folder:
 * @path: (type filename): a folder of engine libraries
 *
 * Appends a folder to the search path of later layouts. The first call replaces the standard
 * folders.
 */
TESSERA_GTK_EXPORT void tessera_gtk_add_engine_folder(const char *path);

/**
 * tessera_gtk_set_limits:
 * @seconds: time limit of an engine for one call, at least 0.001; the default is 5
 * @memory: memory limit of a worker in bytes, at least 64 MiB; the default is 4 GiB
 *
 * Sets the limits for engines of later layouts.
 */
TESSERA_GTK_EXPORT void tessera_gtk_set_limits(double seconds, guint64 memory);

/**
 * tessera_gtk_list_engines:
 * @error: return location for an error
 *
 * Lists the available engines. A library that is new to the cache takes some milliseconds, as
 * another process loads it.
 *
 * Returns: (transfer full) (nullable): an array of the type `a(sss)`: id, name and summary
 */
TESSERA_GTK_EXPORT GVariant *tessera_gtk_list_engines(GError **error);

// ---------------------------------------------------------------- items

#define TESSERA_GTK_TYPE_ITEM (tessera_gtk_item_get_type())

/**
 * TesseraGtkItem:
 *
 * A cell, supplementary element or decoration for factories, as `GtkListItem` in GTK. It is the
 * widget around the child. When it is reused, the properties `item`, `position`, `section` and
 * `selected` change. The signal `attributes-changed` reports new attributes of the engine.
 */
TESSERA_GTK_EXPORT G_DECLARE_FINAL_TYPE(TesseraGtkItem, tessera_gtk_item, TESSERA_GTK, ITEM,
                                        GtkWidget)

/**
 * tessera_gtk_item_get_item:
 *
 * Gets the object in the model.
 *
 * Returns: (transfer none) (nullable) (type GObject.Object): the object; for supplementary elements
 *   and decorations the model of the section, or %NULL without sections
 */
TESSERA_GTK_EXPORT gpointer tessera_gtk_item_get_item(TesseraGtkItem *self);

/**
 * tessera_gtk_item_set_child:
 * @child: (nullable): the widget
 *
 * Sets the widget that shows the item, usually once in `setup`.
 */
TESSERA_GTK_EXPORT void tessera_gtk_item_set_child(TesseraGtkItem *self, GtkWidget *child);

/**
 * tessera_gtk_item_get_child:
 *
 * Gets the child.
 *
 * Returns: (transfer none) (nullable): the child
 */
TESSERA_GTK_EXPORT GtkWidget *tessera_gtk_item_get_child(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_position:
 *
 * Gets the position.
 *
 * Returns: the position in the model; for other elements than cells, the number in the section
 */
TESSERA_GTK_EXPORT guint tessera_gtk_item_get_position(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_section:
 *
 * Gets the section.
 *
 * Returns: the section's number
 */
TESSERA_GTK_EXPORT guint tessera_gtk_item_get_section(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_kind:
 *
 * Gets the kind.
 *
 * Returns: (nullable): the kind, such as "header"; %NULL for cells
 */
TESSERA_GTK_EXPORT const char *tessera_gtk_item_get_kind(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_selected:
 *
 * Gets the selected state.
 *
 * Returns: the state
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_item_get_selected(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_attribute:
 * @name: an attribute that the engine declares
 *
 * Gets an attribute of the element.
 *
 * Returns: (transfer full) (nullable): numbers, of the type `ad`; %NULL for an unknown attribute
 */
TESSERA_GTK_EXPORT GVariant *tessera_gtk_item_get_attribute(TesseraGtkItem *self, const char *name);

/**
 * tessera_gtk_item_get_number:
 * @name: an attribute that the engine declares
 * @fallback: the result for an unknown attribute
 *
 * Gets an attribute's first number.
 *
 * Returns: the number
 */
TESSERA_GTK_EXPORT double tessera_gtk_item_get_number(TesseraGtkItem *self, const char *name,
                                                      double fallback);

// ---------------------------------------------------------------- layouts

#define TESSERA_GTK_TYPE_LAYOUT (tessera_gtk_layout_get_type())

/**
 * TesseraGtkLayout:
 *
 * An engine with its parameters and bindings. Only one view at a time uses it: setting it on a view
 * takes it from another one. The engine runs in a worker process, called from its own thread. The
 * properties `parameters` (`a{sv}`) and `values` (`a{ss}`) set several parameters and bind item
 * values, also in `.ui` files.
 */
TESSERA_GTK_EXPORT G_DECLARE_FINAL_TYPE(TesseraGtkLayout, tessera_gtk_layout, TESSERA_GTK, LAYOUT,
                                        GObject)

/**
 * tessera_gtk_layout_new:
 * @engine: an engine's id, its unique last part, the path of a library, or path#id
 *
 * Creates a layout. The engine starts when a view first needs it; a failure is then the view's
 * signal `layout-failed`.
 *
 * Returns: (transfer full): a layout
 */
TESSERA_GTK_EXPORT TesseraGtkLayout *tessera_gtk_layout_new(const char *engine);

/**
 * tessera_gtk_layout_load:
 * @error: return location for an error
 *
 * Starts the engine and waits for it, to report a missing engine early.
 *
 * Returns: whether the engine has started
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_layout_load(TesseraGtkLayout *self, GError **error);

/**
 * tessera_gtk_layout_get_engine:
 *
 * Gets the engine.
 *
 * Returns: the argument of the constructor
 */
TESSERA_GTK_EXPORT const char *tessera_gtk_layout_get_engine(TesseraGtkLayout *self);

/**
 * tessera_gtk_layout_set_parameter:
 * @name: a parameter or a list
 * @value: (nullable): a number, a boolean, a string for a choice, or a tuple of numbers:
 *   `(width, height)`, `(x, y)`, `(x, y, width, height)` or `(top, left, bottom, right)`; for a
 *   list `aa{sv}`, the columns of each record that differ from their initial values. %NULL resets it
 *
 * Sets a parameter or a list of the engine or of its bases. An invalid value is the view's signal
 * `layout-failed`.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_parameter(TesseraGtkLayout *self, const char *name,
                                                         GVariant *value);

/**
 * tessera_gtk_layout_set_number:
 * @name: a parameter
 * @number: the value
 *
 * Sets a number, an integer or a boolean.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_number(TesseraGtkLayout *self, const char *name,
                                                      double number);

/**
 * tessera_gtk_layout_set_size:
 * @name: a parameter
 * @width: in points
 * @height: in points
 *
 * Sets a size.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_size(TesseraGtkLayout *self, const char *name,
                                                    double width, double height);

/**
 * tessera_gtk_layout_set_section_values:
 * @name: a section value that the engine declares
 * @values: (nullable): an array by section; the last value also holds for all later sections
 *
 * Sets the values of sections.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_section_values(TesseraGtkLayout *self,
                                                              const char *name, GVariant *values);

/**
 * tessera_gtk_layout_bind_property:
 * @name: an item value that the engine declares
 * @property: (nullable): a property of the items: a number, a boolean, an enumeration, a string for
 *   a choice, or a variant of numbers; %NULL removes the binding
 *
 * Binds an item value to a property and follows its changes.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_bind_property(TesseraGtkLayout *self, const char *name,
                                                         const char *property);

/**
 * tessera_gtk_layout_bind_expression:
 * @name: an item value that the engine declares
 * @expression: (transfer none): evaluated with each item
 *
 * Binds an item value to an expression.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_bind_expression(TesseraGtkLayout *self, const char *name,
                                                           GtkExpression *expression);

/**
 * tessera_gtk_layout_bind_closure:
 * @name: an item value that the engine declares
 * @closure: takes an item and returns a number, or a `GVariant` of numbers for values such as sizes
 *
 * Binds an item value to a closure.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_bind_closure(TesseraGtkLayout *self, const char *name,
                                                        GClosure *closure);

/**
 * tessera_gtk_layout_set_delegate:
 * @name: a delegate function that the engine declares
 * @closure: (nullable): takes each argument as a number and returns a number; %NULL removes it
 *
 * Implements a delegate function of the engine. It runs on the main thread while the engine waits.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_delegate(TesseraGtkLayout *self, const char *name,
                                                        GClosure *closure);

/**
 * tessera_gtk_layout_get_declarations:
 * @values: %FALSE for the parameters, %TRUE for the item values
 * @error: return location for an error
 *
 * Lists the engine's declarations, and starts it if needed.
 *
 * Returns: (transfer full) (nullable): an array of the type `a(sssasadad)`: name, type, help,
 *   choices, initial value as numbers, and the minimum and maximum
 */
TESSERA_GTK_EXPORT GVariant *tessera_gtk_layout_get_declarations(TesseraGtkLayout *self,
                                                                 gboolean values, GError **error);

// ---------------------------------------------------------------- the view

#define TESSERA_GTK_TYPE_VIEW (tessera_gtk_view_get_type())

/**
 * TesseraGtkView:
 *
 * A view of a list model in a `GtkScrolledWindow`, laid out by a Tessera engine. The model is a
 * `GtkSelectionModel` or any list model. A list model of list models has sections, and so has a
 * selection model over a `GtkFlattenListModel`.
 *
 * # CSS nodes
 *
 *     tesseraview
 *     ├── canvas
 *     │   ├── child
 *     │   ├── header, footer, … (the kind of each supplementary element)
 *     │   ╰── decoration.KIND
 *     ├── rubberband
 *     ╰── infobar
 */
TESSERA_GTK_EXPORT G_DECLARE_FINAL_TYPE(TesseraGtkView, tessera_gtk_view, TESSERA_GTK, VIEW,
                                        GtkWidget)

/**
 * TesseraGtkPlacement:
 * @TESSERA_GTK_PLACEMENT_NEAREST: with the least scrolling
 * @TESSERA_GTK_PLACEMENT_START: at the top and left edge
 * @TESSERA_GTK_PLACEMENT_CENTER: in the middle
 * @TESSERA_GTK_PLACEMENT_END: at the bottom and right edge
 *
 * Where an item is after scrolling to it.
 */
typedef enum {
  TESSERA_GTK_PLACEMENT_NEAREST,
  TESSERA_GTK_PLACEMENT_START,
  TESSERA_GTK_PLACEMENT_CENTER,
  TESSERA_GTK_PLACEMENT_END
} TesseraGtkPlacement;

#define TESSERA_GTK_TYPE_PLACEMENT (tessera_gtk_placement_get_type())
TESSERA_GTK_EXPORT GType tessera_gtk_placement_get_type(void);

/**
 * tessera_gtk_view_new:
 * @model: (nullable) (transfer full): a list model, such as a `GtkSelectionModel`
 * @layout: (nullable) (transfer full): a layout
 * @factory: (nullable) (transfer full): a `GtkSignalListItemFactory`, whose handlers get a
 *   [class@Item], or a `GtkBuilderListItemFactory` with a template of the class `TesseraGtkItem`
 *
 * Creates a view.
 *
 * Returns: (transfer none): a view
 */
TESSERA_GTK_EXPORT GtkWidget *tessera_gtk_view_new(GListModel *model, TesseraGtkLayout *layout,
                                                   GtkListItemFactory *factory);

/**
 * tessera_gtk_view_set_model:
 * @model: (nullable): a list model
 *
 * Sets the model.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_set_model(TesseraGtkView *self, GListModel *model);

/**
 * tessera_gtk_view_get_model:
 *
 * Gets the model.
 *
 * Returns: (transfer none) (nullable): the model
 */
TESSERA_GTK_EXPORT GListModel *tessera_gtk_view_get_model(TesseraGtkView *self);

/**
 * tessera_gtk_view_set_layout:
 * @layout: (nullable): a layout
 *
 * Sets the layout. Visible elements move to their new places if `animation-duration` is above 0.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_set_layout(TesseraGtkView *self, TesseraGtkLayout *layout);

/**
 * tessera_gtk_view_get_layout:
 *
 * Gets the layout.
 *
 * Returns: (transfer none) (nullable): the layout
 */
TESSERA_GTK_EXPORT TesseraGtkLayout *tessera_gtk_view_get_layout(TesseraGtkView *self);

/**
 * tessera_gtk_view_set_factory:
 * @kind: (nullable): a kind such as "header"; %NULL for cells
 * @factory: (nullable): without one, CSS draws decorations, and supplementary elements show their
 *   section's `to_string`, `title` or `name`
 *
 * Sets the factory of cells, or of a kind of supplementary elements or decorations.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_set_factory(TesseraGtkView *self, const char *kind,
                                                     GtkListItemFactory *factory);

/**
 * tessera_gtk_view_get_factory:
 * @kind: (nullable): a kind; %NULL for cells
 *
 * Gets the factory.
 *
 * Returns: (transfer none) (nullable): the factory
 */
TESSERA_GTK_EXPORT GtkListItemFactory *tessera_gtk_view_get_factory(TesseraGtkView *self,
                                                                    const char *kind);

/**
 * tessera_gtk_view_scroll_to:
 * @position: an item's position
 * @placement: its place afterwards
 * @focus: whether it gets the keyboard focus
 *
 * Scrolls to an item, below pinned headers.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_scroll_to(TesseraGtkView *self, guint position,
                                                   TesseraGtkPlacement placement, gboolean focus);

/**
 * tessera_gtk_view_get_position_at:
 * @x: in view coordinates
 * @y: in view coordinates
 *
 * Finds the item at a point.
 *
 * Returns: the position of the frontmost cell, or %GTK_INVALID_LIST_POSITION
 */
TESSERA_GTK_EXPORT guint tessera_gtk_view_get_position_at(TesseraGtkView *self, double x, double y);

/**
 * tessera_gtk_view_get_bounds:
 * @position: an item's position
 * @bounds: (out caller-allocates): its frame in view coordinates
 *
 * Gets an item's frame.
 *
 * Returns: whether the item is in sight
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_view_get_bounds(TesseraGtkView *self, guint position,
                                                        graphene_rect_t *bounds);

/**
 * tessera_gtk_view_get_visible_range:
 * @first: (out): the first position in sight
 * @last: (out): the last position in sight
 *
 * Gets the range of visible items.
 *
 * Returns: whether any cell is in sight
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_view_get_visible_range(TesseraGtkView *self, guint *first,
                                                               guint *last);

G_END_DECLS

#endif
