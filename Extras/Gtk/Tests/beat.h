// How long the main loop stands still, for the tests of the view and for its figures.

#include <gtk/gtk.h>

// Starts a timer that beats on the main thread; `waits_only` leaves out what that thread computes, such as to draw a frame.
guint begin_to_beat(guint interval, gboolean waits_only);
// The longest time between two beats, in microseconds.
gint64 longest_beat(gboolean resets);
