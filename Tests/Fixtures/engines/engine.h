// What the descriptions of the tests' engines have in common.

#ifndef ENGINE_H
#define ENGINE_H

#include <tessera/plain.h>

#define ENGINE(engine_id, engine_name, text)                                                       \
  .struct_size = sizeof(tessera_engine), .id = engine_id, .name = engine_name, .version = "1.0.0", \
  .author = "The Tessera authors", .license = "MIT", .summary = text

// An array of a description: its count, the size of an element, itself.
#define COUNT(array) (sizeof(array) / sizeof *(array))

// The arrays of a description, each with the name of its member.
#define PARAMETERS                                                                                 \
  .parameter_count = COUNT(parameters), .parameter_size = sizeof *parameters, .parameters = parameters
#define VALUES .value_count = COUNT(values), .value_size = sizeof *values, .values = values
#define LISTS .list_count = COUNT(lists), .list_size = sizeof *lists, .lists = lists
#define KINDS .kind_count = COUNT(kinds), .kind_size = sizeof *kinds, .kinds = kinds
#define FUNCTIONS                                                                                  \
  .function_count = COUNT(functions), .function_size = sizeof *functions, .functions = functions
#define ATTRIBUTES                                                                                 \
  .attribute_count = COUNT(attributes), .attribute_size = sizeof *attributes, .attributes = attributes

#define REGISTERS(engine)                                                                          \
  tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {          \
    (void)host;                                                                                    \
    return registry->add_engine(registry, &engine);                                                \
  }

#endif
