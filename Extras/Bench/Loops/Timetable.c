#include "../../Extras/Bench/Comparisons/loops.h"

#include <math.h>
#include <stdlib.h>

typedef struct event {
  double start, end;
  uint32_t item;
  int32_t lane, reach, lanes; // end of its lanes, number of lanes in its cluster
} event;

// By start, longer first, then by item.
static int compare(const void *one, const void *other) {
  const event *a = one, *b = other;
  if (a->start != b->start) return a->start < b->start ? -1 : 1;
  if (a->end != b->end) return a->end > b->end ? -1 : 1;
  return a->item < b->item ? -1 : 1;
}

// Puts each event into the lowest free lane, then widens it over empty lanes. A cluster is a chain
// of overlapping events; its lanes share the width.
static void arrange(event *events, int64_t count) {
  enum { MOST = 4096 };
  static double ends[MOST], next[MOST]; // end of a lane's last event, start of its next one
  int64_t end;
  for (int64_t first = 0; first < count; first = end) {
    int lanes = 0;
    double latest = -INFINITY;
    for (end = first; end < count && (end == first || events[end].start < latest); end++) {
      event *now = &events[end];
      int lane = 0;
      while (lane < lanes && ends[lane] > now->start) lane++;
      if (lane == lanes && lanes < MOST) lanes++;
      int reach = lane + 1;
      while (reach < lanes && ends[reach] <= now->start) reach++;
      now->lane = lane;
      now->reach = reach < lanes ? reach : MOST;
      ends[lane] = now->end;
      latest = now->end > latest ? now->end : latest;
    }
    for (int lane = 0; lane < lanes; lane++) next[lane] = INFINITY;
    for (int64_t place = end; place-- > first;) {
      event *now = &events[place];
      int reach = now->lane + 1, most = now->reach < lanes ? now->reach : lanes;
      while (reach < most && next[reach] >= now->end) reach++;
      now->reach = reach;
      now->lanes = lanes;
      next[now->lane] = now->start;
    }
  }
}

static void lay_out(const collection *items, rows *out) {
  const double hour_height = 60, hours = 24, column = 56, header = 44, gap = 2, least = 0.001;
  const double day = fmax(120, items->bounds.width - column), line = 1 / items->scale;
  const double left = column + gap, room = day - gap, height = hours * hour_height;
  const int64_t count = items->count;
  event *events = items->scratch;
  for (int64_t item = 0; item < count; item++) {
    const double start = items->values[item];
    events[item] = (event){.start = start, .end = start + least, .item = (uint32_t)item};
  }
  qsort(events, count, sizeof *events, compare);
  arrange(events, count);
  for (int64_t place = 0; place < count; place++) {
    const event *now = &events[place];
    const double width = room / now->lanes, end = now->end < hours ? now->end : hours;
    out->frames[now->item] = (rect){left + now->lane * width, header + now->start * hour_height,
                                    (now->reach - now->lane) * width - gap, (end - now->start) * hour_height};
  }

  // Lines of the day and the hours, day header, hour labels.
  rect *frames = out->frames + count;
  for (int hour = 0; hour < hours; hour++) {
    frames[1 + hour] = (rect){column, header + hour * hour_height, day, line};
    frames[26 + hour] = (rect){0, header + hour * hour_height, column, hour_height};
  }
  frames[0] = (rect){column, header, line, height};
  frames[25] = (rect){column, 0, day, header};
  out->count = count + 50;
  for (int64_t row = 0; row < out->count; row++) {
    out->hidden[row] = 0;
    out->z_indexes[row] = row < count ? 0 : row < count + 25 ? -1 : row < count + 26 ? 1025 : 1024;
  }
  out->content = (size){column + day, header + height};
}

static void start_of(double item, double *numbers) { numbers[0] = noise(item) * 24; }

const example examples[] = {
  {"--set minimumDuration=0.001 --item start='noise(item)*24'", lay_out, .item = {"start", 1, start_of},
   .parameter = "minimumDuration", .number = 0.001},
};
EXAMPLE_COUNT;
