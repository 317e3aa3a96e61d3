// The widget that has the cells, headers and decorations as its children. A scroll step moves it, and no child, unless the engine has
// moved that.

#include "view.h"

#include <math.h>
#include <string.h>

struct _TgCanvas {
  GtkWidget parent;
};

G_DEFINE_FINAL_TYPE(TgCanvas, tg_canvas, GTK_TYPE_WIDGET)

// MARK: Places

// Cairo draws no perspective, and any matrix that it does not know to be flat as an empty box.
static gboolean draws_matrices(GtkWidget *widget) {
  GtkNative *native = gtk_widget_get_native(widget);
  GskRenderer *renderer = native ? gtk_native_get_renderer(native) : NULL;
  return renderer && g_strcmp0(G_OBJECT_TYPE_NAME(renderer), "GskCairoRenderer");
}

// The flat part of a matrix as steps that every renderer draws: m = scale · skew · rotation.
static GskTransform *flat_transform(GskTransform *transform, const double *m) {
  double a = m[0], b = m[1], c = m[4], d = m[5];
  double angle = atan2(b, a), length = hypot(a, b);
  if (length < 1e-9) return gsk_transform_scale(transform, 0, 0);
  double shear = (a * c + b * d) / length, height = (a * d - b * c) / length;
  transform = gsk_transform_rotate(transform, (float)(angle * 180 / G_PI));
  if (fabs(shear) > 1e-9 && fabs(height) > 1e-9)
    transform = gsk_transform_skew(transform, (float)(atan(shear / height) * 180 / G_PI), 0);
  return gsk_transform_scale(transform, (float)length, (float)height);
}

static GskTransform *transform_of(const tg_place *place, gboolean draws_matrix) {
  const double *m = place->transform;
  float width = (float)place->width, height = (float)place->height;
  GskTransform *transform = gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT(width / 2 + (float)m[12], height / 2 + (float)m[13]));
  gboolean is_flat = m[2] == 0 && m[3] == 0 && m[6] == 0 && m[7] == 0;
  if (is_flat || !draws_matrix) {
    // The perspective of the centre is kept: it is the division by w.
    double flat[16] = {[0] = m[0], [1] = m[1], [4] = m[4], [5] = m[5]};
    transform = flat_transform(transform, flat);
  } else {
    // z says what is in front, which the z index says already; large ones would be clipped.
    float numbers[16];
    for (int i = 0; i < 16; i++) numbers[i] = (float)(i % 4 == 2 ? 0 : m[i]);
    numbers[10] = 1;
    numbers[12] = numbers[13] = 0;
    graphene_matrix_t matrix;
    graphene_matrix_init_from_float(&matrix, numbers);
    transform = gsk_transform_matrix(transform, &matrix);
  }
  return gsk_transform_translate(transform, &GRAPHENE_POINT_INIT(-width / 2, -height / 2));
}

static void place(TesseraGtkView *self, tg_element *element, gboolean draws_matrix) {
  tg_place moving;
  const tg_place *place = &element->to;
  if (element->is_moving) tg_element_place(self, element, &moving), place = &moving;
  double x = place->x - self->origin[0], y = place->y - self->origin[1];
  // Edges are rounded, not sizes, so that neighbours meet. What has no child is drawn as it is, such as a separator of half a point.
  double left = round(x), top = round(y);
  int width = (int)(round(x + place->width) - left), height = (int)(round(y + place->height) - top);
  gboolean is_drawn = element->key.category == TESSERA_HOST_CATEGORY_DECORATION && !element->factory;
  gboolean is_plain = !is_drawn && !place->has_transform;
  graphene_rect_t allocated = GRAPHENE_RECT_INIT((float)left, (float)top, (float)width, (float)height);
  gboolean has_changed = !element->is_measured && tg_cell_measure(element->widget);
  if (!element->is_measured && tg_layout_measures(self->layout)) tg_view_note_size(self, element);
  element->is_measured = TRUE;
  if (!has_changed && is_plain && !memcmp(&allocated, &element->allocated, sizeof allocated)) return;
  element->allocated = is_plain ? allocated : (graphene_rect_t){0};
  GskTransform *transform = gsk_transform_translate(NULL, is_plain ? &allocated.origin : &GRAPHENE_POINT_INIT((float)x, (float)y));
  if (is_drawn) {
    width = MAX((int)ceil(place->width), 1), height = MAX((int)ceil(place->height), 1);
    transform = gsk_transform_scale(transform, (float)(place->width / width), (float)(place->height / height));
  } else if (place->has_transform) {
    transform = gsk_transform_transform(transform, transform_of(place, draws_matrix));
  }
  gtk_widget_allocate(element->widget, MAX(width, 0), MAX(height, 0), -1, transform);
}

static TesseraGtkView *view_of(GtkWidget *canvas) { return TESSERA_GTK_VIEW(gtk_widget_get_parent(canvas)); }

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  TesseraGtkView *self = view_of(widget);
  gboolean draws_matrix = draws_matrices(widget);
  self->is_placed = TRUE;
  for (guint i = 0; i < self->order->len; i++) place(self, self->order->pdata[i], draws_matrix);
}

enum { FARTHEST = 4096 }; // points from the origin, where 32 bits still hold parts of a point

void tg_view_place(TesseraGtkView *self, int width, int height) {
  for (int axis = 0; axis < 2; axis++) {
    if (fabs(self->offset[axis] - self->origin[axis]) < FARTHEST) continue;
    self->origin[axis] = floor(self->offset[axis]);
    self->is_placed = FALSE;
  }
  double scale = gtk_widget_get_scale_factor(self->canvas);
  double x = self->origin[0] - self->offset[0], y = self->origin[1] - self->offset[1];
  gtk_widget_allocate(self->canvas, width, height, -1,
                      gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT((float)(round(x * scale) / scale), (float)(round(y * scale) / scale))));
  if (!self->is_placed) size_allocate(self->canvas, width, height, -1);
}

void tg_view_place_again(TesseraGtkView *self) {
  self->is_placed = FALSE;
  gtk_widget_queue_draw(self->canvas);
  if (!self->is_allocating) gtk_widget_queue_allocate(GTK_WIDGET(self));
}

// MARK: The widget

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                    int *natural_baseline) {
  TesseraGtkView *self = view_of(widget);
  // GTK asks again only after a widget has changed, and does not say which.
  for (guint i = 0; i < self->order->len; i++) ((tg_element *)self->order->pdata[i])->is_measured = FALSE;
  self->is_placed = FALSE;
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  TesseraGtkView *self = view_of(widget);
  for (guint i = 0; i < self->order->len; i++) {
    tg_element *element = self->order->pdata[i];
    double alpha = element->to.alpha;
    if (element->is_moving) {
      tg_place place;
      tg_element_place(self, element, &place);
      alpha = place.alpha;
    }
    if (alpha <= 0) continue;
    if (alpha < 1) gtk_snapshot_push_opacity(snapshot, alpha);
    gtk_widget_snapshot_child(widget, element->widget, snapshot);
    if (alpha < 1) gtk_snapshot_pop(snapshot);
  }
}

static void tg_canvas_class_init(TgCanvasClass *class) {
  GtkWidgetClass *widgets = GTK_WIDGET_CLASS(class);
  widgets->measure = measure;
  widgets->size_allocate = size_allocate;
  widgets->snapshot = snapshot;
  gtk_widget_class_set_css_name(widgets, "canvas");
  gtk_widget_class_set_accessible_role(widgets, GTK_ACCESSIBLE_ROLE_LIST);
}

static void tg_canvas_init(TgCanvas *self) {}
