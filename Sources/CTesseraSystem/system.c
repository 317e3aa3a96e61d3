#include "tessera_system.h"
