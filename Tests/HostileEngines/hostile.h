// Shared by hostile engines, to keep each file to its attacks.
//
// An honest column of rows 50 high, with hooks in the host's calls. After TESSERA_OK the honest
// work follows; any other status ends the call. A file has many attacks, each compiled as an
// engine: -DHOSTILE_ATTACK=forks selects it, -DHOSTILE_LABEL="forks" sets its name and id.
//
//     // The child would outlive its parent.
//     ATTACK(forks, WHERE) { … }
//     HOSTILE_ATTACKS
//
// With several hooks or options, a file has HOSTILE("name", .prepare = attack, …).
//
// These libraries run only in workers: a first constructor ends every other program.

#ifndef HOSTILE_H
#define HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <tessera/ext/snapping.h>
#include <unistd.h>

// The call under attack, if the file leaves it open.
#ifndef WHERE
#define WHERE prepare
#endif

// A canary file, or a missing file.
#ifndef CANARY
#define CANARY "/nonexistent/tessera-canary"
#endif

TESSERA_NOTE;

typedef struct hostile_call {
  const tessera_host *host;
  tessera_registry *registry;
  tessera_engine *engine;    // in registration
  const tessera_input *in;   // null in load, registration, create and destroy
  tessera_output *out;       // in prepare, filled, adjust and query
  const tessera_rows *rows;  // in filled: rows of section 0, all written
} hostile_call;

typedef tessera_status hostile_hook(const hostile_call *call);

typedef struct hostile {
  hostile_hook *load;         // in a constructor
  hostile_hook *registration; // HOSTILE_DONE: the hook has registered everything
  hostile_hook *create;
  hostile_hook *prepare;      // before adding rows. HOSTILE_DONE: skip the honest work
  hostile_hook *filled;       // after writing rows, still in prepare
  hostile_hook *adjust;       // makes it depend on the viewport
  hostile_hook *query;        // makes it lazy; in elements_in_rect
  hostile_hook *published;    // in the published function `attack`
  hostile_hook *snapping;     // makes it snap
  hostile_hook *destroy;
} hostile;

#define HOSTILE_DONE ((tessera_status)1000)

#ifndef HOSTILE_LABEL
#define HOSTILE_LABEL "attack"
#endif

static const char *hostile_id(void);
static const char *hostile_label(void);
static const hostile *hostile_hooks(void);

#define HOSTILE(label, ...)                                                                        \
  static const char *hostile_id(void) { return "org.example.hostile." label; }                     \
  static const char *hostile_label(void) { return label; }                                         \
  static const hostile *hostile_hooks(void) {                                                      \
    static const hostile hooks = {__VA_ARGS__};                                                    \
    return &hooks;                                                                                 \
  }

#define HOSTILE_ID "org.example.hostile."

#define HOSTILE_UNUSED __attribute__((unused))
#define ATTACK(attack, hook)                                                                       \
  static tessera_status attack##_attack(const hostile_call *call);                                 \
  HOSTILE_UNUSED static const hostile attack##_hooks = {.hook = attack##_attack};                  \
  static tessera_status attack##_attack(HOSTILE_UNUSED const hostile_call *call)

#define HOSTILE_HOOKS(attack) HOSTILE_JOIN(attack, _hooks)
#define HOSTILE_JOIN(attack, hooks) attack##hooks
#define HOSTILE_ATTACKS                                                                            \
  static const char *hostile_id(void) { return HOSTILE_ID HOSTILE_LABEL; }                         \
  static const char *hostile_label(void) { return HOSTILE_LABEL; }                                 \
  static const hostile *hostile_hooks(void) { return &HOSTILE_HOOKS(HOSTILE_ATTACK); }

static inline tessera_status hostile_run(hostile_hook *hook, const hostile_call *call) {
  return hook == NULL ? TESSERA_OK : hook(call);
}

// Reports a successful attack: the host returns status 69, or the process aborts if it is too early
// for that. No test expects either.
static inline tessera_status hostile_won(const hostile_call *call, const char *what) {
  if (call->host == NULL) abort();
  call->host->report(call->host, TESSERA_ERROR_FAILED, what);
  return TESSERA_ERROR_FAILED;
}

// ---------------------------------------------------------------- Safety catch

__attribute__((constructor(101))) static void hostile_catch(void) {
  const char *program = (const char *)getauxval(AT_EXECFN);
  const char *slash = program == NULL ? NULL : strrchr(program, '/');
  const char *name = slash == NULL ? program : slash + 1;
  if (name != NULL && strcmp(name, "tessera-worker") == 0) return;
  static const char sentence[] =
      "a hostile engine was loaded outside a worker; it ends this process\n";
  if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) _exit(98);
  _exit(99);
}

__attribute__((constructor)) static void hostile_load(void) {
  const hostile_call call = {NULL, NULL, NULL, NULL, NULL, NULL};
  hostile_run(hostile_hooks()->load, &call);
}

// ---------------------------------------------------------------- The honest engine

struct tessera_layout {
  const tessera_host *host;
};

static tessera_status hostile_create(const tessera_engine *self, const tessera_host *host,
                                     tessera_layout **layout) {
  (void)self;
  const hostile_call call = {host, NULL, NULL, NULL, NULL, NULL};
  tessera_status status = hostile_run(hostile_hooks()->create, &call);
  if (status != TESSERA_OK) return status;
  *layout = (tessera_layout *)malloc(sizeof **layout);
  if (*layout == NULL) return TESSERA_ERROR_FAILED;
  (*layout)->host = host;
  return TESSERA_OK;
}

static void hostile_destroy(tessera_layout *layout) {
  const hostile_call call = {layout->host, NULL, NULL, NULL, NULL, NULL};
  hostile_run(hostile_hooks()->destroy, &call);
  free(layout);
}

static uint64_t hostile_items(const tessera_input *in, uint32_t section) {
  return in->section_starts[section + 1] - in->section_starts[section];
}

static tessera_status hostile_add(const tessera_input *in, tessera_output *out, uint32_t section,
                                  const tessera_rows **rows) {
  const tessera_run run = {TESSERA_CATEGORY_CELL, 0, section, 0, 0, hostile_items(in, section)};
  if (run.count == 0) return TESSERA_OK;
  tessera_status status = out->add(out, &run, rows);
  if (status != TESSERA_OK) return status;
  double start = 50 * (double)in->section_starts[section];
  for (uint64_t i = 0; i < run.count; i++)
    (*rows)->frame[i] = (tessera_rect){0, start + 50 * (double)i, in->viewport.width, 50};
  return TESSERA_OK;
}

static void hostile_set_size(const tessera_input *in, tessera_output *out) {
  double height = 50 * (double)in->section_starts[in->section_count];
  out->set_content_size(out, (tessera_size){in->viewport.width, height});
}

static tessera_status hostile_prepare(tessera_layout *layout, const tessera_input *in,
                                      tessera_output *out) {
  hostile_call call = {layout->host, NULL, NULL, in, out, NULL};
  tessera_status status = hostile_run(hostile_hooks()->prepare, &call);
  if (status != TESSERA_OK) return status == HOSTILE_DONE ? TESSERA_OK : status;
  hostile_set_size(in, out);
  if (hostile_hooks()->query != NULL) return TESSERA_OK;
  for (uint32_t section = 0; section < in->section_count; section++) {
    const tessera_rows *rows = NULL;
    status = hostile_add(in, out, section, &rows);
    if (status != TESSERA_OK) return status;
    if (section == 0) call.rows = rows;
  }
  return hostile_run(hostile_hooks()->filled, &call);
}

static tessera_status hostile_adjust(tessera_layout *layout, const tessera_input *in,
                                     tessera_rect rect, tessera_output *out) {
  (void)rect;
  const hostile_call call = {layout->host, NULL, NULL, in, out, NULL};
  return hostile_run(hostile_hooks()->adjust, &call);
}

static tessera_status hostile_rect(tessera_layout *layout, const tessera_input *in,
                                   tessera_rect rect, tessera_output *out) {
  (void)rect;
  const hostile_call call = {layout->host, NULL, NULL, in, out, NULL};
  tessera_status status = hostile_run(hostile_hooks()->query, &call);
  const tessera_rows *rows;
  for (uint32_t section = 0; status == TESSERA_OK && section < in->section_count; section++)
    status = hostile_add(in, out, section, &rows);
  return status;
}

static tessera_status hostile_element(tessera_layout *layout, const tessera_input *in,
                                      const tessera_run *run, tessera_output *out) {
  (void)layout, (void)in;
  const tessera_rows *rows;
  tessera_status status = out->add(out, run, &rows);
  if (status == TESSERA_OK) rows->frame[0] = (tessera_rect){0, 0, 0, 0};
  return status;
}

static int32_t hostile_published(void *layout) {
  const hostile_call call = {((tessera_layout *)layout)->host, NULL, NULL, NULL, NULL, NULL};
  return hostile_run(hostile_hooks()->published, &call);
}

static tessera_status hostile_rest(tessera_layout *layout, const tessera_input *in,
                                   tessera_point velocity, tessera_point *resting) {
  (void)velocity, (void)resting;
  const hostile_call call = {layout->host, NULL, NULL, in, NULL, NULL};
  return hostile_run(hostile_hooks()->snapping, &call);
}

static const void *hostile_extension(const tessera_engine *self, const char *id) {
  (void)self;
  static const tessera_snapping snapping = {sizeof(tessera_snapping), 0, hostile_rest};
  return hostile_hooks()->snapping != NULL && strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping
                                                                                    : NULL;
}

// ---------------------------------------------------------------- Its description

static inline const tessera_parameter *hostile_parameters(void) {
  static tessera_parameter parameters[1];
  parameters[0].name = "amount";
  parameters[0].help = "A number that the engine reads.";
  parameters[0].type = TESSERA_TYPE_NUMBER;
  return parameters;
}

static inline const tessera_value_declaration *hostile_values(void) {
  static tessera_value_declaration values[1];
  values[0].name = "weight";
  values[0].help = "A number for every item.";
  values[0].type = TESSERA_TYPE_NUMBER;
  values[0].scope = TESSERA_SCOPE_ITEM;
  return values;
}

static inline const tessera_function_declaration *hostile_functions(void) {
  static const tessera_function_declaration functions[2] = {
      {"answer", "u32(u32)", "A delegate function.", NULL},
      {"attack", "i32()", "What the engine does in a published function.",
       (void (*)(void))hostile_published}};
  return functions;
}

static inline tessera_engine hostile_description(void) {
  const hostile *hooks = hostile_hooks();
  tessera_engine engine;
  memset(&engine, 0, sizeof engine);
  engine.struct_size = sizeof engine;
  engine.id = hostile_id();
  engine.name = hostile_label();
  engine.version = "1.0.0";
  engine.author = "The Tessera authors";
  engine.license = "MIT";
  engine.summary = "Attacks its host.";
  engine.parameter_count = 1, engine.parameter_size = sizeof(tessera_parameter);
  engine.parameters = hostile_parameters();
  engine.value_count = 1, engine.value_size = sizeof(tessera_value_declaration);
  engine.values = hostile_values();
  engine.function_count = 2, engine.function_size = sizeof(tessera_function_declaration);
  engine.functions = hostile_functions();
  engine.create = hostile_create;
  engine.destroy = hostile_destroy;
  engine.prepare = hostile_prepare;
  engine.extension = hostile_extension;
  if (hooks->adjust != NULL) {
    engine.traits |= TESSERA_TRAIT_VIEWPORT;
    engine.adjust = hostile_adjust;
  }
  if (hooks->query != NULL) {
    engine.traits |= TESSERA_TRAIT_LAZY;
    engine.elements_in_rect = hostile_rect;
    engine.element = hostile_element;
  }
  return engine;
}

TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host,
                                               tessera_registry *registry) {
  static tessera_engine engine;
  engine = hostile_description();
  const hostile_call call = {host, registry, &engine, NULL, NULL, NULL};
  tessera_status status = hostile_run(hostile_hooks()->registration, &call);
  if (status == HOSTILE_DONE) return TESSERA_OK;
  return status == TESSERA_OK ? registry->add_engine(registry, &engine) : status;
}

#endif
