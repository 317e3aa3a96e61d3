// Functions whose C signature is known only at run time: called, and made to be called. libffi stays behind this header.
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

// The most arguments beside the context.
#define TESSERA_ARGUMENT_LIMIT 16

// The types of a signature, numbered in this order from 0:
// void bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 point size rect insets
#define TESSERA_CALL_TYPE_COUNT 16

// How C passes the arguments and the result of one signature, a context pointer before the arguments.
typedef struct tessera_call_interface tessera_call_interface;

// Null if a type is unknown, an argument is void, there are more than TESSERA_ARGUMENT_LIMIT arguments, or memory is short.
tessera_call_interface *TESSERA_MAYBE_NULL tessera_call_interface_create(uint8_t result, const uint8_t *TESSERA_MAYBE_NULL arguments,
                                                                         uint32_t count);
void tessera_call_interface_destroy(tessera_call_interface *interface);

// Calls a function of that signature. `arguments` are the addresses of the context and of each argument; `result` is aligned to 8
// bytes and has 32. A whole number is widened to 8 bytes by its sign.
void tessera_call(const tessera_call_interface *interface, void (*function)(void), void *result,
                  void *TESSERA_NEVER_NULL const *TESSERA_NEVER_NULL arguments);

// What runs when somebody calls a closure: `arguments` as for tessera_call; `result` has the size of its type and at least 8 bytes,
// all 8 of which a whole number fills.
typedef void (*tessera_answer)(void *context, void *result, void *TESSERA_NEVER_NULL const *TESSERA_NEVER_NULL arguments);

// A piece of executable memory that becomes one C function. To get the memory and to make the function are two steps, so that the
// memory can be got before a process gives up the right to it.
typedef struct tessera_closure tessera_closure;

// Null if the system gives no executable memory.
tessera_closure *TESSERA_MAYBE_NULL tessera_closure_create(void);
void tessera_closure_destroy(tessera_closure *closure);

// Makes the closure a function of that signature which calls answer(context, …). May be called again: the function before is then
// gone. Null if libffi cannot. Owner: the function is the closure's; `interface` and `context` must outlive it.
void (*TESSERA_MAYBE_NULL tessera_closure_prepare(tessera_closure *closure, tessera_call_interface *interface, tessera_answer answer,
                                                  void *context))(void);

#undef TESSERA_MAYBE_NULL
#undef TESSERA_NEVER_NULL
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
