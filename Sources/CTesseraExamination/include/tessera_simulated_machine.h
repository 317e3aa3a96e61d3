// Functions of the system that return what they would on another machine, for tests that run inside an engine's process.
#ifndef TESSERA_SIMULATED_MACHINE_H
#define TESSERA_SIMULATED_MACHINE_H

#include <stdint.h>

// What the loaded libraries find different.
enum {
  TESSERA_SIMULATED_VARIABLES = 1, // environment variables
  TESSERA_SIMULATED_TIME = 2,      // the time of day
  TESSERA_SIMULATED_LOCALE = 4,    // the decimal point
  TESSERA_SIMULATED_PROCESS = 8,   // the process's id, and the number of processors
};

// Makes functions of the system return to the loaded libraries what they would on another machine. The locale applies to the calling thread.
void tessera_simulate_machine(uint32_t kinds);

#endif
