#include "tessera_system.h"

#include <ffi.h>
#include <pthread.h>
#include <stdlib.h>

// Sets the sizes: libffi would store them on first use, a data race.
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

// libffi's closures need writable executable memory, which an engine could fill with code. Its Go
// closures do not: their code is fixed and finds the closure in a register. Each stub loads its
// slot into it.
#if FFI_GO_CLOSURES && defined(__x86_64__)
#define STUB_COUNT 1024
#define STUB_SIZE 16
#define STUB(slot) "endbr64\nmovq " slot "(%rip), %r10\njmp *(%r10)\n"
#elif FFI_GO_CLOSURES && defined(__aarch64__)
#define STUB_COUNT 1024
#define STUB_SIZE 32
#define STUB(slot) "bti c\nadrp x18, " slot "\nldr x18, [x18, :lo12:" slot "]\nldr x17, [x18]\nbr x17\n"
#else
#define STUB_COUNT 0
#endif

struct tessera_closure {
#if STUB_COUNT > 0
  ffi_go_closure go; // first, because libffi passes its address
  int stub;          // -1: separate memory
#endif
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

#if STUB_COUNT > 0
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

__attribute__((visibility("hidden"))) tessera_closure *volatile tessera_stub_slots[STUB_COUNT];
__attribute__((visibility("hidden"))) extern const char tessera_stubs[];
__asm__(".pushsection .text, \"ax\", %progbits\n"
        ".balign " TEXT(STUB_SIZE) "\n"
        ".hidden tessera_stubs\n"
        ".globl tessera_stubs\n"
        "tessera_stubs:\n"
        ".set tessera_stub_offset, 0\n"
        ".rept " TEXT(STUB_COUNT) "\n"
        ".balign " TEXT(STUB_SIZE) "\n"
        STUB("tessera_stub_slots + tessera_stub_offset")
        ".set tessera_stub_offset, tessera_stub_offset + 8\n"
        ".endr\n"
        ".popsection\n");

static pthread_mutex_t stub_lock = PTHREAD_MUTEX_INITIALIZER;

static void guard_stubs(void) { tessera_guard_forks(TESSERA_LOCK_STUBS, &stub_lock, NULL); }

static int take_stub(tessera_closure *closure) {
  static int next; // where the search starts
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, guard_stubs);
  int found = -1;
  pthread_mutex_lock(&stub_lock);
  for (int i = 0; i < STUB_COUNT && found < 0; i++) {
    const int stub = (next + i) % STUB_COUNT;
    if (!tessera_stub_slots[stub]) found = stub;
  }
  if (found >= 0) {
    tessera_stub_slots[found] = closure;
    next = found + 1;
  }
  pthread_mutex_unlock(&stub_lock);
  return found;
}

static void return_stub(int stub) {
  pthread_mutex_lock(&stub_lock);
  tessera_stub_slots[stub] = NULL;
  pthread_mutex_unlock(&stub_lock);
}
#endif

tessera_closure *tessera_closure_create(void) {
  tessera_closure *closure = calloc(1, sizeof *closure);
  if (!closure) return NULL;
#if STUB_COUNT > 0
  closure->stub = take_stub(closure);
  if (closure->stub >= 0) {
    closure->code = (void *)(tessera_stubs + closure->stub * STUB_SIZE);
    return closure;
  }
#endif
  closure->memory = ffi_closure_alloc(sizeof(ffi_closure), &closure->code);
  if (!closure->memory) {
    free(closure);
    return NULL;
  }
  return closure;
}

void tessera_closure_destroy(tessera_closure *closure) {
#if STUB_COUNT > 0
  if (closure->stub >= 0) return_stub(closure->stub);
#endif
  if (closure->memory) ffi_closure_free(closure->memory);
  free(closure);
}

static ffi_status prepare(tessera_closure *closure, ffi_cif *cif) {
#if STUB_COUNT > 0
  if (closure->stub >= 0) return ffi_prep_go_closure(&closure->go, cif, answer);
#endif
  return ffi_prep_closure_loc(closure->memory, cif, answer, closure, closure->code);
}

void (*tessera_closure_prepare(tessera_closure *closure, tessera_call_interface *interface, tessera_answer body, void *context))(void) {
  closure->answer = body;
  closure->context = context;
  return prepare(closure, &interface->cif) == FFI_OK ? (void (*)(void))closure->code : NULL;
}
