// Calls of delegate functions, one for each result type, because a C function type cannot be
// generic in Swift. Includes no header: programs that import the SDK then need no search path.

#ifndef TESSERA_CALLS_H
#define TESSERA_CALLS_H

#include <stdint.h>

// Layouts of tessera_point and tessera_size, and of tessera_rect and tessera_insets.
typedef struct tessera_two_numbers {
  double first, second;
} tessera_two_numbers;
typedef struct tessera_four_numbers {
  double first, second, third, fourth;
} tessera_four_numbers;

// Passes as many of the two integers as the function takes.
#define TESSERA_CALL(NAME, RESULT)                                                              \
  static inline RESULT tessera_call_##NAME(void (*function)(void), void *context, uint32_t count, \
                                           uint32_t first, uint32_t second) {                   \
    switch (count) {                                                                            \
    case 0: return ((RESULT (*)(void *))function)(context);                                     \
    case 1: return ((RESULT (*)(void *, uint32_t))function)(context, first);                    \
    default: return ((RESULT (*)(void *, uint32_t, uint32_t))function)(context, first, second); \
    }                                                                                           \
  }

TESSERA_CALL(u8, uint8_t)
TESSERA_CALL(i32, int32_t)
TESSERA_CALL(u32, uint32_t)
TESSERA_CALL(i64, int64_t)
TESSERA_CALL(f32, float)
TESSERA_CALL(f64, double)
TESSERA_CALL(two_numbers, tessera_two_numbers)
TESSERA_CALL(four_numbers, tessera_four_numbers)

#endif
