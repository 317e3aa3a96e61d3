// What the tests of the view share: a window, a model whose items have values, and a comparison with a session made new.

#ifndef SUPPORT_H
#define SUPPORT_H

#include "../Sources/TesseraGtk/view.h"

#include <stdio.h>

// An item of the models: a name, and a value that layouts read.
#define TYPE_THING (thing_get_type())
G_DECLARE_FINAL_TYPE(Thing, thing, TEST, THING, GObject)
Thing *thing_new(double ratio);
double thing_ratio(Thing *thing);
void thing_set_ratio(Thing *thing, double ratio);

typedef struct {
  GtkWindow *window;
  GtkScrolledWindow *scrolled;
  TesseraGtkView *view;
  GListStore *sections; // of GListStore of Thing
  GtkSelectionModel *selection;
  const char *engine;
  GString *log; // of signals: "activate 3;"
} fixture;

// A window with a view of sections of things; `counts` ends with -1.
fixture *open_window(const char *engine, const int *counts);
void close_window(fixture *self);
GListStore *section(fixture *self, guint index);
void insert(GListStore *store, guint position, guint removed, guint added); // things of random ratios
// Runs the main loop until the view has nothing to do.
void settle(fixture *self);
void run_for(double seconds);
// A new session with the same input; the caller destroys it.
tessera_session *fresh_session(fixture *self);
// Fails unless the view shows what a new session with the same input returns.
void expect_fresh(fixture *self, const char *when);
// Fails unless the widgets are, in the next frames, where the view shows their elements.
void expect_in_place(fixture *self, const char *when);
// Presses keys and moves the pointer with xdotool.
void act(fixture *self, const char *format, ...);
// Does so without waiting; the caller waits for the process and releases it.
GSubprocess *begin_to_act(const char *format, ...);
gpointer controller_of(fixture *self, GType type); // of the view, such as its gesture of swipes
char *shown(fixture *self); // the positions of the cells in sight, in order
guint all_widgets(TesseraGtkView *view); // of elements, and of those that wait or leave
TesseraGtkLayout *layout_of(const char *engine);

// The tests of input.c.
void edges(void);
void reorders(void);
void rests(void);
void selection(void);
void swipes(void);

// The tests of random.c.
void changes_at_random(void);
void closes(void);

// The tests of failures.c.
void answers_late(void);
void hostile(void);
void idles(void);
void recovers(void);
void refuses(void);

#define expect(condition, ...)                                              \
  do {                                                                      \
    if (!(condition)) {                                                     \
      fprintf(stderr, "%s:%d: " #condition ": ", __FILE__, __LINE__);       \
      fprintf(stderr, __VA_ARGS__);                                         \
      fprintf(stderr, "\n");                                                \
      _exit(1);                                                             \
    }                                                                       \
  } while (0)

#endif
