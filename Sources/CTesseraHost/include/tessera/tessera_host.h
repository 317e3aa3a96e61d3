// Tessera for programs: finds layout engines, runs them in separate processes, and returns where
// every element goes.
//
//     tessera_engines *engines = tessera_engines_create();
//     tessera_engines_add_folder(engines, "engines");
//     tessera_session *session = NULL;
//     if (tessera_session_create(engines, "grid", &session) != TESSERA_HOST_OK)
//       puts(tessera_engines_message(engines));
//
// This header includes no other Tessera header. Engines use tessera/tessera.h; a file may include
// both, in any order.
//
// Units. Lengths are points, y grows downward, times are seconds, text is zero-terminated UTF-8.
// Numbers are finite.
// Status. Functions that can fail return 0 or one of the statuses below, the exit statuses of the
// command `tessera`. A failed function changes nothing unless its comment says otherwise, and
// *_message returns the reason in one sentence. A null argument where null is not allowed, a struct
// or an array of a wrong size, and an index out of range are TESSERA_HOST_ERROR_MISUSED: no
// function traps, throws, exits or prints. Output arguments may be null only if a comment says so.
// Owner. Arguments are copied before the function returns; callbacks and their contexts are used
// until they are replaced or the session is destroyed. The program owns the memory that functions
// write to. Returned text belongs to the handle, and is valid until the next call with that handle
// unless a comment says otherwise.
// Threads. One thread at a time may use a handle; different threads may use different handles
// concurrently, from any thread and without global state. While another thread is in a call with
// the same handle, a call changes nothing and is TESSERA_HOST_ERROR_MISUSED; *_message then says so
// to this thread alone. A function without a status then returns null or 0, as for a null handle
// and within a callback. *_destroy destroys the handle when the running call ends: no call may
// begin after it.
// Forks. In a forked process, every call with a handle of the other process returns at once:
// TESSERA_HOST_ERROR_REFUSED with the code "forkedSession", or null or 0, even if the fork came in
// the middle of a call; *_destroy is a no-op. Create new handles in the forked process. The handles
// and engines of the other process go on there.
// Growth. Handles are opaque. Five structs may grow, only at their end: tessera_engine_info,
// tessera_declaration, tessera_element, tessera_columns and tessera_batch. The program passes its
// compiled size, at least the first version's; the library writes no more than that, and zeros what
// it does not know. All other structs are frozen.

#ifndef TESSERA_HOST_H
#define TESSERA_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_HOST_MAJOR 1
#define TESSERA_HOST_MINOR 1

// Returns the version of the library: its major * 65536 + its minor. A program needs a library of
// the major that it was compiled with, and of that minor or a later one. libtessera.so.N is major
// N.
uint32_t tessera_host_version(void);

// ---------------------------------------------------------------- Arrow
// The structs of the Arrow C data and stream interfaces:
// https://arrow.apache.org/docs/format/CDataInterface.html

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

// ---------------------------------------------------------------- status

#define TESSERA_HOST_OK 0
#define TESSERA_HOST_ERROR_MISUSED 64     // the call itself is invalid: see Status above
#define TESSERA_HOST_ERROR_INVALID 65     // the program gave an invalid name, value or count
#define TESSERA_HOST_ERROR_NOT_FOUND 66   // no such engine, library, file or element
// the engine refused the work, or the system is out of memory or files
#define TESSERA_HOST_ERROR_REFUSED 69
// the engine crashed, hung, exceeded a limit or broke the contract. The session remains valid: the
// next query restarts the engine, except after three crashes within a minute, see
// tessera_session_refusal_time
#define TESSERA_HOST_ERROR_DIED 70
#define TESSERA_HOST_ERROR_CANNOT_WRITE 73
#define TESSERA_HOST_ERROR_CANCELLED 75   // the progress function of the program cancelled the call
#define TESSERA_HOST_ERROR_CANNOT_LOAD 76 // not an engine library that this host can load
#define TESSERA_HOST_ERROR_NOT_ALLOWED 77 // the library is not allowed to be loaded

// ---------------------------------------------------------------- engines
// Where engines are found and how they run. (The type Host of the Swift module; engines receive the
// struct tessera_host.)

typedef struct tessera_engines tessera_engines;

// Creates a handle for the standard folders; engines run in the sandbox with 10 seconds per call
// and 4 GiB of memory each. Returns null if out of memory.
tessera_engines *tessera_engines_create(void);

// Creates a handle with the folders and settings of another, for example for another thread. Until
// a setting of either changes, both share the expensive parts: kept processes, known crashes, and
// the contents of libraries. Destroying one does not affect the other. The last listing is not
// copied. Returns null if `engines` is null or in use, or if out of memory.
tessera_engines *tessera_engines_copy(tessera_engines *engines);

// Destroys the handle. Its sessions remain valid. Null is ignored.
void tessera_engines_destroy(tessera_engines *engines);

// Returns why the last call failed, or "" if it succeeded. The text is valid until the next call
// with this handle that has a status.
const char *tessera_engines_message(const tessera_engines *engines);

// Returns the name of the last failure's code, such as "engineNotFound", "misuse" for
// TESSERA_HOST_ERROR_MISUSED, or "" after a success. The documentation lists the codes; later
// versions may have more. It is valid as long as the message.
const char *tessera_engines_code(const tessera_engines *engines);

// The settings below apply to later listings and sessions.

// Adds a folder to search after the folders added before. The first engine with an id is used. A
// folder that is missing, or that other users can change, is listed as refused. A handle with added
// folders searches only these.
int32_t tessera_engines_add_folder(tessera_engines *engines, const char *path);

// Adds the standard folders after all others: the folders of the environment variable TESSERA_PATH,
// or else bin and lib/tessera of this library's prefix, ~/.local/lib/tessera,
// /usr/local/lib/tessera and /usr/lib/tessera. Before lib/tessera of a prefix, except ~/.local,
// comes the folder for libraries of this machine, such as lib/x86_64-linux-gnu/tessera.
int32_t tessera_engines_add_standard_folders(tessera_engines *engines);

typedef int32_t tessera_host_isolation;
#define TESSERA_HOST_ISOLATION_SANDBOX 0 // in a separate process without rights
#define TESSERA_HOST_ISOLATION_PROCESS 1 // in a separate process: a crash ends only that
// in this process: for your own engines, such as in a debugger
#define TESSERA_HOST_ISOLATION_INSIDE 2

int32_t tessera_engines_set_isolation(tessera_engines *engines, tessera_host_isolation isolation);

// Sets whether to refuse engines where the sandbox is not full, 0 or 1. By default they run in the
// sandbox that the system offers; see tessera_session_get_sandbox.
int32_t tessera_engines_require_full_sandbox(tessera_engines *engines, int32_t required);

// Sets how long a library is refused after the last of three crashes within a minute, in any
// program of the user, in seconds; the default is 60. 0 never refuses: a program that lays out the
// data of many users goes on with the others.
int32_t tessera_engines_set_refusal_time(tessera_engines *engines, uint32_t seconds);

// Sets the path of the program tessera-worker, in which engines run. The default is the environment
// variable TESSERA_WORKER. Null, or a missing variable, searches beside this library, in
// libexec/tessera of its prefix, in the same places of the running program, and in libexec/tessera
// of ~/.local, /usr/local and /usr.
int32_t tessera_engines_set_worker(tessera_engines *engines, const char *path);

// Sets the time limit of a call of a session, 0.001 to 1000000 seconds. All calls into the engine
// for it share the limit; in a batch, all calls of one layout. The time of the program's own
// functions does not count, but can at most double the limit. Loading an engine has the whole
// limit. Engines in this process have no limits.
int32_t tessera_engines_set_time_limit(tessera_engines *engines, double seconds);

// Sets the limit of an engine process's memory, 64 MiB to 1 TiB: rows, the input read so far, and
// the engine's own.
int32_t tessera_engines_set_memory_limit(tessera_engines *engines, uint64_t bytes);

// Sets the maximum number of rows of a layout, 1 to TESSERA_HOST_MAX_ROW_LIMIT. A layout has a row
// for each element, and a lazy one for each element of an answer. The limit reserves address space,
// not memory; the memory limit can allow fewer rows. Unless the engine is lazy, a session refuses
// values of more items before it copies them.
#define TESSERA_HOST_ROW_LIMIT 67108864 // the default
#define TESSERA_HOST_MAX_ROW_LIMIT 1073741824
int32_t tessera_engines_set_row_limit(tessera_engines *engines, uint64_t rows);

// Sets how many processes of destroyed sessions to keep for new ones, 0 to 64; the default is 0. A
// new session of the same engine, with the same contents of the same libraries, then starts in
// microseconds instead of milliseconds; sessions of other engines never get the process. State that
// an engine keeps outside of its layouts is still there in the next session. tessera_session_close
// ends its process in any case. tessera_engines_destroy, or a change of a setting, ends the kept
// processes unless a copy of the handle shares them.
int32_t tessera_engines_set_kept_workers(tessera_engines *engines, uint32_t count);

// Sets the folder that caches the descriptions of libraries. The default is the user's, tessera in
// XDG_CACHE_HOME or in ~/.cache, which the command uses, too. Null disables the cache: each listing
// and each new session then loads every library again, in a separate process.
int32_t tessera_engines_set_cache(tessera_engines *engines, const char *folder);

// Sets the allowlist, a file with the SHA-256 checksums of the permitted libraries, in the format
// of sha256sum. It is read at once. Null, the default, allows all libraries.
int32_t tessera_engines_set_allowlist(tessera_engines *engines, const char *file);

// ---------------------------------------------------------------- listing

typedef struct tessera_engine_info {
  const char *id;      // "org.example.spiral"
  const char *name;    // for display
  const char *version; // "1.2.3"
  const char *author;
  const char *license; // SPDX
  const char *summary; // one line
  const char *library; // path
  const char *base;    // the id of the base engine, or null
  const char *shadowed_by; // the library whose engine of the same id is used, or null
  uint32_t abi;    // the contract version that the library was built for: major * 65536 + minor
  // the TESSERA_TRAIT bits of tessera/tessera.h; of a session's engine, with its bases
  uint32_t traits;
} tessera_engine_info;

// A refused file or folder.
typedef struct tessera_refusal {
  const char *file;
  const char *reason; // one sentence
  int32_t status;     // the status that using the file would return
  uint32_t seconds;   // how long from now it is refused for crashes; 0 for another reason
} tessera_refusal;

// Lists all folders, and keeps the result for the two functions below. Libraries missing from the
// cache are loaded in a separate process. Either count may be null.
int32_t tessera_engines_list(tessera_engines *engines, uint64_t *engine_count,
                             uint64_t *refusal_count);

// Gets an engine, or a refusal, of the last listing by its index. Its text is valid until the next
// listing. `info_size` is sizeof *info.
int32_t tessera_engines_get(tessera_engines *engines, uint64_t index, tessera_engine_info *info,
                            uint64_t info_size);
int32_t tessera_engines_get_refusal(tessera_engines *engines, uint64_t index,
                                    tessera_refusal *refusal);

// ---------------------------------------------------------------- sessions
// A session is a layout in use: an engine, its input and its output. Setters do no work; the next
// query prepares the layout if needed. If an engine's library file is replaced, the next query
// after a change of the session reloads it and keeps all settings; without a change, a query
// reloads it within 50 milliseconds.

typedef struct tessera_session tessera_session;

// Creates a session. `engine` is an id, the last part of an id if that is unique, the path of a
// library, or path#id. The bounds are 375 × 667, the scale is 2, there is one empty section, and
// all else is 0. On failure *session is null, and `engines` has the message.
int32_t tessera_session_create(tessera_engines *engines, const char *engine,
                               tessera_session **session);

// Destroys the session and ends its engine's process. Null is ignored.
void tessera_session_destroy(tessera_session *session);

// Destroys the engine's layout and ends its process. Unlike tessera_session_destroy, it reports
// errors. The next query restarts the engine.
int32_t tessera_session_close(tessera_session *session);

// Returns why the last call failed, or "" if it succeeded. The text is valid until the next call
// with this session that has a status, or that fails. A callback may call this function and the
// next one.
const char *tessera_session_message(const tessera_session *session);

// Returns the name of the last failure's code, as tessera_engines_code does.
const char *tessera_session_code(const tessera_session *session);

// Gets the engine. Its text is valid until the session is destroyed. `info_size` is sizeof *info;
// `shadowed_by` is null.
int32_t tessera_session_get_engine(tessera_session *session, tessera_engine_info *info,
                                   uint64_t info_size);

// Returns the sandbox in which the engine's process really runs: "full", "reduced: " with the
// missing parts, or "none". The text is valid until the session is destroyed. Returns null if the
// session is null or in use.
const char *tessera_session_get_sandbox(tessera_session *session);

// Gets how often the engine's library was replaced and reloaded, and the last reload's status:
// TESSERA_HOST_OK, even if settings were dropped, or the error that keeps the previous library in
// use. Either may be null. Since minor version 1.
int32_t tessera_session_reloads(tessera_session *session, uint64_t *count, int32_t *status);

// Returns what the last reload dropped: a line for each setting that the new library does not
// declare, or declares differently. After a failed reload, returns why the previous library stays
// in use. "" if all settings were kept, or no library was replaced; null if the session is null or
// in use. The text is valid until the session is destroyed. Since minor version 1.
const char *tessera_session_reload_message(tessera_session *session);

// Sets the time limit of an existing session's calls, 0.001 to 1000000 seconds: for example less
// while a user scrolls. An engine that takes longer is TESSERA_HOST_ERROR_DIED, and the next query
// restarts it. Loading an engine keeps the limit of tessera_engines_set_time_limit.
int32_t tessera_session_set_time_limit(tessera_session *session, double seconds);

// Gets how long from now the session's engine is refused because it or a base crashed too often, in
// seconds; 0 if it is not. Until then, a query that would restart the engine is
// TESSERA_HOST_ERROR_DIED. tessera_engines_set_refusal_time sets it.
int32_t tessera_session_refusal_time(tessera_session *session, uint32_t *seconds);

// its process ended: the next query or _prepare_begin restarts it
#define TESSERA_HOST_ENGINE_ENDED 1u
#define TESSERA_HOST_ENGINE_REPLACED 2u // a library file was replaced: likewise, it is loaded

// Gets a descriptor that becomes readable when the engine's process ends or a library file is
// replaced, and the TESSERA_HOST_ENGINE bits of the events since the last query; `events` may be
// null. The program polls the descriptor, and does not read or close it: it stays the same until
// the session is destroyed. When it is readable, call this function again, and query or prepare if
// a bit is set. Other files in the library's folder make it readable, too. An engine that ended in
// a call is also an event. TESSERA_HOST_ERROR_REFUSED if out of descriptors.
int32_t tessera_session_watch(tessera_session *session, int32_t *descriptor, uint32_t *events);

// ---------------------------------------------------------------- declarations
// The declarations of a session's engine and its bases.

typedef int32_t tessera_host_declared;
#define TESSERA_HOST_DECLARED_PARAMETERS 0 // without the owned ones of a derived engine
#define TESSERA_HOST_DECLARED_SECTION_VALUES 1
#define TESSERA_HOST_DECLARED_ITEM_VALUES 2
#define TESSERA_HOST_DECLARED_ATTRIBUTES 3 // in the numbering of tessera_session_attribute_name
#define TESSERA_HOST_DECLARED_KINDS 4
#define TESSERA_HOST_DECLARED_DELEGATE_FUNCTIONS 5
#define TESSERA_HOST_DECLARED_PUBLISHED_FUNCTIONS 6
#define TESSERA_HOST_DECLARED_LISTS 7
#define TESSERA_HOST_DECLARED_LIST_COLUMNS 8 // each as list and column: "nodes.width"

typedef struct tessera_declaration {
  const char *name;
  const char *help;     // one sentence, or null
  // "number", "integer", "bool", "enum", "point", "size", "rect" or "insets"; of a function its
  // signature, such as "u8(u32,u32)"; of a kind "supplementary" or "decoration"; "list"
  const char *type;
  // of a parameter, column or attribute, such as "pt", or null; of an attribute also "h", "d",
  // "mo": hours since midnight, days or months since the first one of the layout
  const char *unit;
  const char *engine;   // the id of the declaring engine
  const char *fallback; // the parameter that supplies unset values, or null
  // how many numbers its type has; 1 for an enum, 0 for functions, kinds and lists
  uint32_t components;
  uint32_t choice_count;
  // Of parameters and columns, and `initial` of attributes. A choice is its index among the
  // choices. Missing limits are infinite.
  double initial[4], minimum[4], maximum[4];
  // Of a kind; null for others.
  const char *role;  // "header", "footer", "badge", "background", "separator", "label", or "other"
  // the attribute with an element's meaning, such as its hour; null: it stands for its section, or
  // as a badge for its item
  const char *shows;
} tessera_declaration;

// Returns the number of declarations, 0 if the session is null or in use.
uint32_t tessera_session_declaration_count(tessera_session *session,
                                           tessera_host_declared declared);

// Gets a declaration by its index. Its text is valid until the session is destroyed.
// `declaration_size` is sizeof *declaration.
int32_t tessera_session_get_declaration(tessera_session *session, tessera_host_declared declared,
                                        uint32_t index, tessera_declaration *declaration,
                                        uint64_t declaration_size);

// Returns the name of a choice of a parameter, value, column or attribute, or null. The text is
// valid until the session is destroyed.
const char *tessera_session_declared_choice(tessera_session *session,
                                            tessera_host_declared declared, uint32_t index,
                                            uint32_t choice);

// ---------------------------------------------------------------- input
// The next query checks these viewport settings, because only their combination can be valid.

// Sets the size of the viewport.
int32_t tessera_session_set_bounds(tessera_session *session, double width, double height);
// Sets the scroll offset; needs no prepare.
int32_t tessera_session_set_offset(tessera_session *session, double x, double y);
int32_t tessera_session_set_content_insets(tessera_session *session, double top, double left,
                                           double bottom, double right);
int32_t tessera_session_set_safe_area(tessera_session *session, double top, double left,
                                      double bottom, double right);
int32_t tessera_session_set_layout_margins(tessera_session *session, double top, double left,
                                           double bottom, double right);
// Sets the device pixels per point, 0.01 to 1000.
int32_t tessera_session_set_scale(tessera_session *session, double scale);

typedef int32_t tessera_host_direction;
#define TESSERA_HOST_DIRECTION_LEFT_TO_RIGHT 0
#define TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT 1
int32_t tessera_session_set_direction(tessera_session *session, tessera_host_direction direction);

// Sets how many elements one query may return, 1 to TESSERA_HOST_MAX_ROW_LIMIT; the default is 10
// million.
int32_t tessera_session_set_element_limit(tessera_session *session, uint64_t limit);

// Sets the item count of each section, and removes all section and item values. `item_counts` may
// be null for no sections.
int32_t tessera_session_set_sections(tessera_session *session, const uint64_t *item_counts,
                                     uint64_t section_count);

// Sets a parameter of the engine or of a base. `count` is how many numbers its type has: 1 for
// numbers, integers and bools (0 or 1), 2 for points (x, y) and sizes (width, height), 4 for rects
// (x, y, width, height) and insets (top, left, bottom, right). Enums are set by the name of a
// choice.
int32_t tessera_session_set_parameter(tessera_session *session, const char *name,
                                      const double *numbers, uint32_t count);
int32_t tessera_session_set_parameter_choice(tessera_session *session, const char *name,
                                             const char *choice);

// Resets a parameter to its initial value.
int32_t tessera_session_reset_parameter(tessera_session *session, const char *name);

// Gives a list `count` records with the initial values of its columns; 0, the default, empties it.
int32_t tessera_session_set_list(tessera_session *session, const char *list, uint64_t count);
// Sets a column of a list for all its records, with one value each, or with stride 0 one value for
// all; values are as for tessera_session_set_values. In a tree, the column `parent` has the index
// of each record's parent in the list, or -1. O(n), and copies the columns set before again.
int32_t tessera_session_set_list_column(tessera_session *session, const char *list,
                                        const char *column, const double *numbers,
                                        uint32_t components, uint64_t count, uint64_t stride);
int32_t tessera_session_set_list_choices(tessera_session *session, const char *list,
                                         const char *column, const char *const *choices,
                                         uint64_t count, uint64_t stride);

#define TESSERA_HOST_SCOPE_SECTION 0u
#define TESSERA_HOST_SCOPE_ITEM 1u
// Item values for tessera_session_query_batch, only in tessera_session_set_values_arrow: an invalid
// value is an error of its item's layout, not of the call. Other queries report the first one.
#define TESSERA_HOST_SCOPE_BATCH 2u

// Sets the value of every section, or of every item of all sections in order. Each value consists
// of `components` numbers, like a parameter of its type, and begins `stride` bytes after the
// previous one. `count` is the number of values. With stride 0, one value applies to all, and
// `count` is 1. O(n), one copy.
int32_t tessera_session_set_values(tessera_session *session, uint32_t scope, const char *name,
                                   const double *numbers, uint32_t components, uint64_t count,
                                   uint64_t stride);
// Does the same for the values from the index `first` on, one for each. Earlier values keep their
// last state, even if tessera_session_set_sections has removed them since, unless a query came
// between. Appending is O(count).
int32_t tessera_session_set_values_from(tessera_session *session, uint32_t scope, const char *name,
                                        uint64_t first, const double *numbers, uint32_t components,
                                        uint64_t count, uint64_t stride);
// Splices: replaces the `removed` values from the index `place` on, in all sections, by `added`
// others. It changes the last set values, even if tessera_session_set_sections or an update has
// removed them since, unless a query came between. Several calls build on each other. When the
// layout is queried, there must be as many values as sections or items; else the query is
// TESSERA_HOST_ERROR_INVALID, and the values stay for another call to correct. A place without
// values is TESSERA_HOST_ERROR_INVALID and changes nothing. `numbers` may be null if `added` is 0;
// a stride of 0 is only for `added` 0. O(added), and a move of the bytes after them.
int32_t tessera_session_splice_values(tessera_session *session, uint32_t scope, const char *name,
                                      uint64_t place, uint64_t removed, const double *numbers,
                                      uint32_t components, uint64_t added, uint64_t stride);
// Splices enums, by the names of choices.
int32_t tessera_session_splice_value_choices(tessera_session *session, uint32_t scope,
                                             const char *name, uint64_t place, uint64_t removed,
                                             const char *const *choices, uint64_t added,
                                             uint64_t stride);
// Like tessera_session_set_values for enums, by the names of choices.
int32_t tessera_session_set_value_choices(tessera_session *session, uint32_t scope,
                                          const char *name, const char *const *choices,
                                          uint64_t count, uint64_t stride);

// Does the same with an Arrow array with a value for each section or item. Numbers, integers and
// bools: integers and floating-point numbers of any width, or bools. Points, sizes, rects and
// insets: a fixed-size list of numbers, or a struct whose fields are named after the components in
// any order, such as "height" and "width". Enums: utf8 or large_utf8, also with a dictionary. No
// value may be null, and no integer beyond 2^53. The program owns both; they are only read. O(n).
int32_t tessera_session_set_values_arrow(tessera_session *session, uint32_t scope,
                                         const char *name, const struct ArrowSchema *schema,
                                         const struct ArrowArray *array);

// Implements a delegate function of the engine: receives the numbers of all arguments, and writes
// the result's, none for void. The query fails if the result is invalid for its type, or if the
// callback returns a status other than 0. It is called only during calls with the session, on their
// thread, possibly for items that the engine has not reached yet. It must return the same result
// for the same arguments, must not call functions of the session, and must return normally, without
// exceptions or longjmp.
typedef int32_t (*tessera_delegate)(void *context, const double *arguments,
                                    uint32_t argument_count, double *result, uint32_t result_count);
// Sets or, with a null `function`, removes it; the engine then uses its documented fallback.
int32_t tessera_session_set_delegate(tessera_session *session, const char *name,
                                     tessera_delegate function, void *context);

// Measures an item for a proposed width and height, where 0 means unlimited, and writes its size.
// The rules of delegates apply, except that it may call tessera_session_batch_part.
typedef int32_t (*tessera_measure)(void *context, uint64_t section, uint64_t item,
                                   const double proposed[2], double measured[2]);
// Sets what measures items, for engines that size items by their content; with a null `measure`,
// their values say their sizes.
int32_t tessera_session_set_measure(tessera_session *session, tessera_measure measure,
                                    void *context);

// Measures the supplementary element of a kind in a section, likewise.
typedef int32_t (*tessera_measure_supplementary)(void *context, const char *kind, uint64_t section,
                                                 const double proposed[2], double measured[2]);
// Sets what measures supplementary elements such as headers, likewise.
int32_t tessera_session_set_measure_supplementary(tessera_session *session,
                                                  tessera_measure_supplementary measure,
                                                  void *context);

// Gives the sizes of `count` consecutive items of a section, measured by the program: width and
// height of each. The next query corrects the offset to keep visible elements in place. A view that
// measures its cells when they change needs no function above: items without a size have the
// engine's estimate. `kind` is null, or the name of a supplementary kind whose element in the
// section has this size; `first` is then 0 and `count` 1. TESSERA_HOST_ERROR_INVALID if the engine
// does not size by content. Setting a function above, or the sections, forgets all sizes; an update
// keeps the sizes of remaining items and sections. The first call of this function or the two
// below, for items or for supplementary elements, turns measuring on for them: their values no
// longer say their sizes.
int32_t tessera_session_set_measured(tessera_session *session, const char *kind, uint64_t section,
                                     uint64_t first, const double *sizes, uint64_t count);
// Forgets measured sizes, likewise: estimates are used until the elements are visible and measured
// again.
int32_t tessera_session_withdraw_measured(tessera_session *session, const char *kind,
                                          uint64_t section, uint64_t first, uint64_t count);
// Returns the size proposed to an element for measuring; 0 means unlimited. A new proposal forgets
// the measured size. Prepares the layout if needed.
int32_t tessera_session_proposed_size(tessera_session *session, const char *kind, uint64_t section,
                                      uint64_t item, double *width, double *height);

// Receives the progress of a long call into the engine, 0 to 1. A status other than 0 cancels the
// call, which is then TESSERA_HOST_ERROR_CANCELLED. The rules of delegates apply.
typedef int32_t (*tessera_progress)(void *context, double progress);
// Sets or, with a null `progress`, removes it. Engines need not report progress. In a batch it
// receives the fraction of finished layouts, now and then and after each layout that ended the
// engine's process.
int32_t tessera_session_set_progress(tessera_session *session, tessera_progress progress,
                                     void *context);

// ---------------------------------------------------------------- queries

typedef int32_t tessera_host_category;
#define TESSERA_HOST_CATEGORY_CELL 0
#define TESSERA_HOST_CATEGORY_SUPPLEMENTARY 1
#define TESSERA_HOST_CATEGORY_DECORATION 2

#define TESSERA_HOST_NO_KIND UINT32_MAX

// One element: its index path and its attributes.
typedef struct tessera_element {
  tessera_host_category category;
  uint32_t kind; // for tessera_session_kind_name; TESSERA_HOST_NO_KIND for cells
  uint64_t section, item;
  double x, y, width, height;
  double alpha; // 0…1
  int32_t z_index;
  uint32_t hidden;      // 0 or 1
  // about the frame's centre; row-major for row vectors: the order of CSS matrix3d()
  double transform[16];
} tessera_element;

// Prepares the layout if needed, and returns the size of its content.
int32_t tessera_session_content_size(tessera_session *session, double *width, double *height);

// Prepares the layout, and its index of elements, on another thread: the calling thread is not
// blocked, and a later query does neither. *descriptor becomes readable when the thread has
// finished: the program polls it and then calls the next function; it does not read or close it,
// and it is valid until then. Meanwhile the result of the last query and the tracks of the last
// update stay valid, and these functions work: tessera_session_copy_elements, _get_columns,
// _get_attribute, _kind_name, _attribute_count, _attribute_name, _attribute_choice, _batch_message,
// _batch_code, _export, _export_stream, _copy_tracks, _query_moment and its other moment functions,
// tessera_session_message and tessera_session_code. tessera_session_destroy waits. All other
// functions of the session are TESSERA_HOST_ERROR_MISUSED, or return null or 0. Delegate and
// progress functions run on the calling thread: if any is set, *descriptor is readable at once and
// the next function prepares. TESSERA_HOST_ERROR_REFUSED if out of descriptors or threads. O(1).
int32_t tessera_session_prepare_begin(tessera_session *session, int32_t *descriptor);
// Waits until the thread has finished, and returns how the prepare ended, as a query would.
// Settings can be changed again.
int32_t tessera_session_prepare_finish(tessera_session *session);

// Returns the scroll offset, which an update may change.
int32_t tessera_session_offset(tessera_session *session, double *x, double *y);

// Returns the elements whose frames intersect a rect, where touching edges do not intersect; the
// elements that intersect the viewport; or all. They are sorted by section, category (cell,
// decoration, supplementary), kind and item. The first `capacity` of them are written to
// `elements`, which may be null if capacity is 0, and *count is their total number;
// tessera_session_copy_elements copies the rest. `element_size` is sizeof(tessera_element), the
// stride of elements. O(log n + k) for k of n elements in a rect, O(n) for all.
int32_t tessera_session_query_rect(tessera_session *session, double x, double y, double width,
                                   double height, tessera_element *elements, uint64_t element_size,
                                   uint64_t capacity, uint64_t *count);
int32_t tessera_session_query_viewport(tessera_session *session, tessera_element *elements,
                                       uint64_t element_size, uint64_t capacity, uint64_t *count);
int32_t tessera_session_query_all(tessera_session *session, tessera_element *elements,
                                  uint64_t element_size, uint64_t capacity, uint64_t *count);
// Queries the elements drawn in a rect: their bounding boxes intersect it after their transforms.
// `reach`, 0 to 1e12, is how far outside the rect the frame of a transformed element may be. Costs
// as much as a query of the rect enlarged by it.
int32_t tessera_session_query_drawn(tessera_session *session, double x, double y, double width,
                                    double height, double reach, tessera_element *elements,
                                    uint64_t element_size, uint64_t capacity, uint64_t *count);

// Copies up to `capacity` elements of the last query from index `first` on; *count is how many were
// written. The result of a query is kept until the next query or update, even if settings change. A
// query that fails keeps it, too, unless it has more than 65536 elements.
int32_t tessera_session_copy_elements(tessera_session *session, uint64_t first,
                                      tessera_element *elements, uint64_t element_size,
                                      uint64_t capacity, uint64_t *count);

// Consecutive elements of a result: items first_item ... first_item + count - 1 of one category,
// kind and section.
typedef struct tessera_element_run {
  tessera_host_category category;
  uint32_t kind; // for tessera_session_kind_name; TESSERA_HOST_NO_KIND for cells
  uint64_t section, first_item;
  uint64_t count; // at least 1
} tessera_element_run;

// The result of a query by columns. Each column has an entry for each element; a column that the
// engine does not have is null.
typedef struct tessera_columns {
  uint64_t count;                  // of the elements
  uint64_t run_count;              // 0 if there are no elements
  // the index paths, in the order of the elements; the counts add up to `count`
  const tessera_element_run *runs;
  const double *frames;            // x, y, width, height of each; never null
  // 16 numbers each, as in tessera_element; null: all are the identity
  const double *transforms;
  const double *alphas;            // null: all are 1
  const int32_t *z_indexes;        // null: all are 0
  const uint8_t *hidden;           // 0 or 1; null: all are 0
  // After tessera_session_query_columns; else 0. A query that measures elements can change both.
  double content_width, content_height;
  double offset_x, offset_y;
} tessera_columns;

// Queries like tessera_session_query_rect, without a copy for the program: the columns are in the
// session's memory, copied from the engine's and checked. `rect` is x, y, width and height, or null
// for the viewport. `columns_size` is sizeof *columns. The columns are valid and do not change
// until the next query or update with the session, or until it is destroyed; settings and look-ups
// of single elements do not invalidate them. Elements and attributes can be copied as after other
// queries. The memory is reused: a query for each frame allocates nothing. O(log n + k).
int32_t tessera_session_query_columns(tessera_session *session, const double *rect,
                                      tessera_columns *columns, uint64_t columns_size);

// Gets the result of the last query by columns, as tessera_session_query_columns does, for example
// after tessera_session_query_all without space for elements.
int32_t tessera_session_get_columns(tessera_session *session, tessera_columns *columns,
                                    uint64_t columns_size);

// Gets the column of an attribute of the last query's result, valid as long as the columns: the
// numbers of its type for each element as double, but int64_t for "integer", uint8_t for "bool" and
// int32_t for "enum". *values is null if all elements have the initial value.
int32_t tessera_session_get_attribute(tessera_session *session, uint32_t attribute,
                                      const void **values);

// Exports the result of the last query as one array of the Arrow C data interface: a struct with a
// row for each element and the columns
//
//     category   dictionary of utf8: "cell", "supplementary", "decoration"
//     kind       dictionary of utf8; null for cells
//     section    int64
//     item       int64
//     frame      fixed-size list of 4 float64: x, y, width, height
//     transform  fixed-size list of 16 float64
//     alpha      float64
//     z_index    int32
//     hidden     bool
//
// and one for each attribute: float64, int64, bool, a fixed-size list of 2 or 4 float64, or a
// dictionary of utf8. After the frame, columns that the engine does not have are left out: all
// elements then have the default, as in tessera_columns. Frames, transforms, alphas, z indexes and
// numbers are not copied: the array shares the immutable memory of the result, and keeps it until
// it is released, even after the session is destroyed. Any thread can release an array. `schema` or
// `array` may be null. O(n).
int32_t tessera_session_export(tessera_session *session, struct ArrowSchema *schema,
                               struct ArrowArray *array);
// Exports the same as a stream of one array.
int32_t tessera_session_export_stream(tessera_session *session, struct ArrowArrayStream *stream);

// Exports an unreleased array of tessera_session_export again, with the same memory. After the
// column frame, it has the columns x, y, width and height, which are copied, unless an attribute
// has that name. Each export is released separately. `schema`, `copy` and `stream` may be null.
int32_t tessera_arrow_share(const struct ArrowArray *array, struct ArrowSchema *schema,
                            struct ArrowArray *copy, struct ArrowArrayStream *stream);

// The layouts of a batch; each array has an entry for each layout.
typedef struct tessera_batch {
  uint64_t count;
  // layout i has the elements from ends[i - 1], or 0 for the first layout, up to ends[i]
  const uint64_t *ends;
  const double *content_sizes; // width and height of each; 0 if the layout failed
  // TESSERA_HOST_OK, or the error of a layout, which then has no elements
  const int32_t *statuses;
} tessera_batch;

// Lays out parts of the session's data, each as a separate layout: many small layouts of one engine
// in one call. They share the engine, its parameters, unless
// tessera_session_set_batch_parameter_arrow says otherwise, and all settings but the bounds. Layout
// i has the next section_counts[i] sections, with their item counts and values, which the engine
// sees numbered from 0; together they have all sections of the session. Null: each section is a
// layout. `bounds` has width and height of each layout, or is null for the session's. `count` is
// the number of layouts.
//
// All elements are returned by columns as by tessera_session_query_columns, layout after layout,
// with the session's numbers of sections. `batch_size` is sizeof *batch; its arrays are valid as
// long as the columns. With isolation, hundreds of layouts cross to the engine's process in a
// message and back in one, except with measured elements.
//
// An error affects only its layout, even invalid bounds or values of TESSERA_HOST_SCOPE_BATCH:
// statuses[i] is then not TESSERA_HOST_OK, and tessera_session_batch_message explains it, but the
// call returns TESSERA_HOST_OK. If the engine crashes or hangs, that is the error of the layout in
// progress, and a new process goes on with the next. Each layout has the whole time limit. The next
// query prepares the session's own layout again. O(n) for n items together.
int32_t tessera_session_query_batch(tessera_session *session, const uint64_t *section_counts,
                                    const double *bounds, uint64_t count, tessera_columns *columns,
                                    uint64_t columns_size, tessera_batch *batch,
                                    uint64_t batch_size);

// Chooses the columns that batches of the session return, by their names in an Arrow table:
// category, kind, section, item, transform, alpha, z_index, hidden, and attributes. The others are
// not copied and not checked, but are null in tessera_columns and absent in exports, as if the
// engine did not write them. Frames are always returned. Null, the default, chooses all.
int32_t tessera_session_set_batch_columns(tessera_session *session, const char *const *names,
                                          uint64_t count);

// Gives each layout of later batches its own value of a parameter: an Arrow array of a type as in
// tessera_session_set_values_arrow, with an entry for each layout. An invalid or null entry is the
// error of its layout; the library that lays out checks this, even if it has replaced another one
// since. A null `schema` and `array`, the default, use the session's value for all layouts. Both
// are only read; the program releases them. O(n).
int32_t tessera_session_set_batch_parameter_arrow(tessera_session *session, const char *name,
                                                  const struct ArrowSchema *schema,
                                                  const struct ArrowArray *array);

// Gets which layout of a batch is being measured: its number, and the session's number of its first
// section. Measuring functions add to it the section that they get, which counts from the layout's
// first. Either may be null. TESSERA_HOST_ERROR_INVALID outside of a batch, where sections have the
// session's numbers. Since minor version 1.
int32_t tessera_session_batch_part(tessera_session *session, uint64_t *layout,
                                   uint64_t *first_section);

// Returns why a layout of the last batch failed, "" if it succeeded, or null if it does not exist.
// The text is valid until the next batch; its items and sections count within the layout.
const char *tessera_session_batch_message(tessera_session *session, uint64_t layout);

// Returns the name of that failure's code, "" or null, likewise.
const char *tessera_session_batch_code(tessera_session *session, uint64_t layout);

// Returns one element. `kind` is a name, or null for cells. TESSERA_HOST_ERROR_NOT_FOUND if the
// layout has no such element. The result of the last query is kept.
int32_t tessera_session_find(tessera_session *session, tessera_host_category category,
                             const char *kind, uint64_t section, uint64_t item,
                             tessera_element *element, uint64_t element_size);

// Returns the frontmost element at a point of the content, as elements are drawn: after their
// transforms, by z index, then the last in the order of a query. Elements that are hidden or have
// an alpha of 0 are ignored. Outside of the viewport, elements are found by their frames.
// TESSERA_HOST_ERROR_NOT_FOUND if no element is there. The result of the last query is kept. Costs
// as much as a query of the viewport. (A rubber band is tessera_session_query_rect.)
int32_t tessera_session_find_at(tessera_session *session, double x, double y,
                                tessera_element *element, uint64_t element_size);

typedef int32_t tessera_host_toward;
#define TESSERA_HOST_TOWARD_LEFT 0
#define TESSERA_HOST_TOWARD_RIGHT 1
#define TESSERA_HOST_TOWARD_UP 2
#define TESSERA_HOST_TOWARD_DOWN 3

// Returns the cell next to a cell in a direction. Candidates have their centre beyond its edge. The
// smallest sum of the gap along the direction and twice the gap across it wins, then the nearest
// centre across, then the first. Cells without width or height do not count. An item that does not
// exist is TESSERA_HOST_ERROR_INVALID; without a candidate, TESSERA_HOST_ERROR_NOT_FOUND. The
// result of the last query is kept. Costs as much as a few queries.
int32_t tessera_session_find_next(tessera_session *session, uint64_t section, uint64_t item,
                                  tessera_host_toward toward, tessera_element *element,
                                  uint64_t element_size);

typedef int32_t tessera_host_placement;
#define TESSERA_HOST_PLACEMENT_NEAREST 0 // with the least scrolling
#define TESSERA_HOST_PLACEMENT_START 1   // at the top and left edge
#define TESSERA_HOST_PLACEMENT_CENTRE 2
#define TESSERA_HOST_PLACEMENT_END 3 // at the bottom and right edge

// Returns the scroll offset, within the range of scrolling, that makes an item visible, below
// headers pinned above it; it does not scroll. An axis on which the whole content is visible keeps
// its offset. The elements visible at the new offset are measured first, as by a query; currently
// visible elements stay in place. An item that does not exist is TESSERA_HOST_ERROR_INVALID. The
// result of the last query is kept. Costs as much as two queries, or a few more if elements are
// measured.
int32_t tessera_session_offset_revealing(tessera_session *session, uint64_t section, uint64_t item,
                                         tessera_host_placement placement, double *x, double *y);

#define TESSERA_HOST_NEEDS_ITEM_VALUES 1u    // the engine or a base reads values of items
#define TESSERA_HOST_NEEDS_SECTION_VALUES 2u // … of sections
#define TESSERA_HOST_NEEDS_MEASURING 4u      // … sizes elements by their content
#define TESSERA_HOST_NEEDS_SNAPPING 8u       // … decides where scrolling comes to rest
#define TESSERA_HOST_NEEDS_REORDERING 16u    // … decides where a dragged item goes
#define TESSERA_HOST_NEEDS_SCROLLING 32u     // … moves elements when the viewport moves

// Returns the TESSERA_HOST_NEEDS bits of what the session can make use of; 0 if it is null or in
// use.
uint32_t tessera_session_needs(tessera_session *session);

// Returns the name of a kind in the result of the last query, or null for an unknown number. The
// text is valid until the session is destroyed.
const char *tessera_session_kind_name(tessera_session *session, uint32_t kind);

// Returns how many attributes the result of the last query has, and the name of one, or null for an
// unknown number. The text is valid until the session is destroyed. If a replaced library declares
// other attributes, or in another order, older numbers are stale after the next query: functions
// with a number are then TESSERA_HOST_ERROR_INVALID with the code "staleNumber" until the program
// calls one of these two again.
uint32_t tessera_session_attribute_count(tessera_session *session);
const char *tessera_session_attribute_name(tessera_session *session, uint32_t attribute);

// Copies an attribute of up to `capacity` elements of the last query from index `first` on:
// `components` numbers each, as many as its type has; *count is how many elements were written. A
// choice is its index among the choices.
int32_t tessera_session_copy_attribute(tessera_session *session, uint32_t attribute,
                                       uint64_t first, double *numbers, uint32_t components,
                                       uint64_t capacity, uint64_t *count);
// Returns the name of a choice of an attribute, or null if the number is unknown or stale. The text
// is valid until the session is destroyed.
const char *tessera_session_attribute_choice(tessera_session *session, uint32_t attribute,
                                             uint32_t choice);

// Returns where scrolling comes to rest for a proposed offset (x, y). The result is within the
// range of scrolling; the proposal need not be. The velocity is in points per second, 0 if unknown.
int32_t tessera_session_resting_offset(tessera_session *session, double x, double y,
                                       double velocity_x, double velocity_y, double *resting_x,
                                       double *resting_y);

// Calls a published function of the engine or of a base with the numbers of all arguments, and
// writes the result's, none for void. Prepares the layout if needed.
int32_t tessera_session_call(tessera_session *session, const char *name, const double *arguments,
                             uint32_t argument_count, double *result, uint32_t result_count);

// ---------------------------------------------------------------- updates

#define TESSERA_HOST_MAX_EDITED 16777216

typedef int32_t tessera_host_operation;
#define TESSERA_HOST_OPERATION_INSERT_ITEM 1
#define TESSERA_HOST_OPERATION_DELETE_ITEM 2
#define TESSERA_HOST_OPERATION_MOVE_ITEM 3
#define TESSERA_HOST_OPERATION_RELOAD_ITEM 4
#define TESSERA_HOST_OPERATION_INSERT_SECTION 5
#define TESSERA_HOST_OPERATION_DELETE_SECTION 6
#define TESSERA_HOST_OPERATION_MOVE_SECTION 7
#define TESSERA_HOST_OPERATION_RELOAD_SECTION 8

// One change of adjacent items or sections. `from` is the first deleted, moved or reloaded item in
// the numbering before the batch. `to` is the first inserted item, or the target of the first moved
// one, in the numbering after it. Unused fields of an operation are ignored. GListModel's
// items-changed is a deletion of `removed` items from `position` on and an insertion of `added`
// there.
typedef struct tessera_edit {
  tessera_host_operation operation;
  // how many items or sections, over all edits at most TESSERA_HOST_MAX_EDITED; 0 counts as 1
  uint32_t count;
  uint64_t from_section, from_item;
  uint64_t to_section, to_item;
} tessera_edit;

// Sets the section and item values of the new data, whose counts the session already has. It may
// call only set_values, set_values_from, set_value_choices, splice_values, splice_value_choices,
// set_parameter, set_parameter_choice and reset_parameter of the session. A status other than 0
// ends the update with that failure, or with the first failure of those calls.
typedef int32_t (*tessera_supply)(void *context, tessera_session *session);

// Applies a batch of edits, and keeps a track for every element of the layouts before and after.
// `item_counts` are the new ones. `supply` may be null if the engine needs no values. The offset is
// adjusted to keep the top element in place. A batch that contradicts itself or the counts is
// TESSERA_HOST_ERROR_INVALID and changes nothing; a later failure leaves the new counts. O(n) for
// the elements before and after.
int32_t tessera_session_update(tessera_session *session, const tessera_edit *edits,
                               uint64_t edit_count, const uint64_t *item_counts,
                               uint64_t section_count, tessera_supply supply, void *context,
                               uint64_t *track_count);

// The same, with tracks only for the elements in the viewport before or after the update: enough to
// animate a screen. Besides the prepare, O(k log n) for k visible elements. For elements that come
// into view from far away, a second process lays out the old items to find their origins.
int32_t tessera_session_update_visible(tessera_session *session, const tessera_edit *edits,
                                       uint64_t edit_count, const uint64_t *item_counts,
                                       uint64_t section_count, tessera_supply supply,
                                       void *context, uint64_t *track_count);

// The same, with the edits that turn the old identities of all items, all sections in order, into
// the new ones. As few items as possible move. Sections are matched by number. A duplicate identity
// before or after is TESSERA_HOST_ERROR_INVALID.
int32_t tessera_session_update_identities(tessera_session *session, const char *const *before,
                                          const char *const *after, const uint64_t *item_counts,
                                          uint64_t section_count, tessera_supply supply,
                                          void *context, uint64_t *track_count);

#define TESSERA_HOST_FATE_STAYS 0u      // in both layouts, moved or not
// `from` is its initial appearance; its identity is the new one
#define TESSERA_HOST_FATE_APPEARS 1u
#define TESSERA_HOST_FATE_DISAPPEARS 2u // `to` is its final appearance; its identity is the old one

// Copies up to `capacity` tracks of the last update or transition from index `first` on: each
// element before, in the old numbering, and after, in the new one; *count is how many were written.
// `fates` may be null.
int32_t tessera_session_copy_tracks(tessera_session *session, uint64_t first,
                                    tessera_element *from, tessera_element *to, uint32_t *fates,
                                    uint64_t element_size, uint64_t capacity, uint64_t *count);

// Returns the elements of the last update or transition at a progress of 0 to 1, like a query whose
// result is not kept. Transforms are interpolated by component.
int32_t tessera_session_query_moment(tessera_session *session, double progress,
                                     tessera_element *elements, uint64_t element_size,
                                     uint64_t capacity, uint64_t *count);

// Returns for each of these elements the index of its track, the first `capacity` of them; *count
// is the total number.
int32_t tessera_session_moment_tracks(tessera_session *session, double progress, uint64_t *tracks,
                                      uint64_t capacity, uint64_t *count);

// Returns the same elements by columns, as tessera_session_query_columns does, and keeps them, with
// their attributes, as the result of a query. O(n).
int32_t tessera_session_query_moment_columns(tessera_session *session, double progress,
                                             tessera_columns *columns, uint64_t columns_size);

// Gets the content size and the scroll offset of the last update or transition at a progress of 0
// to 1. Each may be null.
int32_t tessera_session_moment_content(tessera_session *session, double progress, double *width,
                                       double *height, double *x, double *y);

// ---------------------------------------------------------------- dragging
// An item that a user drags. The layout changes as if the item were dropped where it is held.
// Setting the sections, or an update, drops it there.

// Picks up an item; nothing moves yet. An unknown or a second item is TESSERA_HOST_ERROR_INVALID.
int32_t tessera_session_drag_begin(tessera_session *session, uint64_t section, uint64_t item);

// Moves the centre of the held item to a point of the content, and gets its section and item if
// dropped there, which may be null. The engine decides, or else the nearest cell. Without a held
// item, TESSERA_HOST_ERROR_INVALID, like the next functions.
int32_t tessera_session_drag_to(tessera_session *session, double x, double y, uint64_t *section,
                                uint64_t *item);

// Returns the held item as an element, centred where it is held and in front of all others.
// TESSERA_HOST_ERROR_NOT_FOUND without a held item. The result of the last query is kept.
int32_t tessera_session_drag_held(tessera_session *session, tessera_element *element,
                                  uint64_t element_size);

// Drops the held item, and writes the edit for the program's own data: a move of one item, or
// nothing, with *edit_count 0, if it is back where it was. The session already has the new order.
int32_t tessera_session_drag_end(tessera_session *session, tessera_edit *edit,
                                 uint64_t *edit_count);

// Moves the held item back to its origin.
int32_t tessera_session_drag_cancel(tessera_session *session);

// ---------------------------------------------------------------- transitions
// The way from one layout to another over the same items: with another engine or other settings.
//
//     tessera_session_take_moment(list, &moment);
//     tessera_session_transition(grid, moment, &track_count);
//     tessera_moment_destroy(moment);
//     tessera_session_query_moment(grid, 0.5, elements, sizeof *elements, capacity, &count);

// A snapshot of a layout: its elements with their attributes, its content size and its scroll
// offset. It is immutable and independent of the session; any number of threads may use it at the
// same time.
typedef struct tessera_moment tessera_moment;

// Takes a snapshot of the session's layout, or of its last update or transition at a progress of 0
// to 1, from which another transition can start before this one has ended. On failure *moment is
// null. The program destroys it. The result of the last query is kept. O(n).
int32_t tessera_session_take_moment(tessera_session *session, tessera_moment **moment);
int32_t tessera_session_take_animated_moment(tessera_session *session, double progress,
                                             tessera_moment **moment);

// Destroys the snapshot. Null is ignored.
void tessera_moment_destroy(tessera_moment *moment);

// Keeps a track for every element of a snapshot and of the session's layout, as an update does; the
// session itself does not change. Elements are paired by category, kind, section and item. An
// element of only the snapshot fades out in place, one of only the layout fades in. Attributes are
// paired by name; an element without an attribute has its initial value. O(n).
int32_t tessera_session_transition(tessera_session *session, const tessera_moment *from,
                                   uint64_t *track_count);

// The same from the layout of another session, with tracks only for the elements in the viewport of
// either. No other thread may be using either session. `session` has the message of a failure.
int32_t tessera_session_transition_visible(tessera_session *session, tessera_session *from,
                                           uint64_t *track_count);

#ifdef __cplusplus
}
#endif

#endif
