// Common declarations of test engines. Define VERSION before including to set it.
#include <tessera/plain.h>

TESSERA_NOTE;

#ifndef VERSION
#define VERSION "1.0.0"
#endif

#define ENGINE(its_name, ...)                                                                      \
  {.struct_size = sizeof(tessera_engine),                                                          \
   .id = "org.example." its_name,                                                                  \
   .name = its_name,                                                                               \
   .version = VERSION,                                                                             \
   .author = "A test",                                                                             \
   .license = "MIT",                                                                               \
   .summary = "An engine of a test.",                                                              \
   .parameter_size = sizeof(tessera_parameter),                                                    \
   .value_size = sizeof(tessera_value_declaration),                                                \
   .function_size = sizeof(tessera_function_declaration),                                          \
   .attribute_size = sizeof(tessera_attribute),                                                    \
   .kind_size = sizeof(tessera_kind),                                                              \
   .default_size = sizeof(tessera_setting),                                                        \
   .list_size = sizeof(tessera_list_declaration),                                                  \
   __VA_ARGS__}

// LIST(kind, kinds): an array and its count.
#define LIST(its_name, array) .its_name##_count = sizeof array / sizeof *array, .its_name##s = array

#define TRY(call)                                                                                  \
  do {                                                                                             \
    tessera_status try_status = (call);                                                            \
    if (try_status != TESSERA_OK) return try_status;                                               \
  } while (0)

static inline tessera_status prepare_nothing(tessera_layout *layout, const tessera_input *in,
                                             tessera_output *out) {
  (void)layout, (void)in;
  out->set_content_size(out, (tessera_size){0, 0});
  return TESSERA_OK;
}

static inline tessera_status nothing_in_rect(tessera_layout *layout, const tessera_input *in,
                                             tessera_rect rect, tessera_output *out) {
  return (void)layout, (void)in, (void)rect, (void)out, TESSERA_OK;
}

static inline tessera_status no_element(tessera_layout *layout, const tessera_input *in,
                                        const tessera_run *run, tessera_output *out) {
  return (void)layout, (void)in, (void)run, (void)out, TESSERA_OK;
}

// Registers engines: REGISTER(ENGINE(…), ENGINE(…))
#define REGISTER(...)                                                                            \
  static const tessera_engine engines[] = {__VA_ARGS__};                                         \
  tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {        \
    (void)host;                                                                                  \
    tessera_status status = TESSERA_OK;                                                          \
    for (unsigned i = 0; status == TESSERA_OK && i < sizeof engines / sizeof *engines; i++)      \
      status = registry->add_engine(registry, &engines[i]);                                      \
    return status;                                                                               \
  }                                                                                              \
  struct tessera_layout
