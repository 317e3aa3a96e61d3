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

guint tg_first_of_section(const GArray *counts, guint64 section) {
  uint64_t first = 0;
  for (guint64 i = 0; i < section && i < counts->len; i++) first += g_array_index(counts, uint64_t, i);
  return (guint)first;
}

guint tg_section_of(const GArray *counts, guint position, guint *item) {
  guint section = 0;
  uint64_t rest = position;
  while (section < counts->len && rest >= g_array_index(counts, uint64_t, section)) rest -= g_array_index(counts, uint64_t, section++);
  if (item) *item = (guint)rest;
  return section;
}

guint tg_view_section_of(TesseraGtkView *self, guint position, guint *item) { return tg_section_of(self->counts, position, item); }

// MARK: Changes

// Changes are kept as the new list in parts: what the session knows, and what is new. Any number of them become one batch of edits.

static void replace(GArray *segments, guint position, guint removed, guint added) {
  GArray *result = g_array_new(FALSE, FALSE, sizeof(tg_segment));
  guint first = 0;
  gboolean has_added = FALSE;
  tg_segment inserted = {TRUE, 0, added};
  for (guint i = 0; i < segments->len; i++) {
    tg_segment segment = g_array_index(segments, tg_segment, i);
    guint end = first + segment.count;
    if (first < position) {
      tg_segment before = segment;
      before.count = MIN(end, position) - first;
      g_array_append_val(result, before);
    }
    if (!has_added && end >= position) {
      if (added) g_array_append_val(result, inserted);
      has_added = TRUE;
    }
    if (end > position + removed) {
      guint skipped = MAX(first, position + removed) - first;
      tg_segment after = {segment.is_new, segment.old_first + skipped, segment.count - skipped};
      g_array_append_val(result, after);
    }
    first = end;
  }
  if (!has_added && added) g_array_append_val(result, inserted);
  g_array_set_size(segments, 0);
  g_array_append_vals(segments, result->data, result->len);
  g_array_unref(result);
}

static GArray *known(guint count) {
  GArray *segments = g_array_new(FALSE, FALSE, sizeof(tg_segment));
  tg_segment all = {FALSE, 0, count};
  if (count) g_array_append_val(segments, all);
  return segments;
}

static guint known_items(const TesseraGtkView *self) { return tg_first_of_section(self->sent, self->sent->len); }

static void items_changed(GListModel *items, guint position, guint removed, guint added, TesseraGtkView *self) {
  tg_view_release_held(self);
  if (!self->segments) self->segments = known(known_items(self));
  replace(self->segments, position, removed, added);
  tg_view_rekey(self, position, removed, added);
  if (self->focus != GTK_INVALID_LIST_POSITION && self->focus >= position) {
    if (self->focus >= position + removed) self->focus += added - removed;
    else self->focus = tg_view_count(self) ? MIN(position, tg_view_count(self) - 1) : GTK_INVALID_LIST_POSITION;
  }
  if (self->anchor != GTK_INVALID_LIST_POSITION && self->anchor >= position + removed) self->anchor += added - removed;
  tg_view_need(self, TG_UPDATE | TG_ANIMATE);
}

static void sections_changed(GListModel *sections, guint position, guint removed, guint added, TesseraGtkView *self) {
  if (!self->section_segments) self->section_segments = known(self->sent->len);
  replace(self->section_segments, position, removed, added);
  tg_view_need(self, TG_UPDATE | TG_ANIMATE);
}

static void selection_changed(GtkSelectionModel *selection, guint position, guint count, TesseraGtkView *self) {
  tg_view_update_selected(self, position, count);
}

// Whether the items of a model are models.
static gboolean is_sections(GListModel *model) {
  if (g_type_is_a(g_list_model_get_item_type(model), G_TYPE_LIST_MODEL)) return TRUE;
  GObject *first = g_list_model_get_item(model, 0);
  gboolean found = G_IS_LIST_MODEL(first);
  g_clear_object(&first);
  return found;
}

void tg_view_connect_model(TesseraGtkView *self, GListModel *model) {
  g_set_object(&self->model, model);
  if (!model) return;
  GListModel *inner = model;
  if (GTK_IS_SELECTION_MODEL(model)) {
    self->selection = g_object_ref(GTK_SELECTION_MODEL(model));
    g_signal_connect(model, "selection-changed", G_CALLBACK(selection_changed), self);
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(model), "model");
    GListModel *below = NULL;
    if (property) g_object_get(model, "model", &below, NULL);
    // Whoever holds the selection model holds this.
    if (below) inner = below, g_object_unref(below);
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
  tg_view_forget_changes(self);
}

void tg_view_forget_changes(TesseraGtkView *self) {
  g_clear_pointer(&self->segments, g_array_unref);
  g_clear_pointer(&self->section_segments, g_array_unref);
  g_clear_pointer(&self->changed_items, g_hash_table_unref);
}

// MARK: Edits

static gboolean *gone_sections(GArray *segments, guint count) {
  gboolean *gone = g_new(gboolean, count + 1);
  for (guint i = 0; i < count; i++) gone[i] = segments != NULL;
  for (guint i = 0; segments && i < segments->len; i++) {
    tg_segment segment = g_array_index(segments, tg_segment, i);
    for (guint k = 0; !segment.is_new && k < segment.count; k++) gone[segment.old_first + k] = FALSE;
  }
  return gone;
}

static gboolean *new_sections(GArray *segments, guint count) {
  gboolean *new = g_new0(gboolean, count + 1);
  guint first = 0;
  for (guint i = 0; segments && i < segments->len; i++) {
    tg_segment segment = g_array_index(segments, tg_segment, i);
    for (guint k = 0; segment.is_new && k < segment.count && first + k < count; k++) new[first + k] = TRUE;
    first += segment.count;
  }
  return new;
}

// Appends the edits of a range of items, one for each section that it crosses.
static void append_items(GArray *edits, const GArray *counts, const gboolean *skipped, guint first, guint count, gboolean is_insertion) {
  while (count) {
    guint item, section = tg_section_of(counts, first, &item);
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
  gboolean *gone = gone_sections(self->section_segments, self->sent->len);
  gboolean *new = new_sections(self->section_segments, counts->len);
  for (guint i = 0; i < self->sent->len; i++) {
    tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_DELETE_SECTION, .count = 1, .from_section = i};
    if (gone[i]) g_array_append_val(edits, edit);
  }
  for (guint i = 0; i < counts->len; i++) {
    tessera_edit edit = {.operation = TESSERA_HOST_OPERATION_INSERT_SECTION, .count = 1, .to_section = i};
    if (new[i]) g_array_append_val(edits, edit);
  }
  guint expected = 0, first = 0;
  for (guint i = 0; self->segments && i < self->segments->len; i++) {
    tg_segment segment = g_array_index(self->segments, tg_segment, i);
    if (segment.is_new) {
      append_items(edits, counts, new, first, segment.count, TRUE);
    } else {
      append_items(edits, self->sent, gone, expected, segment.old_first - expected, FALSE);
      expected = segment.old_first + segment.count;
    }
    first += segment.count;
  }
  if (self->segments) append_items(edits, self->sent, gone, expected, known_items(self) - expected, FALSE);
  g_free(gone);
  g_free(new);
  return edits;
}

// MARK: Values

enum { MOST_WATCHED = 65536 };

static void item_notified(GObject *item, GParamSpec *property, TesseraGtkView *self) {
  if (!self->changed_items) self->changed_items = g_hash_table_new_full(NULL, NULL, g_object_unref, NULL);
  if (g_hash_table_add(self->changed_items, item)) g_object_ref(item);
  tg_view_need(self, TG_UPDATE | TG_ANIMATE);
}

// Watches the properties that values are bound to.
static void watch(TesseraGtkView *self, guint first, guint count) {
  GPtrArray *names = tg_layout_bound_properties(self->layout);
  guint total = tg_view_count(self);
  for (guint i = 0; names->len && total <= MOST_WATCHED && i < count; i++) {
    GObject *item = g_list_model_get_item(self->items, first + i);
    if (!g_signal_handler_find(item, G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0, 0, NULL, item_notified, self)) {
      for (guint k = 0; k < names->len; k++) {
        char *signal = g_strconcat("notify::", names->pdata[k], NULL);
        g_signal_connect_object(item, signal, G_CALLBACK(item_notified), self, 0);
        g_free(signal);
      }
    }
    g_object_unref(item);
  }
  g_ptr_array_unref(names);
}

static void gather(TesseraGtkView *self, GPtrArray *gatherings, guint first, guint removed, guint count, gboolean is_splice) {
  watch(self, first, count);
  g_ptr_array_add(gatherings, tg_layout_gather(self->layout, self->items, first, removed, count, is_splice));
}

// Begins to ask items for their values: all, or those that are new or have changed.
GPtrArray *tg_view_gather(TesseraGtkView *self, gboolean all) {
  GPtrArray *gatherings = g_ptr_array_new_with_free_func((GDestroyNotify)tg_gathering_free);
  if (!self->items || !tg_layout_has_item_values(self->layout)) return gatherings;
  if (all) {
    gather(self, gatherings, 0, 0, tg_view_count(self), FALSE);
    return gatherings;
  }
  guint first = 0, expected = 0, added = 0;
  for (guint i = 0; self->segments && i < self->segments->len; i++) {
    tg_segment segment = g_array_index(self->segments, tg_segment, i);
    if (segment.is_new) {
      added += segment.count;
      continue;
    }
    if (added || segment.old_first != expected) gather(self, gatherings, first, segment.old_first - expected, added, TRUE);
    first += added + segment.count;
    expected = segment.old_first + segment.count;
    added = 0;
  }
  if (self->segments && (added || expected != known_items(self))) gather(self, gatherings, first, known_items(self) - expected, added, TRUE);
  if (self->changed_items) {
    for (guint i = 0; i < tg_view_count(self); i++) {
      GObject *item = g_list_model_get_item(self->items, i);
      if (g_hash_table_contains(self->changed_items, item)) gather(self, gatherings, i, 1, 1, TRUE);
      g_object_unref(item);
    }
  }
  return gatherings;
}
