// System functions that behave as on another machine, for tests inside an engine's process.
#ifndef TESSERA_SIMULATED_MACHINE_H
#define TESSERA_SIMULATED_MACHINE_H

#include <stdint.h>

enum {
  TESSERA_SIMULATED_VARIABLES = 1,
  TESSERA_SIMULATED_TIME = 2,      // the time of day
  TESSERA_SIMULATED_LOCALE = 4,    // the decimal point
  TESSERA_SIMULATED_PROCESS = 8,   // the process id, and the number of processors
};

// Affects the loaded libraries only; the locale applies to the calling thread.
void tessera_simulate_machine(uint32_t kinds);

#endif
