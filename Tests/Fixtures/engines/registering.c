#include "engine.h"

enum { NOTHING, TWICE, FAILS, FAILS_SILENTLY, FAILS_AFTERWARDS };

static const tessera_engine engine = ENGINE("registering", .prepare = prepare_nothing);

tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  if (WAY == TWICE || WAY == FAILS_AFTERWARDS) registry->add_engine(registry, &engine);
  if (WAY == TWICE) registry->add_engine(registry, &engine);
  if (WAY == FAILS || WAY == FAILS_AFTERWARDS)
    host->report(host, TESSERA_ERROR_UNSUPPORTED, "it needs a display; connect one");
  return WAY == NOTHING || WAY == TWICE ? TESSERA_OK : TESSERA_ERROR_UNSUPPORTED;
}
