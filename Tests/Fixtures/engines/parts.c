// A list engine that fails for some item counts, for batches with partial failures.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

enum { CRASHES = 13, HANGS = 14, IS_NOT_FINITE = 15, FAILS = 16, EXITS = 17, SCRIBBLES = 18, WARNS = 19, IS_SLOW = 20 };

// Corrupts the worker's results in shared memory, behind the messages.
static void scribble(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long start, end;
    char rights[8];
    if (strstr(line, "memfd:tessera-rows") == NULL) continue;
    if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && rights[1] == 'w')
      memset((char *)start + 4096 + (20 << 20), 0xff, 4096);
  }
  if (maps != NULL) fclose(maps);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  const tessera_host *host = in->host;
  const uint64_t count = in->section_starts[in->section_count];
  switch (count) {
    case CRASHES: abort();
    case HANGS:
      for (;;) pause();
    case EXITS: _exit(3);
    case FAILS: return plain_refuse(host, TESSERA_ERROR_FAILED, "there are 16 items; give another number");
    case WARNS: host->report(host, TESSERA_OK, "there are 19 items"); break;
    case SCRIBBLES: scribble(); break;
    case IS_SLOW: usleep(100000); break;
    default: break;
  }
  double end = 0;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const uint64_t first = in->section_starts[section];
    const tessera_run run = {.category = TESSERA_CATEGORY_CELL, .section = section, .count = in->section_starts[section + 1] - first};
    const tessera_rows *rows;
    TRY(out->add(out, &run, &rows));
    for (uint64_t i = 0; i < run.count; i++) {
      const double length = plain_number(in->values[0], first + i);
      rows->frame[i] = (tessera_rect){0, end, in->viewport.width, length};
      end += length;
    }
    if (count == IS_NOT_FINITE) rows->frame[7].x = NAN;
  }
  out->set_content_size(out, (tessera_size){in->viewport.width, end});
  return TESSERA_OK;
}

static const tessera_value_declaration values[] = {
    {.name = "length", .help = "The height of an item.", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
};

REGISTER(ENGINE("parts", LIST(value, values), .prepare = prepare));
