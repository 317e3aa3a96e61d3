// A piece of work of the session, which work.c has done, and whose result results.c shows.

#ifndef TG_WORK_H
#define TG_WORK_H

#include "view.h"

struct tg_job {
  TesseraGtkView *view;
  tg_session *session;
  tg_session *lender; // of the session of the layout before
  tessera_session *before;
  TesseraGtkLayout *layout;
  tg_needs needs;
  double bounds[2], offset[2], scale;
  guint overscan;
  gboolean asks_near;
  tessera_host_direction direction;
  GPtrArray *settings, *values;
  GArray *counts, *edits, *resized;
  uint64_t revealed[2]; // section and item that stays in sight when the layout is switched
  gboolean reveals;
  uint64_t dragged[2], target[2]; // section and item of what is held, in the model and in the session
  double held[2];
  gboolean picks_up, cancels_drag;
  // What came of it:
  tessera_columns columns;
  double near_rect[4];
  GArray *near_runs, *near_frames;
  tessera_element *from, *to;
  uint32_t *fates;
  uint64_t track_count;
};

// Makes those elements in sight the result of work that were near what was in sight before; returns whether they are all.
gboolean tg_view_take_near(TesseraGtkView *self, tg_job *job);
void tg_view_forget_near(TesseraGtkView *self);
void tg_view_show_result(TesseraGtkView *self, tg_job *job);

enum { TG_HANG = 1000 }; // milliseconds after which the bar says that the engine has not answered
gboolean tg_view_say_that_it_hangs(void *view);
void tg_view_hide_bar(TesseraGtkView *self);
// Goes on when the engine's file is replaced, or when it ended without work. While there is work, its end calls this again.
void tg_view_watch_engine(TesseraGtkView *self);

#endif
