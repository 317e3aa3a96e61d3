// Shared by the tests: a window, a model of items with values, and a comparison with a fresh
// session.

#ifndef SUPPORT_H
#define SUPPORT_H

#include "../Sources/TesseraGtk/view.h"

#include <stdio.h>

// An item with a name and a value for layouts.
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

// Opens a window with sections of things; `counts` ends with -1.
fixture *open_window(const char *engine, const int *counts);
void close_window(fixture *self);
GListStore *section(fixture *self, guint index);
// Things of random ratios.
void insert(GListStore *store, guint position, guint removed, guint added);
// Runs the main loop until the view has nothing to do.
void settle(fixture *self);
void run_for(double seconds);
// A new session with the same input; the caller destroys it.
tessera_session *fresh_session(fixture *self);
// Fails unless the view equals a fresh session with the same input.
void expect_fresh(fixture *self, const char *when);
// Fails unless the widgets reach their elements' places within some frames.
void expect_in_place(fixture *self, const char *when);
// Presses keys and moves the pointer with xdotool.
void act(fixture *self, const char *format, ...);
// Without waiting; the caller waits for the process and releases it.
GSubprocess *begin_to_act(const char *format, ...);
gpointer controller_of(fixture *self, GType type);
char *shown(fixture *self); // positions of visible cells, in order
guint all_widgets(TesseraGtkView *view); // including pooled and leaving ones
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
