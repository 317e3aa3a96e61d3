// The state of a layout and of a view, which their files share: layout.c; view.c (the widget), elements.c (cells), item.c (one cell), work.c
// (the session's work, and what comes of it), model.c (changes of the model), input.c (keyboard and pointer) and scroll.c (touch, touchpad
// and wheel).

#ifndef TG_VIEW_H
#define TG_VIEW_H

#include "include/tesseragtk/tesseragtk.h"
#include "session.h"

// MARK: Layouts

#define TG_RECORDS G_VARIANT_TYPE("aa{sv}") // of a list

// A parameter or list, values of sections, values of items or a delegate function.
typedef enum { PARAMETER, SECTION_VALUES, ITEM_VALUES, DELEGATE } tg_setting_kind;

typedef struct {
  tg_setting_kind kind;
  gboolean is_new; // the session does not have it yet
  char *name;
  GVariant *value; // null: reset
  // How values of items are found, one of which is not null; the closure is also that of a delegate function:
  char *property;
  GtkExpression *expression;
  GClosure *closure;
  tg_session *session; // not owned: the layout's
} tg_setting;

struct _TesseraGtkLayout {
  GObject parent;
  char *engine;
  tg_session *session;
  GPtrArray *settings, *bindings, *delegates; // of tg_setting, in the order in which they were first set
  TesseraGtkView *view; // whose widgets measure elements; not owned: it says when it goes
  gboolean measures;    // the session knows what measures elements
};

tg_session *tg_layout_get_session(TesseraGtkLayout *self);
tg_setting *tg_layout_find(TesseraGtkLayout *self, tg_setting_kind kind, const char *name); // null without
// The parameters, lists and values of sections that the session does not have yet, for tg_layout_apply on the session's thread.
GPtrArray *tg_layout_take_changes(TesseraGtkLayout *self, gboolean all);
int32_t tg_layout_apply(GPtrArray *changes, tessera_session *session, uint64_t section_count);
// Gives the session the delegate functions, and what measures elements; on the session's thread.
int32_t tg_layout_set_functions(TesseraGtkLayout *self, tessera_session *session);
// Finds what the engine declares by its name.
gboolean tg_find_declaration(tessera_session *session, tessera_host_declared declares, const char *name, tessera_declaration *declared,
                             uint32_t *index);

// A question of the session for the size of a cell, or of the supplementary element of a kind.
typedef struct {
  TesseraGtkLayout *layout;
  const char *kind;
  uint64_t section, item;
  const double *proposed;
  double *measured;
} tg_measuring;

int32_t tg_view_measure(void *measuring);
GVariant *tg_numbers(const double *numbers, guint count); // of the type ad

// Values that `count` items from `first` on are asked for, in parts, and that the session is given then.
typedef struct {
  TesseraGtkLayout *layout;
  GPtrArray *columns; // one for each binding
  gboolean is_splice;
  guint first, removed, count, next;
  GHashTable *only; // the objects that are asked, whose positions are `found` then; null: all
  GArray *found;    // of guint, from the first on
} tg_gathering;

tg_gathering *tg_layout_gather(TesseraGtkLayout *self, guint first, guint removed, guint count, gboolean is_splice, GHashTable *only);
// Goes on for `budget` microseconds; returns whether all were asked. Call it again if not.
gboolean tg_gathering_go_on(tg_gathering *self, GListModel *items, gint64 budget);
int32_t tg_gathering_send(tg_gathering *self, tessera_session *session); // on the session's thread
void tg_gathering_free(tg_gathering *self);

// MARK: Views

// Which element: of cells, `index` is the position in the model, which says enough.
typedef struct {
  int32_t category;
  GQuark kind;
  guint section, index;
} tg_key;

// An element: its widget, whose one child fills it, and what its factory gets.
struct _TesseraGtkItem {
  GtkWidget parent;
  // What factories see
  gpointer object;
  gboolean selected;
  GVariant *attributes; // of the type a{sv}; null until the first
  tg_key key;           // its position and section as well
  // What the view knows
  guint old_index; // the position in the numbering that the session knows
  GtkListItemFactory *factory;
  GtkTreeListRow *row;       // of a tree, which is watched; else null
  tessera_element to, from;  // where it is and how it is drawn; `from` while it moves
  graphene_rect_t allocated; // where it is in the canvas, if it has no transform
  int least;                 // the least width of the child
  gboolean is_measured, has_new_size, is_moving, is_leaving, is_kept;
  guint64 seen; // the number of the query that last returned it
};
typedef TesseraGtkItem tg_element;

// What the next work has to do.
typedef enum {
  TG_QUERY = 1,
  TG_SETTINGS = 2, // bounds, direction, scale, parameters
  TG_UPDATE = 4,   // the model or values have changed
  TG_RESET = 8,    // everything
  TG_SWITCH = 16,  // from the layout before
  TG_ANIMATE = 32,
  TG_DRAG = 64, // an item is held elsewhere, or no more
} tg_needs;

// A part of the model: items that the session knows, or new ones.
typedef struct {
  gboolean is_new;
  guint old_first, count;
} tg_segment;

typedef struct tg_job tg_job; // a piece of work of the session

struct _TesseraGtkView {
  GtkWidget parent;

  // The model
  GListModel *model;
  GListModel *items;            // all items in order
  GListModel *sections;         // null without
  GtkSelectionModel *selection; // null without
  GArray *counts;               // of uint64_t: the items of each section, of what is shown
  GArray *sent;                 // the same of what the session was given last
  GArray *segments, *section_segments; // of tg_segment; null without changes
  GHashTable *changed_items, *late_items; // objects whose values have changed, and those of them that have since others are gathered

  // The layout
  TesseraGtkLayout *layout, *layout_before; // the second while it is switched
  GHashTable *factories;                    // by the quark of the kind, 0 for cells
  gpointer shown;                           // the layout that what is shown comes from; not owned
  tg_needs needs;
  tg_job *job; // in progress
  GPtrArray *gatherings; // of tg_gathering; null without
  GArray *resized; // of tg_key: elements in sight whose natural size may have changed
  guint idle, retry, watch;
  GError *failure;
  gboolean has_retried;

  // What is shown
  GHashTable *elements; // of tg_element by key
  GPtrArray *order;     // the elements in the order of drawing, those that leave as well
  GByteArray *seen; // the columns of the result that is shown
  GArray *runs, *frames, *keys; // of what is near and in sight, and of a result; kept, because pieces of memory of their size are costly to free
  GPtrArray *pool;      // of tg_element: those that wait to be used again
  guint64 generation;
  gboolean has_z, is_plain, is_allocating, is_placed, was_mirrored;
  guint showing; // nested: elements are bound, and the view does not work
  GtkWidget *canvas; // the parent of their widgets
  double origin[2];  // the point of the content at its corner
  double content[2], offset[2], bounds[2];
  // What the last query found around what is in sight, for the next steps of scrolling; null if that depends on the offset.
  double near_rect[4]; // x, y, width, height, for which it asked
  GArray *near_runs, *near_frames; // of tessera_element_run, and of 4 numbers
  guint tick;
  gint64 animation_start; // 0: none
  double animation_progress;
  GtkWidget *bar;

  // Properties
  GtkAdjustment *adjustments[2];
  guint policies[2];
  guint animation_duration;
  gboolean rubberband_enabled, reorderable, single_click;

  // Hands and keyboard
  guint focus, anchor, wanted; // positions; the last one is scrolled to when there is a layout of it
  guint changes;               // of the model: a late answer may be about the one before
  TesseraGtkPlacement wanted_placement;
  char *search_property;
  GString *searched; // what has been typed, in lower case
  guint search, search_next, search_left; // the source that looks for it, the next position and how many are left
  gint64 last_typed;
  double band_from[2], band_to[2]; // in points of the content
  GtkBitset *band_before;
  GtkWidget *band; // while it is drawn
  double pointer[2];
  double scroll_from[2], scroll_to[2], scroll_duration;
  gint64 scroll_start;
  guint rest;
  guint swiped; // the section that is swiped across the others; GTK_INVALID_LIST_POSITION: the content
  double swipe_offset, swipe_reach; // of that section; the reach is negative while it is not known
  double swipe_by;                  // how far a wheel was turned meanwhile
  gint64 swipe_time;
  double hover[2], touch[2]; // where the pointer is, and the finger was
  gboolean wants_focus, is_swiping, snaps, is_kinetic; // as well as to be scrolled to; with a finger; the engine says where it rests; the view decelerates, not GtkScrolledWindow
  guint dragged, drop;      // of an item that is held: its position in the model, and the one that the session has given it
  double held[2], grabbed[2]; // its centre, in points of the content, and where it was grabbed, from its centre
  gboolean drag_is_active, session_holds, scrolls_at_edge; // the last one in each frame of a drag
};

// Visits the elements that are shown, and those that are kept for the focus.
#define TG_EACH_ELEMENT(self, element)               \
  GHashTableIter iterator;                           \
  g_hash_table_iter_init(&iterator, (self)->elements); \
  for (tg_element * element; g_hash_table_iter_next(&iterator, NULL, (gpointer *)&element);)

// MARK: item.c

// Emits a signal of a factory of signals, or builds from the template of a factory of GtkBuilder.
typedef enum { TG_SETUP, TG_BIND, TG_UNBIND, TG_TEARDOWN } tg_factory_signal;
void tg_factory_setup(GtkListItemFactory *factory, TesseraGtkItem *item);
void tg_factory_emit(GtkListItemFactory *factory, tg_factory_signal signal, TesseraGtkItem *item);
void tg_item_set(TesseraGtkItem *self, gpointer object, guint position, guint section, gboolean selected);
void tg_item_set_position(TesseraGtkItem *self, guint position, guint section);
void tg_item_set_selected(TesseraGtkItem *self, gboolean selected);
void tg_item_set_attributes(TesseraGtkItem *self, GVariant *attributes); // which it takes
// Measures it, as GTK demands before it is allocated; returns whether its size has changed since the last time.
gboolean tg_item_measure(TesseraGtkItem *self);

GType tg_canvas_get_type(void); // the parent of the elements' widgets
// Moves the canvas to the offset, and elements to their places.
void tg_view_place(TesseraGtkView *self, int width, int height);
void tg_view_place_again(TesseraGtkView *self); // in the next frame, because places have changed

// MARK: elements.c

tg_element *tg_view_find(TesseraGtkView *self, guint position);
void tg_element_remove(tg_element *element); // and its widget
void tg_element_set_shown(tg_element *element, gboolean is_shown); // also to screen readers
// The text of an object: of a property, or else its title, name or string; null without.
char *tg_text_of(GObject *object, const char *name);
void tg_view_show(TesseraGtkView *self, tessera_session *session, const tessera_columns *columns, gboolean animate, gboolean has_changed);
void tg_view_recycle(TesseraGtkView *self, tg_element *element);
void tg_view_clear(TesseraGtkView *self); // recycles all elements
// Hides the elements that wait, and frees the oldest of those beyond half of what is in sight. Not before it is known which of them are used
// again at once: hiding and showing is most of the work.
void tg_view_hide_pool(TesseraGtkView *self);
// Where an element of the result of a query is, and how it is drawn.
void tg_place_of_column(tessera_element *place, const tessera_columns *columns, uint64_t index);
gboolean tg_is_transformed(const tessera_element *place);
// Where it is now, while it moves, too.
void tg_element_place(const TesseraGtkView *self, const tg_element *element, tessera_element *place);
void tg_view_rekey(TesseraGtkView *self, guint position, guint removed, guint added);
tg_element *tg_view_element_at(TesseraGtkView *self, double x, double y);
gboolean tg_key_equal(gconstpointer a, gconstpointer b);
guint tg_key_hash(gconstpointer key);
void tg_view_factory_changed(TesseraGtkView *self);

// MARK: work.c

void tg_view_need(TesseraGtkView *self, tg_needs needs); // later
void tg_view_work(TesseraGtkView *self);
void tg_view_start_ticking(TesseraGtkView *self);
void tg_view_forget_work(TesseraGtkView *self);
// Takes the answer to a question; `is_answered` is false if the session was busy or has failed.
typedef void (*tg_take)(TesseraGtkView *self, gboolean is_answered, gpointer data);
// Asks the session a question that changes nothing. `take` is called once, with a copy of `data` that has the answer. If the session answers
// within a few milliseconds, that is before this function returns, otherwise the main loop calls it later. Returns false if there is no answer.
gboolean tg_view_ask(TesseraGtkView *self, tg_work work, tg_take take, gpointer data, gsize size);
void tg_view_set_offset(TesseraGtkView *self, double x, double y);
void tg_view_show_nothing(TesseraGtkView *self);
void tg_allocate_at(GtkWidget *widget, double x, double y, int width, int height);

// MARK: model.c

GListModel *tg_model_below(GListModel *model);
void tg_view_connect_model(TesseraGtkView *self, GListModel *model);
void tg_view_disconnect_model(TesseraGtkView *self);
guint tg_view_count(TesseraGtkView *self);
// The section and the item in it at a position, and the position of an item.
uint64_t tg_section_of(const GArray *counts, guint position, uint64_t *item);
guint tg_position_of(const GArray *counts, uint64_t section, uint64_t item);
GArray *tg_view_count_sections(TesseraGtkView *self);
GArray *tg_view_edits(TesseraGtkView *self, GArray *counts);
gpointer tg_view_get_section(TesseraGtkView *self, guint section);
GPtrArray *tg_view_gather(TesseraGtkView *self, gboolean all);
// Follows the properties that values are bound to.
void tg_view_watch(TesseraGtkView *self, GObject *item, gboolean is_in_sight);
void tg_view_forget_changes(TesseraGtkView *self);

// MARK: input.c

void tg_view_install_input(GtkWidgetClass *class);
void tg_view_init_input(TesseraGtkView *self);
gboolean tg_view_focus(TesseraGtkView *self, guint position, gboolean scroll);
// Takes the item that is held, and the rubber band, to where the pointer is now.
void tg_view_follow_pointer(TesseraGtkView *self);
void tg_view_release_held(TesseraGtkView *self);
void tg_view_place_held(TesseraGtkView *self, tg_element *element);
// The position in the model of a cell of the session.
guint tg_view_model_position(const TesseraGtkView *self, guint position);
gboolean tg_view_move_item(TesseraGtkView *self, guint from, guint to);

// MARK: scroll.c

enum { TG_NEAREST = 32 }; // cells that are looked at for the next or the farthest one

// How far a section can be scrolled across the others.
typedef struct {
  uint64_t section, count;
  int axis;
  gboolean is_mirrored, has_pages;
  double extent, offset, reach;
  guint changes; // of the model, when the session was asked
} tg_reaching;

tg_reaching tg_view_reaching(TesseraGtkView *self, uint64_t section);
int32_t tg_find_reach(tessera_session *session, void *reaching); // on the session's thread; it is 0 if it is not scrolled
void tg_view_scroll_section(TesseraGtkView *self, const tg_reaching *reaching, double offset);
void tg_view_init_scrolling(TesseraGtkView *self);
int tg_view_across(const TesseraGtkView *self); // the axis along which the content is not scrolled
// Keeps the sections where they were swiped to when others come and go.
void tg_view_splice_section_offsets(TesseraGtkView *self, guint position, guint removed, guint added);
void tg_view_take_kinetic(TesseraGtkView *self, gboolean snaps);
// A step of scrolling to rest; a scroll by hand in between ends it.
gboolean tg_view_step_scroll(TesseraGtkView *self, gint64 now);
void tg_view_scrolled_by_hand(TesseraGtkView *self);
void tg_view_scroll_at_edge(TesseraGtkView *self);

extern guint tg_signal_activate, tg_signal_layout_failed, tg_signal_visible_range_changed, tg_signal_reorder;

#endif
