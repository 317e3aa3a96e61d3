// Tessera for programs: find layout engines, run them apart from the program, and ask where every element goes.
//
//     tessera_engines *engines = tessera_engines_create();
//     tessera_engines_add_folder(engines, "engines");
//     tessera_session *session = NULL;
//     if (tessera_session_create(engines, "grid", &session) != TESSERA_HOST_OK) puts(tessera_engines_message(engines));
//
// This header needs no other. What engines are written against is tessera/tessera.h; a file may include both, in any order.
//
// Units. Lengths are points, y grows downward, time is seconds, text is UTF-8 that ends with a zero byte. Numbers are finite.
// Status. Functions that can fail return 0 or one of the statuses below, those of the command `tessera`. What failed has changed nothing
// unless a comment says otherwise, and *_message tells why in one sentence. A null argument that may not be null, a struct or an array
// of a wrong size, and an index out of range are TESSERA_HOST_MISUSED: nothing traps, throws, exits or prints. Arguments that a function
// writes to may be null only where its comment says so.
// Owner. What a program passes in is copied before the function returns; callbacks and their contexts are used until replaced or until
// the session is destroyed. What a function writes to is the program's. Text that it gets belongs to the handle, and is valid until the
// next call with that handle; each exception says so.
// Threads. A handle is used by one thread at a time; different handles by different threads at once. No function has a thread of its own
// that it must be called from, and nothing global is kept.
// Growth. Handles are opaque. The two structs that may grow are tessera_engine_info and tessera_element: the program says how large its
// own is, the library writes no more, and zeros what it does not know. They grow only at the end. Every other struct is frozen.

#ifndef TESSERA_HOST_H
#define TESSERA_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_HOST_MAJOR 0
#define TESSERA_HOST_MINOR 1

// The version of the library: its major * 65536 + its minor. A program runs with a library of the major that it was compiled with, and
// of that minor or a later one. libtessera.so.N is major N. Any thread.
uint32_t tessera_host_version(void);

// ---------------------------------------------------------------- status

#define TESSERA_HOST_OK 0
#define TESSERA_HOST_MISUSED 64     // the call itself is wrong: see Status above
#define TESSERA_HOST_INVALID 65     // a name, value or count that the program gave is wrong
#define TESSERA_HOST_NOT_FOUND 66   // no such engine, library, file or element
#define TESSERA_HOST_REFUSED 69     // the engine refused the work; the sentence is its own
#define TESSERA_HOST_DIED 70        // the engine crashed, hung, took too much or broke the contract. The session goes on: the next
                                    // question starts the engine anew, but not after three crashes within a minute
#define TESSERA_HOST_CANNOT_WRITE 73
#define TESSERA_HOST_CANNOT_LOAD 76 // the file is no engine library that this host can load
#define TESSERA_HOST_NOT_ALLOWED 77 // the library may not be loaded

// ---------------------------------------------------------------- engines
// Where engines are found and how they are run. (The Swift module calls it Host; here tessera_host is what an engine is given.)

typedef struct tessera_engines tessera_engines;

// Engines of no folder, run in the sandbox, 10 seconds a call, 1 GiB of memory each. Null if there is no memory left.
tessera_engines *tessera_engines_create(void);

// Sessions that were made with them go on. Null does nothing.
void tessera_engines_destroy(tessera_engines *engines);

// Why the last call failed; "" if it did not. The text stays until the next call with these engines that can fail.
const char *tessera_engines_message(const tessera_engines *engines);

// What is set here holds for listings and sessions that are made afterwards.

// Adds a folder that is searched after those added before. The first engine with an id wins. A folder that is missing, or that others
// may change, is told as refused.
int32_t tessera_engines_add_folder(tessera_engines *engines, const char *path);

// Adds, after all others, the folders of the environment variable TESSERA_PATH, or where there is none: lib/tessera and bin of the
// prefix that this library is installed in, ~/.local/lib/tessera, /usr/local/lib/tessera and /usr/lib/tessera.
int32_t tessera_engines_add_standard_folders(tessera_engines *engines);

typedef int32_t tessera_isolation;
#define TESSERA_SANDBOX ((tessera_isolation)0) // in a process of its own that has given up its rights
#define TESSERA_PROCESS ((tessera_isolation)1) // in a process of its own: a crash is its alone
#define TESSERA_INSIDE ((tessera_isolation)2)  // in this process: for engines of one's own, as under a debugger

int32_t tessera_engines_set_isolation(tessera_engines *engines, tessera_isolation isolation);

// The program tessera-worker, which engines run in. Null: looked for beside this library, in ../libexec/tessera from it, and likewise
// from the running program.
int32_t tessera_engines_set_worker(tessera_engines *engines, const char *path);

// How long one call into an engine may take; above 0. Without a process of its own an engine has no limits.
int32_t tessera_engines_set_time_limit(tessera_engines *engines, double seconds);

// How much private memory an engine's process may take; 64 MiB or more.
int32_t tessera_engines_set_memory_limit(tessera_engines *engines, uint64_t bytes);

// A folder in which what libraries declare is remembered. Without one, each listing and each new session asks every library in the
// folders anew, in a process of its own. Null, as at first: none.
int32_t tessera_engines_set_cache(tessera_engines *engines, const char *folder);

// A file of the SHA-256 sums of the libraries that may be loaded, as sha256sum writes it. It is read now. Null, as at first: any may.
int32_t tessera_engines_set_allowlist(tessera_engines *engines, const char *file);

// ---------------------------------------------------------------- what there is

typedef struct tessera_engine_info {
  const char *id;      // "org.example.spiral"
  const char *name;    // for people
  const char *version; // "1.2.3"
  const char *author;
  const char *license; // SPDX
  const char *summary; // one line
  const char *library; // path
  const char *base;    // the id of the engine that it is derived from, or null
  const char *shadowed_by; // the library whose engine of the same id wins, or null
} tessera_engine_info;

// A file or folder that was not taken.
typedef struct tessera_refusal {
  const char *file;
  const char *reason; // one sentence
  int32_t status;     // the one that using it would end with
  uint32_t reserved;
} tessera_refusal;

// Looks at all folders, and keeps what it found for the two functions below. Libraries that no cache knows are asked in a process of
// their own what they hold. Either count may be null.
int32_t tessera_engines_list(tessera_engines *engines, uint64_t *engine_count, uint64_t *refusal_count);

// An engine, or a refusal, of the last listing, by its place there. Its text stays until the next listing. `info_size` is sizeof *info.
int32_t tessera_engines_get(tessera_engines *engines, uint64_t index, tessera_engine_info *info, uint64_t info_size);
int32_t tessera_engines_get_refusal(tessera_engines *engines, uint64_t index, tessera_refusal *refusal);

// ---------------------------------------------------------------- sessions
// A layout in use: an engine, what it is given, and what it answered. To set something costs nothing: the next question has the layout
// prepared if it must. An engine whose library file is replaced is loaded anew by the next question, with all that was set.

typedef struct tessera_session tessera_session;

// `engine` is an id, the last part of one where that is unique, the path of a library, or path#id. Bounds are 375 × 667, scale 2, one
// section of no items, all else 0. On failure *session is null and the message is that of `engines`.
int32_t tessera_session_create(tessera_engines *engines, const char *engine, tessera_session **session);

// Ends the engine's process, too. Null does nothing. Never from within a callback of the session.
void tessera_session_destroy(tessera_session *session);

// Has the engine destroy its layout and ends its process: only so is it told how that went. The next question starts it anew.
int32_t tessera_session_close(tessera_session *session);

// Why the last call failed; "" if it did not. The text stays until the next call with this session that can fail.
const char *tessera_session_message(const tessera_session *session);

// The engine. Its text stays until the session is destroyed. `info_size` is sizeof *info; `shadowed_by` is null.
int32_t tessera_session_get_engine(tessera_session *session, tessera_engine_info *info, uint64_t info_size);

// ---------------------------------------------------------------- what it is given
// Surroundings are checked by the next question, as they make sense only together.

int32_t tessera_session_set_bounds(tessera_session *session, double width, double height); // the viewport
int32_t tessera_session_set_offset(tessera_session *session, double x, double y); // where it is scrolled to; prepares nothing
int32_t tessera_session_set_content_insets(tessera_session *session, double top, double left, double bottom, double right);
int32_t tessera_session_set_safe_area(tessera_session *session, double top, double left, double bottom, double right);
int32_t tessera_session_set_layout_margins(tessera_session *session, double top, double left, double bottom, double right);
int32_t tessera_session_set_scale(tessera_session *session, double scale); // device pixels a point; 0.01 to 1000

typedef int32_t tessera_direction;
#define TESSERA_LEFT_TO_RIGHT ((tessera_direction)0)
#define TESSERA_RIGHT_TO_LEFT ((tessera_direction)1)
int32_t tessera_session_set_direction(tessera_session *session, tessera_direction direction);

// The most elements that one question may be answered with: 10 million where nothing else is set.
int32_t tessera_session_set_element_limit(tessera_session *session, uint64_t limit);

// The item count of each section. Forgets all section and item values. `item_counts` may be null for no sections.
int32_t tessera_session_set_sections(tessera_session *session, const uint64_t *item_counts, uint64_t section_count);

// A parameter of the engine or of a base of it, by name. `count` is how many numbers its type has: 1 for numbers, integers and bools
// (0 or 1), 2 for points (x, y) and sizes (width, height), 4 for rects (x, y, width, height) and insets (top, left, bottom, right).
// An enum is set by a choice's name.
int32_t tessera_session_set_parameter(tessera_session *session, const char *name, const double *numbers, uint32_t count);
int32_t tessera_session_set_parameter_choice(tessera_session *session, const char *name, const char *choice);

// Gives it back the value that it starts with.
int32_t tessera_session_reset_parameter(tessera_session *session, const char *name);

#define TESSERA_SECTION 0u
#define TESSERA_ITEM 1u

// A value for every section, or for every item of all sections one after the other. Each takes `components` numbers, as a parameter of
// its type does; one begins `stride` bytes after the one before, which may be more than its numbers fill. `count` is how many there are.
// With stride 0 there is one for all, and `count` is 1. O(n), one copy.
int32_t tessera_session_set_values(tessera_session *session, uint32_t scope, const char *name, const double *numbers,
                                   uint32_t components, uint64_t count, uint64_t stride);
// The same for enums, by the names of choices.
int32_t tessera_session_set_value_choices(tessera_session *session, uint32_t scope, const char *name, const char *const *choices,
                                          uint64_t count, uint64_t stride);

// Answers a delegate function of the engine: all numbers of its arguments in, all of its result out; as above, and none for void. A
// result that does not fit its type fails the question, and so does a status other than 0. Asked only during calls with the session, on
// their thread, and maybe for items that the engine has not come to yet; the same question gets the same answer. It calls no function
// of the session, and returns: it does not throw or jump.
typedef int32_t (*tessera_delegate)(void *context, const double *arguments, uint32_t argument_count, double *result,
                                    uint32_t result_count);
// `function` null: takes it away; the fallback that the engine documents holds.
int32_t tessera_session_set_delegate(tessera_session *session, const char *name, tessera_delegate function, void *context);

// Measures an item that is offered a size, where 0 is as much as it likes: width and height out. What holds of delegates holds here.
typedef int32_t (*tessera_measure)(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]);
// For engines that size items by their content; `measure` null: estimates hold.
int32_t tessera_session_set_measure(tessera_session *session, tessera_measure measure, void *context);

// ---------------------------------------------------------------- what it answers

typedef int32_t tessera_category;
#define TESSERA_CELL ((tessera_category)0)
#define TESSERA_SUPPLEMENTARY ((tessera_category)1)
#define TESSERA_DECORATION ((tessera_category)2)

#define TESSERA_NO_KIND UINT32_MAX

// One element: who it is and where it goes.
typedef struct tessera_element {
  tessera_category category;
  uint32_t kind; // for tessera_session_kind_name; TESSERA_NO_KIND for cells
  uint64_t section, item;
  double x, y, width, height;
  double alpha; // 0…1
  int32_t z_index;
  uint32_t hidden;      // 0 or 1
  double transform[16]; // about the frame's centre; row-major for row vectors: the order of CSS matrix3d()
} tessera_element;

// How large the content is, after preparing the layout.
int32_t tessera_session_content_size(tessera_session *session, double *width, double *height);

// Where the viewport is scrolled to; an update moves it.
int32_t tessera_session_offset(tessera_session *session, double *x, double *y);

// Elements whose frames meet a rect, where touching edges do not meet; those that meet the viewport; all. They come sorted by section,
// category (cell, decoration, supplementary), kind and item. The first `capacity` of them are written to `elements`, which may be null
// if capacity is 0, and *count says how many there are: where that is more than capacity, tessera_session_copy_elements gives the rest.
// `element_size` is sizeof(tessera_element), how far apart elements lie. O(log n + k) for a rect that k of n meet, O(n) for all.
int32_t tessera_session_query_rect(tessera_session *session, double x, double y, double width, double height,
                                   tessera_element *elements, uint64_t element_size, uint64_t capacity, uint64_t *count);
int32_t tessera_session_query_viewport(tessera_session *session, tessera_element *elements, uint64_t element_size,
                                       uint64_t capacity, uint64_t *count);
int32_t tessera_session_query_all(tessera_session *session, tessera_element *elements, uint64_t element_size, uint64_t capacity,
                                  uint64_t *count);

// Elements of the last query's answer from place `first` on: up to `capacity`; *count is how many were written. The answer is kept until
// the next query or update, whatever is set meanwhile.
int32_t tessera_session_copy_elements(tessera_session *session, uint64_t first, tessera_element *elements, uint64_t element_size,
                                      uint64_t capacity, uint64_t *count);

// One element. `kind` is a name; null for cells. TESSERA_HOST_NOT_FOUND where the layout has none such. The last answer stays.
int32_t tessera_session_find(tessera_session *session, tessera_category category, const char *kind, uint64_t section,
                             uint64_t item, tessera_element *element, uint64_t element_size);

// The name of a kind in the last answer. The text stays until the session is destroyed. Null where there is none.
const char *tessera_session_kind_name(tessera_session *session, uint32_t kind);

// How many attributes of their own the engine and its bases give elements, and the name of one. The text stays until the session is
// destroyed. Null where there is none.
uint32_t tessera_session_attribute_count(tessera_session *session);
const char *tessera_session_attribute_name(tessera_session *session, uint32_t attribute);

// An attribute of the elements of the last query's answer from place `first` on: `components` numbers each, as many as its type has, for
// up to `capacity` elements; *count is how many were written. A choice is its place among the choices.
int32_t tessera_session_copy_attribute(tessera_session *session, uint32_t attribute, uint64_t first, double *numbers,
                                       uint32_t components, uint64_t capacity, uint64_t *count);
// The name of a choice of an attribute. The text stays until the session is destroyed. Null where there is none.
const char *tessera_session_attribute_choice(tessera_session *session, uint32_t attribute, uint32_t choice);

// Where a scroll rests that would come to rest at (x, y), not clamped to the content; velocity in points a second, 0 where unknown.
int32_t tessera_session_resting_offset(tessera_session *session, double x, double y, double velocity_x, double velocity_y,
                                       double *resting_x, double *resting_y);

// ---------------------------------------------------------------- data that change

typedef int32_t tessera_operation;
#define TESSERA_INSERT_ITEM ((tessera_operation)1)
#define TESSERA_DELETE_ITEM ((tessera_operation)2)
#define TESSERA_MOVE_ITEM ((tessera_operation)3)
#define TESSERA_RELOAD_ITEM ((tessera_operation)4)
#define TESSERA_INSERT_SECTION ((tessera_operation)5)
#define TESSERA_DELETE_SECTION ((tessera_operation)6)
#define TESSERA_MOVE_SECTION ((tessera_operation)7)
#define TESSERA_RELOAD_SECTION ((tessera_operation)8)

// One change. `from` is in the numbering before the batch: what is deleted, moved or reloaded. `to` is in the one after it: what is
// inserted, and where something moves to. What an operation does not have is not looked at.
typedef struct tessera_edit {
  tessera_operation operation;
  uint32_t reserved;
  uint64_t from_section, from_item;
  uint64_t to_section, to_item;
} tessera_edit;

// Gives the section and item values of the new data, which the session already has the counts of. It may call set_values,
// set_value_choices, set_parameter, set_parameter_choice and reset_parameter of the session, and nothing else. A status other than 0
// ends the update with that failure, or with the one that a call of those left.
typedef int32_t (*tessera_supply)(void *context, tessera_session *session);

// Changes the data by a batch of edits that take effect together, and keeps a track for every element of the layout before and of the
// one after. `item_counts` are those after it. `supply` may be null where the engine takes no values. The offset moves so that what was
// at the top stays there. A batch that contradicts itself or its counts is TESSERA_HOST_INVALID and changes nothing; what fails later
// leaves the new counts. O(n) for the elements before and after.
int32_t tessera_session_update(tessera_session *session, const tessera_edit *edits, uint64_t edit_count, const uint64_t *item_counts,
                               uint64_t section_count, tessera_supply supply, void *context, uint64_t *track_count);

#define TESSERA_STAYS 0u      // in both layouts, moved or not
#define TESSERA_APPEARS 1u    // `from` is where it comes from; its identity is the new one
#define TESSERA_DISAPPEARS 2u // `to` is where it goes; its identity is the old one

// Tracks of the last update from place `first` on: each element before, in the old numbering, and after, in the new. Up to `capacity`;
// *count is how many were written. `fates` may be null.
int32_t tessera_session_copy_tracks(tessera_session *session, uint64_t first, tessera_element *from, tessera_element *to,
                                    uint32_t *fates, uint64_t element_size, uint64_t capacity, uint64_t *count);

// The elements of the last update at a moment on their way, 0 to 1: as a query answers, but not kept. Transforms go by their parts.
int32_t tessera_session_query_moment(tessera_session *session, double progress, tessera_element *elements, uint64_t element_size,
                                     uint64_t capacity, uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif
