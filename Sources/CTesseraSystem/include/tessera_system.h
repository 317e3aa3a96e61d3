// Linux functions that Swift cannot call directly.
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// Whether the program is setuid, setgid or has capabilities that its caller lacks.
int tessera_is_privileged(void);

// The file with this code, or null if unknown. Owner: the loader.
const char *_Nullable tessera_own_file(void);

// Empty for the program, 0; null beyond the last. Owner: the loader.
const char *_Nullable tessera_loaded_file(uint32_t index);

// "SEGV" for 11, or null. Static.
const char *_Nullable tessera_signal_name(int32_t number);

// Opens an unnamed file for writing. It ends with its descriptor unless tessera_file_name names it.
// -1 without support in the file system, or without /proc.
int32_t tessera_file_without_name(const char *_Nonnull folder, uint32_t mode);
// Names such a file. Returns 0, or -1 with errno; EEXIST if the path exists.
int32_t tessera_file_name(int32_t descriptor, const char *_Nonnull path);

// Makes standard output line-buffered: no complete line is lost in a kill.
void tessera_print_by_line(void);

// Flushes an incomplete line.
void tessera_print_all(void);

// Runs a function, on a stack of 8 MiB or more if the stack limit is below `least` bytes; later
// threads get at least `least`. Once, from the main thread.
void tessera_run_on_large_stack(uint64_t least, void (*_Nonnull body)(void));

// The handle that last refused a call of this thread for use in another, or null. Only for
// comparison.
const void *_Nullable tessera_refused_handle(void);
void tessera_set_refused_handle(const void *_Nullable handle);

// ---- Who can change a file.

// Whether a group is private: it has the user's name and no other member, and is the primary group
// of this local user only.
int tessera_group_is_private(uint32_t user, uint32_t group);

// Whether a file has an access control list, whose rights its mode does not show; 1 if unknown.
int tessera_has_access_list(const char *path);

// The name of a user or group, or the number, truncated to `size` bytes with the terminator.
void tessera_user_name(uint32_t user, char *name, size_t size);
void tessera_group_name(uint32_t group, char *name, size_t size);

// ---- Files in memory, immutable once sealed.

// Creates an empty sealable file, closed on exec. The name, truncated, appears in /proc/PID/maps.
// Returns the descriptor, which the caller owns, or -1 with errno.
int tessera_memory_file_create(const char *name);

// Appends the first `size` bytes of a file. Returns the bytes copied, fewer if the source is
// shorter, or -1 with errno.
int64_t tessera_memory_file_fill(int descriptor, int source, uint64_t size);

// The bytes of a file without holes; its size if the file system cannot tell. Rewinds the file.
uint64_t tessera_file_data(int descriptor, uint64_t size);

// Permanently prevents writing and resizing. Returns 0, or -1 with errno.
int tessera_memory_file_seal(int descriptor);

// ---- SHA-256 (FIPS 180-4). Not a library: a worker must start within two milliseconds.

#define TESSERA_SHA256_SIZE 32

typedef struct tessera_sha256 {
  uint32_t state[8];
  uint64_t count; // bytes
  uint8_t block[64];
  uint32_t is_plain; // 1: without the processor's SHA instructions; 0 requires them
} tessera_sha256;

void tessera_sha256_start(tessera_sha256 *sum);
// `data` may be null if `size` is 0.
void tessera_sha256_add(tessera_sha256 *sum, const void *data, size_t size);
// TESSERA_SHA256_SIZE bytes. Start again before adding more data.
void tessera_sha256_finish(tessera_sha256 *sum, uint8_t *digest);

// ---- Calls and creates C functions whose signatures are only known at run time. Hides libffi.

// Without the context.
#define TESSERA_ARGUMENT_LIMIT 16

// The types of a signature, numbered from 0 in this order:
// void bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64, and structures of 2, 3 and 4 doubles
#define TESSERA_CALL_TYPE_COUNT 15

typedef struct tessera_call_interface tessera_call_interface;

// Null for an unknown type, a void argument, more than TESSERA_ARGUMENT_LIMIT arguments, or if out
// of memory.
tessera_call_interface *_Nullable tessera_call_interface_create(uint8_t result,
                                                                const uint8_t *_Nullable arguments,
                                                                uint32_t count);
void tessera_call_interface_destroy(tessera_call_interface *interface);

// `arguments` has the addresses of the context and of each argument. `result` has 32 bytes and is
// aligned to 8; integers are sign- or zero-extended to 8 bytes.
void tessera_call(const tessera_call_interface *interface, void (*function)(void), void *result,
                  void *_Nonnull const *_Nonnull arguments);

// `arguments` is as for tessera_call. `result` has the size of its type and at least 8 bytes; an
// integer must fill all 8.
typedef void (*tessera_answer)(void *context, void *result,
                               void *_Nonnull const *_Nonnull arguments);

// A C function created at run time. On x86-64 and arm64, the first 1,024 of a process take no
// executable memory; more need writable executable memory, which the sandbox denies.
typedef struct tessera_closure tessera_closure;

// Null if out of memory, or without executable memory that the closure needs.
tessera_closure *_Nullable tessera_closure_create(void);
void tessera_closure_destroy(tessera_closure *closure);

// Returns a function that calls answer(context, …), or null if libffi fails. A second call replaces
// the function. Owner: the closure owns the function; `interface` and `context` must outlive it.
void (*_Nullable tessera_closure_prepare(tessera_closure *closure,
                                         tessera_call_interface *interface, tessera_answer answer,
                                         void *context))(void);

typedef struct tessera_replacement {
  const char *name;
  void (*function)(void);
} tessera_replacement;

// Redirects imports of loaded libraries. The program, the C library and the loader keep theirs;
// with `only_engines`, so do the runtimes of languages.
void tessera_replace(const tessera_replacement *replacements, size_t count, int only_engines);

// ---- Forks.

// Makes a system call only the first time.
int32_t tessera_own_process(void);

// Locks of the whole process, in locking order.
#define TESSERA_LOCK_LOADED 0    // loaded libraries; their code runs meanwhile
#define TESSERA_LOCK_LIBRARIES 1
#define TESSERA_LOCK_COLUMNS 2
#define TESSERA_LOCK_STUBS 3
#define TESSERA_LOCK_STARTER 4
#define TESSERA_LOCK_WATCHER 5
#define TESSERA_LOCK_COUNT 6

// From now on, a fork waits for the lock, and the child has a new one. `in_child`, which may be
// null, runs in the child to forget the parent's state. Call once for each number, before the lock
// is first used.
void tessera_guard_forks(int32_t number, pthread_mutex_t *_Nonnull lock,
                         void (*_Nullable in_child)(void));

// Starts a thread of this process that never ends, unless `owner` is this process. A forked process
// starts another. Call it with a lock. Returns 0 or an error number.
int tessera_permanent_thread(pid_t *owner, void *_Nullable (*_Nonnull run)(void *_Nullable));

// Creates a permanent lock of the process; its holder may fork. Null if out of memory.
pthread_mutex_t *_Nullable tessera_process_lock(int32_t number);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
