#define _GNU_SOURCE // for RTLD_NEXT
#include "beat.h"

#include <X11/Xlib.h>
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

static GThread *main_thread;
static gint64 last_beat, longest, waited_for_server;
static gboolean counts_computing;
static int server = -1; // the connection to the X server

// Xlib's waits for the X server aren't the view's fault: they are `poll`s of its connection outside
// the main loop.
int poll(struct pollfd *files, nfds_t count, int timeout) {
  static int (*original)(struct pollfd *, nfds_t, int);
  if (!original) original = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  gboolean is_server = count == 1 && files->fd == server && g_thread_self() == main_thread;
  gint64 start = is_server ? g_get_monotonic_time() : 0;
  int result = original(files, count, timeout);
  if (is_server) waited_for_server += g_get_monotonic_time() - start;
  return result;
}

// Microseconds that the main thread was ready but not running.
static gint64 kept_waiting(void) {
  gint64 run = 0, waited = 0;
  FILE *file = fopen("/proc/thread-self/schedstat", "r");
  if (!file) return 0;
  if (fscanf(file, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &run, &waited) != 2) waited = 0;
  fclose(file);
  return waited / 1000;
}

static gint64 computed(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gboolean beat(gpointer data) {
  gint64 now, waited;
  // A wait between the clocks would count as a block.
  do {
    waited = kept_waiting();
    now = g_get_monotonic_time();
  } while (kept_waiting() != waited);
  now -= waited + waited_for_server + (counts_computing ? 0 : computed());
  if (last_beat) longest = MAX(longest, now - last_beat);
  last_beat = now;
  return G_SOURCE_CONTINUE;
}

guint begin_to_beat(guint interval, gboolean waits_only) {
  main_thread = g_thread_self();
  server = ConnectionNumber(gdk_x11_display_get_xdisplay(gdk_display_get_default()));
  counts_computing = !waits_only;
  return g_timeout_add_full(G_PRIORITY_HIGH, interval, beat, NULL, NULL);
}

gint64 longest_beat(gboolean resets) {
  gint64 result = longest;
  if (resets) last_beat = longest = 0;
  return result;
}
