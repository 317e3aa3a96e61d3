// Calls C functions, and creates C functions, whose signatures are only known at run time. Hides libffi.
#ifndef TESSERA_FUNCTIONS_H
#define TESSERA_FUNCTIONS_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define TESSERA_MAYBE_NULL _Nullable
#define TESSERA_NEVER_NULL _Nonnull
#else
#define TESSERA_MAYBE_NULL
#define TESSERA_NEVER_NULL
#endif

// The maximum number of arguments, not counting the context.
#define TESSERA_ARGUMENT_LIMIT 16

// The types of a signature, numbered from 0 in this order:
// void bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64, and structures of 2, 3 and 4 doubles
#define TESSERA_CALL_TYPE_COUNT 15

// How C passes the arguments and the result of one signature. The context pointer is passed before the arguments.
typedef struct tessera_call_interface tessera_call_interface;

// Returns null if a type is unknown, an argument is void, there are more than TESSERA_ARGUMENT_LIMIT arguments, or memory is exhausted.
tessera_call_interface *TESSERA_MAYBE_NULL tessera_call_interface_create(uint8_t result, const uint8_t *TESSERA_MAYBE_NULL arguments,
                                                                         uint32_t count);
void tessera_call_interface_destroy(tessera_call_interface *interface);

// Calls a function with that signature. `arguments` has the addresses of the context and of each argument. `result` has 32 bytes and is
// aligned to 8. An integer result is sign-extended or zero-extended to 8 bytes.
void tessera_call(const tessera_call_interface *interface, void (*function)(void), void *result,
                  void *TESSERA_NEVER_NULL const *TESSERA_NEVER_NULL arguments);

// The body of a closure. `arguments` is as for tessera_call. `result` has the size of its type and at least 8 bytes; an integer must fill
// all 8.
typedef void (*tessera_answer)(void *context, void *result, void *TESSERA_NEVER_NULL const *TESSERA_NEVER_NULL arguments);

// A C function that is created at run time. The first 1,024 of a process take no executable memory of their own, on x86-64 and arm64; more
// need memory that is writable and executable, which the sandbox denies.
typedef struct tessera_closure tessera_closure;

// Returns null if memory is exhausted, or if the system does not provide executable memory and the closure needs it.
tessera_closure *TESSERA_MAYBE_NULL tessera_closure_create(void);
void tessera_closure_destroy(tessera_closure *closure);

// Makes the closure a function with that signature that calls answer(context, …), and returns the function. Returns null if libffi fails.
// A second call replaces the function. Owner: the closure owns the function; `interface` and `context` must outlive it.
void (*TESSERA_MAYBE_NULL tessera_closure_prepare(tessera_closure *closure, tessera_call_interface *interface, tessera_answer answer,
                                                  void *context))(void);

#undef TESSERA_MAYBE_NULL
#undef TESSERA_NEVER_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
