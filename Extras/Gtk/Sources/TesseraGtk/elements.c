// The visible elements: their widgets and the canvas, their parent. A scroll step moves only the
// canvas, unless the engine moves elements too.

#include "view.h"

#include <math.h>
#include <string.h>

// MARK: Places

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const graphene_rect_t nowhere = {.size = {-1, -1}}; // not allocated yet

void tg_place_of_column(tessera_element *place, const tessera_columns *columns, uint64_t index) {
  const double *frame = columns->frames + index * 4;
  place->x = frame[0], place->y = frame[1], place->width = frame[2], place->height = frame[3];
  place->alpha = columns->alphas ? columns->alphas[index] : 1;
  place->z_index = columns->z_indexes ? columns->z_indexes[index] : 0;
  place->hidden = columns->hidden && columns->hidden[index];
  memcpy(place->transform, columns->transforms ? columns->transforms + index * 16 : identity, sizeof identity);
}

gboolean tg_is_transformed(const tessera_element *place) { return memcmp(place->transform, identity, sizeof identity) != 0; }

static double between(double from, double to, double progress) { return from + (to - from) * progress; }

void tg_element_place(const TesseraGtkView *self, const tg_element *element, tessera_element *place) {
  tessera_element from = element->from, to = element->to; // may alias the result
  *place = to;
  if (!element->is_moving) return;
  double progress = self->animation_start ? self->animation_progress : 0;
  place->x = between(from.x, to.x, progress), place->y = between(from.y, to.y, progress);
  place->width = between(from.width, to.width, progress), place->height = between(from.height, to.height, progress);
  place->alpha = between(from.hidden ? 0 : from.alpha, to.hidden ? 0 : to.alpha, progress);
  place->hidden = from.hidden && to.hidden;
  for (int i = 0; i < 16; i++) place->transform[i] = between(from.transform[i], to.transform[i], progress);
}

// MARK: Keys

// A cell's position already counts earlier sections; other elements are numbered per section.
static guint distinct_section(const tg_key *key) { return key->category == TESSERA_HOST_CATEGORY_CELL ? 0 : key->section; }

guint tg_key_hash(gconstpointer key) {
  const tg_key *self = key;
  guint hash = self->index * 2654435761u ^ distinct_section(self) * 40503u ^ self->kind * 97u ^ (guint)self->category;
  return hash ^ hash >> 15;
}

gboolean tg_key_equal(gconstpointer a, gconstpointer b) {
  const tg_key *first = a, *second = b;
  return first->index == second->index && distinct_section(first) == distinct_section(second) && first->kind == second->kind &&
         first->category == second->category;
}

tg_element *tg_view_find(TesseraGtkView *self, guint position) {
  tg_key key = {.category = TESSERA_HOST_CATEGORY_CELL, .index = position};
  return g_hash_table_lookup(self->elements, &key);
}

// MARK: Widgets

void tg_element_set_shown(tg_element *element, gboolean is_shown) {
  gtk_widget_set_child_visible(&element->parent, is_shown);
  gtk_accessible_update_state(GTK_ACCESSIBLE(element), GTK_ACCESSIBLE_STATE_HIDDEN, !is_shown, -1);
}

void tg_element_remove(tg_element *element) {
  if (element->factory) tg_factory_emit(element->factory, TG_TEARDOWN, element);
  gtk_widget_unparent(GTK_WIDGET(element));
}

static void show_expanded(GtkTreeListRow *row, GParamSpec *property, tg_element *element) {
  GtkAccessible *accessible = GTK_ACCESSIBLE(element);
  if (row && gtk_tree_list_row_is_expandable(row))
    gtk_accessible_update_state(accessible, GTK_ACCESSIBLE_STATE_EXPANDED, gtk_tree_list_row_get_expanded(row), -1);
  else gtk_accessible_reset_state(accessible, GTK_ACCESSIBLE_STATE_EXPANDED);
}

static void unbind(tg_element *element) {
  if (element->factory) tg_factory_emit(element->factory, TG_UNBIND, element);
  if (!element->row) return;
  g_signal_handlers_disconnect_by_data(element->row, element);
  g_clear_object(&element->row);
  show_expanded(NULL, NULL, element);
}

char *tg_text_of(GObject *object, const char *name) {
  const char *const names[] = {name ? name : "title", "name", "string"};
  char *text = NULL;
  for (int i = 0; object && !text && i < (name ? 1 : 3); i++) {
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(object), names[i]);
    if (property && property->value_type == G_TYPE_STRING) g_object_get(object, names[i], &text, NULL);
  }
  return text;
}

static void show_default_text(tg_element *element) {
  char *text = tg_text_of(tessera_gtk_item_get_item(element), NULL);
  if (!text) text = g_strdup_printf("%u", tessera_gtk_item_get_section(element) + 1);
  gtk_label_set_text(GTK_LABEL(tessera_gtk_item_get_child(element)), text);
  g_free(text);
}

static void assign(TesseraGtkView *self, tg_element *element, const tg_key *key) {
  if (key->category != TESSERA_HOST_CATEGORY_CELL) {
    tg_item_set(element, tg_view_get_section(self, key->section), key->index, key->section, FALSE);
    return;
  }
  GObject *object = g_list_model_get_item(self->items, key->index);
  gboolean selected = self->selection && gtk_selection_model_is_selected(self->selection, key->index);
  tg_item_set(element, object, key->index, key->section, selected);
  if (object && self->layout->bindings->len) tg_view_watch(self, object, TRUE);
  if (GTK_IS_TREE_LIST_ROW(object)) {
    element->row = g_object_ref(GTK_TREE_LIST_ROW(object));
    g_signal_connect(object, "notify::expanded", G_CALLBACK(show_expanded), element);
    show_expanded(element->row, NULL, element);
  }
  if (object) g_object_unref(object);
}

static void bind(tg_element *element) {
  if (element->factory) tg_factory_emit(element->factory, TG_BIND, element);
  else if (element->key.category == TESSERA_HOST_CATEGORY_SUPPLEMENTARY) show_default_text(element);
}

static tg_element *create(TesseraGtkView *self, const tg_key *key) {
  static const GtkAccessibleRole roles[] = {GTK_ACCESSIBLE_ROLE_LIST_ITEM, GTK_ACCESSIBLE_ROLE_HEADING, GTK_ACCESSIBLE_ROLE_PRESENTATION};
  gboolean is_cell = key->category == TESSERA_HOST_CATEGORY_CELL, is_header = key->category == TESSERA_HOST_CATEGORY_SUPPLEMENTARY;
  const char *kind = g_quark_to_string(key->kind);
  tg_element *element = g_object_new(TESSERA_GTK_TYPE_ITEM, "css-name", is_cell ? "child" : is_header ? kind : "decoration", "accessible-role",
                                     roles[key->category], "focusable", is_cell, "can-target", is_cell || is_header, NULL);
  if (is_cell && self->selection) gtk_accessible_update_state(GTK_ACCESSIBLE(element), GTK_ACCESSIBLE_STATE_SELECTED, FALSE, -1);
  if (!is_cell && !is_header) gtk_widget_add_css_class(GTK_WIDGET(element), kind);
  gtk_widget_set_parent(GTK_WIDGET(element), self->canvas);
  element->key.category = key->category, element->key.kind = key->kind;
  element->factory = g_hash_table_lookup(self->factories, GUINT_TO_POINTER(key->kind));
  if (element->factory) {
    g_object_ref(element->factory);
    tg_factory_setup(element->factory, element);
  } else if (is_header) {
    tessera_gtk_item_set_child(element, g_object_new(GTK_TYPE_LABEL, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, NULL));
  }
  return element;
}

// Reuses a pooled element or creates one; it is bound later.
static tg_element *take(TesseraGtkView *self, tg_key key) {
  tg_element *element = NULL;
  for (guint i = self->pool->len; i > 0 && !element; i--) {
    const tg_element *waiting = self->pool->pdata[i - 1];
    if (waiting->key.category == key.category && waiting->key.kind == key.kind) element = g_ptr_array_steal_index_fast(self->pool, i - 1);
  }
  if (!element) element = create(self, &key);
  element->old_index = key.index;
  element->is_measured = element->is_moving = element->is_leaving = element->is_kept = FALSE;
  assign(self, element, &key);
  return element;
}

void tg_view_recycle(TesseraGtkView *self, tg_element *element) {
  self->showing++;
  unbind(element);
  self->showing--;
  g_ptr_array_add(self->pool, element);
}

void tg_view_hide_pool(TesseraGtkView *self) {
  guint most = 16 + g_hash_table_size(self->elements) / 2;
  if (self->pool->len > most) g_ptr_array_remove_range(self->pool, 0, self->pool->len - most);
  for (guint i = 0; i < self->pool->len; i++) {
    tg_element *element = self->pool->pdata[i];
    if (tessera_gtk_item_get_position(element) == GTK_INVALID_LIST_POSITION) continue;
    tg_element_set_shown(element, FALSE);
    tg_item_set(element, NULL, GTK_INVALID_LIST_POSITION, 0, FALSE);
  }
}

void tg_view_clear(TesseraGtkView *self) {
  for (guint i = 0; i < self->order->len; i++)
    if (((tg_element *)self->order->pdata[i])->is_leaving) tg_view_recycle(self, self->order->pdata[i]);
  TG_EACH_ELEMENT(self, element) {
    g_hash_table_iter_steal(&iterator);
    tg_view_recycle(self, element);
  }
  g_ptr_array_set_size(self->order, 0);
}

void tg_view_factory_changed(TesseraGtkView *self) {
  tg_view_clear(self);
  g_ptr_array_set_size(self->pool, 0);
}

// MARK: Measuring

int32_t tg_view_measure(void *data) {
  const tg_measuring *measuring = data;
  TesseraGtkView *self = measuring->layout->view;
  const char *kind = measuring->kind;
  double *measured = measuring->measured;
  memcpy(measured, measuring->proposed, 2 * sizeof *measured);
  if (!self) return 0;
  tg_key key = {.category = kind ? TESSERA_HOST_CATEGORY_SUPPLEMENTARY : TESSERA_HOST_CATEGORY_CELL, .kind = g_quark_from_string(kind)};
  key.index = kind ? (guint)measuring->item : tg_view_model_position(self, tg_position_of(self->counts, measuring->section, measuring->item));
  key.section = (guint)measuring->section;
  // The model may have changed since; another prepare follows.
  if (!kind && key.index >= tg_view_count(self)) return 0;
  tg_element *shown = g_hash_table_lookup(self->elements, &key);
  self->showing++;
  tg_element *element = shown ? shown : take(self, key);
  if (!shown) bind(element);
  self->showing--;
  GtkWidget *child = tessera_gtk_item_get_child(element);
  if (child) {
    int natural = 0, width = 0;
    gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
    width = measured[0] > 0 ? MIN(natural, (int)floor(measured[0])) : natural;
    measured[0] = width;
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
    measured[1] = natural;
  }
  if (!shown) {
    tg_element_set_shown(element, FALSE);
    tg_view_recycle(self, element);
  }
  return 0;
}

// MARK: A result of a query

static void show_attributes(tessera_session *session, tg_element **elements, uint64_t count) {
  uint32_t attributes = tessera_session_attribute_count(session);
  for (uint64_t i = 0; i < count; i++) {
    if (!attributes) {
      tg_item_set_attributes(elements[i], NULL);
      continue;
    }
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    for (uint32_t attribute = 0; attribute < attributes; attribute++) {
      tessera_declaration declared;
      double numbers[G_N_ELEMENTS(declared.initial)];
      uint64_t written = 0;
      if (tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_ATTRIBUTES, attribute, &declared, sizeof declared) ||
          tessera_session_copy_attribute(session, attribute, i, numbers, declared.components, 1, &written) || !written)
        continue;
      g_variant_builder_add(&builder, "{sv}", declared.name, tg_numbers(numbers, declared.components));
    }
    tg_item_set_attributes(elements[i], g_variant_builder_end(&builder));
  }
}

static void leave(TesseraGtkView *self, tg_element *element) {
  tg_element_place(self, element, &element->from);
  element->to = element->from;
  element->to.alpha = 0;
  element->is_leaving = element->is_moving = TRUE;
}

// Whether a scroll step has moved no visible element, for example with occasional pinned headers.
static gboolean shows_already(TesseraGtkView *self, tessera_session *session, const tessera_columns *columns) {
  if (columns->alphas || columns->transforms || columns->hidden || tessera_session_attribute_count(session)) {
    g_byte_array_set_size(self->seen, 0);
    return FALSE;
  }
  guint before = self->seen->len;
  g_byte_array_append(self->seen, (const guint8 *)columns->runs, (guint)(columns->run_count * sizeof *columns->runs));
  g_byte_array_append(self->seen, (const guint8 *)columns->frames, (guint)(columns->count * 4 * sizeof *columns->frames));
  if (columns->z_indexes) g_byte_array_append(self->seen, (const guint8 *)columns->z_indexes, (guint)(columns->count * sizeof *columns->z_indexes));
  gboolean is_same = self->seen->len == 2 * before && !memcmp(self->seen->data, self->seen->data + before, before);
  g_byte_array_remove_range(self->seen, 0, before);
  return is_same && columns->count && self->order->len == columns->count && !self->drag_is_active;
}

static int by_z(gconstpointer a, gconstpointer b) {
  const tg_element *first = *(tg_element *const *)a, *second = *(tg_element *const *)b;
  return first->to.z_index < second->to.z_index ? -1 : first->to.z_index > second->to.z_index;
}

void tg_view_show(TesseraGtkView *self, tessera_session *session, const tessera_columns *columns, gboolean animate, gboolean has_changed) {
  if (shows_already(self, session, columns) && !has_changed) return;
  self->showing++;
  guint64 generation = ++self->generation;
  guint item_count = tg_view_count(self);
  g_array_set_size(self->keys, (guint)columns->count);
  tg_key *keys = (tg_key *)(gpointer)self->keys->data;
  uint64_t index = 0;
  for (uint64_t run = 0; run < columns->run_count; run++) {
    const tessera_element_run *elements = columns->runs + run;
    gboolean is_cell = elements->category == TESSERA_HOST_CATEGORY_CELL;
    tg_key key = {.category = elements->category, .section = (guint)elements->section};
    if (!is_cell) key.kind = g_quark_from_string(tessera_session_kind_name(session, elements->kind));
    guint first = is_cell ? tg_position_of(self->counts, elements->section, elements->first_item) : (guint)elements->first_item;
    for (uint64_t i = 0; i < elements->count; i++, index++) {
      key.index = is_cell ? tg_view_model_position(self, first + (guint)i) : first + (guint)i;
      keys[index] = key;
      tg_element *shown = g_hash_table_lookup(self->elements, &key);
      if (shown) shown->seen = generation, shown->is_kept = FALSE;
    }
  }

  tg_element *held = self->drag_is_active ? tg_view_find(self, self->dragged) : NULL;
  tg_element *focused = (tg_element *)gtk_widget_get_focus_child(self->canvas);
  TG_EACH_ELEMENT(self, element) {
    if (element->seen == generation || element == held) continue;
    if (element == focused && element->key.category == TESSERA_HOST_CATEGORY_CELL && element->key.index < item_count) {
      element->is_kept = TRUE;
      element->is_moving = FALSE;
      gtk_widget_set_child_visible(GTK_WIDGET(element), FALSE);
      continue;
    }
    g_hash_table_iter_steal(&iterator);
    if (animate && !element->is_kept) leave(self, element);
    else tg_view_recycle(self, element);
  }

  // Leaving elements are behind staying ones.
  guint leaving = 0;
  for (guint i = 0; i < self->order->len; i++)
    if (((tg_element *)self->order->pdata[i])->is_leaving) self->order->pdata[leaving++] = self->order->pdata[i];
  g_ptr_array_set_size(self->order, (int)leaving);
  self->has_z = columns->z_indexes || leaving;
  self->is_plain = !columns->transforms && !columns->alphas && !columns->z_indexes && !columns->hidden;
  for (index = 0; index < columns->count; index++) {
    tg_element *element = g_hash_table_lookup(self->elements, keys + index);
    if (!element) {
      element = take(self, keys[index]);
      g_hash_table_insert(self->elements, &element->key, element);
    }
    tg_item_set_position(element, keys[index].index, keys[index].section);
    tg_place_of_column(&element->to, columns, index);
    g_ptr_array_add(self->order, element);
  }
  // Separate loops: the steps together exceed the instruction cache.
  GtkWidget *before = NULL, *next = gtk_widget_get_first_child(self->canvas);
  for (index = 0; index < columns->count; index++) {
    tg_element *element = self->order->pdata[leaving + index];
    gboolean is_new = element->seen != generation;
    // Screen readers follow the order of children; pooled ones are anywhere.
    while (next && ((tg_element *)next)->seen != generation) next = gtk_widget_get_next_sibling(next);
    if (next == &element->parent) next = gtk_widget_get_next_sibling(next);
    else if (gtk_widget_get_prev_sibling(&element->parent) != before) gtk_widget_insert_after(&element->parent, self->canvas, before);
    before = &element->parent;
    element->seen = generation;
    if (is_new) bind(element);
    if ((is_new || has_changed) && element->key.category == TESSERA_HOST_CATEGORY_CELL)
      gtk_accessible_update_relation(GTK_ACCESSIBLE(element), GTK_ACCESSIBLE_RELATION_POS_IN_SET, (int)element->key.index + 1,
                                     GTK_ACCESSIBLE_RELATION_SET_SIZE, (int)item_count, -1);
    // The session has measured its current state.
    if (is_new && self->layout->measures) tg_item_measure(element), element->allocated = nowhere;
    if (is_new && animate) {
      element->from = element->to;
      element->from.alpha = 0;
      element->is_moving = TRUE;
      element->old_index = GTK_INVALID_LIST_POSITION; // unknown to the session
    }
    if (gtk_widget_get_child_visible(&element->parent) == element->to.hidden) tg_element_set_shown(element, !element->to.hidden);
  }
  show_attributes(session, (tg_element **)self->order->pdata + leaving, columns->count);
  // A held element stays, even scrolled out of sight.
  if (held && held->seen != generation) g_ptr_array_add(self->order, held);
  if (held) tg_view_place_held(self, held);
  tg_view_hide_pool(self);
  if (self->has_z) g_ptr_array_sort(self->order, by_z); // a stable sort
  self->showing--;
  tg_view_place_again(self);
}

// MARK: Changes of positions

enum { MOST_SEARCHED = 20000 };

// Matches leaving cells with coming items, as after sorting or dragging: they move instead.
static void find_again(TesseraGtkView *self, guint position, guint added) {
  GHashTable *leaving = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < self->order->len; i++) {
    tg_element *element = self->order->pdata[i];
    gpointer item = tessera_gtk_item_get_item(element);
    if (item && element->is_leaving && element->key.category == TESSERA_HOST_CATEGORY_CELL) g_hash_table_insert(leaving, item, element);
  }
  for (guint i = 0; i < added && g_hash_table_size(leaving); i++) {
    GObject *item = g_list_model_get_item(self->items, position + i);
    tg_element *element = g_hash_table_lookup(leaving, item);
    g_object_unref(item);
    if (!element) continue;
    g_hash_table_remove(leaving, item);
    element->is_leaving = FALSE;
    element->to = element->from;
    tg_item_set_position(element, position + i, element->key.section);
    g_hash_table_insert(self->elements, &element->key, element);
  }
  g_hash_table_unref(leaving);
}

// Renumbers the cells after a change; removed ones leave.
void tg_view_rekey(TesseraGtkView *self, guint position, guint removed, guint added) {
  GPtrArray *moved = g_ptr_array_new();
  TG_EACH_ELEMENT(self, element) {
    if (element->key.category != TESSERA_HOST_CATEGORY_CELL || element->key.index < position) continue;
    g_hash_table_iter_steal(&iterator);
    g_ptr_array_add(moved, element);
  }
  for (guint i = 0; i < moved->len; i++) {
    tg_element *element = moved->pdata[i];
    if (element->key.index < position + removed) {
      if (element->is_kept) tg_view_recycle(self, element);
      else leave(self, element);
      continue;
    }
    tg_item_set_position(element, element->key.index + added - removed, element->key.section);
    g_hash_table_insert(self->elements, &element->key, element);
  }
  g_ptr_array_unref(moved);
  if (added && added <= MOST_SEARCHED) find_again(self, position, added);
}

// MARK: Points

// The frontmost element at a point of the view. `gtk_widget_pick` follows the order of children,
// not of drawing.
tg_element *tg_view_element_at(TesseraGtkView *self, double x, double y) {
  for (guint i = self->order->len; i > 0; i--) {
    tg_element *element = self->order->pdata[i - 1];
    if (element->is_leaving || element->key.category == TESSERA_HOST_CATEGORY_DECORATION) continue;
    if (!gtk_widget_get_mapped(GTK_WIDGET(element))) continue;
    graphene_point_t point;
    if (gtk_widget_compute_point(GTK_WIDGET(self), GTK_WIDGET(element), &GRAPHENE_POINT_INIT((float)x, (float)y), &point) &&
        gtk_widget_contains(GTK_WIDGET(element), point.x, point.y))
      return element;
  }
  return NULL;
}

// MARK: The canvas

G_DECLARE_FINAL_TYPE(TgCanvas, tg_canvas, TG, CANVAS, GtkWidget)
struct _TgCanvas {
  GtkWidget parent;
};
G_DEFINE_FINAL_TYPE(TgCanvas, tg_canvas, GTK_TYPE_WIDGET)

// MARK: Where widgets are

// Cairo has no perspective, and draws unknown matrices as empty boxes.
static gboolean draws_matrices(GtkWidget *widget) {
  GtkNative *native = gtk_widget_get_native(widget);
  GskRenderer *renderer = native ? gtk_native_get_renderer(native) : NULL;
  return renderer && g_strcmp0(G_OBJECT_TYPE_NAME(renderer), "GskCairoRenderer");
}

// Decomposes the flat part of a matrix for all renderers: m = scale · skew · rotation.
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

// Takes ownership of `transform`.
static GskTransform *transform_of(GskTransform *transform, const tessera_element *place, gboolean draws_matrix) {
  const double *m = place->transform;
  float width = (float)place->width, height = (float)place->height;
  transform = gsk_transform_translate(transform, &GRAPHENE_POINT_INIT(width / 2 + (float)m[12], height / 2 + (float)m[13]));
  gboolean is_flat = m[2] == 0 && m[3] == 0 && m[6] == 0 && m[7] == 0;
  if (is_flat || !draws_matrix) {
    // Keeps the centre's perspective, the division by w.
    transform = flat_transform(transform, m);
  } else {
    // The z index orders elements; large z values would be clipped.
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

static void measure_again(TesseraGtkView *self, tg_element *element) {
  element->is_measured = TRUE;
  if (!tg_item_measure(element)) return;
  element->allocated = nowhere;
  if (!self->layout->measures || element->key.category == TESSERA_HOST_CATEGORY_DECORATION) return;
  if (!self->resized) self->resized = g_array_new(FALSE, FALSE, sizeof(tg_key));
  g_array_append_val(self->resized, element->key);
  tg_view_need(self, TG_QUERY);
}

// Points: from the origin, where floats still resolve fractions; the limit of rectangles.
enum { FARTHEST = 4096, LARGEST = 100000000 };

static void place(TesseraGtkView *self, tg_element *element, gboolean draws_matrix) {
  tessera_element moving;
  const tessera_element *place = &element->to;
  if (element->is_moving) tg_element_place(self, element, &moving), place = &moving;
  double x = CLAMP(place->x - self->origin[0], -LARGEST, LARGEST), y = CLAMP(place->y - self->origin[1], -LARGEST, LARGEST);
  // Rounds edges, not sizes, so that neighbours meet. Elements without a child keep fractions, such
  // as a separator of half a point.
  double left = round(x), top = round(y);
  int width = (int)MIN(round(x + place->width) - left, LARGEST), height = (int)MIN(round(y + place->height) - top, LARGEST);
  gboolean is_drawn = element->key.category == TESSERA_HOST_CATEGORY_DECORATION && !element->factory;
  gboolean is_transformed = tg_is_transformed(place), is_plain = !is_drawn && !is_transformed;
  graphene_rect_t allocated = GRAPHENE_RECT_INIT((float)left, (float)top, (float)width, (float)height);
  if (is_plain && !memcmp(&allocated, &element->allocated, sizeof allocated)) return;
  element->allocated = is_plain ? allocated : nowhere;
  GskTransform *transform = gsk_transform_translate(NULL, is_plain ? &allocated.origin : &GRAPHENE_POINT_INIT((float)x, (float)y));
  if (is_drawn) {
    width = (int)CLAMP(ceil(place->width), 1, LARGEST), height = (int)CLAMP(ceil(place->height), 1, LARGEST);
    transform = gsk_transform_scale(transform, (float)(place->width / width), (float)(place->height / height));
  } else if (is_transformed) {
    transform = transform_of(transform, place, draws_matrix);
  }
  gtk_widget_allocate(GTK_WIDGET(element), MAX(width, 0), MAX(height, 0), -1, transform);
}

static TesseraGtkView *view_of(GtkWidget *canvas) { return TESSERA_GTK_VIEW(gtk_widget_get_parent(canvas)); }

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  TesseraGtkView *self = view_of(widget);
  gboolean draws_matrix = draws_matrices(widget);
  self->is_placed = TRUE;
  for (guint i = 0; i < self->order->len; i++)
    if (!((tg_element *)self->order->pdata[i])->is_measured) measure_again(self, self->order->pdata[i]);
  for (guint i = 0; i < self->order->len; i++) place(self, self->order->pdata[i], draws_matrix);
}

void tg_view_place(TesseraGtkView *self, int width, int height) {
  for (int axis = 0; axis < 2; axis++) {
    if (fabs(self->offset[axis] - self->origin[axis]) < FARTHEST) continue;
    self->origin[axis] = floor(self->offset[axis]);
    self->is_placed = FALSE;
  }
  double scale = gtk_widget_get_scale_factor(self->canvas);
  double x = self->origin[0] - self->offset[0], y = self->origin[1] - self->offset[1];
  tg_allocate_at(self->canvas, round(x * scale) / scale, round(y * scale) / scale, width, height);
  if (!self->is_placed) size_allocate(self->canvas, width, height, -1);
}

void tg_view_place_again(TesseraGtkView *self) {
  self->is_placed = FALSE;
  gtk_widget_queue_draw(self->canvas);
  if (!self->is_allocating) gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                    int *natural_baseline) {
  TesseraGtkView *self = view_of(widget);
  // GTK doesn't identify the changed widget. It allocates the canvas afterwards.
  for (guint i = 0; i < self->order->len; i++) ((tg_element *)self->order->pdata[i])->is_measured = FALSE;
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  TesseraGtkView *self = view_of(widget);
  for (guint i = 0; i < self->order->len; i++) {
    tg_element *element = self->order->pdata[i];
    tessera_element place;
    tg_element_place(self, element, &place);
    if (place.alpha <= 0) continue;
    if (place.alpha < 1) gtk_snapshot_push_opacity(snapshot, place.alpha);
    if (self->drag_is_active && element == tg_view_find(self, self->dragged) && element->allocated.size.width > 0) {
      GskRoundedRect outline;
      gsk_rounded_rect_init_from_rect(&outline, &element->allocated, 4);
      gtk_snapshot_append_outset_shadow(snapshot, &outline, &(GdkRGBA){0, 0, 0, 0.5f}, 0, 3, 0, 12);
    }
    gtk_widget_snapshot_child(widget, GTK_WIDGET(element), snapshot);
    if (place.alpha < 1) gtk_snapshot_pop(snapshot);
  }
}

static void set_focus_child(GtkWidget *widget, GtkWidget *child) {
  GTK_WIDGET_CLASS(tg_canvas_parent_class)->set_focus_child(widget, child);
  tg_element *element = (tg_element *)child;
  if (element && element->key.category == TESSERA_HOST_CATEGORY_CELL && !element->is_leaving) view_of(widget)->focus = element->key.index;
}

static void tg_canvas_class_init(TgCanvasClass *class) {
  GtkWidgetClass *widgets = GTK_WIDGET_CLASS(class);
  widgets->measure = measure;
  widgets->size_allocate = size_allocate;
  widgets->snapshot = snapshot;
  widgets->set_focus_child = set_focus_child;
  gtk_widget_class_set_css_name(widgets, "canvas");
  gtk_widget_class_set_accessible_role(widgets, GTK_ACCESSIBLE_ROLE_LIST);
}

static void tg_canvas_init(TgCanvas *self) {}
