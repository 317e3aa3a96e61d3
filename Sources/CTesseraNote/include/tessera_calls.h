// Calls of delegate functions. A function type of C cannot be generic in Swift, so there is one of these for each type of results.

#ifndef TESSERA_CALLS_H
#define TESSERA_CALLS_H

#include <tessera/tessera.h>

// Calls a function, which must be present, with as many of the two integers as it takes.
#define TESSERA_CALL(NAME, RESULT)                                                                                      \
  static inline RESULT tessera_call_##NAME(tessera_function function, uint32_t count, uint32_t first, uint32_t second) { \
    switch (count) {                                                                                                    \
    case 0: return ((RESULT (*)(void *))function.call)(function.context);                                               \
    case 1: return ((RESULT (*)(void *, uint32_t))function.call)(function.context, first);                              \
    default: return ((RESULT (*)(void *, uint32_t, uint32_t))function.call)(function.context, first, second);           \
    }                                                                                                                   \
  }

TESSERA_CALL(u8, uint8_t)
TESSERA_CALL(i32, int32_t)
TESSERA_CALL(u32, uint32_t)
TESSERA_CALL(i64, int64_t)
TESSERA_CALL(f32, float)
TESSERA_CALL(f64, double)
TESSERA_CALL(point, tessera_point)
TESSERA_CALL(size, tessera_size)
TESSERA_CALL(rect, tessera_rect)
TESSERA_CALL(insets, tessera_insets)

#endif
