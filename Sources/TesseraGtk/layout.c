// The layout as programs use it: what they set and bind. sending.c gives that to the session.

#include "layout.h"

#include <string.h>

G_DEFINE_FINAL_TYPE(TesseraGtkLayout, tessera_gtk_layout, G_TYPE_OBJECT)

enum { PROPERTY_0, PROPERTY_ENGINE, PROPERTY_PARAMETERS, PROPERTY_VALUES, PROPERTY_COUNT };
static GParamSpec *properties[PROPERTY_COUNT];
static guint changed;

// Forgets what was set, but for the name.
static void clear(tg_setting *self) {
  g_clear_pointer(&self->value, g_variant_unref);
  g_clear_pointer(&self->property, g_free);
  g_clear_pointer(&self->expression, gtk_expression_unref);
  g_clear_pointer(&self->closure, g_closure_unref);
  if (self->destroy) self->destroy(self->data);
  self->func = NULL, self->data = NULL, self->destroy = NULL;
}

static void setting_free(tg_setting *self) {
  clear(self);
  g_free(self->name);
  g_free(self);
}

static tg_setting *find(GPtrArray *settings, tg_setting_kind kind, const char *name) {
  for (guint i = 0; i < settings->len; i++) {
    tg_setting *setting = settings->pdata[i];
    if (setting->kind == kind && !strcmp(setting->name, name)) return setting;
  }
  return NULL;
}

static tg_setting *find_or_add(GPtrArray *settings, tg_setting_kind kind, const char *name) {
  tg_setting *setting = find(settings, kind, name);
  if (!setting) {
    setting = g_new0(tg_setting, 1);
    setting->kind = kind;
    setting->name = g_strdup(name);
    g_ptr_array_add(settings, setting);
  }
  setting->is_new = TRUE;
  return setting;
}

static GClosure *keep_closure(GClosure *closure) {
  g_closure_ref(closure);
  g_closure_sink(closure);
  if (G_CLOSURE_NEEDS_MARSHAL(closure)) g_closure_set_marshal(closure, g_cclosure_marshal_generic);
  return closure;
}

// MARK: The object

static void set_all_parameters(TesseraGtkLayout *self, GVariant *parameters) {
  if (!parameters) return;
  GVariantIter iterator;
  const char *name;
  GVariant *value;
  g_variant_iter_init(&iterator, parameters);
  while (g_variant_iter_next(&iterator, "{&sv}", &name, &value)) {
    tessera_gtk_layout_set_parameter(self, name, value);
    g_variant_unref(value);
  }
}

static void bind_all_properties(TesseraGtkLayout *self, GVariant *values) {
  if (!values) return;
  GVariantIter iterator;
  const char *name, *property;
  g_variant_iter_init(&iterator, values);
  while (g_variant_iter_next(&iterator, "{&s&s}", &name, &property)) tessera_gtk_layout_bind_property(self, name, property);
}

static GVariant *all_parameters(TesseraGtkLayout *self) {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < self->settings->len; i++) {
    tg_setting *setting = self->settings->pdata[i];
    if (setting->kind == PARAMETER && setting->value) g_variant_builder_add(&builder, "{sv}", setting->name, setting->value);
  }
  return g_variant_builder_end(&builder);
}

static GVariant *all_bound_properties(TesseraGtkLayout *self) {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a{ss}"));
  for (guint i = 0; i < self->bindings->len; i++) {
    tg_setting *binding = self->bindings->pdata[i];
    if (binding->property) g_variant_builder_add(&builder, "{ss}", binding->name, binding->property);
  }
  return g_variant_builder_end(&builder);
}

static void layout_get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  TesseraGtkLayout *self = TESSERA_GTK_LAYOUT(object);
  switch (id) {
  case PROPERTY_ENGINE: g_value_set_string(value, self->engine); break;
  case PROPERTY_PARAMETERS: g_value_set_variant(value, all_parameters(self)); break;
  case PROPERTY_VALUES: g_value_set_variant(value, all_bound_properties(self)); break;
  default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, property);
  }
}

static void layout_set_property(GObject *object, guint id, const GValue *value, GParamSpec *property) {
  TesseraGtkLayout *self = TESSERA_GTK_LAYOUT(object);
  switch (id) {
  case PROPERTY_ENGINE: self->engine = g_value_dup_string(value); break;
  case PROPERTY_PARAMETERS: set_all_parameters(self, g_value_get_variant(value)); break;
  case PROPERTY_VALUES: bind_all_properties(self, g_value_get_variant(value)); break;
  default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, property);
  }
}

static void layout_finalize(GObject *object) {
  TesseraGtkLayout *self = TESSERA_GTK_LAYOUT(object);
  g_clear_pointer(&self->session, tg_session_unref);
  g_ptr_array_unref(self->settings);
  g_ptr_array_unref(self->bindings);
  g_ptr_array_unref(self->delegates);
  g_free(self->engine);
  G_OBJECT_CLASS(tessera_gtk_layout_parent_class)->finalize(object);
}

static void tessera_gtk_layout_class_init(TesseraGtkLayoutClass *class) {
  GObjectClass *objects = G_OBJECT_CLASS(class);
  objects->get_property = layout_get_property;
  objects->set_property = layout_set_property;
  objects->finalize = layout_finalize;
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  /**
   * TesseraGtkLayout:engine: (getter get_engine)
   *
   * The engine: its id, the last part of that, the path of a library, or path#id.
   */
  properties[PROPERTY_ENGINE] = g_param_spec_string("engine", NULL, NULL, NULL, flags | G_PARAM_CONSTRUCT_ONLY);
  /**
   * TesseraGtkLayout:parameters:
   *
   * The parameters that were set, of the type `a{sv}`. Writing it sets those that it names. In a `.ui` file:
   * `<property name="parameters">{'itemSize': <(140, 90)>, 'scrollDirection': <'horizontal'>}</property>`
   */
  properties[PROPERTY_PARAMETERS] = g_param_spec_variant("parameters", NULL, NULL, G_VARIANT_TYPE_VARDICT, NULL, flags);
  /**
   * TesseraGtkLayout:values:
   *
   * Which property of the items each value is bound to, of the type `a{ss}`. Writing it binds those that it names.
   */
  properties[PROPERTY_VALUES] = g_param_spec_variant("values", NULL, NULL, G_VARIANT_TYPE("a{ss}"), NULL, flags);
  g_object_class_install_properties(objects, PROPERTY_COUNT, properties);
  /**
   * TesseraGtkLayout::changed:
   * @self: the layout
   * @values: whether the values of all items have to be asked for again
   *
   * A parameter, a list or a binding has changed.
   */
  changed = g_signal_new("changed", TESSERA_GTK_TYPE_LAYOUT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void tessera_gtk_layout_init(TesseraGtkLayout *self) {
  self->settings = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
  self->bindings = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
  self->delegates = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
}

TesseraGtkLayout *tessera_gtk_layout_new(const char *engine) {
  g_return_val_if_fail(engine != NULL, NULL);
  return g_object_new(TESSERA_GTK_TYPE_LAYOUT, "engine", engine, NULL);
}

const char *tessera_gtk_layout_get_engine(TesseraGtkLayout *self) {
  g_return_val_if_fail(TESSERA_GTK_IS_LAYOUT(self), NULL);
  return self->engine;
}

tg_session *tg_layout_get_session(TesseraGtkLayout *self) {
  if (!self->session) self->session = tg_session_new(self->engine ? self->engine : "");
  return self->session;
}

// MARK: Parameters, lists and values of sections

static void set(TesseraGtkLayout *self, tg_setting_kind kind, const char *name, GVariant *value) {
  if (value) g_variant_ref_sink(value);
  tg_setting *before = find(self->settings, kind, name);
  if (before && value && before->value && g_variant_equal(value, before->value)) {
    g_variant_unref(value);
    return;
  }
  tg_setting *setting = find_or_add(self->settings, kind, name);
  clear(setting);
  setting->value = value;
  g_signal_emit(self, changed, 0, FALSE);
}

void tessera_gtk_layout_set_parameter(TesseraGtkLayout *self, const char *name, GVariant *value) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  set(self, PARAMETER, name, value);
}

void tessera_gtk_layout_set_number(TesseraGtkLayout *self, const char *name, double number) {
  tessera_gtk_layout_set_parameter(self, name, g_variant_new_double(number));
}

void tessera_gtk_layout_set_size(TesseraGtkLayout *self, const char *name, double width, double height) {
  tessera_gtk_layout_set_parameter(self, name, g_variant_new("(dd)", width, height));
}

void tessera_gtk_layout_set_insets(TesseraGtkLayout *self, const char *name, double top, double left, double bottom, double right) {
  tessera_gtk_layout_set_parameter(self, name, g_variant_new("(dddd)", top, left, bottom, right));
}

void tessera_gtk_layout_set_choice(TesseraGtkLayout *self, const char *name, const char *choice) {
  g_return_if_fail(choice != NULL);
  tessera_gtk_layout_set_parameter(self, name, g_variant_new_string(choice));
}

GVariant *tessera_gtk_layout_get_parameter(TesseraGtkLayout *self, const char *name) {
  g_return_val_if_fail(TESSERA_GTK_IS_LAYOUT(self), NULL);
  tg_setting *setting = find(self->settings, PARAMETER, name);
  return setting ? setting->value : NULL;
}

void tessera_gtk_layout_set_list(TesseraGtkLayout *self, const char *list, GVariant *records) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && list && records);
  g_return_if_fail(g_variant_is_of_type(records, G_VARIANT_TYPE("aa{sv}")));
  set(self, LIST, list, records);
}

void tessera_gtk_layout_set_section_values(TesseraGtkLayout *self, const char *name, GVariant *values) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  g_return_if_fail(!values || g_variant_is_of_type(values, G_VARIANT_TYPE_ARRAY));
  set(self, SECTION_VALUES, name, values);
}

GPtrArray *tg_layout_take_changes(TesseraGtkLayout *self, gboolean all) {
  GPtrArray *taken = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
  for (guint i = 0; i < self->settings->len; i++) {
    tg_setting *setting = self->settings->pdata[i];
    // Setting the sections removes their values, so these are always set again.
    if (!all && !setting->is_new && setting->kind != SECTION_VALUES) continue;
    tg_setting *copy = g_new0(tg_setting, 1);
    *copy = *setting;
    copy->name = g_strdup(setting->name);
    if (copy->value) g_variant_ref(copy->value);
    g_ptr_array_add(taken, copy);
    setting->is_new = FALSE;
  }
  return taken;
}

// MARK: Values of items

// Changes how a value of items is found: one of the four.
static void bind(TesseraGtkLayout *self, const char *name, const char *property, GtkExpression *expression, GClosure *closure,
                 TesseraGtkValueFunc func, gpointer data, GDestroyNotify destroy) {
  tg_setting *binding = find_or_add(self->bindings, ITEM_VALUES, name);
  clear(binding);
  binding->property = g_strdup(property);
  binding->expression = expression ? gtk_expression_ref(expression) : NULL;
  binding->closure = closure ? keep_closure(closure) : NULL;
  binding->func = func, binding->data = data, binding->destroy = destroy;
  if (!property && !expression && !closure && !func) g_ptr_array_remove(self->bindings, binding);
  g_signal_emit(self, changed, 0, TRUE);
}

void tessera_gtk_layout_bind_property(TesseraGtkLayout *self, const char *name, const char *property) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  bind(self, name, property, NULL, NULL, NULL, NULL, NULL);
}

void tessera_gtk_layout_bind_expression(TesseraGtkLayout *self, const char *name, GtkExpression *expression) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && expression);
  bind(self, name, NULL, expression, NULL, NULL, NULL, NULL);
}

void tessera_gtk_layout_bind_closure(TesseraGtkLayout *self, const char *name, GClosure *closure) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && closure);
  bind(self, name, NULL, NULL, closure, NULL, NULL, NULL);
}

void tessera_gtk_layout_bind_func(TesseraGtkLayout *self, const char *name, TesseraGtkValueFunc func, gpointer data,
                                  GDestroyNotify destroy) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && func);
  bind(self, name, NULL, NULL, NULL, func, data, destroy);
}

gboolean tg_layout_has_item_values(TesseraGtkLayout *self) { return self->bindings->len > 0; }

GPtrArray *tg_layout_bound_properties(TesseraGtkLayout *self) {
  GPtrArray *names = g_ptr_array_new();
  for (guint i = 0; i < self->bindings->len; i++) {
    tg_setting *binding = self->bindings->pdata[i];
    if (binding->property) g_ptr_array_add(names, (gpointer)g_intern_string(binding->property));
  }
  return names;
}

// MARK: Delegate functions

void tessera_gtk_layout_set_delegate(TesseraGtkLayout *self, const char *name, GClosure *closure) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  tg_setting *delegate = find_or_add(self->delegates, DELEGATE, name);
  clear(delegate);
  delegate->session = tg_layout_get_session(self);
  if (closure) delegate->closure = keep_closure(closure);
  g_signal_emit(self, changed, 0, FALSE);
}

gboolean tg_layout_measures(TesseraGtkLayout *self) { return self->measures; }

void tg_layout_set_view(TesseraGtkLayout *self, TesseraGtkView *view) { self->view = view; }

// MARK: What can be set

static int32_t nothing(tessera_session *session, void *data) { return 0; }

static void keep_error(const GError *error, void *data) {
  GError **kept = data;
  *kept = error ? g_error_copy(error) : NULL;
}

gboolean tessera_gtk_layout_load(TesseraGtkLayout *self, GError **error) {
  g_return_val_if_fail(TESSERA_GTK_IS_LAYOUT(self), FALSE);
  tg_session *session = tg_layout_get_session(self);
  if (tg_session_get(session)) return TRUE;
  if (tg_session_is_busy(session)) {
    g_set_error_literal(error, TESSERA_GTK_ERROR, TESSERA_HOST_ERROR_MISUSED, "a view is starting this layout; wait until it is shown");
    return FALSE;
  }
  GError *failure = NULL;
  tg_session_run(session, G_MAXINT32 * (gint64)1000, nothing, keep_error, &failure);
  if (!failure) return TRUE;
  g_propagate_error(error, failure);
  return FALSE;
}

static GVariant *numbers_variant(const double *numbers, uint32_t count) {
  return g_variant_new_fixed_array(G_VARIANT_TYPE_DOUBLE, numbers, count, sizeof *numbers);
}

GVariant *tessera_gtk_layout_get_declarations(TesseraGtkLayout *self, gboolean values, GError **error) {
  tessera_host_declared declares = values ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_PARAMETERS;
  if (!tessera_gtk_layout_load(self, error)) return NULL;
  tessera_session *session = tg_session_get(self->session);
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sssasadad)"));
  for (uint32_t i = 0; i < tessera_session_declaration_count(session, declares); i++) {
    tessera_declaration declared;
    if (tessera_session_get_declaration(session, declares, i, &declared, sizeof declared)) continue;
    GVariantBuilder choices;
    g_variant_builder_init(&choices, G_VARIANT_TYPE_STRING_ARRAY);
    for (uint32_t choice = 0; choice < declared.choice_count; choice++)
      g_variant_builder_add(&choices, "s", tessera_session_declared_choice(session, declares, i, choice));
    double limits[2] = {declared.minimum[0], declared.maximum[0]};
    g_variant_builder_add(&builder, "(sss@as@ad@ad)", declared.name, declared.type, declared.help ? declared.help : "",
                          g_variant_builder_end(&choices), numbers_variant(declared.initial, declared.components),
                          numbers_variant(limits, 2));
  }
  return g_variant_ref_sink(g_variant_builder_end(&builder));
}

// MARK: Engines

void tessera_gtk_add_engine_folder(const char *path) {
  g_return_if_fail(path != NULL);
  tessera_engines_add_folder(tg_engines(), path);
}

void tessera_gtk_set_limits(double seconds, guint64 memory) {
  tessera_engines_set_time_limit(tg_engines(), seconds);
  tessera_engines_set_memory_limit(tg_engines(), memory);
}

static int by_name(gconstpointer a, gconstpointer b) {
  const char *first, *second;
  g_variant_get_child(*(GVariant *const *)a, 1, "&s", &first);
  g_variant_get_child(*(GVariant *const *)b, 1, "&s", &second);
  return g_utf8_collate(first, second);
}

GVariant *tessera_gtk_list_engines(GError **error) {
  tessera_engines *engines = tg_engines();
  uint64_t count = 0;
  int32_t status = tessera_engines_list(engines, &count, NULL);
  if (status) {
    g_set_error_literal(error, TESSERA_GTK_ERROR, status, tessera_engines_message(engines));
    return NULL;
  }
  GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
  for (uint64_t i = 0; i < count; i++) {
    tessera_engine_info info;
    if (tessera_engines_get(engines, i, &info, sizeof info) || info.shadowed_by) continue;
    g_ptr_array_add(rows, g_variant_ref_sink(g_variant_new("(sss)", info.id, info.name, info.summary ? info.summary : "")));
  }
  g_ptr_array_sort(rows, by_name);
  GVariant *list = g_variant_new_array(G_VARIANT_TYPE("(sss)"), (GVariant *const *)rows->pdata, rows->len);
  g_ptr_array_unref(rows);
  return g_variant_ref_sink(list);
}
