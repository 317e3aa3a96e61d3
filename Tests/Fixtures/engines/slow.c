// A lazy engine without elements. Delays: `band` s per rect, after `pause` s once.

#include <time.h>

#include "engine.h"

static void spend(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  if (seconds > 0) nanosleep(&time, 0);
}

static tessera_status prepare(tessera_layout *layout, const tessera_input *in, tessera_output *out) {
  (void)layout;
  out->set_content_size(out, (tessera_size){100, in->parameters[1].number});
  return TESSERA_OK;
}

static tessera_status elements_in_rect(tessera_layout *layout, const tessera_input *in, tessera_rect rect, tessera_output *out) {
  (void)layout, (void)rect, (void)out;
  const tessera_function pause = in->functions[0];
  if (pause.call) ((uint32_t(*)(void *))pause.call)(pause.context);
  spend(in->parameters[0].number);
  return TESSERA_OK;
}

#define NUMBER(its_name, its_initial) {.name = its_name, .help = "A number.", .type = TESSERA_TYPE_NUMBER, .initial.number = its_initial}
static const tessera_parameter parameters[] = {NUMBER("band", 0), NUMBER("length", 5000)};
static const tessera_function_declaration functions[] = {{.name = "pause", .signature = "u32()", .help = "What the program does first."}};

REGISTER(ENGINE("slow", LIST(parameter, parameters), LIST(function, functions), .prepare = prepare,
                .elements_in_rect = elements_in_rect, .element = no_element, .traits = TESSERA_TRAIT_LAZY));
