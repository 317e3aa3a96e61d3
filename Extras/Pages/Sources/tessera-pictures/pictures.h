// tessera-pictures, the only user of picture libraries: a separate process keeps their start-up
// time and decoder crashes out of the command.
//
// A request is a name with arguments; it reads standard input to its end and answers on standard
// output. On failure it writes one sentence to standard error and exits with a status of
// sysexits.h:
// 64 for a wrong request, 65 for wrong input, 69 for a missing library, 70 for a library's failure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sysexits.h>

// Writes a sentence to standard error and exits.
_Noreturn void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Enters the engines' sandbox, which allows reading libraries and fonts. Call it before loading
// picture libraries or reading pictures. `mapped` is the size of mapped files. With `says_grade`,
// the answer begins with "sandbox full", or "sandbox reduced" and the missing parts.
void confine(uint64_t mapped, bool says_grade);

// Forbids new code, once all libraries are loaded.
void forbid_new_code(void);

// A library function, and where to store its address.
typedef struct {
  const char *name;
  void *function;
} library_function;

// Stores a function under the library's name.
#define FUNCTION(name) {#name, (void *)&name}

// GError.
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} GError;

// Loads a library, or exits with a message that names its Debian package. A null name ends the
// list.
void load_library(const char *file, const char *package, const library_function *functions);

typedef struct {
  uint8_t *bytes;
  size_t count;
} input;

// Reads standard input to its end.
input read_input(void);

// A mapped file, or a part of one.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} contents;

// Compares bytes at an offset.
bool has(contents file, size_t at, const char *text, size_t count);

// A file's metadata.
typedef struct {
  // Date as "2024-05-03 14:22", and caption on one line; empty if unknown.
  char date[20], caption[600];
  int caption_from;
  // EXIF orientation from 1 to 8; 0 if unknown.
  int orientation;
  // The largest JPEG in a RAW file.
  contents preview;
} metadata;

// Reads metadata; returns whether it is a camera's RAW file.
bool read_metadata(contents file, const char *format, metadata *found);

// Writes to standard output.
void write_output(const void *bytes, size_t count);

// Parses a positive number followed by `after`: a space, or 0 for the end. Advances the text. Exits
// on anything else.
double positive_number(const char *name, char **text, char after);

// The requests. With a last argument "grade", the answer begins with the sandbox's grade.

// grade: the grade alone.
void grade(bool says_grade, char **arguments);

// draw png|pdf SCALE: an SVG document from standard input, with SCALE pixels or points per unit.
void draw(bool says_grade, char **arguments);

// sizes: for each NUL-terminated path a line with width and height as shown, or "! " and a
// sentence.
// The format's name follows if browsers don't support it; date and caption follow after tabs if
// known.
void sizes(bool says_grade, char **arguments);

// thumbnails jpeg|webp: for each NUL-terminated "WIDTH HEIGHT PATH" a line with jpeg, png or webp
// and a byte count, then the bytes: the upright picture, as small as still covers the size; or "! "
// and a sentence. `webp` allows WebP where the machine writes it.
void thumbnails(bool says_grade, char **arguments);
