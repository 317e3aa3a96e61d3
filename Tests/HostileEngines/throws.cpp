// Throws a C++ exception into the host.

#include "hostile.h"
#include <stdexcept>

// The hooks that are left out are null on purpose.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wmissing-designated-field-initializers"
#endif

static tessera_status attack(const hostile_call *) {
  throw std::runtime_error("thrown across the boundary");
}

HOSTILE("throws", .WHERE = attack)
