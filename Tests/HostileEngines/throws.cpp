#include "hostile.h"
#include <exception>

// Omitted hooks are null on purpose.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wmissing-designated-field-initializers"
#endif

// Standard exception headers dominate the compile time.
struct Thrown : std::exception {
  const char *what() const noexcept override { return "thrown across the boundary"; }
};

static tessera_status attack(const hostile_call *) { throw Thrown(); }

HOSTILE("throws", .WHERE = attack)
