#include "pictures.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Declares the used parts of GLib, cairo and librsvg, so that building needs none of them.
typedef struct cairo_t cairo_t;
typedef struct cairo_surface_t cairo_surface_t;
typedef int (*cairo_sink)(void *context, const unsigned char *bytes, unsigned count);
typedef struct RsvgHandle RsvgHandle;
typedef struct {
  double length;
  int unit;
} RsvgLength;
typedef struct {
  double x, y, width, height;
} RsvgRectangle;

enum {
  CAIRO_FORMAT_ARGB32 = 0,
  CAIRO_PDF_METADATA_CREATE_DATE = 5,
  RSVG_HANDLE_FLAG_UNLIMITED = 1,
  RSVG_UNIT_PX = 1,
};

static cairo_surface_t *(*cairo_image_surface_create)(int format, int width, int height);
static cairo_surface_t *(*cairo_pdf_surface_create_for_stream)(cairo_sink sink, void *context, double width, double height);
static void (*cairo_pdf_surface_set_metadata)(cairo_surface_t *surface, int key, const char *text);
static int (*cairo_surface_write_to_png_stream)(cairo_surface_t *surface, cairo_sink sink, void *context);
static void (*cairo_surface_finish)(cairo_surface_t *surface);
static int (*cairo_surface_status)(cairo_surface_t *surface);
static const char *(*cairo_status_to_string)(int status);
static cairo_t *(*cairo_create)(cairo_surface_t *surface);
static void (*cairo_scale)(cairo_t *context, double x, double y);
static void (*cairo_show_page)(cairo_t *context);
static int (*cairo_status)(cairo_t *context);
static void (*cairo_destroy)(cairo_t *context);
static void (*g_object_unref)(void *object);
static RsvgHandle *(*rsvg_handle_new_with_flags)(int flags);
static int (*rsvg_handle_write)(RsvgHandle *handle, const uint8_t *bytes, size_t count, GError **error);
static int (*rsvg_handle_close)(RsvgHandle *handle, GError **error);
static void (*rsvg_handle_set_dpi)(RsvgHandle *handle, double dpi);
static void (*rsvg_handle_get_intrinsic_dimensions)(
    RsvgHandle *handle, int *has_width, RsvgLength *width, int *has_height, RsvgLength *height, int *has_view_box, RsvgRectangle *view_box);
static int (*rsvg_handle_render_document)(RsvgHandle *handle, cairo_t *context, const RsvgRectangle *viewport, GError **error);

static void load(void) {
  static const library_function cairo[] = {
      FUNCTION(cairo_image_surface_create),
      FUNCTION(cairo_pdf_surface_create_for_stream),
      FUNCTION(cairo_pdf_surface_set_metadata),
      FUNCTION(cairo_surface_write_to_png_stream),
      FUNCTION(cairo_surface_finish),
      FUNCTION(cairo_surface_status),
      FUNCTION(cairo_status_to_string),
      FUNCTION(cairo_create),
      FUNCTION(cairo_scale),
      FUNCTION(cairo_show_page),
      FUNCTION(cairo_status),
      FUNCTION(cairo_destroy),
      {NULL, NULL},
  };
  static const library_function rsvg[] = {
      FUNCTION(g_object_unref),
      FUNCTION(rsvg_handle_new_with_flags),
      FUNCTION(rsvg_handle_write),
      FUNCTION(rsvg_handle_close),
      FUNCTION(rsvg_handle_set_dpi),
      FUNCTION(rsvg_handle_get_intrinsic_dimensions),
      FUNCTION(rsvg_handle_render_document),
      {NULL, NULL},
  };
  // librsvg's package depends on cairo.
  load_library("librsvg-2.so.2", "librsvg2-2", rsvg);
  load_library("libcairo.so.2", "librsvg2-2", cairo);
}

static int pass(void *context, const unsigned char *bytes, unsigned count) {
  (void)context;
  write_output(bytes, count);
  return 0;
}

static void check(int status) {
  if (status != 0) fail(EX_SOFTWARE, "cairo cannot draw this: %s", cairo_status_to_string(status));
}

static _Noreturn void fail_with(const GError *error) {
  fail(EX_DATAERR, "librsvg cannot draw this: %s", error ? error->message : "it does not say why");
}

// Reads the document up to a NUL, and keeps the rest.
static RsvgHandle *next_document(input *rest) {
  const uint8_t *end = memchr(rest->bytes, 0, rest->count);
  const size_t count = end ? (size_t)(end - rest->bytes) : rest->count;
  GError *error = NULL;
  // Lifts limits for untrusted documents: the command wrote this one.
  RsvgHandle *handle = rsvg_handle_new_with_flags(RSVG_HANDLE_FLAG_UNLIMITED);
  rsvg_handle_set_dpi(handle, 96);
  if (!rsvg_handle_write(handle, rest->bytes, count, &error) || !rsvg_handle_close(handle, &error)) fail_with(error);
  const size_t passed = count + (end ? 1 : 0);
  rest->bytes += passed;
  rest->count -= passed;
  return handle;
}

// Most pixels of cairo per side, and in total at four bytes each.
static const double most_of_side = 32767, most_of_all = 100e6;

void draw(bool says_grade, char **arguments) {
  const bool is_page = strcmp(arguments[0], "pdf") == 0;
  if (!is_page && strcmp(arguments[0], "png") != 0) fail(EX_USAGE, "the format is \"%s\"; expected png or pdf", arguments[0]);
  const double scale = positive_number("the scale", &arguments[1], 0);
  confine(0, says_grade);
  load();
  forbid_new_code();

  // Documents separated by NUL are the pages of a PDF, all as large as the first.
  input document = read_input();
  RsvgHandle *handle = next_document(&document);
  GError *error = NULL;
  int has_width = 0, has_height = 0, has_view_box = 0;
  RsvgLength width = {0, 0}, height = {0, 0};
  RsvgRectangle view_box;
  rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &width, &has_height, &height, &has_view_box, &view_box);
  if (!has_width || !has_height || width.unit != RSVG_UNIT_PX || height.unit != RSVG_UNIT_PX) {
    fail(EX_DATAERR, "the document has no width and height in pixels, which give the size of the picture");
  }
  const RsvgRectangle viewport = {0, 0, width.length, height.length};
  const double across = ceil(fmax(width.length * scale - 1e-6, 0)), down = ceil(fmax(height.length * scale - 1e-6, 0));
  if (!(across >= 1 && down >= 1)) fail(EX_DATAERR, "the picture would have no pixels: it is %g × %g; give it a size", across, down);
  if (!is_page && (across > most_of_side || down > most_of_side || across * down > most_of_all)) {
    fail(EX_DATAERR,
         "the picture would have %.0f × %.0f pixels, but a side can have at most %.0f and all of it %.0f million; give a smaller --scale, "
         "show less of the layout, or write .svg or .pdf",
         across, down, most_of_side, most_of_all / 1e6);
  }

  cairo_surface_t *surface = is_page ? cairo_pdf_surface_create_for_stream(pass, NULL, width.length * scale, height.length * scale)
                                     : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)across, (int)down);
  check(cairo_surface_status(surface));
  // Makes output reproducible.
  if (is_page) cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
  cairo_t *context = cairo_create(surface);
  cairo_scale(context, scale, scale);
  if (!rsvg_handle_render_document(handle, context, &viewport, &error)) fail_with(error);
  while (is_page && document.count > 0) {
    cairo_show_page(context);
    g_object_unref(handle);
    handle = next_document(&document);
    if (!rsvg_handle_render_document(handle, context, &viewport, &error)) fail_with(error);
  }
  check(cairo_status(context));
  cairo_destroy(context);
  if (!is_page) check(cairo_surface_write_to_png_stream(surface, pass, NULL));
  cairo_surface_finish(surface);
  check(cairo_surface_status(surface));
}
