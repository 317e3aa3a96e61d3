// tessera-pictures, the one place where libraries for pictures are used: it runs as a process of its own, so that neither their start-up nor a
// fault in a decoder reaches the command.
//
// A request is a name with arguments; it reads standard input to its end and writes its answer to standard output. A failure is one sentence on
// standard error and an exit status of sysexits.h: 64 for a wrong request, 65 for wrong input, 69 for a missing library, 70 for a failure of one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sysexits.h>

// Writes a sentence to standard error and ends the process.
_Noreturn void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Enters the engines' sandbox, with the right to read libraries and fonts; before it, no library for pictures is loaded and no byte of a
// picture is looked at. `mapped` is the size of the files that are mapped. With `says_grade`, the first line of the answer is the grade:
// "sandbox full", or "sandbox reduced" and the names of what is missing.
void confine(uint64_t mapped, bool says_grade);

// Denies new code for ever, once all libraries are loaded.
void forbid_new_code(void);

// A function of a library, and where its address is stored.
typedef struct {
  const char *name;
  void *function;
} library_function;

// A function with the name that a library gives it.
#define FUNCTION(name) {#name, (void *)&name}

// GLib's description of an error.
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} GError;

// Loads a library, or ends the process with a sentence that names its Debian package. The list of functions ends with a null name.
void load_library(const char *file, const char *package, const library_function *functions);

typedef struct {
  uint8_t *bytes;
  size_t count;
} input;

// Reads standard input to its end.
input read_input(void);

// A file with its contents mapped, or a part of one.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} contents;

// Whether there is a text at a place of a file.
bool has(contents file, size_t at, const char *text, size_t count);

// What a file says of its picture.
typedef struct {
  // When it was taken, as "2024-05-03 14:22", and what it shows, in one line; empty where the file does not say it.
  char date[20], caption[600];
  int caption_from;
  // How the pixels are turned, as EXIF has it, from 1 to 8; 0 where the file does not say it.
  int orientation;
  // The largest JPEG in the RAW file of a camera.
  contents preview;
} metadata;

// Reads what a file of a format says; returns whether it is the RAW file of a camera.
bool read_metadata(contents file, const char *format, metadata *found);

// Writes bytes to standard output.
void write_output(const void *bytes, size_t count);

// The number above 0 with which a text begins, and what must follow it: a space, or 0 for the end. The text then begins after it. Ends the
// process for anything else.
double positive_number(const char *name, char **text, char after);

// The requests. The grade of the sandbox comes before the answer if there is a last argument "grade".

// grade: the grade alone.
void grade(bool says_grade, char **arguments);

// draw png|pdf SCALE: an SVG document from standard input as a picture with SCALE pixels, or points of the page, for each unit.
void draw(bool says_grade, char **arguments);

// sizes: for each path of the input, which ends with a null byte, a line with the width and height of the picture as it is shown, or "! " and a
// sentence. The name of the format follows if browsers do not show it, and after tabs the date and the caption if the file has one of them.
void sizes(bool says_grade, char **arguments);

// thumbnails jpeg|webp: for each "WIDTH HEIGHT PATH" of the input, which ends with a null byte, a line with jpeg, png or webp and a number of bytes,
// and then the bytes: the picture upright, as small as still covers the size; or "! " and a sentence. WebP is for what can show it, where the machine
// writes it.
void thumbnails(bool says_grade, char **arguments);
