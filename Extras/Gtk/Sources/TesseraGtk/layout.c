// The layout: settings and bindings, and their way into the session.

#include "view.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE(TesseraGtkLayout, tessera_gtk_layout, G_TYPE_OBJECT)

enum { PROPERTY_0, PROPERTY_ENGINE, PROPERTY_PARAMETERS, PROPERTY_VALUES, PROPERTY_COUNT };
static GParamSpec *properties[PROPERTY_COUNT];
static guint changed;

// Keeps the name.
static void clear(tg_setting *self) {
  g_clear_pointer(&self->value, g_variant_unref);
  g_clear_pointer(&self->property, g_free);
  g_clear_pointer(&self->expression, gtk_expression_unref);
  g_clear_pointer(&self->closure, g_closure_unref);
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

// MARK: The object

static void set_all_parameters(TesseraGtkLayout *self, GVariant *parameters) {
  if (!parameters) return;
  GVariantIter iterator;
  const char *name;
  GVariant *value;
  g_variant_iter_init(&iterator, parameters);
  while (g_variant_iter_loop(&iterator, "{&sv}", &name, &value)) tessera_gtk_layout_set_parameter(self, name, value);
}

static void bind_all_properties(TesseraGtkLayout *self, GVariant *values) {
  if (!values) return;
  GVariantIter iterator;
  const char *name, *property;
  g_variant_iter_init(&iterator, values);
  while (g_variant_iter_next(&iterator, "{&s&s}", &name, &property)) tessera_gtk_layout_bind_property(self, name, property);
}

static GVariant *collect(GPtrArray *settings, const char *type) {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE(type));
  for (guint i = 0; i < settings->len; i++) {
    tg_setting *setting = settings->pdata[i];
    if (setting->kind == PARAMETER && setting->value) g_variant_builder_add(&builder, "{sv}", setting->name, setting->value);
    if (setting->property) g_variant_builder_add(&builder, "{ss}", setting->name, setting->property);
  }
  return g_variant_builder_end(&builder);
}

static void layout_get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  TesseraGtkLayout *self = TESSERA_GTK_LAYOUT(object);
  switch (id) {
  case PROPERTY_ENGINE: g_value_set_string(value, self->engine); break;
  case PROPERTY_PARAMETERS: g_value_set_variant(value, collect(self->settings, "a{sv}")); break;
  case PROPERTY_VALUES: g_value_set_variant(value, collect(self->bindings, "a{ss}")); break;
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
   * The engine: its id, the id's last part, the path of a library, or path#id.
   */
  properties[PROPERTY_ENGINE] = g_param_spec_string("engine", NULL, NULL, NULL, flags | G_PARAM_CONSTRUCT_ONLY);
  /**
   * TesseraGtkLayout:parameters:
   *
   * The parameters that were set, of the type `a{sv}`. Writing it changes only the named ones. In a
   * `.ui` file:
   * `<property name="parameters">{'itemSize': <(140, 90)>, 'scrollDirection':
   * <'horizontal'>}</property>`
   */
  properties[PROPERTY_PARAMETERS] = g_param_spec_variant("parameters", NULL, NULL, G_VARIANT_TYPE_VARDICT, NULL, flags);
  /**
   * TesseraGtkLayout:values:
   *
   * The property that each item value is bound to, of the type `a{ss}`. Writing it changes only the
   * named ones.
   */
  properties[PROPERTY_VALUES] = g_param_spec_variant("values", NULL, NULL, G_VARIANT_TYPE("a{ss}"), NULL, flags);
  g_object_class_install_properties(objects, PROPERTY_COUNT, properties);
  /**
   * TesseraGtkLayout::changed:
   * @self: the layout
   * @values: whether all item values must be read again
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

tg_setting *tg_layout_find(TesseraGtkLayout *self, tg_setting_kind kind, const char *name) { return find(self->settings, kind, name); }

void tessera_gtk_layout_set_parameter(TesseraGtkLayout *self, const char *name, GVariant *value) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  tg_setting *before = find(self->settings, PARAMETER, name);
  // Empties a list to reset it.
  if (!value && before && before->value && g_variant_is_of_type(before->value, TG_RECORDS)) value = g_variant_new("aa{sv}", NULL);
  set(self, PARAMETER, name, value);
}

void tessera_gtk_layout_set_number(TesseraGtkLayout *self, const char *name, double number) {
  tessera_gtk_layout_set_parameter(self, name, g_variant_new_double(number));
}

void tessera_gtk_layout_set_size(TesseraGtkLayout *self, const char *name, double width, double height) {
  tessera_gtk_layout_set_parameter(self, name, g_variant_new("(dd)", width, height));
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
    // Setting the sections removes their values, so set them again.
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

static GClosure *take_closure(GClosure *closure) {
  g_closure_sink(g_closure_ref(closure));
  if (G_CLOSURE_NEEDS_MARSHAL(closure)) g_closure_set_marshal(closure, g_cclosure_marshal_generic);
  return closure;
}

// Takes ownership of the expression and the closure.
static void bind(TesseraGtkLayout *self, const char *name, const char *property, GtkExpression *expression, GClosure *closure) {
  tg_setting *binding = find_or_add(self->bindings, ITEM_VALUES, name);
  clear(binding);
  binding->property = g_strdup(property);
  binding->expression = expression;
  binding->closure = closure;
  if (!property && !expression && !closure) g_ptr_array_remove(self->bindings, binding);
  g_signal_emit(self, changed, 0, TRUE);
}

void tessera_gtk_layout_bind_property(TesseraGtkLayout *self, const char *name, const char *property) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  bind(self, name, property, NULL, NULL);
}

void tessera_gtk_layout_bind_expression(TesseraGtkLayout *self, const char *name, GtkExpression *expression) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && expression);
  bind(self, name, NULL, gtk_expression_ref(expression), NULL);
}

void tessera_gtk_layout_bind_closure(TesseraGtkLayout *self, const char *name, GClosure *closure) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && closure);
  bind(self, name, NULL, NULL, take_closure(closure));
}

// MARK: Delegate functions

void tessera_gtk_layout_set_delegate(TesseraGtkLayout *self, const char *name, GClosure *closure) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  tg_setting *delegate = find_or_add(self->delegates, DELEGATE, name);
  clear(delegate);
  delegate->session = tg_layout_get_session(self);
  if (closure) delegate->closure = take_closure(closure);
  g_signal_emit(self, changed, 0, FALSE);
}

// MARK: Values

typedef struct {
  char *name;
  uint32_t components;
  uint64_t count;
  double *numbers;
  char **choices;  // count; null without strings
} tg_values;

static void values_free(tg_values *self) {
  for (uint64_t i = 0; self->choices && i < self->count; i++) g_free(self->choices[i]);
  g_free(self->name);
  g_free(self->numbers);
  g_free(self->choices);
  g_free(self);
}

gboolean tg_find_declaration(tessera_session *session, tessera_host_declared declares, const char *name, tessera_declaration *declared, uint32_t *index) {
  for (*index = 0; *index < tessera_session_declaration_count(session, declares); ++*index)
    if (!tessera_session_get_declaration(session, declares, *index, declared, sizeof *declared) && !strcmp(declared->name, name)) return TRUE;
  return FALSE;
}

// Lists start with initial values, the others with NaN, which the session rejects by name.
static tg_values *values_new(tessera_session *session, tessera_host_declared declares, const char *list, const char *name, uint64_t count) {
  char *full = list ? g_strconcat(list, ".", name, NULL) : g_strdup(name);
  tessera_declaration declared;
  uint32_t index;
  gboolean is_declared = tg_find_declaration(session, declares, full, &declared, &index);
  g_free(full);
  tg_values *self = g_new0(tg_values, 1);
  self->name = g_strdup(name);
  self->components = is_declared ? declared.components : 1;
  self->count = count;
  self->numbers = g_new(double, count * self->components + 1);
  if (list && is_declared && declared.choice_count) self->choices = g_new0(char *, count + 1);
  for (uint64_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < self->components; k++) self->numbers[i * self->components + k] = list && is_declared ? declared.initial[k] : NAN;
    if (self->choices) self->choices[i] = g_strdup(tessera_session_declared_choice(session, declares, index, (uint32_t)declared.initial[0]));
  }
  return self;
}

// At most 4 numbers; returns their count, or 0.
static guint numbers_of(const GValue *value, double *numbers) {
  GVariant *variant = G_VALUE_HOLDS_VARIANT(value) ? g_value_get_variant(value) : NULL;
  if (variant && g_variant_is_container(variant)) {
    guint count = 0;
    for (gsize i = 0; i < g_variant_n_children(variant) && count < 4; i++) {
      GVariant *child = g_variant_get_child_value(variant, i);
      GValue part = G_VALUE_INIT;
      double parts[4];
      g_dbus_gvariant_to_gvalue(child, &part);
      guint found = MIN(numbers_of(&part, parts), 4 - count);
      memcpy(numbers + count, parts, found * sizeof *parts);
      count += found;
      g_value_unset(&part);
      g_variant_unref(child);
    }
    return count;
  }
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  if (G_VALUE_HOLDS_DOUBLE(value)) numbers[0] = g_value_get_double(value);
  else if (G_VALUE_HOLDS_BOOLEAN(value)) numbers[0] = g_value_get_boolean(value);
  else if (G_VALUE_HOLDS_ENUM(value)) numbers[0] = g_value_get_enum(value);
  else if (g_value_transform(value, &number)) numbers[0] = g_value_get_double(&number);
  else return 0;
  return 1;
}

static void put(tg_values *self, uint64_t index, const GValue *value) {
  double four[4];
  memcpy(self->numbers + index * self->components, four, MIN(numbers_of(value, four), self->components) * sizeof *four);
  if (!G_VALUE_HOLDS_STRING(value)) return;
  if (!self->choices) self->choices = g_new0(char *, self->count);
  g_free(self->choices[index]);
  self->choices[index] = g_value_dup_string(value);
}

static void put_variant(tg_values *self, uint64_t index, GVariant *variant) {
  GValue value = G_VALUE_INIT;
  g_dbus_gvariant_to_gvalue(variant, &value);
  put(self, index, &value);
  g_value_unset(&value);
}

// MARK: Parameters, lists and values of sections

static int32_t apply_list(tg_setting *setting, tessera_session *session) {
  gsize count = g_variant_n_children(setting->value);
  int32_t status = tessera_session_set_list(session, setting->name, count);
  // Not a list.
  if (status && !count) return tessera_session_reset_parameter(session, setting->name), 0;
  if (status) return status;
  GHashTable *columns = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)values_free);
  for (gsize i = 0; i < count; i++) {
    GVariant *record = g_variant_get_child_value(setting->value, i), *value;
    GVariantIter fields;
    const char *name;
    g_variant_iter_init(&fields, record);
    while (g_variant_iter_loop(&fields, "{&sv}", &name, &value)) {
      tg_values *column = g_hash_table_lookup(columns, name);
      if (!column) {
        column = values_new(session, TESSERA_HOST_DECLARED_LIST_COLUMNS, setting->name, name, count);
        g_hash_table_insert(columns, column->name, column);
      }
      put_variant(column, i, value);
    }
    g_variant_unref(record);
  }
  GHashTableIter iterator;
  g_hash_table_iter_init(&iterator, columns);
  for (tg_values *column; !status && g_hash_table_iter_next(&iterator, NULL, (gpointer *)&column);)
    status = column->choices ? tessera_session_set_list_choices(session, setting->name, column->name, (const char *const *)column->choices, count,
                                                                sizeof(char *))
                             : tessera_session_set_list_column(session, setting->name, column->name, column->numbers, column->components, count,
                                                               column->components * sizeof(double));
  g_hash_table_unref(columns);
  return status;
}

static int32_t set_values(const tg_values *self, tessera_session *session, uint32_t scope) {
  if (self->choices)
    return tessera_session_set_value_choices(session, scope, self->name, (const char *const *)self->choices, self->count, sizeof(char *));
  if (!self->count) return 0;
  return tessera_session_set_values(session, scope, self->name, self->numbers, self->components, self->count, self->components * sizeof(double));
}

static int32_t apply_section_values(tg_setting *setting, tessera_session *session, uint64_t sections) {
  gsize given = setting->value ? g_variant_n_children(setting->value) : 0;
  if (!given || !sections) return 0;
  tg_values *values = values_new(session, TESSERA_HOST_DECLARED_SECTION_VALUES, NULL, setting->name, sections);
  for (uint64_t i = 0; i < sections; i++) {
    GVariant *value = g_variant_get_child_value(setting->value, MIN(i, given - 1));
    put_variant(values, i, value);
    g_variant_unref(value);
  }
  int32_t status = set_values(values, session, TESSERA_HOST_SCOPE_SECTION);
  values_free(values);
  return status;
}

static int32_t apply(tg_setting *setting, tessera_session *session, uint64_t sections) {
  if (setting->kind == SECTION_VALUES) return apply_section_values(setting, session, sections);
  // Unknown names are reset too.
  if (!setting->value) return tessera_session_reset_parameter(session, setting->name), 0;
  if (g_variant_is_of_type(setting->value, TG_RECORDS)) return apply_list(setting, session);
  if (g_variant_is_of_type(setting->value, G_VARIANT_TYPE_STRING))
    return tessera_session_set_parameter_choice(session, setting->name, g_variant_get_string(setting->value, NULL));
  GValue value = G_VALUE_INIT;
  g_dbus_gvariant_to_gvalue(setting->value, &value);
  double numbers[4];
  guint count = numbers_of(&value, numbers);
  g_value_unset(&value);
  return tessera_session_set_parameter(session, setting->name, numbers, count);
}

int32_t tg_layout_apply(GPtrArray *changes, tessera_session *session, uint64_t sections) {
  int32_t status = 0;
  for (guint i = 0; i < changes->len && !status; i++) status = apply(changes->pdata[i], session, sections);
  return status;
}

// MARK: Values of items

tg_gathering *tg_layout_gather(TesseraGtkLayout *self, guint first, guint removed, guint count, gboolean is_splice, GHashTable *only) {
  tg_gathering *gathering = g_new0(tg_gathering, 1);
  *gathering = (tg_gathering){g_object_ref(self), g_ptr_array_new_with_free_func((GDestroyNotify)values_free), is_splice, first, removed, count,
                              .only = only ? g_hash_table_ref(only) : NULL, .found = g_array_new(FALSE, FALSE, sizeof(guint))};
  for (guint i = 0; i < self->bindings->len; i++) {
    tg_setting *binding = self->bindings->pdata[i];
    g_ptr_array_add(gathering->columns,
                    values_new(tg_session_get(self->session), TESSERA_HOST_DECLARED_ITEM_VALUES, NULL, binding->name, count));
  }
  return gathering;
}

static void ask_closure(GClosure *closure, GObject *item, const tg_values *values, GValue *value) {
  GValue argument = G_VALUE_INIT;
  g_value_init(value, values->components > 1 ? G_TYPE_VARIANT : G_TYPE_DOUBLE);
  g_value_init(&argument, G_TYPE_OBJECT);
  g_value_set_object(&argument, item);
  g_closure_invoke(closure, value, 1, &argument, NULL);
  g_value_unset(&argument);
}

gboolean tg_gathering_go_on(tg_gathering *self, GListModel *items, gint64 budget) {
  gint64 deadline = g_get_monotonic_time() + budget;
  GPtrArray *bindings = self->layout->bindings;
  for (; self->next < self->count; self->next++) {
    if (self->next % 256 == 255 && g_get_monotonic_time() > deadline) return FALSE;
    GObject *item = g_list_model_get_item(items, self->first + self->next);
    gboolean is_asked = !self->only || g_hash_table_contains(self->only, item);
    if (self->only && is_asked) g_array_append_val(self->found, self->next);
    if (!self->only && self->layout->view) tg_view_watch(self->layout->view, item, FALSE);
    for (guint i = 0; is_asked && i < bindings->len && i < self->columns->len; i++) {
      tg_setting *binding = bindings->pdata[i];
      GValue value = G_VALUE_INIT;
      if (binding->closure) ask_closure(binding->closure, item, self->columns->pdata[i], &value);
      else if (binding->expression) gtk_expression_evaluate(binding->expression, item, &value);
      else if (g_object_class_find_property(G_OBJECT_GET_CLASS(item), binding->property))
        g_object_get_property(item, binding->property, &value);
      else if (!self->next)
        g_warning("the value %s is bound to the property %s, which a %s does not have", binding->name, binding->property, G_OBJECT_TYPE_NAME(item));
      if (!G_IS_VALUE(&value)) continue;
      put(self->columns->pdata[i], self->next, &value);
      g_value_unset(&value);
    }
    g_object_unref(item);
  }
  return TRUE;
}

// Replaces `removed` values at `index` by `count` new ones.
static int32_t splice_values(const tg_gathering *self, const tg_values *values, tessera_session *session, uint64_t index, uint64_t removed, uint64_t count) {
  uint64_t first = self->first + index;
  if (values->choices)
    return tessera_session_splice_value_choices(session, TESSERA_HOST_SCOPE_ITEM, values->name, first, removed,
                                                (const char *const *)values->choices + index, count, sizeof(char *));
  return tessera_session_splice_values(session, TESSERA_HOST_SCOPE_ITEM, values->name, first, removed, values->numbers + index * values->components,
                                       values->components, count, values->components * sizeof(double));
}

int32_t tg_gathering_send(tg_gathering *self, tessera_session *session) {
  int32_t status = 0;
  for (guint i = 0; i < self->columns->len && !status; i++) {
    tg_values *values = self->columns->pdata[i];
    if (!self->is_splice) status = set_values(values, session, TESSERA_HOST_SCOPE_ITEM);
    else if (!self->only) status = splice_values(self, values, session, 0, self->removed, self->count);
    for (guint k = 0; k < self->found->len && !status; k++) status = splice_values(self, values, session, g_array_index(self->found, guint, k), 1, 1);
  }
  return status;
}

void tg_gathering_free(tg_gathering *self) {
  g_clear_pointer(&self->only, g_hash_table_unref);
  g_array_unref(self->found);
  g_ptr_array_unref(self->columns);
  g_object_unref(self->layout);
  g_free(self);
}

// MARK: Delegate functions and sizes

typedef struct {
  tg_setting *delegate;
  const double *arguments;
  uint32_t argument_count;
  double *result;
  uint32_t result_count;
} tg_question;

static int32_t answer(void *data) {
  tg_question *question = data;
  GValue *arguments = g_new0(GValue, question->argument_count), result = G_VALUE_INIT;
  for (uint32_t i = 0; i < question->argument_count; i++) {
    g_value_init(arguments + i, G_TYPE_DOUBLE);
    g_value_set_double(arguments + i, question->arguments[i]);
  }
  g_value_init(&result, G_TYPE_DOUBLE);
  g_closure_invoke(question->delegate->closure, &result, question->argument_count, arguments, NULL);
  if (question->result_count) question->result[0] = g_value_get_double(&result);
  for (uint32_t i = 1; i < question->result_count; i++) question->result[i] = 0;
  g_free(arguments);
  return 0;
}

static int32_t call_delegate(void *context, const double *arguments, uint32_t argument_count, double *result, uint32_t result_count) {
  tg_question question = {context, arguments, argument_count, result, result_count};
  return tg_session_ask_main(question.delegate->session, answer, &question);
}

static int32_t measure_supplementary(void *context, const char *kind, uint64_t section, const double proposed[2], double measured[2]) {
  tg_measuring measuring = {context, kind, section, 0, proposed, measured};
  return tg_session_ask_main(measuring.layout->session, tg_view_measure, &measuring);
}

static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  tg_measuring measuring = {context, NULL, section, item, proposed, measured};
  return tg_session_ask_main(measuring.layout->session, tg_view_measure, &measuring);
}

int32_t tg_layout_set_functions(TesseraGtkLayout *self, tessera_session *session) {
  int32_t status = 0;
  for (guint i = 0; i < self->delegates->len && !status; i++) {
    tg_setting *delegate = self->delegates->pdata[i];
    if (delegate->is_new) status = tessera_session_set_delegate(session, delegate->name, delegate->closure ? call_delegate : NULL, delegate);
    if (!delegate->closure) status = 0;
    delegate->is_new = FALSE;
  }
  if (self->measures || status || !(tessera_session_needs(session) & TESSERA_HOST_NEEDS_MEASURING)) return status;
  self->measures = TRUE;
  status = tessera_session_set_measure(session, measure, self);
  return status ? status : tessera_session_set_measure_supplementary(session, measure_supplementary, self);
}

// MARK: What can be set

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
  tg_session_run(session, G_MAXINT32 * (gint64)1000, NULL, keep_error, &failure);
  if (failure) g_propagate_error(error, failure);
  return !failure;
}

GVariant *tg_numbers(const double *numbers, guint count) {
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
                          g_variant_builder_end(&choices), tg_numbers(declared.initial, declared.components),
                          tg_numbers(limits, 2));
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

GVariant *tessera_gtk_list_engines(GError **error) {
  tessera_engines *engines = tg_engines();
  uint64_t count = 0;
  int32_t status = tessera_engines_list(engines, &count, NULL);
  if (status) {
    g_set_error_literal(error, TESSERA_GTK_ERROR, status, tessera_engines_message(engines));
    return NULL;
  }
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sss)"));
  for (uint64_t i = 0; i < count; i++) {
    tessera_engine_info info;
    if (tessera_engines_get(engines, i, &info, sizeof info) || info.shadowed_by) continue;
    g_variant_builder_add(&builder, "(sss)", info.id, info.name, info.summary ? info.summary : "");
  }
  return g_variant_ref_sink(g_variant_builder_end(&builder));
}
