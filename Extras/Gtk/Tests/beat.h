// Measures how long the main loop blocks.

#include <gtk/gtk.h>

// Starts a timer on the main thread; `waits_only` excludes computation, such as drawing a frame.
guint begin_to_beat(guint interval, gboolean waits_only);
// The longest time between two beats, in microseconds.
gint64 longest_beat(gboolean resets);
