#include "private.h"

#include <graphene-gobject.h>
#include <math.h>
#include <string.h>

// How one value of items is found.
typedef struct {
  char *name;
  char *property;
  GtkExpression *expression;
  GClosure *closure;
  TesseraGtkValueFunc func;
  gpointer data;
  GDestroyNotify destroy;
} tg_binding;

// A parameter, list or value of sections that was set.
typedef enum { PARAMETER, LIST, SECTION_VALUES } tg_setting_kind;

typedef struct {
  tg_setting_kind kind;
  gboolean is_new; // the session does not have it yet
  char *name;
  GVariant *value; // null: reset
} tg_setting;

typedef struct {
  tg_session *session; // not owned: the layout's
  char *name;
  GClosure *closure;
  gboolean is_new; // the session does not have it yet
} tg_delegate;

struct _TesseraGtkLayout {
  GObject parent;
  char *engine;
  tg_session *session;
  GPtrArray *settings; // of tg_setting, in the order in which they were first set
  GPtrArray *bindings; // of tg_binding
  GPtrArray *delegates; // of tg_delegate
  TesseraGtkView *view; // not owned: it says when it goes
  gboolean measures;    // the session knows what measures elements
};

G_DEFINE_FINAL_TYPE(TesseraGtkLayout, tessera_gtk_layout, G_TYPE_OBJECT)

enum { PROPERTY_0, PROPERTY_ENGINE, PROPERTY_PARAMETERS, PROPERTY_VALUES, PROPERTY_COUNT };
static GParamSpec *properties[PROPERTY_COUNT];
static guint changed;

static void binding_free(tg_binding *self) {
  g_free(self->name);
  g_free(self->property);
  g_clear_pointer(&self->expression, gtk_expression_unref);
  g_clear_pointer(&self->closure, g_closure_unref);
  if (self->destroy) self->destroy(self->data);
  g_free(self);
}

static void setting_free(tg_setting *self) {
  g_free(self->name);
  g_clear_pointer(&self->value, g_variant_unref);
  g_free(self);
}

static void delegate_free(tg_delegate *self) {
  g_free(self->name);
  g_clear_pointer(&self->closure, g_closure_unref);
  g_free(self);
}

void tg_values_free(tg_values *self) {
  g_free(self->name);
  g_free(self->numbers);
  if (self->choices)
    for (uint64_t i = 0; i < self->count; i++) g_free(self->choices[i]);
  g_free(self->choices);
  g_free(self);
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
    tg_binding *binding = self->bindings->pdata[i];
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
  self->bindings = g_ptr_array_new_with_free_func((GDestroyNotify)binding_free);
  self->delegates = g_ptr_array_new_with_free_func((GDestroyNotify)delegate_free);
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
  tg_setting *setting = NULL;
  for (guint i = 0; i < self->settings->len && !setting; i++) {
    tg_setting *other = self->settings->pdata[i];
    if (other->kind == kind && !strcmp(other->name, name)) setting = other;
  }
  if (!setting) {
    setting = g_new0(tg_setting, 1);
    setting->kind = kind;
    setting->name = g_strdup(name);
    g_ptr_array_add(self->settings, setting);
  } else if (value && setting->value && g_variant_equal(value, setting->value)) {
    g_variant_unref(g_variant_ref_sink(value));
    return;
  }
  g_clear_pointer(&setting->value, g_variant_unref);
  setting->value = value ? g_variant_ref_sink(value) : NULL;
  setting->is_new = TRUE;
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
  for (guint i = 0; i < self->settings->len; i++) {
    tg_setting *setting = self->settings->pdata[i];
    if (setting->kind == PARAMETER && !strcmp(setting->name, name)) return setting->value;
  }
  return NULL;
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

// The numbers of a value, at most 4; 0 if it is a string.
static guint numbers_of_variant(GVariant *value, double *numbers) {
  switch (g_variant_classify(value)) {
  case G_VARIANT_CLASS_DOUBLE: numbers[0] = g_variant_get_double(value); return 1;
  case G_VARIANT_CLASS_BOOLEAN: numbers[0] = g_variant_get_boolean(value); return 1;
  case G_VARIANT_CLASS_BYTE: numbers[0] = g_variant_get_byte(value); return 1;
  case G_VARIANT_CLASS_INT16: numbers[0] = g_variant_get_int16(value); return 1;
  case G_VARIANT_CLASS_UINT16: numbers[0] = g_variant_get_uint16(value); return 1;
  case G_VARIANT_CLASS_INT32: numbers[0] = g_variant_get_int32(value); return 1;
  case G_VARIANT_CLASS_UINT32: numbers[0] = g_variant_get_uint32(value); return 1;
  case G_VARIANT_CLASS_INT64: numbers[0] = (double)g_variant_get_int64(value); return 1;
  case G_VARIANT_CLASS_UINT64: numbers[0] = (double)g_variant_get_uint64(value); return 1;
  case G_VARIANT_CLASS_VARIANT:
  case G_VARIANT_CLASS_TUPLE:
  case G_VARIANT_CLASS_ARRAY: {
    guint count = 0;
    for (gsize i = 0; i < g_variant_n_children(value) && count < 4; i++) {
      GVariant *child = g_variant_get_child_value(value, i);
      double parts[4];
      if (numbers_of_variant(child, parts)) numbers[count++] = parts[0];
      if (g_variant_is_of_type(value, G_VARIANT_TYPE_VARIANT)) count = numbers_of_variant(child, numbers);
      g_variant_unref(child);
    }
    return count;
  }
  default: return 0;
  }
}

static const char *string_of_variant(GVariant *value) {
  return g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) ? g_variant_get_string(value, NULL) : NULL;
}

static int32_t apply_list(tg_setting *setting, tessera_session *session) {
  gsize count = g_variant_n_children(setting->value);
  int32_t status = tessera_session_set_list(session, setting->name, count);
  // Each column that any record has; records without it keep its initial value.
  GHashTable *columns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (gsize i = 0; i < count; i++) {
    GVariant *record = g_variant_get_child_value(setting->value, i);
    GVariantIter iterator;
    char *name;
    g_variant_iter_init(&iterator, record);
    while (g_variant_iter_next(&iterator, "{sv}", &name, NULL)) g_hash_table_add(columns, name);
    g_variant_unref(record);
  }
  GHashTableIter iterator;
  gpointer key;
  g_hash_table_iter_init(&iterator, columns);
  while (!status && g_hash_table_iter_next(&iterator, &key, NULL)) {
    char *full = g_strdup_printf("%s.%s", setting->name, (char *)key);
    tessera_declaration declared = {.components = 1};
    const char *initial_choice = NULL;
    for (uint32_t i = 0; i < tessera_session_declaration_count(session, TESSERA_HOST_DECLARED_LIST_COLUMNS); i++) {
      tessera_declaration other;
      if (tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_LIST_COLUMNS, i, &other, sizeof other)) continue;
      if (strcmp(other.name, full)) continue;
      declared = other;
      if (other.choice_count)
        initial_choice = tessera_session_declared_choice(session, TESSERA_HOST_DECLARED_LIST_COLUMNS, i, (uint32_t)other.initial[0]);
    }
    double *numbers = g_new0(double, count * 4 + 1);
    const char **choices = g_new0(const char *, count + 1);
    GPtrArray *kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
    for (gsize i = 0; i < count; i++) {
      GVariant *record = g_variant_get_child_value(setting->value, i);
      GVariant *value = g_variant_lookup_value(record, key, NULL);
      double four[4];
      memcpy(four, declared.initial, sizeof four);
      choices[i] = initial_choice;
      if (value) {
        g_ptr_array_add(kept, value);
        if (string_of_variant(value)) choices[i] = string_of_variant(value);
        else numbers_of_variant(value, four);
      }
      memcpy(numbers + i * declared.components, four, declared.components * sizeof(double));
      g_variant_unref(record);
    }
    if (initial_choice) status = tessera_session_set_list_choices(session, setting->name, key, choices, count, sizeof *choices);
    else
      status = tessera_session_set_list_column(session, setting->name, key, numbers, declared.components, count,
                                               declared.components * sizeof(double));
    g_ptr_array_unref(kept);
    g_free(numbers);
    g_free(choices);
    g_free(full);
  }
  g_hash_table_unref(columns);
  return status;
}

static int32_t apply_section_values(tg_setting *setting, tessera_session *session, uint64_t sections) {
  gsize given = setting->value ? g_variant_n_children(setting->value) : 0;
  if (!given || !sections) return 0;
  double *numbers = g_new0(double, sections * 4);
  const char **choices = g_new0(const char *, sections);
  GPtrArray *kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
  guint components = 0;
  for (uint64_t i = 0; i < sections; i++) {
    GVariant *value = g_variant_get_child_value(setting->value, MIN(i, given - 1));
    g_ptr_array_add(kept, value);
    double four[4] = {0};
    components = numbers_of_variant(value, four);
    choices[i] = string_of_variant(value);
    memcpy(numbers + i * components, four, components * sizeof(double));
  }
  int32_t status = components ? tessera_session_set_values(session, TESSERA_HOST_SCOPE_SECTION, setting->name, numbers, components, sections,
                                                           components * sizeof(double))
                              : tessera_session_set_value_choices(session, TESSERA_HOST_SCOPE_SECTION, setting->name, choices, sections,
                                                                  sizeof *choices);
  g_ptr_array_unref(kept);
  g_free(numbers);
  g_free(choices);
  return status;
}

static int32_t apply(tg_setting *setting, tessera_session *session, uint64_t sections) {
  if (setting->kind == LIST) return apply_list(setting, session);
  if (setting->kind == SECTION_VALUES) return apply_section_values(setting, session, sections);
  if (!setting->value) return tessera_session_reset_parameter(session, setting->name);
  const char *choice = string_of_variant(setting->value);
  if (choice) return tessera_session_set_parameter_choice(session, setting->name, choice);
  double numbers[4];
  guint count = numbers_of_variant(setting->value, numbers);
  return tessera_session_set_parameter(session, setting->name, numbers, count);
}

int32_t tg_layout_apply(GPtrArray *changes, tessera_session *session, uint64_t sections) {
  int32_t status = 0;
  for (guint i = 0; i < changes->len && !status; i++) status = apply(changes->pdata[i], session, sections);
  return status;
}

// MARK: Values of items

static tg_binding *binding_to_set(TesseraGtkLayout *self, const char *name) {
  for (guint i = 0; i < self->bindings->len; i++) {
    tg_binding *binding = self->bindings->pdata[i];
    if (!strcmp(binding->name, name)) {
      g_ptr_array_remove_index(self->bindings, i);
      break;
    }
  }
  tg_binding *binding = g_new0(tg_binding, 1);
  binding->name = g_strdup(name);
  g_ptr_array_add(self->bindings, binding);
  return binding;
}

void tessera_gtk_layout_bind_property(TesseraGtkLayout *self, const char *name, const char *property) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  tg_binding *binding = binding_to_set(self, name);
  if (property) binding->property = g_strdup(property);
  else g_ptr_array_remove(self->bindings, binding);
  g_signal_emit(self, changed, 0, TRUE);
}

void tessera_gtk_layout_bind_expression(TesseraGtkLayout *self, const char *name, GtkExpression *expression) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && expression);
  binding_to_set(self, name)->expression = gtk_expression_ref(expression);
  g_signal_emit(self, changed, 0, TRUE);
}

void tessera_gtk_layout_bind_closure(TesseraGtkLayout *self, const char *name, GClosure *closure) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && closure);
  g_closure_ref(closure);
  g_closure_sink(closure);
  if (G_CLOSURE_NEEDS_MARSHAL(closure)) g_closure_set_marshal(closure, g_cclosure_marshal_generic);
  binding_to_set(self, name)->closure = closure;
  g_signal_emit(self, changed, 0, TRUE);
}

void tessera_gtk_layout_bind_func(TesseraGtkLayout *self, const char *name, TesseraGtkValueFunc func, gpointer data,
                                  GDestroyNotify destroy) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name && func);
  tg_binding *binding = binding_to_set(self, name);
  binding->func = func;
  binding->data = data;
  binding->destroy = destroy;
  g_signal_emit(self, changed, 0, TRUE);
}

gboolean tg_layout_has_item_values(TesseraGtkLayout *self) { return self->bindings->len > 0; }

GPtrArray *tg_layout_bound_properties(TesseraGtkLayout *self) {
  GPtrArray *names = g_ptr_array_new();
  for (guint i = 0; i < self->bindings->len; i++) {
    tg_binding *binding = self->bindings->pdata[i];
    if (binding->property) g_ptr_array_add(names, (gpointer)g_intern_string(binding->property));
  }
  return names;
}

// The numbers of a value; 0 if it is a string or none.
static guint numbers_of_value(const GValue *value, double *numbers) {
  if (G_VALUE_HOLDS_DOUBLE(value)) numbers[0] = g_value_get_double(value);
  else if (G_VALUE_HOLDS_VARIANT(value)) {
    GVariant *variant = g_value_get_variant(value);
    return variant ? numbers_of_variant(variant, numbers) : 0;
  } else if (G_VALUE_HOLDS(value, GRAPHENE_TYPE_SIZE)) {
    const graphene_size_t *size = g_value_get_boxed(value);
    if (!size) return 0;
    numbers[0] = size->width, numbers[1] = size->height;
    return 2;
  } else if (G_VALUE_HOLDS_STRING(value)) {
    return 0;
  } else if (G_VALUE_HOLDS_ENUM(value)) {
    numbers[0] = g_value_get_enum(value);
  } else {
    GValue number = G_VALUE_INIT;
    g_value_init(&number, G_TYPE_DOUBLE);
    if (!g_value_transform(value, &number)) return 0;
    numbers[0] = g_value_get_double(&number);
  }
  return 1;
}

struct tg_gathering {
  TesseraGtkLayout *layout;
  GPtrArray *columns; // of tg_values, one for each binding
  guint first, next, count;
};

// How many numbers the type of a value has, as its engine declares.
static uint32_t declared_components(TesseraGtkLayout *self, const char *name) {
  tessera_session *session = tg_session_get(self->session);
  for (uint32_t i = 0; i < tessera_session_declaration_count(session, TESSERA_HOST_DECLARED_ITEM_VALUES); i++) {
    tessera_declaration declared;
    if (!tessera_session_get_declaration(session, TESSERA_HOST_DECLARED_ITEM_VALUES, i, &declared, sizeof declared) &&
        !strcmp(declared.name, name))
      return declared.components;
  }
  return 1;
}

tg_gathering *tg_layout_gather(TesseraGtkLayout *self, GListModel *items, guint first, guint removed, guint count, gboolean is_splice) {
  tg_gathering *gathering = g_new0(tg_gathering, 1);
  gathering->layout = g_object_ref(self);
  gathering->columns = g_ptr_array_new_with_free_func((GDestroyNotify)tg_values_free);
  gathering->first = gathering->next = first;
  gathering->count = count;
  for (guint i = 0; i < self->bindings->len; i++) {
    tg_binding *binding = self->bindings->pdata[i];
    tg_values *values = g_new0(tg_values, 1);
    values->name = g_strdup(binding->name);
    values->scope = TESSERA_HOST_SCOPE_ITEM;
    values->components = declared_components(self, binding->name);
    values->is_splice = is_splice;
    values->place = first;
    values->removed = removed;
    values->count = count;
    values->numbers = g_new(double, (gsize)count * values->components + 4);
    g_ptr_array_add(gathering->columns, values);
  }
  return gathering;
}

static void ask(tg_binding *binding, GObject *item, guint index, tg_values *values) {
  double *numbers = values->numbers + (gsize)index * values->components;
  if (binding->func) {
    binding->func(item, numbers, binding->data);
    return;
  }
  GValue value = G_VALUE_INIT;
  if (binding->property) {
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(item), binding->property);
    if (property) g_object_get_property(item, binding->property, &value);
  } else if (binding->expression) {
    gtk_expression_evaluate(binding->expression, item, &value);
  } else {
    GValue argument = G_VALUE_INIT;
    g_value_init(&argument, G_TYPE_OBJECT);
    g_value_set_object(&argument, item);
    g_value_init(&value, G_TYPE_DOUBLE);
    g_closure_invoke(binding->closure, &value, 1, &argument, NULL);
    g_value_unset(&argument);
  }
  double four[4] = {NAN, NAN, NAN, NAN}; // which the session refuses, with the name of the value
  if (G_IS_VALUE(&value)) {
    if (G_VALUE_HOLDS_STRING(&value)) {
      if (!values->choices) values->choices = g_new0(char *, values->count);
      values->choices[index] = g_value_dup_string(&value);
    } else {
      numbers_of_value(&value, four);
    }
    g_value_unset(&value);
  }
  memcpy(numbers, four, values->components * sizeof *four);
}

gboolean tg_gathering_go_on(tg_gathering *self, GListModel *items, gint64 budget) {
  gint64 deadline = g_get_monotonic_time() + budget;
  GPtrArray *bindings = self->layout->bindings;
  for (; self->next < self->first + self->count; self->next++) {
    if (self->next % 256 == 255 && g_get_monotonic_time() > deadline) return FALSE;
    GObject *item = g_list_model_get_item(items, self->next);
    for (guint i = 0; i < bindings->len && i < self->columns->len; i++)
      ask(bindings->pdata[i], item, self->next - self->first, self->columns->pdata[i]);
    g_object_unref(item);
  }
  return TRUE;
}

GPtrArray *tg_gathering_finish(tg_gathering *self) {
  GPtrArray *columns = g_steal_pointer(&self->columns);
  tg_gathering_free(self);
  return columns;
}

void tg_gathering_free(tg_gathering *self) {
  if (!self) return;
  g_clear_pointer(&self->columns, g_ptr_array_unref);
  g_object_unref(self->layout);
  g_free(self);
}

// MARK: Delegate functions

typedef struct {
  tg_delegate *delegate;
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

void tessera_gtk_layout_set_delegate(TesseraGtkLayout *self, const char *name, GClosure *closure) {
  g_return_if_fail(TESSERA_GTK_IS_LAYOUT(self) && name);
  tg_delegate *delegate = NULL;
  for (guint i = 0; i < self->delegates->len && !delegate; i++) {
    tg_delegate *other = self->delegates->pdata[i];
    if (!strcmp(other->name, name)) delegate = other;
  }
  if (!delegate) {
    delegate = g_new0(tg_delegate, 1);
    delegate->name = g_strdup(name);
    g_ptr_array_add(self->delegates, delegate);
  }
  delegate->session = tg_layout_get_session(self);
  delegate->is_new = TRUE;
  g_clear_pointer(&delegate->closure, g_closure_unref);
  if (closure) {
    delegate->closure = g_closure_ref(closure);
    g_closure_sink(closure);
    if (G_CLOSURE_NEEDS_MARSHAL(closure)) g_closure_set_marshal(closure, g_cclosure_marshal_generic);
  }
  g_signal_emit(self, changed, 0, FALSE);
}

typedef struct {
  TesseraGtkLayout *layout;
  const char *kind;
  uint64_t section, item;
  const double *proposed;
  double *measured;
} tg_measuring;

static int32_t measure_now(void *data) {
  tg_measuring *measuring = data;
  memcpy(measuring->measured, measuring->proposed, 2 * sizeof(double));
  if (!measuring->layout->view) return 0;
  return tg_view_measure(measuring->layout->view, measuring->kind, measuring->section, measuring->item, measuring->proposed,
                         measuring->measured);
}

static int32_t measure_supplementary(void *context, const char *kind, uint64_t section, const double proposed[2], double measured[2]) {
  tg_measuring measuring = {context, kind, section, 0, proposed, measured};
  return tg_session_ask_main(measuring.layout->session, measure_now, &measuring);
}

static int32_t measure(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  tg_measuring measuring = {context, NULL, section, item, proposed, measured};
  return tg_session_ask_main(measuring.layout->session, measure_now, &measuring);
}

void tg_layout_set_view(TesseraGtkLayout *self, TesseraGtkView *view) { self->view = view; }

int32_t tg_layout_set_functions(TesseraGtkLayout *self, tessera_session *session) {
  int32_t status = 0;
  for (guint i = 0; i < self->delegates->len && !status; i++) {
    tg_delegate *delegate = self->delegates->pdata[i];
    if (delegate->is_new) status = tessera_session_set_delegate(session, delegate->name, delegate->closure ? call_delegate : NULL, delegate);
    delegate->is_new = FALSE;
  }
  if (self->measures || status || !(tessera_session_needs(session) & TESSERA_HOST_NEEDS_MEASURING)) return status;
  self->measures = TRUE;
  status = tessera_session_set_measure(session, measure, self);
  return status ? status : tessera_session_set_measure_supplementary(session, measure_supplementary, self);
}

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
