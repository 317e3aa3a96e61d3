// The state of a view, which its files share: view.c (the widget), canvas.c (where widgets are), elements.c (cells), work.c (the
// session's work), results.c (what comes of it), model.c (changes of the model), input.c (hands and keyboard) and drag.c (reordering and snapping).

#ifndef TG_VIEW_H
#define TG_VIEW_H

#include "private.h"

// Which element: of cells, `index` is the position in the model, and `section` is 0.
typedef struct {
  int32_t category;
  GQuark kind;
  guint section, index;
} tg_key;

// An element with its widget.
typedef struct {
  tg_key key;
  guint section;   // of cells too
  guint old_index; // the position in the numbering that the session knows
  GtkWidget *widget;
  TesseraGtkItem *item;
  GtkListItemFactory *factory; // not owned: the view's
  GtkTreeListRow *row;         // of a tree, which is watched; else null
  tg_place to, from;           // `from` while it moves
  graphene_rect_t allocated;   // where its widget is in the canvas, if it has no transform
  int natural[3];              // of a layout that measures: the child's natural width, its height for a width, and that width; or 0
  gboolean is_bound, is_measured, is_moving, is_leaving, is_kept;
  guint64 seen; // the number of the query that last returned it
  guint order;
} tg_element;

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

typedef struct tg_job tg_job;

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
  GHashTable *changed_items;    // objects whose values have changed

  // The layout
  TesseraGtkLayout *layout, *layout_before; // the second while it is switched
  GHashTable *factories;                    // by the quark of the kind, 0 for cells
  gpointer shown;                           // the layout that what is shown comes from; not owned
  tg_needs needs;
  tg_job *job; // in progress
  GPtrArray *gatherings;
  GArray *resized; // of tg_key: elements in sight whose natural size has changed
  guint idle, retry, hang, watch;
  GError *failure;
  gboolean has_retried;

  // What is shown
  GHashTable *elements; // of tg_element by key
  GPtrArray *leaving, *order;
  GByteArray *seen; // the columns of the result that is shown
  GHashTable *pools; // of arrays of tg_element by css name
  guint64 generation;
  gboolean has_z, is_plain, is_binding, is_allocating, is_placed;
  GtkWidget *canvas; // the parent of their widgets
  double origin[2];  // the point of the content at its corner
  double content[2], offset[2], bounds[2];
  // What the last query found around what is in sight, for the next steps of scrolling; null if that depends on the offset.
  double near_rect[4];          // left, top, right, bottom
  double near_offsets[2][4];    // of each axis: the same elements are in sight above [0] to [1], and from [2] to below [3]
  GArray *near_runs, *near_frames; // of tessera_element_run, and of 4 numbers
  guint tick;
  gint64 animation_start; // 0: none
  double animation_progress;
  GtkWidget *bar;

  // Properties
  GtkAdjustment *adjustments[2];
  guint policies[2];
  guint overscan, animation_duration;
  gboolean animate_changes, rubberband_enabled, reorderable, single_click, snap;

  // Hands and keyboard
  guint focus, anchor; // positions
  char *search_property;
  GString *searched; // what has been typed, in lower case
  guint search, search_next, search_left; // the source that looks for it, the next position and how many are left
  gint64 last_typed;
  gboolean band_is_active;
  double band_from[2], band_to[2]; // in points of the content
  GtkBitset *band_before;
  GtkWidget *band;
  guint autoscroll;
  double pointer[2];
  double scroll_from[2], scroll_to[2];
  gint64 scroll_start;
  guint rest;
  guint dragged, drop;      // of an item that is held: its position in the model, and the one that the session has given it
  double held[2], grabbed[2]; // its centre, in points of the content, and where it was grabbed, from its centre
  gboolean drag_is_active, session_holds;
};

// Visits the elements that are shown, and those that are kept for the focus.
#define TG_EACH_ELEMENT(self, element)               \
  GHashTableIter iterator;                           \
  g_hash_table_iter_init(&iterator, (self)->elements); \
  for (tg_element * element; g_hash_table_iter_next(&iterator, NULL, (gpointer *)&element);)

// MARK: canvas.c

#define TG_TYPE_CANVAS (tg_canvas_get_type())
G_DECLARE_FINAL_TYPE(TgCanvas, tg_canvas, TG, CANVAS, GtkWidget)
// Moves the canvas to the offset, and elements to their places.
void tg_view_place(TesseraGtkView *self, int width, int height);
void tg_view_place_again(TesseraGtkView *self); // in the next frame, because places have changed

// MARK: elements.c

tg_element *tg_view_find(TesseraGtkView *self, guint position);
// The text of an object: of a property, or else its title, name or string; null without.
char *tg_text_of(GObject *object, const char *name);
void tg_view_show(TesseraGtkView *self, tessera_session *session, const tessera_columns *columns, gboolean animate, gboolean has_changed);
void tg_view_sort(TesseraGtkView *self);
void tg_view_recycle(TesseraGtkView *self, tg_element *element);
// Recycles all elements; `hide` unless others are shown at once.
void tg_view_clear(TesseraGtkView *self, gboolean hide);
void tg_element_place(const TesseraGtkView *self, const tg_element *element, tg_place *place);
tg_element *tg_view_make(TesseraGtkView *self, tg_key key, guint section);
void tg_view_rekey(TesseraGtkView *self, guint position, guint removed, guint added);
tg_element *tg_view_element_at(TesseraGtkView *self, double x, double y);
gboolean tg_key_equal(gconstpointer a, gconstpointer b);
guint tg_key_hash(gconstpointer key);
void tg_view_update_selected(TesseraGtkView *self, guint first, guint count);
void tg_view_factory_changed(TesseraGtkView *self);
// Notes the natural size of an element's child; has it measured again if it has changed.
void tg_view_note_size(TesseraGtkView *self, tg_element *element);

// MARK: work.c and results.c

void tg_view_need(TesseraGtkView *self, tg_needs needs); // later
void tg_view_work(TesseraGtkView *self);                 // now
void tg_view_fail(TesseraGtkView *self, const GError *error);
void tg_view_stop_animation(TesseraGtkView *self);
void tg_view_animate(TesseraGtkView *self);
void tg_view_start_ticking(TesseraGtkView *self);
void tg_view_forget_work(TesseraGtkView *self);
// Asks the session a question that changes nothing, for up to 80 milliseconds; returns whether it was answered with success.
gboolean tg_view_ask(TesseraGtkView *self, tg_work work, gpointer data, gsize size);
// Whether scrolling to the present offset brings nothing into sight, and nothing out of it.
gboolean tg_view_shows_the_same(const TesseraGtkView *self);
void tg_view_set_offset(TesseraGtkView *self, double x, double y);

// MARK: model.c

void tg_view_connect_model(TesseraGtkView *self, GListModel *model);
void tg_view_disconnect_model(TesseraGtkView *self);
guint tg_view_count(TesseraGtkView *self);
guint tg_section_of(const GArray *counts, guint position, guint *item);
guint tg_view_section_of(TesseraGtkView *self, guint position, guint *item);
GArray *tg_view_count_sections(TesseraGtkView *self);
GArray *tg_view_edits(TesseraGtkView *self, GArray *counts);
gpointer tg_view_get_section(TesseraGtkView *self, guint section);
GPtrArray *tg_view_gather(TesseraGtkView *self, gboolean all);
void tg_view_forget_changes(TesseraGtkView *self);
guint tg_first_of_section(const GArray *counts, guint64 section);

// MARK: input.c and drag.c

void tg_view_install_input(GtkWidgetClass *class);
void tg_view_init_input(TesseraGtkView *self);
void tg_view_end_input(TesseraGtkView *self);
gboolean tg_view_focus(TesseraGtkView *self, guint position, gboolean scroll);
void tg_view_init_drag(TesseraGtkView *self);
void tg_view_end_drag(TesseraGtkView *self);
// Where the pointer has taken the item that is held.
void tg_view_move_held(TesseraGtkView *self);
void tg_view_release_held(TesseraGtkView *self);
void tg_view_place_held(TesseraGtkView *self, tg_element *element);
// The position in the model of a cell of the session.
guint tg_view_model_position(const TesseraGtkView *self, guint position);
gboolean tg_view_move_item(TesseraGtkView *self, guint from, guint to);
void tg_view_scroll_smoothly(TesseraGtkView *self, double x, double y);
gboolean tg_view_step_scroll(TesseraGtkView *self, gint64 now);
void tg_view_scrolled_by_hand(TesseraGtkView *self);
void tg_view_autoscroll(TesseraGtkView *self, double x, double y, gboolean start);

extern guint tg_signal_activate, tg_signal_layout_failed, tg_signal_visible_range_changed, tg_signal_reorder;

#endif
