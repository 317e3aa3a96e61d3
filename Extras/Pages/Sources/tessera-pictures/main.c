#include "pictures.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A new request is a line here and a function in its own file.
static const struct {
  const char *name, *arguments;
  int count;
  void (*answer)(bool says_grade, char **arguments);
} requests[] = {
    {"draw", "png|pdf SCALE", 2, draw},
    {"sizes", "", 0, sizes},
    {"thumbnails", "jpeg|webp", 1, thumbnails},
    {"grade", "", 0, grade},
};

static _Noreturn void refuse(void) {
  fputs("tessera-pictures: usage, by the command tessera:\n", stderr);
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    fprintf(stderr, "  tessera-pictures %s %s [grade]\n", requests[i].name, requests[i].arguments);
  }
  exit(EX_USAGE);
}

int main(int count, char **arguments) {
  if (count < 2) refuse();
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    if (strcmp(arguments[1], requests[i].name) != 0) continue;
    if (count - 2 < requests[i].count) refuse();
    requests[i].answer(count > 2 + requests[i].count && strcmp(arguments[count - 1], "grade") == 0, arguments + 2);
    return 0;
  }
  refuse();
}

void grade(bool says_grade, char **arguments) {
  (void)says_grade, (void)arguments;
  confine(0, true);
}

void fail(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  fflush(stderr);
  // Skips destructors, as a failure may have left libraries in any state.
  _exit(status);
}

void load_library(const char *file, const char *package, const library_function *functions) {
  void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) fail(EX_UNAVAILABLE, "this machine lacks %s; install it (Debian: apt install %s)", file, package);
  for (const library_function *function = functions; function->name != NULL; function++) {
    void *address = dlsym(library, function->name);
    if (address == NULL) {
      fail(EX_UNAVAILABLE, "%s of this machine has no function %s; install a later version (Debian: apt install %s)", file, function->name, package);
    }
    memcpy(function->function, &address, sizeof address);
  }
}

input read_input(void) {
  input whole = {NULL, 0};
  size_t capacity = 0;
  for (;;) {
    if (whole.count == capacity) {
      capacity = capacity ? 2 * capacity : 1 << 16;
      uint8_t *larger = realloc(whole.bytes, capacity);
      if (larger == NULL) fail(EX_DATAERR, "the input has more than %zu bytes, which is more than memory allows; give less", whole.count);
      whole.bytes = larger;
    }
    ssize_t got = read(STDIN_FILENO, whole.bytes + whole.count, capacity - whole.count);
    if (got == 0) return whole;
    if (got > 0) whole.count += (size_t)got;
    else if (errno != EINTR) fail(EX_IOERR, "cannot read the input: %s", strerror(errno));
  }
}

void write_output(const void *bytes, size_t count) {
  const uint8_t *rest = bytes;
  while (count > 0) {
    ssize_t sent = write(STDOUT_FILENO, rest, count);
    if (sent > 0) {
      rest += sent;
      count -= (size_t)sent;
    } else if (errno != EINTR) {
      fail(EX_IOERR, "cannot write the output: %s", strerror(errno));
    }
  }
}

double positive_number(const char *name, char **text, char after) {
  char *end;
  double number = strtod(*text, &end);
  if (end == *text || *end != after || !isfinite(number) || number <= 0) {
    fail(EX_USAGE, "%s is \"%s\"; expected a number above 0%s", name, *text, after == 0 ? "" : ", and a space after it");
  }
  *text = end + (after != 0);
  return number;
}
