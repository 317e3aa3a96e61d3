// The state of a layout and of a view, shared by layout.c, view.c (the widget), elements.c (cells),
// item.c (one cell), work.c (jobs of the session), model.c (changes), input.c (keyboard and
// pointer) and scroll.c (touch, touchpad and wheel).

#ifndef TG_VIEW_H
#define TG_VIEW_H

#include "include/tesseragtk/tesseragtk.h"
#include "session.h"

// MARK: Layouts

#define TG_RECORDS G_VARIANT_TYPE("aa{sv}")

// PARAMETER includes lists.
typedef enum { PARAMETER, SECTION_VALUES, ITEM_VALUES, DELEGATE } tg_setting_kind;

typedef struct {
  tg_setting_kind kind;
  gboolean is_new; // unknown to the session
  char *name;
  GVariant *value; // null: reset
  // The source of item values, at most one; a delegate function also uses the closure.
  char *property;
  GtkExpression *expression;
  GClosure *closure;
  tg_session *session; // borrowed from the layout
} tg_setting;

struct _TesseraGtkLayout {
  GObject parent;
  char *engine;
  tg_session *session;
  GPtrArray *settings, *bindings, *delegates; // of tg_setting, in order of first use
  TesseraGtkView *view; // measures elements; not owned, it reports its end
  gboolean measures;    // the session can measure elements
};

tg_session *tg_layout_get_session(TesseraGtkLayout *self);
// Or null.
tg_setting *tg_layout_find(TesseraGtkLayout *self, tg_setting_kind kind, const char *name);
// Settings that are new to the session, for tg_layout_apply on its thread.
GPtrArray *tg_layout_take_changes(TesseraGtkLayout *self, gboolean all);
int32_t tg_layout_apply(GPtrArray *changes, tessera_session *session, uint64_t section_count);
// Sets delegate functions and the measuring function, on the session's thread.
int32_t tg_layout_set_functions(TesseraGtkLayout *self, tessera_session *session);
gboolean tg_find_declaration(tessera_session *session, tessera_host_declared declares,
                             const char *name, tessera_declaration *declared, uint32_t *index);

// The session's question for the size of a cell or supplementary element.
typedef struct {
  TesseraGtkLayout *layout;
  const char *kind;
  uint64_t section, item;
  const double *proposed;
  double *measured;
} tg_measuring;

int32_t tg_view_measure(void *measuring);
GVariant *tg_numbers(const double *numbers, guint count); // of the type ad

// Gathers values of `count` items from `first` on, in parts, for the session.
typedef struct {
  TesseraGtkLayout *layout;
  GPtrArray *columns;
  gboolean is_splice;
  guint first, removed, count, next;
  GHashTable *only; // objects to ask, with their positions in `found`; null: all
  GArray *found;    // of guint, relative to `first`
} tg_gathering;

tg_gathering *tg_layout_gather(TesseraGtkLayout *self, guint first, guint removed, guint count,
                               gboolean is_splice, GHashTable *only);
// Continues for `budget` microseconds; returns true when done.
gboolean tg_gathering_go_on(tg_gathering *self, GListModel *items, gint64 budget);
int32_t tg_gathering_send(tg_gathering *self, tessera_session *session); // on the session's thread
void tg_gathering_free(tg_gathering *self);

// MARK: Views

// For cells, `index` is the position in the model, which suffices.
typedef struct {
  int32_t category;
  GQuark kind;
  guint section, index;
} tg_key;

// An element: the widget around one child, and the item for factories.
struct _TesseraGtkItem {
  GtkWidget parent;
  // For factories
  gpointer object;
  gboolean selected;
  GVariant *attributes; // of the type a{sv}; null until the first
  tg_key key;
  // What the view knows
  guint old_index; // position in the session's numbering
  GtkListItemFactory *factory;
  GtkTreeListRow *row;       // watched row of a tree; else null
  tessera_element to, from;  // place and drawing; `from` while it moves
  graphene_rect_t allocated; // in the canvas, if untransformed
  int least;                 // minimum width of the child
  gboolean is_measured, has_new_size, is_moving, is_leaving, is_kept;
  guint64 seen; // the last query that returned it
};
typedef TesseraGtkItem tg_element;

// Tasks of the next job.
typedef enum {
  TG_QUERY = 1,
  TG_SETTINGS = 2, // bounds, direction, scale, parameters
  TG_UPDATE = 4,   // the model or values
  TG_RESET = 8,    // everything
  TG_SWITCH = 16,  // from the layout before
  TG_ANIMATE = 32,
  TG_DRAG = 64, // an item is held elsewhere, or dropped
} tg_needs;

typedef struct {
  gboolean is_new;
  guint old_first, count;
} tg_segment;

typedef struct tg_job tg_job;

struct _TesseraGtkView {
  GtkWidget parent;

  // The model
  GListModel *model;
  GListModel *items;
  GListModel *sections;         // or null
  GtkSelectionModel *selection; // or null
  GArray *counts;               // of uint64_t: visible item counts by section
  GArray *sent;                 // the session's item counts
  GArray *segments, *section_segments; // of tg_segment; null without changes
  GHashTable *changed_items, *late_items; // objects with changed values; changed while gathering

  // The layout
  TesseraGtkLayout *layout, *layout_before; // the second while switching
  GHashTable *factories;                    // by the quark of the kind, 0 for cells
  gpointer shown;                           // the layout of the visible elements; not owned
  tg_needs needs;
  tg_job *job; // in progress
  GPtrArray *gatherings; // of tg_gathering, or null
  GArray *resized;
  guint idle, retry, watch;
  GError *failure;
  gboolean has_retried;

  // What is shown
  GHashTable *elements; // of tg_element by key
  GPtrArray *order;     // drawing order, including leaving elements
  GByteArray *seen; // columns of the visible result
  GArray *runs, *frames, *keys; // reused, as freeing such large blocks is slow
  GPtrArray *pool;      // of tg_element: waiting for reuse
  guint64 generation;
  gboolean has_z, is_plain, is_allocating, is_placed, was_mirrored;
  guint showing; // nested: binding elements, so no work
  GtkWidget *canvas;
  double origin[2];  // its corner in content coordinates
  double content[2], offset[2], bounds[2];
  // Prefetched around the viewport; null if it depends on the offset.
  double near_rect[4]; // x, y, width, height of that query
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
  guint focus, anchor, wanted; // positions; scroll to `wanted` when there is a layout
  guint changes;               // of the model, to recognise late answers
  TesseraGtkPlacement wanted_placement;
  char *search_property;
  GString *searched; // typed text, in lower case
  guint search, search_next, search_left; // search: source, next position, number left
  gint64 last_typed;
  double band_from[2], band_to[2]; // in points of the content
  GtkBitset *band_before;
  GtkWidget *band;
  double pointer[2];
  double scroll_from[2], scroll_to[2], scroll_duration;
  gint64 scroll_start;
  guint rest;
  guint swiped; // the swiped section; GTK_INVALID_LIST_POSITION: the content
  double swipe_offset, swipe_reach; // of that section; the reach is negative while unknown
  double swipe_by;                  // turns of the wheel meanwhile
  gint64 swipe_time;
  double hover[2], touch[2]; // pointer, and last finger
  // Focus the scroll target; with a finger; the engine snaps; the view decelerates.
  gboolean wants_focus, is_swiping, snaps, is_kinetic;
  guint dragged, drop;      // the held item's position in the model and in the session
  double held[2], grabbed[2]; // its centre in content points, and the grab point relative to it
  gboolean drag_is_active, session_holds, scrolls_at_edge; // the last one in each frame of a drag
};

// Includes elements kept for the focus.
#define TG_EACH_ELEMENT(self, element)               \
  GHashTableIter iterator;                           \
  g_hash_table_iter_init(&iterator, (self)->elements); \
  for (tg_element * element; g_hash_table_iter_next(&iterator, NULL, (gpointer *)&element);)

// MARK: item.c

// Emits a factory's signal, or builds from a GtkBuilder template.
typedef enum { TG_SETUP, TG_BIND, TG_UNBIND, TG_TEARDOWN } tg_factory_signal;
void tg_factory_setup(GtkListItemFactory *factory, TesseraGtkItem *item);
void tg_factory_emit(GtkListItemFactory *factory, tg_factory_signal signal, TesseraGtkItem *item);
void tg_item_set(TesseraGtkItem *self, gpointer object, guint position, guint section,
                 gboolean selected);
void tg_item_set_position(TesseraGtkItem *self, guint position, guint section);
void tg_item_set_selected(TesseraGtkItem *self, gboolean selected);
void tg_item_set_attributes(TesseraGtkItem *self, GVariant *attributes); // takes ownership
// GTK demands this before allocation; returns whether the size has changed.
gboolean tg_item_measure(TesseraGtkItem *self);

GType tg_canvas_get_type(void);
// Places the canvas at the offset, and the elements on it.
void tg_view_place(TesseraGtkView *self, int width, int height);
void tg_view_place_again(TesseraGtkView *self); // in the next frame

// MARK: elements.c

tg_element *tg_view_find(TesseraGtkView *self, guint position);
void tg_element_remove(tg_element *element); // and its widget
void tg_element_set_shown(tg_element *element, gboolean is_shown); // also to screen readers
// Text from a property, else title, name or string; or null.
char *tg_text_of(GObject *object, const char *name);
void tg_view_show(TesseraGtkView *self, tessera_session *session, const tessera_columns *columns,
                  gboolean animate, gboolean has_changed);
void tg_view_recycle(TesseraGtkView *self, tg_element *element);
void tg_view_clear(TesseraGtkView *self); // recycles all elements
// Hides pooled elements and frees the oldest beyond half of the visible count. Call it after reuse,
// as hiding and showing are expensive.
void tg_view_hide_pool(TesseraGtkView *self);
void tg_place_of_column(tessera_element *place, const tessera_columns *columns, uint64_t index);
gboolean tg_is_transformed(const tessera_element *place);
// The current place, also during a movement.
void tg_element_place(const TesseraGtkView *self, const tg_element *element,
                      tessera_element *place);
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
// Takes an answer; `is_answered` is false if the session was busy or has failed.
typedef void (*tg_take)(TesseraGtkView *self, gboolean is_answered, gpointer data);
// Asks the session a read-only question. Calls `take` once with a copy of `data` that has the
// answer: before returning if the session is fast, else later in the main loop. Returns false if
// there is no answer.
gboolean tg_view_ask(TesseraGtkView *self, tg_work work, tg_take take, gpointer data, gsize size);
void tg_view_set_offset(TesseraGtkView *self, double x, double y);
void tg_view_show_nothing(TesseraGtkView *self);
void tg_allocate_at(GtkWidget *widget, double x, double y, int width, int height);

// MARK: model.c

GListModel *tg_model_below(GListModel *model);
void tg_view_connect_model(TesseraGtkView *self, GListModel *model);
void tg_view_disconnect_model(TesseraGtkView *self);
guint tg_view_count(TesseraGtkView *self);
// Converts between a position and a section with an item.
uint64_t tg_section_of(const GArray *counts, guint position, uint64_t *item);
guint tg_position_of(const GArray *counts, uint64_t section, uint64_t item);
GArray *tg_view_count_sections(TesseraGtkView *self);
GArray *tg_view_edits(TesseraGtkView *self, GArray *counts);
gpointer tg_view_get_section(TesseraGtkView *self, guint section);
GPtrArray *tg_view_gather(TesseraGtkView *self, gboolean all);
// Follows bound properties.
void tg_view_watch(TesseraGtkView *self, GObject *item, gboolean is_in_sight);
void tg_view_forget_changes(TesseraGtkView *self);

// MARK: input.c

void tg_view_install_input(GtkWidgetClass *class);
void tg_view_init_input(TesseraGtkView *self);
gboolean tg_view_focus(TesseraGtkView *self, guint position, gboolean scroll);
// Moves the held item and the rubber band to the pointer.
void tg_view_follow_pointer(TesseraGtkView *self);
void tg_view_release_held(TesseraGtkView *self);
void tg_view_place_held(TesseraGtkView *self, tg_element *element);
// Position in the model of a session's cell.
guint tg_view_model_position(const TesseraGtkView *self, guint position);
gboolean tg_view_move_item(TesseraGtkView *self, guint from, guint to);

// MARK: scroll.c

enum { TG_NEAREST = 32 }; // cells to examine for the next or the farthest one

// How far a section scrolls across the others.
typedef struct {
  uint64_t section, count;
  int axis;
  gboolean is_mirrored, has_pages;
  double extent, offset, reach;
  guint changes; // of the model, when asked
} tg_reaching;

tg_reaching tg_view_reaching(TesseraGtkView *self, uint64_t section);
// On the session's thread; 0 if it doesn't scroll.
int32_t tg_find_reach(tessera_session *session, void *reaching);
void tg_view_scroll_section(TesseraGtkView *self, const tg_reaching *reaching, double offset);
void tg_view_init_scrolling(TesseraGtkView *self);
int tg_view_across(const TesseraGtkView *self); // the axis across the scroll direction
// Keeps swipe offsets when sections come and go.
void tg_view_splice_section_offsets(TesseraGtkView *self, guint position, guint removed,
                                    guint added);
void tg_view_take_kinetic(TesseraGtkView *self, gboolean snaps);
// A step of scrolling to rest; scrolling by hand ends it.
gboolean tg_view_step_scroll(TesseraGtkView *self, gint64 now);
void tg_view_scrolled_by_hand(TesseraGtkView *self);
void tg_view_scroll_at_edge(TesseraGtkView *self);

extern guint tg_signal_activate, tg_signal_layout_failed, tg_signal_visible_range_changed,
    tg_signal_reorder;

#endif
