// The tests of the view: `view-tests NAME` runs one, `view-tests` lists them. Each has its own
// window.

#include "beat.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void shows(void) {
  fixture *self = open_window("flow", (int[]){20, 0, 7, -1});
  expect_fresh(self, "at first");
  // 600 points hold 6 cells of 90, 10 apart: 20 cells are 4 rows of 70 and 3 gaps below a header of
  // 24.
  char *positions = shown(self);
  expect(!strcmp(positions, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"), "%s", positions);
  g_free(positions);
  close_window(self);
}

static void scroll(const char *engine) {
  fixture *self = open_window(engine, (int[]){300, 300, 300, -1});
  for (int i = 0; i < 20; i++) {
    gtk_adjustment_set_value(self->view->adjustments[1], g_random_double_range(0, self->view->content[1]));
    settle(self);
    expect_fresh(self, "after a jump");
    expect_in_place(self, "after a jump");
  }
  gtk_adjustment_set_value(self->view->adjustments[1], 0);
  settle(self);
  // Crosses the place where the canvas gets another origin.
  double start = self->view->origin[1] + 4096 - 200;
  for (int i = 0; i < 60; i++) {
    gtk_adjustment_set_value(self->view->adjustments[1], i < 30 ? i * 7 : start + (i - 30) * 14);
    while (self->view->job) run_for(0.001);
    expect_fresh(self, "after a step");
    if (i % 10 == 9 || (i > 42 && i < 48)) expect_in_place(self, "after a step");
  }
  close_window(self);
}

// Engines that depend on the offset, place everything at once, or answer each query.
static void scrolls(void) {
  scroll("flow");
  scroll("mosaic");
  scroll("grid");
}

static void changes(void) {
  fixture *self = open_window("flow", (int[]){30, 30, -1});
  self->view->animation_duration = 2000;
  insert(section(self, 0), 3, 0, 2);
  for (int i = 0; i < 500 && !self->view->animation_start; i++) run_for(0.005);
  expect(self->view->animation_start != 0, "an insertion in sight is not animated");
  // The third cell moves to the fifth place: rows 60 points high, columns 102 apart.
  tessera_element place;
  tg_element *element = tg_view_find(self->view, 5);
  tg_element_place(self->view, element, &place);
  expect(place.x > 306 - 1 && place.x < 510 + 1 && element->from.x < element->to.x, "the cell at 5 is at %g, on its way from %g to %g", place.x,
         element->from.x, element->to.x);
  self->view->animation_duration = 120;
  settle(self);
  expect_fresh(self, "after an insertion");
  // A change above keeps the visible items in place.
  insert(section(self, 1), 0, 0, 200);
  settle(self);
  gtk_adjustment_set_value(self->view->adjustments[1], 1200);
  settle(self);
  guint first, last;
  expect(tessera_gtk_view_get_visible_range(self->view, &first, &last), "no cell is in sight");
  Thing *before = g_list_model_get_item(self->view->items, first);
  insert(section(self, 0), 0, 0, 12);
  settle(self);
  expect_fresh(self, "after a change above");
  guint now;
  expect(tessera_gtk_view_get_visible_range(self->view, &now, &last), "no cell is in sight");
  Thing *after = g_list_model_get_item(self->view->items, now);
  expect(before == after, "the first item in sight was at %u and another is at %u", first, now);
  g_object_unref(before);
  g_object_unref(after);
  // Leaving elements must not pile up when changes interrupt each other.
  gtk_adjustment_set_value(self->view->adjustments[1], 0);
  self->view->animation_duration = 2000;
  for (int i = 0; i < 60; i++) {
    insert(section(self, 0), 0, g_list_model_get_n_items(G_LIST_MODEL(section(self, 0))), 60);
    run_for(0.016);
  }
  guint widgets = all_widgets(self->view), elements = g_hash_table_size(self->view->elements);
  expect(widgets < 3 * elements, "%u widgets for %u elements in sight", widgets, elements);
  self->view->animation_duration = 120;
  settle(self);
  expect_fresh(self, "after many changes");
  g_list_store_remove_all(self->sections);
  settle(self);
  expect(!g_hash_table_size(self->view->elements), "%u elements of nothing", g_hash_table_size(self->view->elements));
  close_window(self);
}

static void switches(void) {
  fixture *self = open_window("flow", (int[]){60, 60, -1});
  self->view->animation_duration = 1000;
  TesseraGtkLayout *list = layout_of("table");
  gtk_adjustment_set_value(self->view->adjustments[1], 800);
  settle(self);
  guint first, last, now;
  tessera_gtk_view_get_visible_range(self->view, &first, &last);
  tessera_gtk_view_set_layout(self->view, list);
  for (int i = 0; i < 500 && !self->view->animation_start; i++) run_for(0.005); // the engine starts
  expect(self->view->animation_start != 0, "a switch is not animated");
  TesseraGtkLayout *grid = layout_of("grid");
  tg_element *element = tg_view_find(self->view, first + 3);
  tessera_element before, after;
  tg_element_place(self->view, element, &before);
  double y = before.y - self->view->offset[1];
  expect(tessera_gtk_layout_load(grid, NULL), "the grid does not start");
  tg_element_place(self->view, element, &before);
  y = before.y - self->view->offset[1];
  tessera_gtk_view_set_layout(self->view, grid);
  tg_view_work(self->view);
  tg_element_place(self->view, tg_view_find(self->view, first + 3), &after);
  expect(ABS(after.y - self->view->offset[1] - y) < 1, "a cell jumps from %g to %g when its movement is interrupted", y,
         after.y - self->view->offset[1]);
  settle(self);
  expect_fresh(self, "after a switch");
  tessera_gtk_view_get_visible_range(self->view, &first, &last);
  tessera_gtk_view_set_layout(self->view, list);
  settle(self);
  expect_fresh(self, "after a switch back");
  expect(tessera_gtk_view_get_visible_range(self->view, &now, &last) && now <= first && first <= last, "%u was first in sight, and now %u to %u are", first,
         now, last);
  // Scrolls while the engine starts.
  TesseraGtkLayout *mosaic = layout_of("mosaic");
  tessera_gtk_view_set_layout(self->view, mosaic);
  tessera_gtk_view_scroll_to(self->view, 110, TESSERA_GTK_PLACEMENT_START, TRUE);
  settle(self);
  graphene_rect_t bounds;
  expect(tessera_gtk_view_get_bounds(self->view, 110, &bounds) && self->view->focus == 110, "after a switch, the view is at %g of %g, and the focus at %u",
         self->view->offset[1], self->view->content[1], self->view->focus);
  g_object_unref(mosaic);
  g_object_unref(list);
  g_object_unref(grid);
  close_window(self);
}

static double ask_ratio(Thing *thing, gpointer data) { return thing_ratio(thing); }

static GVariant *ask_size(Thing *thing, gpointer data) { return g_variant_new("(dd)", 50 * thing_ratio(thing), 40.0); }

static void values(void) {
  fixture *self = open_window("waterfall", (int[]){50, -1});
  expect_fresh(self, "at first");
  Thing *thing = g_list_model_get_item(G_LIST_MODEL(section(self, 0)), 0);
  graphene_rect_t before, after;
  expect(tessera_gtk_view_get_bounds(self->view, 0, &before), "the first item is not in sight");
  thing_set_ratio(thing, 3);
  settle(self);
  expect(tessera_gtk_view_get_bounds(self->view, 0, &after), "the first item is not in sight");
  // Two columns of (600 - 10) / 2 = 295 points; heights are rounded to points.
  expect(after.size.height == 98, "an item of 3:1 is %g high, and was %g", after.size.height, before.size.height);
  expect_fresh(self, "after a property has changed");
  // The new property is followed, too.
  tessera_gtk_layout_bind_property(self->view->layout, "aspectRatio", "other");
  settle(self);
  g_object_set(thing, "other", 0.5, NULL);
  settle(self);
  expect_fresh(self, "after another property has changed");
  // A closure and an expression equal to the property.
  tessera_gtk_layout_bind_closure(self->view->layout, "aspectRatio", g_cclosure_new(G_CALLBACK(ask_ratio), NULL, NULL));
  settle(self);
  expect_fresh(self, "by a closure");
  GtkExpression *expression = gtk_property_expression_new(TYPE_THING, NULL, "ratio");
  tessera_gtk_layout_bind_expression(self->view->layout, "aspectRatio", expression);
  gtk_expression_unref(expression);
  settle(self);
  expect_fresh(self, "by an expression");
  close_window(self);
  // A value of two numbers by a closure.
  self = open_window("flow", (int[]){50, -1});
  tessera_gtk_layout_bind_closure(self->view->layout, "size", g_cclosure_new(G_CALLBACK(ask_size), NULL, NULL));
  settle(self);
  g_object_unref(thing);
  thing = g_list_model_get_item(G_LIST_MODEL(section(self, 0)), 1);
  expect(tessera_gtk_view_get_bounds(self->view, 1, &after) && fabs(after.size.width - 50 * thing_ratio(thing)) < 0.01 && after.size.height == 40,
         "an item of %g:1 is %g × %g", thing_ratio(thing), after.size.width, after.size.height);
  g_object_unref(thing);
  close_window(self);
}

static void set_ratio_of(GListStore *store, guint position, double ratio) {
  Thing *thing = g_list_model_get_item(G_LIST_MODEL(store), position);
  thing_set_ratio(thing, ratio);
  g_object_unref(thing);
}

// Many items are asked in parts, without blocking the main loop.
static void many_values(void) {
  static const guint counts[] = {60000, 60000, 60000, 120000};
  gint64 shown = G_MAXINT64, changed = G_MAXINT64; // minima, as other programs only add
  fixture *self = open_window("waterfall", (int[]){0, -1});
  for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
    GListStore *store = g_list_store_new(TYPE_THING);
    insert(store, 0, 0, counts[i]);
    guint timer = begin_to_beat(1, FALSE);
    run_for(0.2);
    longest_beat(TRUE);
    g_list_store_splice(self->sections, 0, 1, (gpointer *)&store, 1);
    run_for(0.1);
    settle(self);
    shown = MIN(shown, longest_beat(TRUE));
    // Only visible items of a large model are followed. Columns of 295 points.
    set_ratio_of(store, 0, 2.5);
    if (counts[i] <= 65536) set_ratio_of(store, counts[i] - 1, 2.5);
    settle(self);
    changed = MIN(changed, longest_beat(TRUE));
    g_source_remove(timer);
    expect(tg_view_find(self->view, 0)->to.height == 118, "the first of %u items is %g high", counts[i], tg_view_find(self->view, 0)->to.height);
    expect_fresh(self, "with many items");
    g_object_unref(store);
  }
  expect(shown < 8000 && changed < 8000, "many items block the main loop for %d us, and changes of them for %d us", (int)shown, (int)changed);
  close_window(self);
}

static void wrap(GtkSignalListItemFactory *factory, GObject *item, gpointer data) {
  GtkWidget *label = tessera_gtk_item_get_child(TESSERA_GTK_ITEM(item));
  GString *text = g_string_new(NULL);
  for (guint i = 0; i <= tessera_gtk_item_get_position(TESSERA_GTK_ITEM(item)) % 5; i++) g_string_append(text, i ? "\nline" : "line");
  gtk_label_set_text(GTK_LABEL(label), text->str);
  g_string_free(text, TRUE);
}

static void set_up_high(GtkSignalListItemFactory *factory, GObject *item, gpointer data) {
  tessera_gtk_item_set_child(TESSERA_GTK_ITEM(item), g_object_new(GTK_TYPE_LABEL, "height-request", 123, NULL));
}

static void measures(void) {
  fixture *self = open_window("table", (int[]){200, -1});
  tessera_gtk_layout_set_number(self->view->layout, "estimatedRowHeight", 30);
  g_signal_connect(tessera_gtk_view_get_factory(self->view, NULL), "bind", G_CALLBACK(wrap), NULL);
  tg_view_factory_changed(self->view);
  settle(self);
  for (guint position = 0; position < 5; position++) {
    graphene_rect_t bounds;
    int natural;
    expect(tessera_gtk_view_get_bounds(self->view, position, &bounds), "row %u is not in sight", position);
    gtk_widget_measure(tessera_gtk_item_get_child(tg_view_find(self->view, position)), GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL,
                       NULL);
    expect(bounds.size.height == natural && natural >= 10 * (1 + (int)position),
           "row %u is %g high, and its label %d", position,
           bounds.size.height, natural);
  }
  // A factory with higher rows.
  GtkListItemFactory *before_factory = g_object_ref(tessera_gtk_view_get_factory(self->view, NULL)), *higher = gtk_signal_list_item_factory_new();
  g_signal_connect(higher, "setup", G_CALLBACK(set_up_high), NULL);
  tessera_gtk_view_set_factory(self->view, NULL, higher);
  settle(self);
  expect(tg_view_find(self->view, 1)->to.height == 123, "a row of another factory is %g high", tg_view_find(self->view, 1)->to.height);
  tessera_gtk_view_set_factory(self->view, NULL, before_factory);
  settle(self);
  g_object_unref(before_factory);
  g_object_unref(higher);
  // A growing label makes its row higher and moves later ones.
  GtkWidget *label = tessera_gtk_item_get_child(tg_view_find(self->view, 0));
  graphene_rect_t before, after;
  double height = tg_view_find(self->view, 0)->to.height;
  tessera_gtk_view_get_bounds(self->view, 1, &before);
  gtk_label_set_text(GTK_LABEL(label), "one\ntwo\nthree");
  int natural;
  gtk_widget_measure(label, GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL);
  for (int i = 0; i < 500 && tg_view_find(self->view, 0)->to.height != natural; i++) run_for(0.01);
  settle(self);
  tessera_gtk_view_get_bounds(self->view, 1, &after);
  expect(natural > height && after.origin.y == before.origin.y + (float)(natural - height) && tg_view_find(self->view, 0)->to.height == natural, "row 0 is %g high, its label %d; row 1 was at %g and is at %g",
         tg_view_find(self->view, 0)->to.height, natural, before.origin.y, after.origin.y);
  for (int i = 0; i < 60; i++) {
    gtk_adjustment_set_value(self->view->adjustments[1], i * 90);
    run_for(0.01);
  }
  settle(self);
  double end = 0;
  for (int i = 0; i < 20 && end != self->view->offset[1]; i++) {
    end = self->view->offset[1];
    gtk_adjustment_set_value(self->view->adjustments[1], 1e9);
    settle(self);
  }
  graphene_rect_t last;
  expect(tessera_gtk_view_get_bounds(self->view, 199, &last), "the last row is not in sight at the end");
  expect(fabsf(last.origin.y + last.size.height - 400) < 1, "the last row ends at %g", last.origin.y + last.size.height);
  close_window(self);
}

static void attributes(void) {
  fixture *self = open_window("cover-flow", (int[]){40, -1});
  tessera_gtk_layout_set_parameter(self->view->layout, "itemSize", NULL);
  settle(self);
  guint greys = 0;
  for (guint position = 0; position < 40; position++) {
    tg_element *element = tg_view_find(self->view, position);
    if (element && tessera_gtk_item_get_number(element, "maskingValue", -1) == 0.6) greys++;
  }
  expect(greys > 1, "%u covers have the grey of those aside, 0.6", greys);
  expect(!tessera_gtk_item_get_attribute(tg_view_find(self->view, 0), "none"), "an attribute that does not exist has a value");
  // Another layout has no such attribute.
  TesseraGtkLayout *covers = g_object_ref(self->view->layout), *flow = layout_of("flow");
  tessera_gtk_view_set_layout(self->view, flow);
  settle(self);
  expect(tessera_gtk_item_get_number(tg_view_find(self->view, 0), "maskingValue", -1) == -1, "an attribute of the layout before is left");
  tessera_gtk_view_set_layout(self->view, covers);
  settle(self);
  g_object_unref(covers);
  g_object_unref(flow);
  // Scrolling rests at a cover; they are 180 - 60 = 120 apart.
  double start = self->view->offset[0];
  gtk_adjustment_set_value(self->view->adjustments[0], start + 110);
  settle(self);
  run_for(0.6);
  settle(self);
  double x = self->view->offset[0];
  guint middle = tessera_gtk_view_get_position_at(self->view, 300, 200);
  graphene_rect_t bounds;
  expect(tessera_gtk_view_get_bounds(self->view, middle, &bounds), "no cover is in the middle at %g", x);
  expect(fabsf(bounds.origin.x + bounds.size.width / 2 - 300) < 1, "the cover in the middle is centred at %g", bounds.origin.x + bounds.size.width / 2);
  close_window(self);
}

static const char ui[] =
    "<interface><object class='TesseraGtkView' id='view'>"
    "<property name='model'><object class='GtkMultiSelection'><property name='model'><object class='GtkStringList'><items>"
    "<item>one</item><item>two</item><item>three</item></items></object></property></object></property>"
    "<property name='layout'><object class='TesseraGtkLayout'><property name='engine'>flow</property>"
    "<property name='parameters'>{'itemSize': &lt;(140, 90)&gt;, 'headerReferenceSize': &lt;(0.0, 30.0)&gt;}</property></object></property>"
    "<property name='factory'><object class='GtkBuilderListItemFactory'><property name='bytes'><![CDATA[<interface>"
    "<template class='TesseraGtkItem'><property name='child'><object class='GtkLabel'><binding name='label'>"
    "<lookup name='string' type='GtkStringObject'><lookup name='item'>TesseraGtkItem</lookup></lookup></binding></object></property>"
    "</template></interface>]]></property></object></property>"
    "<child><object class='GtkShortcutController'><child><object class='GtkShortcut'><property name='trigger'>F5</property>"
    "<property name='action'>action(list.select-item)</property><property name='arguments'>(uint32 2, false, false)</property>"
    "</object></child></object></child>"
    "<child type='header'><object class='GtkBuilderListItemFactory'><property name='bytes'><![CDATA[<interface>"
    "<template class='TesseraGtkItem'><property name='child'><object class='GtkLabel'><property name='label'>Numbers</property>"
    "</object></property></template></interface>]]></property></object></child>"
    "</object></interface>";

static void builds(void) {
  g_type_ensure(TESSERA_GTK_TYPE_VIEW);
  g_type_ensure(TESSERA_GTK_TYPE_LAYOUT);
  GError *error = NULL;
  GtkBuilder *builder = gtk_builder_new();
  expect(gtk_builder_add_from_string(builder, ui, -1, &error), "%s", error->message);
  fixture self = {.view = TESSERA_GTK_VIEW(gtk_builder_get_object(builder, "view")), .window = GTK_WINDOW(gtk_window_new())};
  gtk_window_set_default_size(self.window, 600, 400);
  gtk_window_set_child(self.window, GTK_WIDGET(self.view));
  gtk_window_present(self.window);
  settle(&self);
  graphene_rect_t bounds;
  expect(tessera_gtk_view_get_bounds(self.view, 1, &bounds), "the second item is not in sight");
  expect(bounds.size.width == 140 && bounds.size.height == 90 && bounds.origin.y == 30, "its size is %g × %g, its y %g", bounds.size.width,
         bounds.size.height, bounds.origin.y);
  const char *text = gtk_label_get_text(GTK_LABEL(tessera_gtk_item_get_child(tg_view_find(self.view, 1))));
  expect(!strcmp(text, "two"), "it shows \"%s\"", text);
  GtkSelectionModel *selection = GTK_SELECTION_MODEL(tessera_gtk_view_get_model(self.view));
  gtk_widget_grab_focus(GTK_WIDGET(self.view));
  act(&self, "key F5");
  expect(gtk_selection_model_is_selected(selection, 2), "F5 does not select the third item");
  gtk_window_destroy(self.window);
  g_object_unref(builder);
}

static GListModel *children_of(gpointer item, gpointer data) {
  // Odd cities have parts.
  const char *name = gtk_string_object_get_string(item);
  return g_str_has_prefix(name, "part") ? NULL
         : strlen(name) % 2              ? G_LIST_MODEL(gtk_string_list_new((const char *const[]){"part 1", "part 2", NULL}))
                                         : NULL;
}

// Typing finds items, and a tree reports expanded rows.
static void finds(void) {
  fixture *self = open_window("flow", (int[]){0, -1});
  const char *const cities[] = {"Aarhus", "Ålesund", "Berlin", "Bern", "Brno", "Genoa", "Genova", NULL};
  GtkTreeListModel *tree = gtk_tree_list_model_new(G_LIST_MODEL(gtk_string_list_new(cities)), FALSE, FALSE, children_of, NULL, NULL);
  GtkSelectionModel *model = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(tree)));
  tessera_gtk_view_set_model(self->view, G_LIST_MODEL(model));
  settle(self);
  act(self, "mousemove 45 50 click 1");
  static const struct {
    const char *keys;
    guint position;
  } typed[] = {{"key b", 2}, {"key b e r n", 3}, {"key g e n o v", 6}, {"key shift+b", 2}, {"key x", 2}};
  for (gsize i = 0; i < G_N_ELEMENTS(typed); i++) {
    act(self, "%s", typed[i].keys);
    for (int k = 0; k < 500 && self->view->search; k++) run_for(0.01);
    expect(self->view->focus == typed[i].position && gtk_selection_model_is_selected(model, typed[i].position), "%s leads to %u", typed[i].keys,
           self->view->focus);
    run_for(1.05); // longer than the pause before a new search
  }
  GtkAccessible *genoa = GTK_ACCESSIBLE(tg_view_find(self->view, 5)), *bern = GTK_ACCESSIBLE(tg_view_find(self->view, 3));
  expect(gtk_test_accessible_has_state(genoa, GTK_ACCESSIBLE_STATE_EXPANDED), "Genoa does not say that it can be expanded");
  expect(!gtk_test_accessible_has_state(bern, GTK_ACCESSIBLE_STATE_EXPANDED), "Bern says that it can be expanded");
  GtkTreeListRow *row = gtk_tree_list_model_get_row(tree, 5);
  gtk_tree_list_row_set_expanded(row, TRUE);
  settle(self);
  expect(tg_view_count(self->view) == 9, "%u rows are shown", tg_view_count(self->view));
  char *wrong = gtk_test_accessible_check_state(GTK_ACCESSIBLE(tg_view_find(self->view, 5)), GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  expect(!wrong, "Genoa is expanded, and says %s", wrong);
  // Genova, which was the seventh of seven, was in sight throughout.
  GtkAccessible *genova = GTK_ACCESSIBLE(tg_view_find(self->view, 8));
  wrong = gtk_test_accessible_check_relation(genova, GTK_ACCESSIBLE_RELATION_POS_IN_SET, 9);
  if (!wrong) wrong = gtk_test_accessible_check_relation(genova, GTK_ACCESSIBLE_RELATION_SET_SIZE, 9);
  expect(!wrong, "Genova is the last of nine, and says %s", wrong);
  g_object_unref(row);
  tessera_gtk_view_set_model(self->view, NULL);
  g_object_unref(model);
  close_window(self);
}

static void read_ended(GObject *process, GAsyncResult *result, gpointer ended) {
  GError *error = NULL;
  expect(g_subprocess_wait_check_finish(G_SUBPROCESS(process), result, &error), "reads.py: %s", error->message);
  *(gboolean *)ended = TRUE;
}

// TESSERA_GTK_READER is a program that acts as a screen reader.
static void reads(void) {
  const char *reader = g_getenv("TESSERA_GTK_READER");
  expect(reader, "TESSERA_GTK_READER names no program");
  fixture *self = open_window("flow", (int[]){20, 20, -1});
  gtk_selection_model_select_item(self->selection, 3, TRUE);
  // Elements scrolled out of sight are not read.
  for (int i = 0; i < 2; i++) {
    gtk_adjustment_set_value(self->view->adjustments[1], i ? 0 : 75);
    settle(self);
  }
  expect(self->view->pool->len, "no cell waits");
  GError *error = NULL;
  GSubprocess *process = g_subprocess_new(G_SUBPROCESS_FLAGS_NONE, &error, "/usr/bin/python3", reader, NULL);
  expect(process, "%s", error->message);
  gboolean has_ended = FALSE;
  g_subprocess_wait_check_async(process, NULL, read_ended, &has_ended);
  while (!has_ended) g_main_context_iteration(NULL, TRUE);
  g_object_unref(process);
  close_window(self);
}

static void mirrors(void) {
  gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
  fixture *self = open_window("flow", (int[]){20, -1});
  expect_fresh(self, "from right to left");
  graphene_rect_t bounds;
  expect(tessera_gtk_view_get_bounds(self->view, 0, &bounds) && bounds.origin.x == 510, "the first cell is at %g", bounds.origin.x);
  act(self, "mousemove 550 50 click 1");
  act(self, "key Left");
  expect(self->view->focus == 1, "Left from the first leads to %u", self->view->focus);
  close_window(self);
  // Sideways content begins at the right edge. 400 points hold five rows: 100 cells are 20 columns.
  self = open_window("flow", (int[]){0, -1});
  tessera_gtk_layout_set_parameter(self->view->layout, "scrollDirection", g_variant_new_string("horizontal"));
  tessera_gtk_layout_set_size(self->view->layout, "headerReferenceSize", 0, 0);
  settle(self);
  insert(section(self, 0), 0, 0, 100);
  settle(self);
  expect(tessera_gtk_view_get_bounds(self->view, 0, &bounds) && bounds.origin.x == 510, "at first, the content is at %g of %g", self->view->offset[0],
         self->view->content[0]);
  gtk_widget_set_size_request(GTK_WIDGET(self->scrolled), 300, -1);
  gtk_window_set_default_size(self->window, 300, 400);
  for (int i = 0; i < 500 && self->view->bounds[0] != 300; i++) run_for(0.01);
  settle(self);
  expect(tessera_gtk_view_get_bounds(self->view, 0, &bounds) && bounds.origin.x == 210, "in a smaller window, the content is at %g of %g",
         self->view->offset[0], self->view->content[0]);
  expect_fresh(self, "sideways from right to left");
  // Three columns fit a page of 300 points, 100 apart.
  static const struct {
    const char *key;
    guint focus;
  } steps[] = {{"Page_Down", 15}, {"Page_Down", 30}, {"Page_Up", 15}, {"End", 99}, {"Page_Down", 99}, {"Home", 0}, {"Page_Up", 0}};
  act(self, "mousemove 250 20 click 1");
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
    act(self, "key %s", steps[i].key);
    expect(self->view->focus == steps[i].focus, "%s leads to %u", steps[i].key, self->view->focus);
  }
  gtk_widget_set_direction(GTK_WIDGET(self->view), GTK_TEXT_DIR_LTR);
  settle(self);
  expect(tessera_gtk_view_get_bounds(self->view, 0, &bounds) && bounds.origin.x == 0, "from left to right, the first cell is at %g", bounds.origin.x);
  close_window(self);
}

static const struct {
  const char *name;
  void (*run)(void);
} tests[] = {
    {"shows", shows},         {"scrolls", scrolls},       {"changes", changes},     {"changes-at-random", changes_at_random},
    {"switches", switches},   {"selection", selection},   {"values", values},       {"many-values", many_values},
    {"measures", measures},   {"builds", builds},         {"attributes", attributes}, {"reorders", reorders},
    {"edges", edges},         {"mirrors", mirrors},       {"finds", finds},         {"reads", reads},
    {"swipes", swipes},       {"rests", rests},           {"closes", closes},       {"answers-late", answers_late},
    {"hostile", hostile},     {"recovers", recovers},     {"idles", idles},         {"refuses", refuses},
};

int main(int count, char **arguments) {
  if (count < 2) {
    for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) puts(tests[i].name);
    return 0;
  }
  // Reads accessible states from GTK's test backend.
  if (!strcmp(arguments[1], "finds")) g_setenv("GTK_A11Y", "test", TRUE);
  gtk_init();
  g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  // Valgrind scans all mapped memory, and a session maps as much as its engine may use.
  const char *megabytes = g_getenv("TESSERA_GTK_MEMORY");
  if (megabytes) {
    tessera_gtk_set_limits(60, (guint64)atoi(megabytes) << 20);
    tessera_engines_set_kept_workers(tg_engines(), 0); // little address space left for workers
  }
  const char *folder = g_getenv("TESSERA_GTK_ENGINES");
  if (folder) tessera_gtk_add_engine_folder(folder);
  for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
    if (strcmp(tests[i].name, arguments[1])) continue;
    tests[i].run();
    return 0;
  }
  fprintf(stderr, "there is no test %s\n", arguments[1]);
  return 64;
}
