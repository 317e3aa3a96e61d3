// What the files of the view share.

#ifndef TG_PRIVATE_H
#define TG_PRIVATE_H

#include "include/tesseragtk/tesseragtk.h"
#include "session.h"

// MARK: Places

// Where an element is, and how it is drawn.
typedef struct {
  double x, y, width, height; // in points of the content
  double alpha;
  int32_t z;
  gboolean is_hidden, has_transform;
  double transform[16]; // if has_transform; as in tessera_element
} tg_place;

void tg_place_of_element(tg_place *place, const tessera_element *element);
void tg_place_of_column(tg_place *place, const tessera_columns *columns, uint64_t index);
void tg_place_between(tg_place *place, const tg_place *from, const tg_place *to, double progress);

// MARK: Items

// Emits a signal of a factory of signals, or builds from the template of a factory of GtkBuilder.
void tg_factory_setup(GtkListItemFactory *factory, TesseraGtkItem *item);
void tg_factory_emit(GtkListItemFactory *factory, const char *signal, TesseraGtkItem *item);

TesseraGtkItem *tg_item_new(GtkWidget *cell, const char *kind);
void tg_item_set(TesseraGtkItem *self, gpointer object, guint position, guint section, gboolean selected);
void tg_item_set_position(TesseraGtkItem *self, guint position, guint section);
void tg_item_set_selected(TesseraGtkItem *self, gboolean selected);
// Gives it the values of an attribute; returns whether they have changed.
gboolean tg_item_set_attribute(TesseraGtkItem *self, const char *name, const double *numbers, guint count);
// Forgets the attributes of another session; returns whether there were any.
gboolean tg_item_set_source(TesseraGtkItem *self, gpointer source);
void tg_item_attributes_changed(TesseraGtkItem *self);

// A widget with one child that fills it.
#define TG_TYPE_CELL (tg_cell_get_type())
G_DECLARE_FINAL_TYPE(TgCell, tg_cell, TG, CELL, GtkWidget)
// Measures a cell, as GTK demands before it is allocated; returns whether it has changed since the last time.
gboolean tg_cell_measure(GtkWidget *cell);
GtkWidget *tg_cell_new(const char *css_name, GtkAccessibleRole role);

// MARK: Layouts

// Values of items or sections that the next work gives to the session.
typedef struct {
  char *name;
  uint32_t scope, components;
  gboolean is_splice;
  uint64_t place, removed, count;
  double *numbers;   // count * components, or
  char **choices;    // count
} tg_values;
void tg_values_free(tg_values *values);

tg_session *tg_layout_get_session(TesseraGtkLayout *self);
// The parameters, lists and values of sections that the session does not have yet, for tg_layout_apply on the session's thread.
GPtrArray *tg_layout_take_changes(TesseraGtkLayout *self, gboolean all);
int32_t tg_layout_apply(GPtrArray *changes, tessera_session *session, uint64_t section_count);
// Starts or goes on with asking the items for values: those of `count` items from `first` on. Returns whether all are there; call it again
// if not. It stops after `budget` microseconds.
typedef struct tg_gathering tg_gathering;
tg_gathering *tg_layout_gather(TesseraGtkLayout *self, GListModel *items, guint first, guint removed, guint count, gboolean is_splice);
gboolean tg_gathering_go_on(tg_gathering *self, GListModel *items, gint64 budget);
GPtrArray *tg_gathering_finish(tg_gathering *self); // of tg_values
void tg_gathering_free(tg_gathering *self);
gboolean tg_layout_has_item_values(TesseraGtkLayout *self);
// Gives the session the delegate functions, and what measures elements; on the session's thread.
int32_t tg_layout_set_functions(TesseraGtkLayout *self, tessera_session *session);
// Whether the engine sizes elements by their content.
gboolean tg_layout_measures(TesseraGtkLayout *self);
// Measures an element that has changed, and gives its size to the session; on the session's thread.
void tg_layout_measure_again(TesseraGtkLayout *self, tessera_session *session, const char *kind, uint64_t section, uint64_t item);
// Sets whose widgets measure elements; null for none.
void tg_layout_set_view(TesseraGtkLayout *self, TesseraGtkView *view);
int32_t tg_view_measure(TesseraGtkView *self, const char *kind, uint64_t section, uint64_t item, const double proposed[2],
                        double measured[2]);
// The properties that values are bound to.
GPtrArray *tg_layout_bound_properties(TesseraGtkLayout *self);

#endif
