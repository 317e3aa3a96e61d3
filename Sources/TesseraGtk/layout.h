// What a layout keeps, which its files share: layout.c (the object) and sending.c (what the session is given).

#ifndef TG_LAYOUT_H
#define TG_LAYOUT_H

#include "private.h"

// A parameter, a list, values of sections, values of items or a delegate function.
typedef enum { PARAMETER, LIST, SECTION_VALUES, ITEM_VALUES, DELEGATE } tg_setting_kind;

typedef struct {
  tg_setting_kind kind;
  gboolean is_new; // the session does not have it yet
  char *name;
  GVariant *value; // null: reset
  // How values of items are found, of which one is not null, or what answers a delegate function, which is the closure:
  char *property;
  GtkExpression *expression;
  GClosure *closure;
  TesseraGtkValueFunc func;
  gpointer data;
  GDestroyNotify destroy;
  tg_session *session; // not owned: the layout's
} tg_setting;

struct _TesseraGtkLayout {
  GObject parent;
  char *engine;
  tg_session *session;
  GPtrArray *settings, *bindings, *delegates; // of tg_setting, in the order in which they were first set
  TesseraGtkView *view; // not owned: it says when it goes
  gboolean measures;    // the session knows what measures elements
};

#endif
