// A collection view for GTK 4 whose layouts are Tessera engines.
//
//     GtkWidget *view = tessera_gtk_view_new(G_LIST_MODEL(selection), tessera_gtk_layout_new("flow"), factory);
//     gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(window), view);
//
// Positions count the items of all sections in order. Lengths are points. All functions belong to the main thread.

#ifndef TESSERA_GTK_H
#define TESSERA_GTK_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TESSERA_GTK_EXPORT __attribute__((visibility("default")))

/**
 * TESSERA_GTK_ERROR:
 *
 * The domain of errors of layouts. The code is the status of libtessera, such as 70 for an engine that crashed, hung or broke the
 * contract.
 */
#define TESSERA_GTK_ERROR (tessera_gtk_error_quark())
TESSERA_GTK_EXPORT GQuark tessera_gtk_error_quark(void);

/**
 * tessera_gtk_add_engine_folder:
 * @path: (type filename): a folder of engine libraries
 *
 * Adds a folder in which layouts made later search for engines, after those added before. A program that adds none uses the standard
 * folders; one that adds some searches only those.
 */
TESSERA_GTK_EXPORT void tessera_gtk_add_engine_folder(const char *path);

/**
 * tessera_gtk_set_limits:
 * @seconds: how long an engine may take for one question of the view, 0.001 or more; the default is 5
 * @memory: how many bytes the process of an engine may use, 64 MiB or more; the default is 4 GiB
 *
 * Sets what engines of layouts made later may use.
 */
TESSERA_GTK_EXPORT void tessera_gtk_set_limits(double seconds, guint64 memory);

/**
 * tessera_gtk_list_engines:
 * @error: return location for an error
 *
 * Lists the engines that layouts can use. Libraries that were never listed before are loaded in another process, which takes some
 * milliseconds each.
 *
 * Returns: (transfer full) (nullable): an array of the type `a(sss)`: id, name and summary of each
 */
TESSERA_GTK_EXPORT GVariant *tessera_gtk_list_engines(GError **error);

// ---------------------------------------------------------------- items

#define TESSERA_GTK_TYPE_ITEM (tessera_gtk_item_get_type())

/**
 * TesseraGtkItem:
 *
 * What a factory gets for one cell, supplementary element or decoration, as `GtkListItem` for the views of GTK. It is the widget that
 * contains the child. The properties `item`, `position`, `section` and `selected` change whenever it is used for another element. The signal `attributes-changed` says that
 * the layout has given the element other attributes of the engine.
 */
TESSERA_GTK_EXPORT G_DECLARE_FINAL_TYPE(TesseraGtkItem, tessera_gtk_item, TESSERA_GTK, ITEM, GtkWidget)

/**
 * tessera_gtk_item_get_item:
 *
 * Gets the object that it shows.
 *
 * Returns: (transfer none) (nullable) (type GObject.Object): the object of the model; of a supplementary element or decoration, the
 *   model of its section, or %NULL if the model has no sections
 */
TESSERA_GTK_EXPORT gpointer tessera_gtk_item_get_item(TesseraGtkItem *self);

/**
 * tessera_gtk_item_set_child:
 * @child: (nullable): the widget that shows it
 *
 * Sets the widget that shows the item; a handler of `setup` calls it once.
 */
TESSERA_GTK_EXPORT void tessera_gtk_item_set_child(TesseraGtkItem *self, GtkWidget *child);

/**
 * tessera_gtk_item_get_child:
 *
 * Gets the widget that shows the item.
 *
 * Returns: (transfer none) (nullable): the widget
 */
TESSERA_GTK_EXPORT GtkWidget *tessera_gtk_item_get_child(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_position:
 *
 * Gets the position.
 *
 * Returns: the position in the model; of a supplementary element or decoration, its number in its section
 */
TESSERA_GTK_EXPORT guint tessera_gtk_item_get_position(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_section:
 *
 * Gets the section.
 *
 * Returns: the number of its section
 */
TESSERA_GTK_EXPORT guint tessera_gtk_item_get_section(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_kind:
 *
 * Gets the kind of a supplementary element or decoration.
 *
 * Returns: (nullable): the kind, such as "header"; %NULL for cells
 */
TESSERA_GTK_EXPORT const char *tessera_gtk_item_get_kind(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_selected:
 *
 * Gets whether the item is selected.
 *
 * Returns: whether it is selected
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_item_get_selected(TesseraGtkItem *self);

/**
 * tessera_gtk_item_get_attribute:
 * @name: the name of an attribute that the engine declares
 *
 * Gets what the engine has given the element.
 *
 * Returns: (transfer full) (nullable): the numbers of the attribute, of the type `ad`; %NULL if the engine has no such attribute
 */
TESSERA_GTK_EXPORT GVariant *tessera_gtk_item_get_attribute(TesseraGtkItem *self, const char *name);

/**
 * tessera_gtk_item_get_number:
 * @name: the name of an attribute that the engine declares
 * @fallback: what to return if the engine has no such attribute
 *
 * Gets a number that the engine has given the element.
 *
 * Returns: the first number of the attribute
 */
TESSERA_GTK_EXPORT double tessera_gtk_item_get_number(TesseraGtkItem *self, const char *name, double fallback);

// ---------------------------------------------------------------- layouts

#define TESSERA_GTK_TYPE_LAYOUT (tessera_gtk_layout_get_type())

/**
 * TesseraGtkLayout:
 *
 * An engine with its parameters, and where it gets values of items and sections from. One view at a time uses it: a view that is given it
 * takes it from another one. The engine runs in a process of its own, and its calls on a thread of their own. The property `parameters` (`a{sv}`) sets several parameters at once, and
 * `values` (`a{ss}`) binds values of items to properties, both also in `.ui` files.
 */
TESSERA_GTK_EXPORT G_DECLARE_FINAL_TYPE(TesseraGtkLayout, tessera_gtk_layout, TESSERA_GTK, LAYOUT, GObject)

/**
 * tessera_gtk_layout_new:
 * @engine: the id of an engine, the last part of one if that is unique, the path of a library, or path#id
 *
 * Creates a layout. The engine starts when a view first needs it; a failure is then the view's signal `layout-failed`.
 *
 * Returns: (transfer full): a layout
 */
TESSERA_GTK_EXPORT TesseraGtkLayout *tessera_gtk_layout_new(const char *engine);

/**
 * tessera_gtk_layout_load:
 * @error: return location for an error
 *
 * Starts the engine now, and waits until it has started. A program that wants to know at once whether the engine exists calls it.
 *
 * Returns: whether the engine has started
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_layout_load(TesseraGtkLayout *self, GError **error);

/**
 * tessera_gtk_layout_get_engine:
 *
 * Gets the engine.
 *
 * Returns: the engine that it was created with
 */
TESSERA_GTK_EXPORT const char *tessera_gtk_layout_get_engine(TesseraGtkLayout *self);

/**
 * tessera_gtk_layout_set_parameter:
 * @name: the name of a parameter or a list
 * @value: (nullable): a number, a boolean, a string for a choice, or a tuple of numbers: `(width, height)`, `(x, y)`,
 *   `(x, y, width, height)` or `(top, left, bottom, right)`; for a list, an array of the type `aa{sv}`: the columns of each record that
 *   differ from their initial values. %NULL resets it
 *
 * Sets a parameter or a list of the engine or of one of its bases. A value that the engine does not accept is the view's signal
 * `layout-failed`.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_parameter(TesseraGtkLayout *self, const char *name, GVariant *value);

/**
 * tessera_gtk_layout_set_number:
 * @name: the name of a parameter
 * @number: its value
 *
 * Sets a parameter that is a number, an integer or a boolean.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_number(TesseraGtkLayout *self, const char *name, double number);

/**
 * tessera_gtk_layout_set_size:
 * @name: the name of a parameter
 * @width: its width
 * @height: its height
 *
 * Sets a parameter that is a size.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_size(TesseraGtkLayout *self, const char *name, double width, double height);

/**
 * tessera_gtk_layout_set_section_values:
 * @name: the name of a value of sections
 * @values: (nullable): an array with a value for each section, or for each of the first sections, the last of which holds for all others
 *
 * Sets the values of sections.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_section_values(TesseraGtkLayout *self, const char *name, GVariant *values);

/**
 * tessera_gtk_layout_bind_property:
 * @name: the name of a value of items that the engine declares
 * @property: (nullable): the name of a property of the items: a number, a boolean, an enumeration, a string for a choice, or a variant of
 *   numbers; %NULL removes the binding
 *
 * Gives each item the value of one of its properties, and keeps it up to date when the property changes.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_bind_property(TesseraGtkLayout *self, const char *name, const char *property);

/**
 * tessera_gtk_layout_bind_expression:
 * @name: the name of a value of items
 * @expression: (transfer none): an expression that is evaluated with each item
 *
 * Gives each item the value of an expression.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_bind_expression(TesseraGtkLayout *self, const char *name, GtkExpression *expression);

/**
 * tessera_gtk_layout_bind_closure:
 * @name: the name of a value of items
 * @closure: a closure that takes an item and returns a number, or, for a value of several numbers such as a size, a `GVariant` of them
 *
 * Gives each item what a closure returns.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_bind_closure(TesseraGtkLayout *self, const char *name, GClosure *closure);

/**
 * tessera_gtk_layout_set_delegate:
 * @name: the name of a delegate function that the engine declares
 * @closure: (nullable): a closure that takes each argument as a number and returns a number; %NULL removes it
 *
 * Implements a delegate function of the engine. It runs on the main thread, while the engine waits.
 */
TESSERA_GTK_EXPORT void tessera_gtk_layout_set_delegate(TesseraGtkLayout *self, const char *name, GClosure *closure);

/**
 * tessera_gtk_layout_get_declarations:
 * @values: %FALSE for the parameters, %TRUE for the values of items
 * @error: return location for an error
 *
 * Starts the engine if needed, and returns what can be set.
 *
 * Returns: (transfer full) (nullable): an array of the type `a(sssasadad)`: name, type, help, choices, the numbers of the initial
 *   value, and the smallest and the largest number
 */
TESSERA_GTK_EXPORT GVariant *tessera_gtk_layout_get_declarations(TesseraGtkLayout *self, gboolean values, GError **error);

// ---------------------------------------------------------------- the view

#define TESSERA_GTK_TYPE_VIEW (tessera_gtk_view_get_type())

/**
 * TesseraGtkView:
 *
 * A view of a list model whose elements a Tessera engine places. It is scrolled by a `GtkScrolledWindow`. Its model is a
 * `GtkSelectionModel` or any list model. A list model of list models is sections, as is a selection model over a `GtkFlattenListModel`.
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
TESSERA_GTK_EXPORT G_DECLARE_FINAL_TYPE(TesseraGtkView, tessera_gtk_view, TESSERA_GTK, VIEW, GtkWidget)

/**
 * TesseraGtkPlacement:
 * @TESSERA_GTK_PLACEMENT_NEAREST: where it needs the least scrolling
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
 * @factory: (nullable) (transfer full): a `GtkSignalListItemFactory`, whose handlers get a [class@Item], or a
 *   `GtkBuilderListItemFactory` with a template of the class `TesseraGtkItem`
 *
 * Creates a view.
 *
 * Returns: (transfer none): a view
 */
TESSERA_GTK_EXPORT GtkWidget *tessera_gtk_view_new(GListModel *model, TesseraGtkLayout *layout, GtkListItemFactory *factory);

/**
 * tessera_gtk_view_set_model:
 * @model: (nullable): a list model
 *
 * Sets what is shown.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_set_model(TesseraGtkView *self, GListModel *model);

/**
 * tessera_gtk_view_get_model:
 *
 * Gets what is shown.
 *
 * Returns: (transfer none) (nullable): the model
 */
TESSERA_GTK_EXPORT GListModel *tessera_gtk_view_get_model(TesseraGtkView *self);

/**
 * tessera_gtk_view_set_layout:
 * @layout: (nullable): a layout
 *
 * Sets the layout. Elements move to their new places if `animation-duration` is above 0 and the view is in sight.
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
 * @kind: (nullable): the kind of supplementary elements or decorations, such as "header"; %NULL for cells
 * @factory: (nullable): the factory of their widgets. Decorations without one are drawn with CSS alone, supplementary elements without
 *   one show what their section's `to_string`, `title` or `name` says
 *
 * Sets what creates widgets.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_set_factory(TesseraGtkView *self, const char *kind, GtkListItemFactory *factory);

/**
 * tessera_gtk_view_get_factory:
 * @kind: (nullable): a kind; %NULL for cells
 *
 * Gets what creates widgets.
 *
 * Returns: (transfer none) (nullable): the factory
 */
TESSERA_GTK_EXPORT GtkListItemFactory *tessera_gtk_view_get_factory(TesseraGtkView *self, const char *kind);

/**
 * tessera_gtk_view_scroll_to:
 * @position: the position of an item
 * @placement: where it is afterwards
 * @focus: whether it gets the keyboard focus
 *
 * Scrolls to an item, below headers that are pinned.
 */
TESSERA_GTK_EXPORT void tessera_gtk_view_scroll_to(TesseraGtkView *self, guint position, TesseraGtkPlacement placement, gboolean focus);

/**
 * tessera_gtk_view_get_position_at:
 * @x: in the coordinates of the view
 * @y: in the coordinates of the view
 *
 * Finds the item at a point.
 *
 * Returns: the position of the frontmost cell there, or %GTK_INVALID_LIST_POSITION
 */
TESSERA_GTK_EXPORT guint tessera_gtk_view_get_position_at(TesseraGtkView *self, double x, double y);

/**
 * tessera_gtk_view_get_bounds:
 * @position: the position of an item
 * @bounds: (out caller-allocates): its frame in the coordinates of the view
 *
 * Finds where an item is.
 *
 * Returns: whether the item is in sight
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_view_get_bounds(TesseraGtkView *self, guint position, graphene_rect_t *bounds);

/**
 * tessera_gtk_view_get_visible_range:
 * @first: (out): the first position in sight
 * @last: (out): the last position in sight
 *
 * Finds which items are in sight.
 *
 * Returns: whether any cell is in sight
 */
TESSERA_GTK_EXPORT gboolean tessera_gtk_view_get_visible_range(TesseraGtkView *self, guint *first, guint *last);

G_END_DECLS

#endif
