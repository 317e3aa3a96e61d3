#include "view.h"

#include <string.h>

// MARK: What the model is

guint tg_view_count(TesseraGtkView *self) { return self->items ? g_list_model_get_n_items(self->items) : 0; }

gpointer tg_view_get_section(TesseraGtkView *self, guint section) {
  if (!self->sections) return NULL;
  GObject *object = g_list_model_get_item(self->sections, section);
  if (object) g_object_unref(object); // the model keeps it
  return object;
}

GArray *tg_view_count_sections(TesseraGtkView *self) {
  GArray *counts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
  uint64_t count = tg_view_count(self);
  if (!self->sections) {
    g_array_append_val(counts, count);
    return counts;
  }
  for (guint i = 0; i < g_list_model_get_n_items(self->sections); i++) {
    GListModel *section = g_list_model_get_item(self->sections, i);
    count = g_list_model_get_n_items(section);
    g_array_append_val(counts, count);
    g_object_unref(section);
  }
  return counts;
}

guint tg_position_of(const GArray *counts, uint64_t section, uint64_t item) {
  for (guint i = 0; i < section && i < counts->len; i++) item += g_array_index(counts, uint64_t, i);
  return (guint)item;
}

uint64_t tg_section_of(const GArray *counts, guint position, uint64_t *item) {
  guint section = 0;
  uint64_t rest = position;
  while (section < counts->len && rest >= g_array_index(counts, uint64_t, section)) rest -= g_array_index(counts, uint64_t, section++);
  *item = rest;
  return section;
}

// MARK: Changes

// Changes are segments of the new list: known to the session, or new. Any number becomes one batch
// of edits.

static guint split(GArray *segments, guint position) {
  for (guint i = 0; i < segments->len; i++) {
    tg_segment *segment = &g_array_index(segments, tg_segment, i);
    if (position == 0) return i;
    if (position < segment->count) {
      tg_segment rest = {segment->is_new, segment->old_first + position, segment->count - position};
      segment->count = position;
      g_array_insert_val(segments, i + 1, rest);
      return i + 1;
    }
    position -= segment->count;
  }
  return segments->len;
}

static void replace(GArray *segments, guint position, guint removed, guint added) {
  guint first = split(segments, position), end = split(segments, position + removed);
  tg_segment inserted = {TRUE, 0, added};
  g_array_remove_range(segments, first, end - first);
  if (added) g_array_insert_val(segments, first, inserted);
}

static GArray *known(guint count) {
  GArray *segments = g_array_new(FALSE, FALSE, sizeof(tg_segment));
  tg_segment all = {FALSE, 0, count};
  if (count) g_array_append_val(segments, all);
  return segments;
}

static guint known_items(const TesseraGtkView *self) { return tg_position_of(self->sent, self->sent->len, 0); }

static void items_changed(GListModel *items, guint position, guint removed, guint added, TesseraGtkView *self) {
  self->changes++;
  tg_view_release_held(self);
  if (!self->segments) self->segments = known(known_items(self));
  replace(self->segments, position, removed, added);
  tg_view_rekey(self, position, removed, added);
  if (self->focus != GTK_INVALID_LIST_POSITION && self->focus >= position) {
    if (self->focus >= position + removed) self->focus += added - removed;
    else self->focus = tg_view_count(self) ? MIN(position, tg_view_count(self) - 1) : GTK_INVALID_LIST_POSITION;
  }
  if (self->anchor != GTK_INVALID_LIST_POSITION && self->anchor >= position + removed) self->anchor += added - removed;
  if (self->wanted != GTK_INVALID_LIST_POSITION && self->wanted >= position)
    self->wanted = self->wanted < position + removed ? GTK_INVALID_LIST_POSITION : self->wanted + added - removed;
  tg_view_need(self, TG_UPDATE | TG_ANIMATE);
}

static void sections_changed(GListModel *sections, guint position, guint removed, guint added, TesseraGtkView *self) {
  self->changes++;
  if (!self->section_segments) self->section_segments = known(self->sent->len);
  replace(self->section_segments, position, removed, added);
  tg_view_splice_section_offsets(self, position, removed, added);
  tg_view_need(self, TG_UPDATE | TG_ANIMATE);
}

static void selection_changed(GtkSelectionModel *selection, guint position, guint count, TesseraGtkView *self) {
  TG_EACH_ELEMENT(self, element) {
    if (element->key.category != TESSERA_HOST_CATEGORY_CELL || element->key.index - position >= count) continue;
    tg_item_set_selected(element, gtk_selection_model_is_selected(selection, element->key.index));
  }
}

static gboolean is_sections(GListModel *model) {
  if (g_type_is_a(g_list_model_get_item_type(model), G_TYPE_LIST_MODEL)) return TRUE;
  GObject *first = g_list_model_get_item(model, 0);
  gboolean found = G_IS_LIST_MODEL(first);
  g_clear_object(&first);
  return found;
}

// Borrowed; null if not a selection model.
GListModel *tg_model_below(GListModel *model) {
  GListModel *below = NULL;
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(model), "model")) g_object_get(model, "model", &below, NULL);
  if (below) g_object_unref(below);
  return below;
}

void tg_view_connect_model(TesseraGtkView *self, GListModel *model) {
  g_set_object(&self->model, model);
  self->changes++;
  if (!model) return;
  GListModel *inner = model;
  if (GTK_IS_SELECTION_MODEL(model)) {
    self->selection = g_object_ref(GTK_SELECTION_MODEL(model));
    g_signal_connect(model, "selection-changed", G_CALLBACK(selection_changed), self);
    if (tg_model_below(model)) inner = tg_model_below(model);
  }
  if (GTK_IS_FLATTEN_LIST_MODEL(inner)) {
    self->items = g_object_ref(model);
    GListModel *sections = gtk_flatten_list_model_get_model(GTK_FLATTEN_LIST_MODEL(inner));
    if (sections) self->sections = g_object_ref(sections);
  } else if (inner == model && is_sections(model)) {
    self->items = G_LIST_MODEL(gtk_flatten_list_model_new(g_object_ref(model)));
    self->sections = g_object_ref(model);
  } else {
    self->items = g_object_ref(model);
  }
  g_signal_connect(self->items, "items-changed", G_CALLBACK(items_changed), self);
  if (self->sections) g_signal_connect(self->sections, "items-changed", G_CALLBACK(sections_changed), self);
}

void tg_view_disconnect_model(TesseraGtkView *self) {
  tg_view_release_held(self);
  if (self->items) g_signal_handlers_disconnect_by_data(self->items, self);
  if (self->sections) g_signal_handlers_disconnect_by_data(self->sections, self);
  if (self->selection) g_signal_handlers_disconnect_by_data(self->selection, self);
  g_clear_object(&self->items);
  g_clear_object(&self->sections);
  g_clear_object(&self->selection);
  g_clear_object(&self->model);
  g_clear_pointer(&self->late_items, g_hash_table_unref);
  tg_view_forget_changes(self);
}

void tg_view_forget_changes(TesseraGtkView *self) {
  g_clear_pointer(&self->segments, g_array_unref);
  g_clear_pointer(&self->section_segments, g_array_unref);
  g_clear_pointer(&self->changed_items, g_hash_table_unref);
  self->changed_items = g_steal_pointer(&self->late_items);
}

// MARK: Edits

// A difference from the session's list: lost items and their replacements.
typedef struct {
  guint old_first, removed, first, added;
} tg_change;

static GArray *changes_of(const GArray *segments, guint old_count) {
  GArray *changes = g_array_new(FALSE, FALSE, sizeof(tg_change));
  tg_change change = {0};
  for (guint i = 0; segments && i <= segments->len; i++) {
    tg_segment end = {FALSE, old_count, 0}, segment = i < segments->len ? g_array_index(segments, tg_segment, i) : end;
    if (segment.is_new) {
      change.added += segment.count;
      continue;
    }
    change.removed = segment.old_first - change.old_first;
    if (change.removed || change.added) g_array_append_val(changes, change);
    change = (tg_change){.old_first = segment.old_first + segment.count, .first = change.first + change.added + segment.count};
  }
  return changes;
}

// One edit per section.
static void append_items(GArray *edits, const GArray *counts, const gboolean *skipped, guint first, guint count, gboolean is_insertion) {
  while (count) {
    uint64_t item, section = tg_section_of(counts, first, &item);
    if (section >= counts->len) return;
    guint piece = (guint)MIN(count, g_array_index(counts, uint64_t, section) - item);
    tessera_edit edit = {.count = piece};
    edit.operation = is_insertion ? TESSERA_HOST_OPERATION_INSERT_ITEM : TESSERA_HOST_OPERATION_DELETE_ITEM;
    if (is_insertion) edit.to_section = section, edit.to_item = item;
    else edit.from_section = section, edit.from_item = item;
    if (!skipped[section]) g_array_append_val(edits, edit);
    first += piece;
    count -= piece;
  }
}

GArray *tg_view_edits(TesseraGtkView *self, GArray *counts) {
  GArray *edits = g_array_new(FALSE, TRUE, sizeof(tessera_edit));
  GArray *sections = changes_of(self->section_segments, self->sent->len), *items = changes_of(self->segments, known_items(self));
  gboolean *gone = g_new0(gboolean, self->sent->len + 1), *new = g_new0(gboolean, counts->len + 1);
  for (guint i = 0; i < sections->len; i++) {
    tg_change change = g_array_index(sections, tg_change, i);
    tessera_edit deletion = {.operation = TESSERA_HOST_OPERATION_DELETE_SECTION, .count = change.removed, .from_section = change.old_first};
    tessera_edit insertion = {.operation = TESSERA_HOST_OPERATION_INSERT_SECTION, .count = change.added, .to_section = change.first};
    if (change.removed) g_array_append_val(edits, deletion);
    if (change.added) g_array_append_val(edits, insertion);
    for (guint k = 0; k < change.removed; k++) gone[change.old_first + k] = TRUE;
    for (guint k = 0; k < change.added && change.first + k < counts->len; k++) new[change.first + k] = TRUE;
  }
  for (guint i = 0; i < items->len; i++) {
    tg_change change = g_array_index(items, tg_change, i);
    append_items(edits, counts, new, change.first, change.added, TRUE);
    append_items(edits, self->sent, gone, change.old_first, change.removed, FALSE);
  }
  g_array_unref(sections);
  g_array_unref(items);
  g_free(gone);
  g_free(new);
  return edits;
}

// MARK: Values

enum { MOST_WATCHED = 65536 }; // items; above this, only visible ones are watched

static void remember(GHashTable **items, GObject *item) {
  if (!*items) *items = g_hash_table_new_full(NULL, NULL, g_object_unref, NULL);
  if (g_hash_table_add(*items, item)) g_object_ref(item);
}

static void item_notified(GObject *item, GParamSpec *property, TesseraGtkView *self) {
  remember(&self->changed_items, item);
  if (self->gatherings) remember(&self->late_items, item);
  else tg_view_need(self, TG_UPDATE | TG_ANIMATE);
}

void tg_view_watch(TesseraGtkView *self, GObject *item, gboolean is_in_sight) {
  GPtrArray *bindings = self->layout->bindings;
  if ((tg_view_count(self) > MOST_WATCHED) != is_in_sight) return;
  for (guint k = 0; k < bindings->len; k++) {
    tg_setting *binding = bindings->pdata[k];
    GQuark name = binding->property ? g_quark_from_string(binding->property) : 0;
    if (!name || g_signal_handler_find(item, G_SIGNAL_MATCH_DETAIL | G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0, name, NULL, item_notified, self))
      continue;
    char *signal = g_strconcat("notify::", binding->property, NULL);
    g_signal_connect_object(item, signal, G_CALLBACK(item_notified), self, 0);
    g_free(signal);
  }
}

GPtrArray *tg_view_gather(TesseraGtkView *self, gboolean all) {
  GPtrArray *gatherings = g_ptr_array_new_with_free_func((GDestroyNotify)tg_gathering_free);
  guint count = tg_view_count(self);
  if (!self->items || !self->layout->bindings->len) return gatherings;
  if (all) {
    g_ptr_array_add(gatherings, tg_layout_gather(self->layout, 0, 0, count, FALSE, NULL));
    return gatherings;
  }
  GArray *changes = changes_of(self->segments, known_items(self));
  for (guint i = 0; i < changes->len; i++) {
    tg_change change = g_array_index(changes, tg_change, i);
    g_ptr_array_add(gatherings, tg_layout_gather(self->layout, change.first, change.removed, change.added, TRUE, NULL));
  }
  g_array_unref(changes);
  guint first = 0, last = count - 1;
  if (!self->changed_items || !count || (count > MOST_WATCHED && !tessera_gtk_view_get_visible_range(self, &first, &last))) return gatherings;
  g_ptr_array_add(gatherings, tg_layout_gather(self->layout, first, 0, last - first + 1, TRUE, self->changed_items));
  return gatherings;
}
