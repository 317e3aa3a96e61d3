// Tessera: the contract between a layout host and a layout engine.
//
// A layout answers one question: given bounds and item counts, where does every element go? An
// engine is a shared library that answers it. It carries one note and exports one function:
//
//     TESSERA_NOTE;
//     tessera_status tessera_register(const tessera_host *host, tessera_registry *registry);
//
// Units. Lengths are in points, y grows downward, angles are in radians, text is zero-terminated
// UTF-8.
// Pointers. A pointer is null only if it is marked nullable. Unless a comment says otherwise, its
// target belongs to the caller and is valid only during the call. Data is aligned for its type.
// Numbers. Floating-point numbers are finite in both directions; only a limit of a parameter may be
// infinite. The viewport's width and height and each inset are 0 to 1e12, its origin is within
// ±1e12, scale is 0.01 to 1000, and right_to_left is 0 or 1. There are fewer than 2^31 sections and
// at most 2^62 items. Values of sections and items, results of delegate functions and points from a
// program may be negative, huge, or outside a parameter's limits: place such an element somewhere,
// or report why not.
// States of a layout. created → prepared (by the first successful prepare) → destroyed. The tag at
// the end of a comment names the states or calls in which a function may be called, then the
// thread: [prepared; layout] is a layout in the state prepared, on the one thread that uses it at
// the time. Different threads use different layouts concurrently. `any` is any state or any thread.
// Growth. tessera_host, tessera_registry, tessera_engine, tessera_input, tessera_rows,
// tessera_output and tessera_super may grow at their ends within a major version. The allocating
// side sets struct_size; the other side reads only within that size and takes the rest as zero.
// Members of 1.0 are always there: no size check is needed. The elements of declared arrays may
// grow, too: the size beside an array is the stride of its elements, from the size in 1.0 to 4096
// bytes. Every other struct is frozen. An extension's table never grows: its struct_size is exact,
// and more functions are a new revision, "tessera.updates/2". An extension with the revision
// "draft" may still change. Reserved members and unknown bits are 0; the host refuses anything
// else.
// Names. The names of parameters, values, lists, columns, functions, attributes and kinds are
// lowerCamelCase: ASCII letters and digits, starting with a lower-case letter. Each is unique in
// its array.
// Limits. An id or a name has at most 255 bytes, a signature 256, any other text 65,536 and no
// control characters, and an engine's texts 1 MiB together. A longer reported message is truncated.
// An array of a declaration has at most 4096 elements; so do all columns of lists together. A
// library has at most 256 engines, and an engine at most 31 bases.
// Chains. An engine that names a base is derived from it, and inherits each function that it leaves
// null, except create, destroy and extension. Each engine numbers kinds and attributes from 0: its
// declarations in order, then its base's other ones in the base's order. A name that the base
// declares, declared again, refers to the same thing and must have the same type.
// Order. The reading order of elements is by section, then by item.
// Right to left. If the host mirrors a layout (TESSERA_TRAIT_MIRRORS), the engine lays out left to
// right. The host mirrors its input: the viewport, the insets, the rects of adjust and of queries,
// the points of snapping and reordering, and each point, rect and insets that a delegate function
// returns or a published function takes. The host mirrors its output: frames, transforms,
// attributes of these types, offsets, and each point, rect and insets that it passes to a delegate
// function or returns from a published one. Parameters and values are not mirrored. The axis is the
// middle of the content's width: in prepare, of the content size set so far, or else of the bounds
// less content_insets. The viewport's origin, on which no result of prepare depends, is not
// mirrored in prepare. A scroll offset is not a content point: published functions take and return
// the viewport as a rect instead.
// Conduct.
// 1. Results depend only on the input and on earlier calls of the same layout: not on a clock, the
//    environment, the locale, an address, a random number or another layout.
// 2. No function exits by an exception, a panic or longjmp.
// 3. An engine prints nothing and changes nothing in its process: signal handlers, locale,
//    environment, working directory, descriptors.
// 4. An engine's threads work only within a call, and have ended or sleep when it returns. Only the
//    thread of the call calls the host.
// 5. Delegate functions may be called in every call that has an input, any number of times, in any
//    order. During a call, the same arguments have the same result. If a delegate function fails,
//    it returns zeros, and the engine's call then fails.
// 6. Within a call, the engine calls only what the comments allow. The host calls no function of a
//    layout within another one's call, except a base's through tessera_super.
// 7. Time and memory grow about linearly with the sections, items and records; in a query, with the
//    elements that it adds.
// 8. The thread of a call has a stack of at least 512 KiB.
// 9. If memory cannot be allocated, return TESSERA_ERROR_NO_SPACE.

#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "the contract needs 64-bit pointers"
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the contract needs a little-endian machine"
#endif

#if defined(__clang__)
#define TESSERA_NULLABLE _Nullable
#define TESSERA_NONNULL _Nonnull
#define TESSERA_SENDABLE __attribute__((swift_attr("@Sendable")))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#else
#define TESSERA_NULLABLE
#define TESSERA_NONNULL
#define TESSERA_SENDABLE
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_ABI_MAJOR 1
#define TESSERA_ABI_MINOR 0

// The least minor version that a host must have to serve this library. Define it before the include
// to build for older hosts: a library that uses only 1.0 may say 0 with the header of any 1.x.
#ifndef TESSERA_NEEDED_MINOR
#define TESSERA_NEEDED_MINOR TESSERA_ABI_MINOR
#elif TESSERA_NEEDED_MINOR > TESSERA_ABI_MINOR
#error "TESSERA_NEEDED_MINOR is higher than the minor version of this header"
#endif

// The note that a host reads from the file before it loads it. Use it once in a library, outside
// any function. Every file format has the same record: an ELF note with the name "Tessera" and type
// 1. Its data is the ABI's major version, the needed minor version and the library's size of
// tessera_engine. Only the section differs; in ELF, PT_NOTE finds it too.
#if defined(__APPLE__)
#define TESSERA_NOTE_SECTION "__TEXT,__tessera"
#elif defined(_WIN32)
#define TESSERA_NOTE_SECTION ".tessera"
#else
#define TESSERA_NOTE_SECTION ".note.tessera"
#endif
#if defined(__clang__)
// Without the sanitizer, which would pad the note.
#define TESSERA_NOTE_ATTRIBUTES \
  section(TESSERA_NOTE_SECTION), used, aligned(4), no_sanitize("address")
#else
#define TESSERA_NOTE_ATTRIBUTES section(TESSERA_NOTE_SECTION), used, aligned(4)
#endif
#define TESSERA_NOTE                                              \
  __attribute__((TESSERA_NOTE_ATTRIBUTES)) static const struct {  \
    uint32_t name_size, data_size, type;                          \
    char name[8];                                                 \
    uint32_t abi_major, abi_minor, engine_size;                   \
  } tessera_abi_note = {                                          \
    8, 12, 1, "Tessera", TESSERA_ABI_MAJOR, TESSERA_NEEDED_MINOR, sizeof(tessera_engine)}

// ---------------------------------------------------------------- geometry

typedef struct tessera_point { double x, y; } tessera_point;
typedef struct tessera_size { double width, height; } tessera_size;
// half-open: contains x ≤ px < x + width, likewise y; one with width or height 0 intersects nothing
typedef struct tessera_rect { double x, y, width, height; } tessera_rect;
typedef struct tessera_insets { double top, left, bottom, right; } tessera_insets;
// row-major for row vectors: the order of CSS matrix3d()
typedef struct tessera_transform { double m[16]; } tessera_transform;

// ---------------------------------------------------------------- status
// The result of a call. An engine reports the reason through host->report before it returns a
// failure.

typedef int32_t tessera_status;
#define TESSERA_OK 0
#define TESSERA_ERROR_INVALID_VALUE 1 // a parameter or value is invalid
#define TESSERA_ERROR_UNSUPPORTED 2
#define TESSERA_ERROR_NO_SPACE 3 // the host rejected rows: return this at once; or out of memory
#define TESSERA_ERROR_CANCELLED 4 // the host's progress returned 0: return this at once
#define TESSERA_ERROR_NOT_FOUND 5 // no such name, list, run or element
#define TESSERA_ERROR_WRONG_STATE 6
#define TESSERA_ERROR_FAILED 7

// ---------------------------------------------------------------- what an engine declares

typedef int32_t tessera_type;
#define TESSERA_TYPE_BOOL 1   // uint8_t, 0 or 1
#define TESSERA_TYPE_INT 2    // int64_t
#define TESSERA_TYPE_NUMBER 3 // double
#define TESSERA_TYPE_ENUM 4   // int32_t, an index into the `choices` of the engine that declares it
#define TESSERA_TYPE_POINT 5
#define TESSERA_TYPE_SIZE 6
#define TESSERA_TYPE_RECT 7
#define TESSERA_TYPE_INSETS 8
// Flags of a parameter or a value.
#define TESSERA_FLAG_HINT 1u      // no effect on this engine's elements and content size: it is for
                                  // programs, derived engines or a function of this engine. Without
                                  // the flag, it has an effect in some layout
#define TESSERA_FLAG_IN_ADJUST 2u // only adjust reads it, such as how far a part of the content is
                                  // scrolled: a change needs no prepare. On a parameter, every
                                  // value that falls back to it needs the flag too

typedef union tessera_value {
  uint8_t boolean;
  int64_t integer;
  double number;
  int32_t choice;
  tessera_point point;
  tessera_size size;
  tessera_rect rect;
  tessera_insets insets;
} tessera_value;

// One value for the whole layout.
typedef struct tessera_parameter {
  const char *name;
  const char *help;                  // one sentence
  const char *TESSERA_NULLABLE unit; // "pt", "rad"; null: a bare number
  // the different names of a TESSERA_TYPE_ENUM, at least one; else null
  const char *TESSERA_NONNULL const *TESSERA_NULLABLE choices;
  uint32_t choice_count;
  tessera_type type;
  uint32_t flags; // TESSERA_FLAG_…
  uint32_t reserved;
  tessera_value initial;          // within the limits
  // inclusive, for each component. Equal, such as both 0: no limit. For only one limit, set the
  // other to INFINITY or -INFINITY; of an int, to INT64_MAX or INT64_MIN. A minimum above its
  // maximum is refused. TESSERA_TYPE_BOOL and TESSERA_TYPE_ENUM have no limits
  tessera_value minimum, maximum;
} tessera_parameter;

// A value that the host supplies for every section or every item. The default is the fallback's
// value, within the fallback's limits; a user's value may be outside of them.
#define TESSERA_SCOPE_SECTION 0u
#define TESSERA_SCOPE_ITEM 1u
typedef struct tessera_value_declaration {
  const char *name;
  const char *help;
  // the default: a parameter of this engine, of the same type; null: the type's zero. A
  // TESSERA_TYPE_ENUM has the choices of its fallback, and needs one
  const char *TESSERA_NULLABLE fallback;
  tessera_type type;
  uint32_t scope; // TESSERA_SCOPE_SECTION, TESSERA_SCOPE_ITEM
  uint32_t flags; // TESSERA_FLAG_…
  uint32_t reserved;
} tessera_value_declaration;

// A list of records that a user gives, such as the nodes of a composition or the breakpoints of a
// page; empty by default. A column is declared like a parameter: `initial` is the default, and all
// values are within the limits. A tree is a list with an int column `parent`: the index of a
// record's parent in the list, or -1.
typedef struct tessera_list_declaration {
  const char *name;
  const char *help;
  uint32_t column_count, column_size; // at least one column; size: as in tessera_engine
  const tessera_parameter *columns;
} tessera_list_declaration;

// A C function and its context, which is the first argument and not part of the signature.
typedef struct tessera_function {
  // cast to the declared signature; null: use the documented default
  void (*TESSERA_NULLABLE call)(void);
  void *TESSERA_NULLABLE context;
} tessera_function;

// A delegate function, which the host supplies for the engine to call, or a function that the
// engine publishes to the host. Signature: result(argument,…) with the types void bool u8 i8 u16
// i16 u32 i32 u64 i64 f32 f64 point size rect insets, at most 16 arguments; "u8(u32,u32)" is
// uint8_t (*)(void *context, uint32_t, uint32_t). `void` is a result only; `bool` is a uint8_t of 0
// or 1. A published function has no status. If it cannot answer, it reports why with a failure
// status and returns zeros; the call then fails.
typedef struct tessera_function_declaration {
  const char *name;
  const char *signature;
  const char *help;
  // null: a delegate function; else the function, with the layout as context. [prepared; layout]
  void (*TESSERA_NULLABLE published)(void);
} tessera_function_declaration;

typedef int32_t tessera_interpolation;
#define TESSERA_INTERPOLATION_LINEAR 0
#define TESSERA_INTERPOLATION_STEP 1
#define TESSERA_INTERPOLATION_NONE 2

// When a column of the output exists. A column that only adjust writes costs nothing for rows off
// screen.
#define TESSERA_WHEN_PREPARED 0u // in prepare, queries and adjust
#define TESSERA_WHEN_ADJUSTED 1u // in queries of lazy layouts and in adjust only

// A column that the engine adds to the built-in ones. Geometry is in points: a point or rect
// relative to the origin of the element's frame, insets relative to its edges. The host mirrors it
// with the frame.
typedef struct tessera_attribute {
  const char *name;
  const char *help;
  // "pt", "rad"; null: a bare number. For programs to show as a time or a date: "h", hours since
  // midnight; "d", days and "mo", months since the first one of the layout
  const char *TESSERA_NULLABLE unit;
  const char *TESSERA_NONNULL const *TESSERA_NULLABLE choices; // as of a parameter
  uint32_t choice_count;
  tessera_type type;
  tessera_interpolation interpolation;
  uint32_t when;         // TESSERA_WHEN_PREPARED, TESSERA_WHEN_ADJUSTED
  tessera_value initial; // the initial value of every row
} tessera_attribute;

typedef int32_t tessera_category;
#define TESSERA_CATEGORY_CELL 0
#define TESSERA_CATEGORY_SUPPLEMENTARY 1
#define TESSERA_CATEGORY_DECORATION 2

// The purpose of a kind, for programs that have never seen it.
typedef int32_t tessera_role;
#define TESSERA_ROLE_OTHER 0
#define TESSERA_ROLE_HEADER 1     // before a section, a group or the content; shows its name
#define TESSERA_ROLE_FOOTER 2     // after a section, a group or the content
#define TESSERA_ROLE_BADGE 3      // on an item
#define TESSERA_ROLE_BACKGROUND 4 // behind cells
#define TESSERA_ROLE_SEPARATOR 5  // a line between elements
#define TESSERA_ROLE_LABEL 6      // a scale: hours, days, months; shows what `shows` names

typedef struct tessera_kind {
  const char *name;
  // the attribute with the meaning of an element, such as its hour; null: it stands for its
  // section, or as a badge for its item
  const char *TESSERA_NULLABLE shows;
  tessera_category category; // TESSERA_CATEGORY_SUPPLEMENTARY or _DECORATION: cells have no kind
  tessera_role role;
} tessera_kind;

// A value for a parameter of a base, by name.
typedef struct tessera_setting {
  const char *name;
  // the choice's name for TESSERA_TYPE_ENUM, where `value` is ignored; else null
  const char *TESSERA_NULLABLE choice;
  tessera_type type;
  uint32_t owned; // 1: the user cannot set the parameter through this engine
  tessera_value value;
} tessera_setting;

// Built-in columns that an engine writes beside `frame`.
#define TESSERA_COLUMN_TRANSFORM 1u
#define TESSERA_COLUMN_ALPHA 2u
#define TESSERA_COLUMN_Z_INDEX 4u
#define TESSERA_COLUMN_HIDDEN 8u

// Each engine declares its traits. A chain is lazy if its most derived engine with a prepare is;
// every base must then be lazy, too. A chain has TESSERA_TRAIT_VIEWPORT if any engine has it,
// TESSERA_TRAIT_MIRRORS if all have it, and every other trait if the most derived engine has it,
// because that engine decides where elements are.
#define TESSERA_TRAIT_LAZY 1u          // answers queries itself; prepare adds no rows
#define TESSERA_TRAIT_VIEWPORT 2u      // implements adjust
// right to left is the exact mirror: the host mirrors, the engine ignores right_to_left. The axis
// is the middle of the content, not of the viewport: x becomes content width - x - width
#define TESSERA_TRAIT_MIRRORS 4u
// origins lie on the pixel grid of `scale`, also mirrored: with MIRRORS, every right edge is a
// whole number of pixels from the content's right edge
#define TESSERA_TRAIT_PIXEL_ALIGNED 8u
#define TESSERA_TRAIT_INCREMENTAL 16u  // reads `change` and `kept`, and lays out only what changed

// Laws of an engine's layouts. The host does not rely on them, but the conformance suite tests
// them. A chain has the laws of its most derived engine with a prepare.
#define TESSERA_LAW_FLOWS 1u   // left to right, later items and sections do not move earlier cells
#define TESSERA_LAW_APPENDS 2u // left to right, an empty section added at the end moves no element
#define TESSERA_LAW_SCALES 4u  // scale only rounds: before mirroring, every edge is less than a
                               // pixel from its place at a finer scale

// ---------------------------------------------------------------- what a call is given

// Values in memory: TESSERA_TYPE_BOOL as uint8_t 0 or 1, TESSERA_TYPE_ENUM as int32_t, and the
// others as in tessera_value.
typedef struct tessera_column {
  // element i is at (const char *)data + i * stride; null only for an empty column
  const void *TESSERA_NULLABLE data;
  uint64_t stride;                   // in bytes; 0: one value for all
} tessera_column;

// The records of a list: `count` values in each column.
typedef struct tessera_list {
  uint64_t count;
  const tessera_column *columns; // in the order declared
} tessera_list;

// The difference from the input of this layout's last successful prepare. For a base: after its
// overrides.
#define TESSERA_CHANGED_ALL 1u    // anything: the first prepare, a prepare after a failed one or
                                  // after a delegate function changed, or an unknown difference
#define TESSERA_CHANGED_BOUNDS 2u // size, insets, scale, direction
#define TESSERA_CHANGED_PARAMETERS 4u // a changed fallback alone is not TESSERA_CHANGED_VALUES
#define TESSERA_CHANGED_COUNTS 8u
#define TESSERA_CHANGED_VALUES 16u
#define TESSERA_CHANGED_LISTS 32u
typedef struct tessera_change {
  uint32_t what;
  // the next three need TESSERA_CHANGED_COUNTS or TESSERA_CHANGED_VALUES. Nothing before
  // (first_section, first_item) changed in counts or values; a section's value changes with its
  // first item
  uint32_t first_section;
  uint64_t first_item;
  // so many items at the end of all, and the sections that begin with one of them, have the same
  // values and counts as the last ones before. 0: unknown
  uint64_t last_count;
} tessera_change;

typedef struct tessera_super tessera_super;
typedef struct tessera_host tessera_host;

// Where content lies: its (0, 0) is the corner inside content_insets, so scrolling starts with the
// viewport's origin at (-left, -top). An engine fills the bounds less content_insets, starting at
// (0, 0), and never adds content_insets to a frame. Elements that adjust pins stay at an edge of
// the viewport less content_insets. safe_area and layout_margins, too, are insets from the bounds:
// max(0, safe_area.left - content_insets.left) of safe_area.left reaches into the content. Owner:
// the host; read-only for the engine, valid for the call.
typedef struct tessera_input {
  uint32_t struct_size;
  uint32_t right_to_left;
  const tessera_host *host; // to report and to show progress; the host that create was given
  // size: the bounds; origin: the scroll offset, which moves without a prepare
  tessera_rect viewport;
  tessera_insets content_insets, safe_area, layout_margins;
  double scale; // device pixels per point
  uint32_t section_count;
  uint32_t reserved;
  // [section_count + 1]; section s has the items section_starts[s] ..< section_starts[s + 1]
  const uint64_t *section_starts;
  const tessera_value *parameters;   // in the order declared, within their limits
  // in the order declared; item values are indexed by position among all items
  const tessera_column *values;
  const tessera_list *lists;         // in the order declared
  // delegate functions in the order declared, without published functions
  const tessera_function *functions;
  tessera_super *TESSERA_NULLABLE super; // null if the engine has no base
  tessera_change change;
} tessera_input;

// ---------------------------------------------------------------- what a call gives back

// The elements that rows describe: `count` elements of one category, kind and section, with the
// items first_item, first_item + 1, …, counted from 0 in the section. Every item has exactly one
// cell; an invisible cell is hidden or has a size of 0. The item of a supplementary element or
// decoration is any number below 2^63 - 1, in an empty section too. It identifies the element, also
// across updates: give the only header of a section 0.
typedef struct tessera_run {
  tessera_category category;
  uint32_t kind; // a kind's number for this engine, from 0; 0 for cells
  uint32_t section;
  uint32_t reserved;
  uint64_t first_item;
  uint64_t count;
} tessera_run;

// Writable columns of one run, in the numbering of the calling engine. Owner: the host; the struct
// and the columns stay valid, at the same address, until that engine's call returns, even if rows
// are added or other functions are called.
typedef struct tessera_rows {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t count;
  // the first `kept` rows still have, in all columns, the values that this engine's last successful
  // prepare left; often 0. Always 0 without TESSERA_TRAIT_INCREMENTAL, and for a base whose rows a
  // derived engine has since fetched with get, unless that engine called leave for all of them. For
  // a fetched run: the rows that the base leaves
  uint64_t kept;
  // uninitialized: the engine that adds a run writes every frame after the first `kept`; sizes are
  // 0 or more
  tessera_rect *frame;
  // The next four are null unless an engine of the chain declares the column, and in prepare for
  // adjusted_columns.
  tessera_transform *TESSERA_NULLABLE transform; // about the frame's centre; initially the identity
  double *TESSERA_NULLABLE alpha;                // 0…1; initially 1
  int32_t *TESSERA_NULLABLE z_index;             // initially 0
  uint8_t *TESSERA_NULLABLE hidden;              // 0 or 1; initially 0
  // by number; null in prepare if TESSERA_WHEN_ADJUSTED; initially `initial`
  void *TESSERA_NULLABLE const *TESSERA_NULLABLE attributes;
} tessera_rows;

// Receives an engine's elements. Owner: the host, valid for the call.
typedef struct tessera_output tessera_output;
struct tessera_output {
  uint32_t struct_size;
  uint32_t reserved;
  // Reserves rows for a run and returns their columns. An empty run adds nothing.
  // In adjust, count must be 1. The result is: for an element that the query is about to return,
  // its row; for another prepared element, a copy of its prepared row; else, also in a lazy
  // layout, a new row with initial values and an empty frame.
  // Owner: the host owns rows, see tessera_rows. Errors, with `rows` untouched:
  // TESSERA_ERROR_NO_SPACE; TESSERA_ERROR_INVALID_VALUE for a kind, section or item out of range.
  // If an element was added twice, the engine's call fails when it returns.
  // [prepare, adjust, queries; layout]
  tessera_status (*add)(tessera_output *self, const tessera_run *run,
                        const tessera_rows *TESSERA_NULLABLE *TESSERA_NONNULL rows);
  // The number of existing runs whose kinds this engine numbers: its base's and its own; in adjust,
  // the runs that a query is about to return. [prepare, adjust, queries; layout]
  uint64_t (*run_count)(tessera_output *self);
  // Run `index` and its columns. Owner: the caller owns `run`; rows as for add.
  // Errors: TESSERA_ERROR_NOT_FOUND. [as run_count]
  tessera_status (*get)(tessera_output *self, uint64_t index, tessera_run *run,
                        const tessera_rows *TESSERA_NULLABLE *TESSERA_NONNULL rows);
  // Sets the size of the whole content, in points, not negative; the last call wins. A prepare
  // without it fails. Cells and supplementary elements lie between (0, 0) and this size: always
  // along an axis that scrolls, where the content is longer than the bounds less content_insets,
  // and else as far as the parameters and values leave room. Elements that adjust pins to the
  // viewport are exempt along the axis on which it pins. Decorations may overhang.
  // [prepare; layout]
  void (*set_content_size)(tessera_output *self, tessera_size size);
  // The content size set so far, or the last prepare's. [prepare, adjust, queries; layout]
  tessera_size (*content_size)(tessera_output *self);
  // Optional. Declares the frames of the first `count` of these rows unchanged by this prepare: the
  // host need not read them again. The host compares some of them, and a query fails if one
  // differs. For rows that an incremental engine fetched with get, it also declares that the engine
  // changes nothing in them that its base relies on: the base may keep them next time. The engine
  // then writes all its columns in every row after `count`. Errors: TESSERA_ERROR_INVALID_VALUE for
  // more than `kept`. [prepare; layout]
  tessera_status (*leave)(tessera_output *self, const tessera_rows *rows, uint64_t count);
};

// The base of a derived engine, valid during the call that passes it. A name refers to the nearest
// base that declares it. Precedence of a value, lowest first: declared initial value; `defaults` of
// derived engines, the most derived last; the user's value; overrides, where the engine nearest to
// the declaring engine wins. A name that the user gives refers to the most derived engine that
// declares it. Overrides are cleared before prepare and still_valid; in every other call the last
// successful prepare's overrides apply. Strings are copied. All functions: [the calls named, or
// any; layout]
struct tessera_super {
  uint32_t struct_size;
  uint32_t reserved;
  // The base's current values; a scope is TESSERA_SCOPE_SECTION or TESSERA_SCOPE_ITEM. Owner: the
  // host, until the engine's call returns. Errors: TESSERA_ERROR_NOT_FOUND;
  // TESSERA_ERROR_INVALID_VALUE for a different type.
  tessera_status (*get)(tessera_super *self, const char *name, tessera_type type,
                        tessera_value *value);
  tessera_status (*get_values)(tessera_super *self, const char *name, uint32_t scope,
                               tessera_type type, tessera_column *column);
  // Overrides a parameter, and every value that falls back to it. Owner: the host copies `value`.
  // Errors: as get; TESSERA_ERROR_WRONG_STATE; if the value is invalid for the base, the host
  // reports why. [prepare, still_valid]
  tessera_status (*set)(tessera_super *self, const char *name, tessera_type type,
                        const tessera_value *value);
  // by the choice's name
  tessera_status (*set_choice)(tessera_super *self, const char *name, const char *choice);
  // Overrides the values of a scope. Owner: the host owns `data`, contiguous, one value for each
  // section or item, as long as the override applies. It initially holds the result of get_values;
  // the engine fills it before it calls the base. If a number is not finite, or a bool or choice
  // does not exist, the call of the base fails. Errors: as set; TESSERA_ERROR_NO_SPACE.
  // [prepare, still_valid]
  tessera_status (*set_values)(tessera_super *self, const char *name, uint32_t scope,
                               tessera_type type, void *TESSERA_NULLABLE *TESSERA_NONNULL data);
  // Overrides a delegate function. Owner: the engine; the function must stay callable until the
  // layout's next prepare. Errors: as set. [prepare]
  tessera_status (*set_function)(tessera_super *self, const char *name, const char *signature,
                                 tessera_function function);
  // Calls the base's function with the same output. A second prepare in one call drops the rows of
  // the first. If the engine is not lazy, the host asks a lazy base for all elements. Errors: the
  // base's, already reported: return them at once.
  // [prepare]
  tessera_status (*prepare)(tessera_super *self, tessera_output *output);
  // [adjust]
  tessera_status (*adjust)(tessera_super *self, tessera_rect rect, tessera_output *output);
  // [queries]
  tessera_status (*elements_in_rect)(tessera_super *self, tessera_rect rect,
                                     tessera_output *output);
  // [queries]
  tessera_status (*element)(tessera_super *self, const tessera_run *run, tessera_output *output);
  // [still_valid]
  int32_t (*still_valid)(tessera_super *self);
  // The current number of records in a list of the base, and their values in one column. Owner: the
  // host, until the engine's call returns or the list is overridden. Errors: as get.
  tessera_status (*get_list)(tessera_super *self, const char *name, uint64_t *count);
  tessera_status (*get_column)(tessera_super *self, const char *list, const char *column,
                               tessera_type type, tessera_column *values);
  // Resizes a list to `count` records; new records have the initial values of the columns. Errors:
  // as set; TESSERA_ERROR_NO_SPACE. [prepare, still_valid]
  tessera_status (*set_list)(tessera_super *self, const char *name, uint64_t count);
  // The writable values of one column of a list that this engine has overridden in this call, to
  // change before it calls the base. Owner: the host owns `data`, contiguous, one value for each
  // record, as long as the override applies. If a value is invalid for the base, the call of the
  // base fails. Errors: as set; TESSERA_ERROR_WRONG_STATE without set_list. [prepare, still_valid]
  tessera_status (*set_column)(tessera_super *self, const char *list, const char *column,
                               tessera_type type, void *TESSERA_NULLABLE *TESSERA_NONNULL data);
};

// ---------------------------------------------------------------- the engine

typedef struct tessera_layout tessera_layout; // the engine's own instance, opaque to the host
typedef struct tessera_engine tessera_engine;

// The engine owns everything that this points to; it stays valid and unchanged until the process
// ends.
struct TESSERA_SENDABLE tessera_engine {
  uint32_t struct_size;
  uint32_t traits;           // TESSERA_TRAIT_…
  uint32_t laws;             // TESSERA_LAW_…
  uint32_t columns;          // built-in columns written in prepare or queries
  uint32_t adjusted_columns; // … written in adjust only
  uint32_t reserved;
  const char *id;            // reverse-DNS, of letters, digits and hyphens: "org.example.spiral"
  const char *name, *version; // version: semantic, "1.2.3"
  const char *author, *license, *summary; // license: an SPDX expression, "MIT"
  const char *TESSERA_NULLABLE base;         // the id of the base engine, or null
  // the lowest compatible version of the base, of the same major version; null: any
  const char *TESSERA_NULLABLE base_version;
  uint32_t parameter_count, parameter_size;  // size: this library's sizeof of one element
  uint32_t value_count, value_size;
  uint32_t list_count, list_size;
  uint32_t function_count, function_size;
  uint32_t attribute_count, attribute_size;
  uint32_t kind_count, kind_size;
  uint32_t default_count, default_size;
  // each array: null only where its count is 0
  const tessera_parameter *TESSERA_NULLABLE parameters;
  const tessera_value_declaration *TESSERA_NULLABLE values;
  const tessera_list_declaration *TESSERA_NULLABLE lists;
  const tessera_function_declaration *TESSERA_NULLABLE functions;
  const tessera_attribute *TESSERA_NULLABLE attributes;
  const tessera_kind *TESSERA_NULLABLE kinds;
  // initial values of the base's parameters under this engine; the user's values win
  const tessera_setting *TESSERA_NULLABLE defaults;

  // Creates a layout. Owner: `host` belongs to this layout and stays valid until destroy has
  // returned; the engine owns the layout. Null, create and destroy both: the engine has no state,
  // even if a base has some; `layout` is then null. Errors: any, with `layout` untouched.
  // [→ created; any]
  tessera_status (*TESSERA_NULLABLE create)(
       const tessera_engine *self, const tessera_host *host,
      tessera_layout *TESSERA_NULLABLE *TESSERA_NONNULL layout);
  // Frees the layout. [created, prepared; layout]
  void (*TESSERA_NULLABLE destroy)(tessera_layout *TESSERA_NULLABLE layout);
  // Places every element: exactly one cell for each item, and any number of others; a lazy engine
  // only sets the content size. Required without a base. Errors: any; the layout is then back in
  // the state created. [created, prepared; layout]
  tessera_status (*TESSERA_NULLABLE prepare)(tessera_layout *TESSERA_NULLABLE layout,
                                             const tessera_input *input, tessera_output *output);
  // Changes the rows that a query for `rect` is about to return, for the viewport in `input`, and
  // may add elements such as pinned headers. `rect` is in content points; for a query of one
  // element, it is its frame. The host then drops rows that do not intersect rect, by the frames
  // after adjust. Errors: any. [prepared; layout]
  tessera_status (*TESSERA_NULLABLE adjust)(tessera_layout *TESSERA_NULLABLE layout,
                                            const tessera_input *input, tessera_rect rect,
                                            tessera_output *output);
  // Lazy engines. Adds at least every element that intersects rect, each once; the host drops the
  // rest. The time may grow with the elements added, but not with the items and sections before
  // them. Errors: any. [prepared; layout]
  tessera_status (*TESSERA_NULLABLE elements_in_rect)(tessera_layout *TESSERA_NULLABLE layout,
                                                      const tessera_input *input,
                                                      tessera_rect rect, tessera_output *output);
  // Lazy engines. Adds the one element of `run` (count 1), or nothing if it does not exist.
  // Errors: any. [prepared; layout]
  tessera_status (*TESSERA_NULLABLE element)(tessera_layout *TESSERA_NULLABLE layout,
                                             const tessera_input *input, const tessera_run *run,
                                             tessera_output *output);
  // Returns 1 if the prepared layout is still valid for the new input, which differs only as
  // TESSERA_CHANGED_BOUNDS says; else 0. Null in an engine with a prepare: 0. [prepared; layout]
  int32_t (*TESSERA_NULLABLE still_valid)(tessera_layout *TESSERA_NULLABLE layout,
                                          const tessera_input *input);
  // The table of functions for an extension id, valid until the process ends, or null. The host
  // calls the tables of a chain from the root on, each with the previous output; extensions have no
  // super. [any; any]
  const void *TESSERA_NULLABLE (*TESSERA_NULLABLE extension)(const tessera_engine *self,
                                                             const char *id);
};

// ---------------------------------------------------------------- the host

struct tessera_host {
  uint32_t struct_size;
  // the contract's version for this library, whatever the host's own: the library's major, and at
  // least the minor that it needs
  uint32_t abi_major, abi_minor;
  uint32_t reserved;
  // Reports a sentence to the user: the reason for the failure status that the call then returns,
  // or a warning with TESSERA_OK. Owner: the engine; the host copies it.
  // [any; layout, or the thread of tessera_register]
  void (*report)(const tessera_host *self, tessera_status status, const char *message);
  // Reports the progress of a long call, 0…1 and never falling within the call; cheap enough for
  // every few thousand items. Returns 0: stop with TESSERA_ERROR_CANCELLED.
  // [prepare, queries; layout]
  int32_t (*progress)(const tessera_host *self, double fraction);
  // The host's table for an extension id, valid as long as this host, or null. [any; any]
  const void *TESSERA_NULLABLE (*TESSERA_NONNULL extension)(const tessera_host *self,
                                                            const char *id);
};

typedef struct tessera_registry tessera_registry;
struct tessera_registry {
  uint32_t struct_size;
  uint32_t reserved;
  // Adds one engine of the library. Errors: TESSERA_ERROR_INVALID_VALUE for a description that
  // breaks the contract; the host then rejects the whole library with a reason.
  // [tessera_register; the thread that called it]
  tessera_status (*add_engine)(tessera_registry *self, const tessera_engine *engine);
};

// The one function that a library exports: adds its engines to the registry. The host may call it
// more than once, with the same result each time. Owner: the host owns both arguments, valid for
// the call. Errors: any; the host then uses no engine of the library. [any; any]
#if defined(_WIN32)
#define TESSERA_EXPORT __declspec(dllexport)
#else
#define TESSERA_EXPORT __attribute__((visibility("default")))
#endif
TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host,
                                               tessera_registry *registry);

// ------------------------------------------------------- checked wherever this is compiled

#if defined(__cplusplus)
#define TESSERA_LAYOUT_IS(type, size, last, offset) \
  static_assert(sizeof(type) == size && offsetof(type, last) == offset, \
                "the layout of " #type " is not the contract's")
#elif __STDC_VERSION__ >= 201112L
#define TESSERA_LAYOUT_IS(type, size, last, offset) \
  _Static_assert(sizeof(type) == size && offsetof(type, last) == offset, \
                 "the layout of " #type " is not the contract's")
#else
#define TESSERA_LAYOUT_IS(type, size, last, offset) \
  typedef char type##_has_the_layout_of_the_contract \
    [sizeof(type) == size && offsetof(type, last) == offset ? 1 : -1]
#endif
TESSERA_LAYOUT_IS(tessera_point, 16, y, 8);
TESSERA_LAYOUT_IS(tessera_size, 16, height, 8);
TESSERA_LAYOUT_IS(tessera_rect, 32, height, 24);
TESSERA_LAYOUT_IS(tessera_insets, 32, right, 24);
TESSERA_LAYOUT_IS(tessera_transform, 128, m, 0);
TESSERA_LAYOUT_IS(tessera_value, 32, insets, 0);
TESSERA_LAYOUT_IS(tessera_parameter, 144, maximum, 112);
TESSERA_LAYOUT_IS(tessera_value_declaration, 40, reserved, 36);
TESSERA_LAYOUT_IS(tessera_list_declaration, 32, columns, 24);
TESSERA_LAYOUT_IS(tessera_function, 16, context, 8);
TESSERA_LAYOUT_IS(tessera_function_declaration, 32, published, 24);
TESSERA_LAYOUT_IS(tessera_attribute, 80, initial, 48);
TESSERA_LAYOUT_IS(tessera_kind, 24, role, 20);
TESSERA_LAYOUT_IS(tessera_setting, 56, value, 24);
TESSERA_LAYOUT_IS(tessera_column, 16, stride, 8);
TESSERA_LAYOUT_IS(tessera_list, 16, columns, 8);
TESSERA_LAYOUT_IS(tessera_change, 24, last_count, 16);
TESSERA_LAYOUT_IS(tessera_input, 232, change, 208);
TESSERA_LAYOUT_IS(tessera_run, 32, count, 24);
TESSERA_LAYOUT_IS(tessera_rows, 72, attributes, 64);
TESSERA_LAYOUT_IS(tessera_output, 56, leave, 48);
TESSERA_LAYOUT_IS(tessera_super, 128, set_column, 120);
TESSERA_LAYOUT_IS(tessera_engine, 264, extension, 256);
TESSERA_LAYOUT_IS(tessera_host, 40, extension, 32);
TESSERA_LAYOUT_IS(tessera_registry, 16, add_engine, 8);

#ifdef __cplusplus
}
#endif
#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#endif
