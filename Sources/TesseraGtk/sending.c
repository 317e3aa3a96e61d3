// What the session is given: settings, values of items, delegate functions and measured sizes.

#include "layout.h"

#include <graphene-gobject.h>
#include <math.h>
#include <string.h>

// MARK: Parameters, lists and values of sections

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

void tg_values_free(tg_values *self) {
  g_free(self->name);
  g_free(self->numbers);
  if (self->choices)
    for (uint64_t i = 0; i < self->count; i++) g_free(self->choices[i]);
  g_free(self->choices);
  g_free(self);
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
    tg_setting *binding = self->bindings->pdata[i];
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

static void ask(tg_setting *binding, GObject *item, guint index, tg_values *values) {
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

void tg_layout_measure_again(TesseraGtkLayout *self, tessera_session *session, const char *kind, uint64_t section, uint64_t item) {
  double proposed[2], size[2];
  tg_measuring measuring = {self, kind, section, item, proposed, size};
  // An element that the model has lost since is not there to be measured.
  if (!tessera_session_proposed_size(session, kind, section, item, proposed, proposed + 1) &&
      !tg_session_ask_main(self->session, measure_now, &measuring))
    tessera_session_set_measured(session, kind, section, item, size, 1);
}

int32_t tg_layout_set_functions(TesseraGtkLayout *self, tessera_session *session) {
  int32_t status = 0;
  for (guint i = 0; i < self->delegates->len && !status; i++) {
    tg_setting *delegate = self->delegates->pdata[i];
    if (delegate->is_new) status = tessera_session_set_delegate(session, delegate->name, delegate->closure ? call_delegate : NULL, delegate);
    delegate->is_new = FALSE;
  }
  if (self->measures || status || !(tessera_session_needs(session) & TESSERA_HOST_NEEDS_MEASURING)) return status;
  self->measures = TRUE;
  status = tessera_session_set_measure(session, measure, self);
  return status ? status : tessera_session_set_measure_supplementary(session, measure_supplementary, self);
}
