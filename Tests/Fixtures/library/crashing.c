// An engine that dies on demand: by a trap or by an endless loop.
#include <tessera/tessera.h>

TESSERA_NOTE;

static const tessera_parameter parameters[] = {
    {.name = "trap", .help = "1: it traps.", .type = TESSERA_TYPE_BOOL},
    {.name = "hang", .help = "1: it never comes back.", .type = TESSERA_TYPE_BOOL},
};

static tessera_status prepare(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
  (void)layout;
  if (input->parameters[0].boolean) __builtin_trap();
  for (volatile uint8_t hang = input->parameters[1].boolean; hang;) continue;
  output->set_content_size(output, (tessera_size){1, 2});
  return TESSERA_OK;
}

static const tessera_engine engine = {
    .struct_size = sizeof(tessera_engine), .id = "org.example.crashing", .name = "Crashing", .version = "1.2.3",
    .author = "Nobody", .license = "MIT", .summary = "Dies.", .parameters = parameters, .parameter_count = 2,
    .parameter_size = sizeof(tessera_parameter), .prepare = prepare};

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
