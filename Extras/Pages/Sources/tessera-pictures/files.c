#define _GNU_SOURCE
#include "pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Declares the used parts of GLib and gdk-pixbuf, so that building needs none of them.
typedef struct GdkPixbuf GdkPixbuf;
typedef struct GdkPixbufLoader GdkPixbufLoader;

static GdkPixbufLoader *(*gdk_pixbuf_loader_new_with_type)(const char *type, GError **error);
static int (*gdk_pixbuf_loader_write)(GdkPixbufLoader *loader, const uint8_t *bytes, size_t count, GError **error);
static int (*gdk_pixbuf_loader_close)(GdkPixbufLoader *loader, GError **error);
static void (*gdk_pixbuf_loader_set_size)(GdkPixbufLoader *loader, int width, int height);
static GdkPixbuf *(*gdk_pixbuf_loader_get_pixbuf)(GdkPixbufLoader *loader);
static const char *(*gdk_pixbuf_get_option)(GdkPixbuf *pixels, const char *name);
static int (*gdk_pixbuf_set_option)(GdkPixbuf *pixels, const char *name, const char *value);
static int (*gdk_pixbuf_get_width)(const GdkPixbuf *pixels);
static int (*gdk_pixbuf_get_height)(const GdkPixbuf *pixels);
static int (*gdk_pixbuf_get_has_alpha)(const GdkPixbuf *pixels);
static int (*gdk_pixbuf_get_rowstride)(const GdkPixbuf *pixels);
static const uint8_t *(*gdk_pixbuf_read_pixels)(const GdkPixbuf *pixels);
static GdkPixbuf *(*gdk_pixbuf_apply_embedded_orientation)(GdkPixbuf *pixels);
static int (*gdk_pixbuf_save_to_bufferv)(
    GdkPixbuf *pixels, char **bytes, size_t *count, const char *type, char **names, char **values, GError **error);
static unsigned long (*g_signal_connect_data)(void *object, const char *name, void (*handler)(void), void *context, void *destroy, int flags);
static void (*g_object_unref)(void *object);
static void (*g_free)(void *memory);
static void (*g_error_free)(GError *error);

static void load(void) {
  static const library_function functions[] = {
      FUNCTION(gdk_pixbuf_loader_new_with_type),
      FUNCTION(gdk_pixbuf_loader_write),
      FUNCTION(gdk_pixbuf_loader_close),
      FUNCTION(gdk_pixbuf_loader_set_size),
      FUNCTION(gdk_pixbuf_loader_get_pixbuf),
      FUNCTION(gdk_pixbuf_get_option),
      FUNCTION(gdk_pixbuf_set_option),
      FUNCTION(gdk_pixbuf_get_width),
      FUNCTION(gdk_pixbuf_get_height),
      FUNCTION(gdk_pixbuf_get_has_alpha),
      FUNCTION(gdk_pixbuf_get_rowstride),
      FUNCTION(gdk_pixbuf_read_pixels),
      FUNCTION(gdk_pixbuf_apply_embedded_orientation),
      FUNCTION(gdk_pixbuf_save_to_bufferv),
      // From dependencies.
      FUNCTION(g_signal_connect_data),
      FUNCTION(g_object_unref),
      FUNCTION(g_free),
      FUNCTION(g_error_free),
      {NULL, NULL},
  };
  load_library("libgdk_pixbuf-2.0.so.0", "libgdk-pixbuf-2.0-0", functions);
}

// MARK: Files

// Most pixels, 16,384 squared, to fit in this process's memory.
static const double most_pixels = 1 << 28;

static char problem[400];

static bool refuse(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(problem, sizeof problem, format, values);
  va_end(values);
  // Puts a sentence on one line.
  for (char *end = problem; *end != 0; end++) {
    if (*end == '\n') *end = ' ';
  }
  return false;
}

static bool map(const char *path, contents *file) {
  // Doesn't wait for a pipe's writer.
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return refuse("it cannot be read: %s", strerror(errno));
  struct stat status;
  bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (is_file && status.st_size > 0) {
    void *address = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    *file = (contents){address, (size_t)status.st_size};
  } else {
    *file = (contents){MAP_FAILED, 0};
  }
  close(descriptor);
  if (!is_file) return refuse("it is no file");
  if (status.st_size == 0) return refuse("it is empty");
  return file->bytes != MAP_FAILED || refuse("it is too large to be read");
}

bool has(contents file, size_t at, const char *text, size_t count) {
  return at <= file.count && file.count - at >= count && memcmp(file.bytes + at, text, count) == 0;
}

static uint32_t big_endian(const uint8_t *b) { return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]; }

// Detects truncated files, which a decoder would show partly grey.
static bool is_whole_png(contents file) {
  size_t at = 8;
  while (file.count - at >= 12) {
    uint32_t length = big_endian(file.bytes + at);
    if (has(file, at + 4, "IEND", 4)) return true;
    if (length > file.count - at - 12) return false;
    at += length + 12;
  }
  return false;
}

static bool is_whole_jpeg(contents file) {
  // The end marker at the end; phones append data, so accept any after the first scan.
  size_t tail = file.count > 1 << 16 ? file.count - (1 << 16) : 2;
  if (memmem(file.bytes + tail, file.count - tail, "\xFF\xD9", 2) != NULL) return true;
  size_t at = 2;
  while (file.count - at >= 4 && file.bytes[at] == 0xFF && file.bytes[at + 1] != 0xDA) {
    size_t length = 2 + ((size_t)file.bytes[at + 2] << 8 | file.bytes[at + 3]);
    if (length > file.count - at) return false;
    at += length;
  }
  return memmem(file.bytes + at, file.count - at, "\xFF\xD9", 2) != NULL;
}

// A decoder's time is quadratic in the number of segments.
enum { MOST_SEGMENTS = 4096 };

static bool has_fair_segments(contents file) {
  size_t segments = 0;
  for (size_t at = 2; at + 1 < file.count;) {
    const uint8_t *next = memchr(file.bytes + at, 0xFF, file.count - at - 1);
    if (next == NULL) return true;
    at = (size_t)(next - file.bytes) + 1;
    const uint8_t marker = *(next + 1);
    if (marker == 0xFF) continue;
    at++;
    // Data of a scan, and markers without a length.
    if (marker <= 1 || (marker >= 0xD0 && marker <= 0xD8)) continue;
    if (marker == 0xD9) return true;
    if (++segments > MOST_SEGMENTS) return refuse("it has more than %d segments", MOST_SEGMENTS);
    if (file.count - at < 2) return true;
    at += (size_t)file.bytes[at] << 8 | file.bytes[at + 1];
  }
  return true;
}

static bool is_whole_gif(contents file) {
  size_t end = file.count;
  while (end > 0 && file.bytes[end - 1] == 0) end--;
  return end > 0 && file.bytes[end - 1] == 0x3B;
}

static bool is_whole_webp(contents file) {
  const uint8_t *b = file.bytes;
  return ((uint64_t)b[7] << 24 | (uint64_t)b[6] << 16 | (uint64_t)b[5] << 8 | b[4]) + 8 <= file.count;
}

static bool is_whole_avif(contents file) {
  size_t at = 0;
  while (file.count - at >= 8) {
    uint64_t length = big_endian(file.bytes + at);
    if (length == 0) return true;
    if (length == 1 && file.count - at >= 16) length = (uint64_t)big_endian(file.bytes + at + 8) << 32 | big_endian(file.bytes + at + 12);
    if (length < 8 || length > file.count - at) return false;
    at += length;
  }
  return at == file.count;
}

// The decoder reports the rest.
static bool is_whole_otherwise(contents file) {
  (void)file;
  return true;
}

typedef struct {
  const char *name;
  size_t at;
  const char *start;
  size_t count;
  bool (*is_whole)(contents file);
  // Browsers support it.
  bool is_shown;
  // gdk-pixbuf loaders by preference: libheif's rejects some AVIF files.
  const char *loaders[2];
  // The decoder's Debian package.
  const char *package;
} format;

#define GDK_PIXBUF "libgdk-pixbuf-2.0-0"
#define AVIF(brand) {"avif", 4, "ftyp" brand, 8, is_whole_avif, true, {"avif", "heif/avif"}, "libavif-gdk-pixbuf"}
#define HEIF(brand) {"heif", 4, "ftyp" brand, 8, is_whole_avif, false, {"heif/avif", "heif"}, "heif-gdk-pixbuf"}
#define TIFF(start) {"tiff", 0, start, 4, is_whole_otherwise, false, {"tiff"}, GDK_PIXBUF}

// Several cameras use another magic number.
static const format formats[] = {
    {"png", 0, "\x89PNG\r\n\x1a\n", 8, is_whole_png, true, {"png"}, GDK_PIXBUF},
    {"jpeg", 0, "\xFF\xD8\xFF", 3, is_whole_jpeg, true, {"jpeg"}, GDK_PIXBUF},
    {"gif", 0, "GIF8", 4, is_whole_gif, true, {"gif"}, GDK_PIXBUF},
    {"webp", 8, "WEBP", 4, is_whole_webp, true, {"webp"}, "webp-pixbuf-loader"},
    AVIF("avif"), AVIF("avis"), HEIF("heic"), HEIF("heix"), HEIF("hevc"), HEIF("heim"), HEIF("heis"), AVIF("mif1"),
    TIFF("II*\0"), TIFF("MM\0*"), TIFF("IIRO"), TIFF("IIRS"), TIFF("MMOR"), TIFF("IIU\0"),
    {"raf", 0, "FUJIFILMCCD-RAW", 15, is_whole_otherwise, false, {"jpeg"}, GDK_PIXBUF},
    {"cr3", 4, "ftypcrx ", 8, is_whole_otherwise, false, {"jpeg"}, GDK_PIXBUF},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

// This machine has a decoder.
static bool is_decoded[FORMATS];

// WebP needs a third less than JPEG, but fewer programs support it.
static bool is_webp_wanted;

static const format *format_named(const char *name) {
  const format *format = formats;
  while (strcmp(format->name, name) != 0) format++;
  return format;
}

// By the first bytes; null if unknown.
static const format *format_of(contents file) {
  for (size_t i = 0; i < FORMATS; i++) {
    if (!has(file, formats[i].at, formats[i].start, formats[i].count)) continue;
    // AVIF also matches HEIF; the list of brands decides.
    const size_t brands = file.count < 64 ? file.count : 64;
    const bool is_heif = strcmp(formats[i].start, "ftypmif1") == 0 && memmem(file.bytes, brands, "avif", 4) == NULL;
    return is_heif ? format_named("heif") : &formats[i];
  }
  refuse("it is no PNG, JPEG, GIF, WebP, AVIF, HEIF, TIFF or RAW file of a camera");
  return NULL;
}

// Whether the structure is fit for a decoder. May read all of the file.
static bool has_fair_structure(contents file, const format *format) {
  if (strcmp(format->name, "jpeg") == 0 && !has_fair_segments(file)) return false;
  return format->is_whole(file) || refuse("the file ends before the picture does");
}

// MARK: Loading

static GdkPixbufLoader *new_loader(const format *format) {
  GdkPixbufLoader *loader = NULL;
  for (size_t i = 0; i < 2 && loader == NULL && format->loaders[i] != NULL; i++) loader = gdk_pixbuf_loader_new_with_type(format->loaders[i], NULL);
  return loader;
}

typedef struct {
  GdkPixbufLoader *loader;
  // In the file.
  int width, height;
  // Target size as shown; 0 loads only the options.
  double wanted_width, wanted_height;
  bool is_turned, has_pixels;
} loading;

static bool is_turned(const char *orientation) { return orientation != NULL && orientation[0] >= '5' && orientation[0] <= '8'; }

static void receive_size(GdkPixbufLoader *loader, int width, int height, loading *picture) {
  (picture->width = width, picture->height = height);
  if (width <= 0 || height <= 0) return;
  double scale = 0.125;
  if (picture->wanted_width > 0) {
    double across = picture->is_turned ? picture->wanted_height : picture->wanted_width;
    double down = picture->is_turned ? picture->wanted_width : picture->wanted_height;
    scale = across / width > down / height ? across / width : down / height;
  }
  // Avoids memory for a picture that will be rejected.
  if ((double)width * height > most_pixels) scale = 1.0 / 65536;
  if (scale >= 1) return;
  int columns = (int)(width * scale + 0.5), rows = (int)(height * scale + 0.5);
  gdk_pixbuf_loader_set_size(loader, columns > 0 ? columns : 1, rows > 0 ? rows : 1);
}

static void receive_pixels(GdkPixbufLoader *loader, loading *picture) {
  (void)loader;
  picture->has_pixels = true;
}

static bool has_fair_size(int width, int height) {
  if (width <= 0 || height <= 0) return refuse("its header has no size");
  if ((double)width * height <= most_pixels) return true;
  return refuse("it has %d × %d pixels, but a picture can have at most %.0f", width, height, most_pixels);
}

// Feeds a file up to the first pixels or the end; returns false on an error.
static bool feed(loading *picture, const format *format, contents file, bool to_the_end) {
  picture->loader = new_loader(format);
  g_signal_connect_data(picture->loader, "size-prepared", (void (*)(void))receive_size, picture, NULL, 0);
  g_signal_connect_data(picture->loader, "area-prepared", (void (*)(void))receive_pixels, picture, NULL, 0);
  GError *error = NULL;
  bool succeeds = true, is_left = false;
  for (size_t at = 0; at < file.count && succeeds && !is_left; at += 1 << 16) {
    size_t count = file.count - at < 1 << 16 ? file.count - at : 1 << 16;
    succeeds = gdk_pixbuf_loader_write(picture->loader, file.bytes + at, count, &error);
    is_left = !to_the_end && picture->has_pixels;
    if (picture->width > 0 && !has_fair_size(picture->width, picture->height)) {
      gdk_pixbuf_loader_close(picture->loader, NULL);
      return false;
    }
  }
  // A loader must be closed; unread bytes are no error.
  if (!gdk_pixbuf_loader_close(picture->loader, is_left || !succeeds ? NULL : &error) && !is_left) succeeds = false;
  if (succeeds) return picture->has_pixels || refuse("it has no picture");
  refuse("%s", error != NULL ? error->message : "it is damaged");
  if (error != NULL) g_error_free(error);
  return false;
}

static void receive_only_size(GdkPixbufLoader *loader, int width, int height, loading *picture) {
  (picture->width = width, picture->height = height);
  // Stops the decoder.
  gdk_pixbuf_loader_set_size(loader, 0, 0);
}

// The size in the header. Feeds small pieces, which hold few pixels.
static void read_header(const format *format, contents file, int *width, int *height) {
  loading picture = {.loader = new_loader(format)};
  g_signal_connect_data(picture.loader, "size-prepared", (void (*)(void))receive_only_size, &picture, NULL, 0);
  enum { PIECE = 4096 };
  for (size_t at = 0; at < file.count && picture.width == 0; at += PIECE) {
    if (!gdk_pixbuf_loader_write(picture.loader, file.bytes + at, file.count - at < PIECE ? file.count - at : PIECE, NULL)) break;
  }
  gdk_pixbuf_loader_close(picture.loader, NULL);
  g_object_unref(picture.loader);
  (*width = picture.width, *height = picture.height);
}

// MARK: Requests

static void say(const char *format, ...) {
  char line[sizeof problem + sizeof(metadata)];
  va_list values;
  va_start(values, format);
  int count = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  write_output(line, count < (int)sizeof line ? (size_t)count : sizeof line - 1);
}

// Opened and mapped before entering the sandbox, where it couldn't be opened.
typedef struct {
  contents file;
  const format *format;
  // The file, or a JPEG inside it.
  contents picture;
  metadata about;
  double width, height;
  char *problem;        // null if usable so far
} request;

typedef struct {
  request *all;
  size_t count;
} requests;

static bool keep_problem(request *request, bool succeeds) {
  if (!succeeds) request->problem = strdup(problem);
  return succeeds;
}

// An optional size, and the path.
static request request_of(char *text, bool has_size) {
  request request = {0};
  if (has_size) {
    request.width = positive_number("a width", &text, ' ');
    request.height = positive_number("a height", &text, ' ');
  }
  keep_problem(&request, map(text, &request.file));
  return request;
}

// Opens the NUL-terminated paths of the input.
static requests open_files(bool has_size) {
  input all = read_input();
  char *text = (char *)all.bytes, *end = text + all.count;
  if (text < end && end[-1] != 0) fail(EX_USAGE, "the last text of the input has no end");
  size_t most = 0;
  for (char *at = text; at < end; at++) most += *at == 0;
  requests found = {calloc(most + 1, sizeof(request)), 0};
  if (found.all == NULL) fail(EX_DATAERR, "%zu files are more than memory allows; give less", most);
  for (; text < end; text += strlen(text) + 1) found.all[found.count++] = request_of(text, has_size);
  return found;
}

// Address space in use.
static uint64_t mapped_size(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL || fscanf(file, "%lu", &pages) != 1) fail(EX_OSERR, "cannot read /proc/self/statm: %s", strerror(errno));
  fclose(file);
  return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Loads a decoder before new code is forbidden; returns whether the machine has it.
static bool load_format(const format *format) {
  GdkPixbufLoader *loader = new_loader(format);
  if (loader == NULL) return false;
  gdk_pixbuf_loader_close(loader, NULL);
  g_object_unref(loader);
  return true;
}

static bool prepare(request *request) {
  request->picture = request->file;
  const bool is_raw = read_metadata(request->file, request->format->name, &request->about);
  if (is_raw) {
    if (request->about.preview.count == 0) return refuse("it is the RAW file of a camera, and has no preview in it");
    request->picture = request->about.preview;
    request->format = format_named("jpeg");
  }
  if (!is_decoded[request->format - formats]) {
    return refuse("this machine has nothing that reads %s; install it (Debian: apt install %s)", request->format->name, request->format->package);
  }
  return has_fair_structure(request->picture, request->format);
}

// Answers for each file in the sandbox, with the needed decoders.
static void answer_each(bool has_size, bool says_grade, bool (*answer)(request *request)) {
  requests found = open_files(has_size);
  confine(mapped_size(), says_grade);
  bool is_used[FORMATS] = {false};
  for (size_t i = 0; i < found.count; i++) {
    request *request = &found.all[i];
    if (request->problem != NULL) continue;
    request->format = format_of(request->file);
    if (keep_problem(request, request->format != NULL)) is_used[request->format - formats] = true;
  }
  load();
  for (size_t i = 0; i < FORMATS; i++) {
    // Thumbnails use the first two formats or WebP; RAW files contain the second.
    const bool is_written = i < 2 || (is_webp_wanted && strcmp(formats[i].name, "webp") == 0);
    if (is_used[i] || is_written) is_decoded[i] = load_format(&formats[i]);
  }
  forbid_new_code();
  for (size_t i = 0; i < found.count; i++) {
    request *request = &found.all[i];
    if (request->problem != NULL || !keep_problem(request, prepare(request) && answer(request))) say("! %s\n", request->problem);
    if (request->file.count > 0) munmap((void *)request->file.bytes, request->file.count);
  }
}

// Loads a picture up to its pixels, and applies a RAW file's orientation if it has none; returns
// whether it is turned.
static bool has_turned_pixels(GdkPixbuf *pixels, const request *request) {
  char text[2] = {(char)('0' + request->about.orientation), 0};
  const char *orientation = gdk_pixbuf_get_option(pixels, "orientation");
  if (orientation == NULL && request->picture.bytes != request->file.bytes && request->about.orientation > 0) {
    gdk_pixbuf_set_option(pixels, "orientation", text);
    orientation = text;
  }
  return is_turned(orientation);
}

// Size in the header, and whether it is shown turned.
static bool measure(const request *request, int *width, int *height, bool *turned) {
  read_header(request->format, request->picture, width, height);
  if (*width == 0) return refuse("the header is damaged");
  if (!has_fair_size(*width, *height)) return false;
  *turned = strcmp(request->format->name, "tiff") == 0 && request->about.orientation >= 5;
  if (strcmp(request->format->name, "jpeg") != 0) return true;
  // Options such as the orientation are known when the pixels begin.
  loading picture = {0};
  bool succeeds = feed(&picture, request->format, request->picture, false);
  if (succeeds) {
    *turned = has_turned_pixels(gdk_pixbuf_loader_get_pixbuf(picture.loader), request);
    (*width = picture.width, *height = picture.height);
  }
  g_object_unref(picture.loader);
  return succeeds;
}

static bool answer_size(request *request) {
  int width = 0, height = 0;
  bool turned = false;
  if (!measure(request, &width, &height, &turned)) return false;
  const format *format = format_of(request->file);
  const metadata *about = &request->about;
  say("%d %d", turned ? height : width, turned ? width : height);
  if (!format->is_shown) say(" %s", request->picture.bytes == request->file.bytes ? format->name : "raw");
  if (about->date[0] != 0 || about->caption[0] != 0) say("\t%s\t%s", about->date, about->caption);
  say("\n");
  return true;
}

void sizes(bool says_grade, char **arguments) {
  (void)arguments;
  answer_each(false, says_grade, answer_size);
}

static bool is_opaque(const GdkPixbuf *pixels) {
  if (!gdk_pixbuf_get_has_alpha(pixels)) return true;
  int width = gdk_pixbuf_get_width(pixels), height = gdk_pixbuf_get_height(pixels), stride = gdk_pixbuf_get_rowstride(pixels);
  const uint8_t *bytes = gdk_pixbuf_read_pixels(pixels);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      if (bytes[(size_t)y * (size_t)stride + 4 * (size_t)x + 3] != 255) return false;
    }
  }
  return true;
}

static bool save(GdkPixbuf *pixels) {
  bool is_webp = is_webp_wanted && is_decoded[format_named("webp") - formats];
  bool opaque = is_opaque(pixels);
  const char *profile = gdk_pixbuf_get_option(pixels, "icc-profile");
  char *names[3] = {NULL}, *values[3] = {NULL};
  int options = 0;
  // A usual quality for web pages.
  if (opaque || is_webp) (names[options] = "quality", values[options++] = "75");
  if (profile != NULL) (names[options] = "icc-profile", values[options++] = (char *)profile);
  char *bytes = NULL;
  size_t count = 0;
  GError *error = NULL;
  const char *type = is_webp ? "webp" : opaque ? "jpeg" : "png";
  if (!gdk_pixbuf_save_to_bufferv(pixels, &bytes, &count, type, names, values, &error)) {
    refuse("%s", error != NULL ? error->message : "it cannot be encoded");
    if (error != NULL) g_error_free(error);
    // Older loaders can't write WebP.
    if (!is_webp) return false;
    is_webp_wanted = false;
    return save(pixels);
  }
  say("%s %zu\n", type, count);
  write_output(bytes, count);
  g_free(bytes);
  return true;
}

static bool answer_thumbnail(request *request) {
  loading picture = {.wanted_width = request->width, .wanted_height = request->height};
  int width = 0, height = 0;
  bool succeeds = measure(request, &width, &height, &picture.is_turned) && feed(&picture, request->format, request->picture, true);
  if (succeeds) {
    GdkPixbuf *pixels = gdk_pixbuf_loader_get_pixbuf(picture.loader);
    has_turned_pixels(pixels, request);
    GdkPixbuf *upright = gdk_pixbuf_apply_embedded_orientation(pixels);
    succeeds = save(upright);
    g_object_unref(upright);
  }
  if (picture.loader != NULL) g_object_unref(picture.loader);
  return succeeds;
}

void thumbnails(bool says_grade, char **arguments) {
  is_webp_wanted = strcmp(arguments[0], "webp") == 0;
  answer_each(true, says_grade, answer_thumbnail);
}
