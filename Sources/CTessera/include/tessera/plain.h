// Optional helpers for engines in C; nothing in the contract needs this header.
//
// A layout that knows its host begins with it: struct tessera_layout { const tessera_host *host; …
// }. In calls with an input, in->host is the same. An engine without state needs no layout, and
// neither create nor destroy.
#ifndef TESSERA_PLAIN_H
#define TESSERA_PLAIN_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera.h>

#if defined(__GNUC__)
#define TESSERA_PLAIN_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define TESSERA_PLAIN_FORMAT
#endif

// Reports why a call fails, in the form of printf, and returns the status:
//     return plain_refuse(in->host, TESSERA_ERROR_INVALID_VALUE, "size %d is %g", item, size);
TESSERA_PLAIN_FORMAT
static inline tessera_status plain_refuse(const tessera_host *host, tessera_status status,
                                          const char *format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  host->report(host, status, text);
  return status;
}

// Returns a zeroed layout that begins with its host.
static inline tessera_status plain_create(const tessera_host *host, size_t size,
                                          tessera_layout **layout) {
  void *const made = calloc(1, size);
  if (!made)
    return plain_refuse(host, TESSERA_ERROR_FAILED, "there is no memory for a layout; free some");
  *(const tessera_host **)made = host;
  *layout = (tessera_layout *)made;
  return TESSERA_OK;
}

// Defines such a `create`. Use it below the struct tessera_layout: PLAIN_CREATE;
#define PLAIN_CREATE                                                                 \
  static tessera_status create(const tessera_engine *self, const tessera_host *host, \
                               tessera_layout **layout) {                            \
    return (void)self, plain_create(host, sizeof **layout, layout);                  \
  }                                                                                  \
  struct tessera_layout

// The `destroy` of a layout that owns no other memory.
static inline void plain_destroy(tessera_layout *layout) { free(layout); }

// Element `index` of a column with any stride: its address, or its value by type.
static inline const void *plain_at(tessera_column column, uint64_t index) {
  return (const char *)column.data + index * column.stride;
}
static inline double plain_number(tessera_column column, uint64_t index) {
  return *(const double *)plain_at(column, index);
}
static inline int64_t plain_integer(tessera_column column, uint64_t index) {
  return *(const int64_t *)plain_at(column, index);
}
static inline int32_t plain_choice(tessera_column column, uint64_t index) {
  return *(const int32_t *)plain_at(column, index);
}
static inline int plain_bool(tessera_column column, uint64_t index) {
  return *(const uint8_t *)plain_at(column, index) != 0;
}
static inline tessera_size plain_size(tessera_column column, uint64_t index) {
  return *(const tessera_size *)plain_at(column, index);
}

static inline uint64_t plain_items(const tessera_input *in, uint32_t section) {
  return in->section_starts[section + 1] - in->section_starts[section];
}

// The bounds between the content insets, 0 or more.
static inline tessera_size plain_extent(const tessera_input *in) {
  const double width = in->viewport.width - in->content_insets.left - in->content_insets.right;
  const double height = in->viewport.height - in->content_insets.top - in->content_insets.bottom;
  const tessera_size extent = {width > 0 ? width : 0, height > 0 ? height : 0};
  return extent;
}

#endif
