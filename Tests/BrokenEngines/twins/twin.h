#ifndef TWIN_H
#define TWIN_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/plain.h>

#define TWIN(called)                                                                               \
  .struct_size = sizeof(tessera_engine), .id = "org.example.twin." called, .name = called,         \
  .version = "1.0.0", .author = "The Tessera authors", .license = "MIT",                           \
  .summary = "Keeps every rule that it is examined for."

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define PARAMETERS                                                                                 \
  .parameter_count = COUNT(parameters), .parameter_size = sizeof *parameters,                      \
  .parameters = parameters
#define VALUES .value_count = COUNT(values), .value_size = sizeof *values, .values = values
#define LISTS .list_count = COUNT(lists), .list_size = sizeof *lists, .lists = lists
#define KINDS .kind_count = COUNT(kinds), .kind_size = sizeof *kinds, .kinds = kinds
#define FUNCTIONS                                                                                  \
  .function_count = COUNT(functions), .function_size = sizeof *functions, .functions = functions
#define ATTRIBUTES                                                                                 \
  .attribute_count = COUNT(attributes), .attribute_size = sizeof *attributes,                      \
  .attributes = attributes

#define REGISTERS(engine)                                                                          \
  tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {          \
    (void)host;                                                                                    \
    return registry->add_engine(registry, &engine);                                                \
  }

#define refuse(layout, ...) plain_refuse((layout)->host, TESSERA_ERROR_INVALID_VALUE, __VA_ARGS__)

// Section of an item counted over all sections, by binary search; section_count if beyond the last.
static inline uint32_t section_of(const tessera_input *in, uint64_t at) {
  uint32_t section = 0, end = in->section_count;
  while (section < end) {
    const uint32_t middle = section + (end - section) / 2;
    if (in->section_starts[middle + 1] > at) end = middle;
    else section = middle + 1;
  }
  return section;
}

#endif
