#include "tessera_functions.h"

#include <ffi.h>
#include <stdlib.h>

// Sets the sizes because libffi would otherwise compute and store them on first use, which would be a data race.
static ffi_type *doubles[] = {&ffi_type_double, &ffi_type_double, &ffi_type_double, &ffi_type_double, NULL};
static ffi_type pair = {2 * sizeof(double), _Alignof(double), FFI_TYPE_STRUCT, doubles + 2};
static ffi_type triple = {3 * sizeof(double), _Alignof(double), FFI_TYPE_STRUCT, doubles + 1};
static ffi_type quad = {4 * sizeof(double), _Alignof(double), FFI_TYPE_STRUCT, doubles};

static ffi_type *const types[TESSERA_CALL_TYPE_COUNT] = {
    &ffi_type_void,   &ffi_type_uint8,  &ffi_type_uint8,  &ffi_type_sint8, &ffi_type_uint16, &ffi_type_sint16,
    &ffi_type_uint32, &ffi_type_sint32, &ffi_type_uint64, &ffi_type_sint64, &ffi_type_float, &ffi_type_double,
    &pair,            &triple,          &quad,
};

struct tessera_call_interface {
  ffi_cif cif;
  ffi_type *arguments[1 + TESSERA_ARGUMENT_LIMIT];
};

tessera_call_interface *tessera_call_interface_create(uint8_t result, const uint8_t *arguments, uint32_t count) {
  if (result >= TESSERA_CALL_TYPE_COUNT || count > TESSERA_ARGUMENT_LIMIT) return NULL;
  tessera_call_interface *interface = malloc(sizeof *interface);
  if (!interface) return NULL;
  interface->arguments[0] = &ffi_type_pointer;
  int is_known = 1;
  for (uint32_t i = 0; i < count && is_known; i++) {
    is_known = arguments[i] > 0 && arguments[i] < TESSERA_CALL_TYPE_COUNT;
    if (is_known) interface->arguments[1 + i] = types[arguments[i]];
  }
  if (!is_known
      || ffi_prep_cif(&interface->cif, FFI_DEFAULT_ABI, 1 + count, types[result], interface->arguments) != FFI_OK) {
    free(interface);
    return NULL;
  }
  return interface;
}

void tessera_call_interface_destroy(tessera_call_interface *interface) { free(interface); }

void tessera_call(const tessera_call_interface *interface, void (*function)(void), void *result, void *const *arguments) {
  // libffi does not modify either.
  ffi_call((ffi_cif *)&interface->cif, function, result, (void **)arguments);
}

struct tessera_closure {
  ffi_closure *memory;
  void *code;
  tessera_answer answer;
  void *context;
};

static void answer(ffi_cif *cif, void *result, void **arguments, void *user) {
  (void)cif;
  const tessera_closure *closure = user;
  closure->answer(closure->context, result, arguments);
}

tessera_closure *tessera_closure_create(void) {
  tessera_closure *closure = calloc(1, sizeof *closure);
  if (!closure) return NULL;
  closure->memory = ffi_closure_alloc(sizeof(ffi_closure), &closure->code);
  if (!closure->memory) {
    free(closure);
    return NULL;
  }
  return closure;
}

void tessera_closure_destroy(tessera_closure *closure) {
  ffi_closure_free(closure->memory);
  free(closure);
}

void (*tessera_closure_prepare(tessera_closure *closure, tessera_call_interface *interface, tessera_answer body, void *context))(void) {
  closure->answer = body;
  closure->context = context;
  if (ffi_prep_closure_loc(closure->memory, &interface->cif, answer, closure, closure->code) != FFI_OK) return NULL;
  return (void (*)(void))closure->code;
}
