// Throws a C++ exception into the host.

#include "hostile.h"
#include <exception>

// The hooks that are left out are null on purpose.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wmissing-designated-field-initializers"
#endif

// Not one of the standard library's, whose headers take most of the compiler's time.
struct Thrown : std::exception {
  const char *what() const noexcept override { return "thrown across the boundary"; }
};

static tessera_status attack(const hostile_call *) { throw Thrown(); }

HOSTILE("throws", .WHERE = attack)
