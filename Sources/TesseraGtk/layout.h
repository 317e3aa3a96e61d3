// What a layout keeps, which its files share: layout.c (the object) and sending.c (what the session is given).

#ifndef TG_LAYOUT_H
#define TG_LAYOUT_H

#include "private.h"

// How one value of items is found.
typedef struct {
  char *name;
  char *property;
  GtkExpression *expression;
  GClosure *closure;
  TesseraGtkValueFunc func;
  gpointer data;
  GDestroyNotify destroy;
} tg_binding;

// A parameter, list or value of sections that was set.
typedef enum { PARAMETER, LIST, SECTION_VALUES } tg_setting_kind;

typedef struct {
  tg_setting_kind kind;
  gboolean is_new; // the session does not have it yet
  char *name;
  GVariant *value; // null: reset
} tg_setting;

typedef struct {
  tg_session *session; // not owned: the layout's
  char *name;
  GClosure *closure;
  gboolean is_new; // the session does not have it yet
} tg_delegate;

struct _TesseraGtkLayout {
  GObject parent;
  char *engine;
  tg_session *session;
  GPtrArray *settings; // of tg_setting, in the order in which they were first set
  GPtrArray *bindings; // of tg_binding
  GPtrArray *delegates; // of tg_delegate
  TesseraGtkView *view; // not owned: it says when it goes
  gboolean measures;    // the session knows what measures elements
};

#endif
