#define _GNU_SOURCE
#include "tessera_system.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
static int is_import(uint64_t type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64; }
#elif defined(__aarch64__)
static int is_import(uint64_t type) { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64; }
#else
#error "the relocations of this machine are not known; add them here"
#endif

struct request {
  const tessera_replacement *replacements;
  size_t count;
  int only_engines;
  int seen; // the objects so far; the first is the program
};

static const char *const systems[] = {"libc.so", "ld-linux", "linux-vdso", "libffi", "libgcc_s", "libpthread", "libm.so"};
static const char *const runtimes[] = {"libstdc++", "libc++", "libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime"};

// The number of objects at program start.
static int started;

static int count(struct dl_phdr_info *object, size_t size, void *context) {
  (void)object, (void)size, (void)context;
  started++;
  return 0;
}

__attribute__((constructor)) static void count_started(void) { dl_iterate_phdr(count, NULL); }

static int is_among(const char *path, const char *const *names, size_t count) {
  const char *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path;
  for (size_t i = 0; i < count; i++) {
    if (strncmp(file, names[i], strlen(names[i])) == 0) return 1;
  }
  return 0;
}

static void replace(uint64_t *slot, void (*function)(void)) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  // The loader may have made the table of imports read-only.
  if (mprotect((void *)((uint64_t)slot & ~(page - 1)), page, PROT_READ | PROT_WRITE) == 0) *slot = (uint64_t)function;
}

static void replace_in(const struct request *request, uint64_t base, const ElfW(Rela) *entries, size_t size,
                       const ElfW(Sym) *symbols, const char *strings) {
  for (size_t i = 0; i < size / sizeof *entries; i++) {
    const ElfW(Rela) *entry = &entries[i];
    if (!is_import(ELF64_R_TYPE(entry->r_info)) || entry->r_addend != 0) continue;
    const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(entry->r_info)];
    if (symbol->st_shndx != SHN_UNDEF) continue;
    for (size_t k = 0; k < request->count; k++) {
      if (strcmp(strings + symbol->st_name, request->replacements[k].name) == 0)
        replace((uint64_t *)(base + entry->r_offset), request->replacements[k].function);
    }
  }
}

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  struct request *request = context;
  const int place = request->seen++;
  if (place == 0 || is_among(object->dlpi_name, systems, sizeof systems / sizeof systems[0])) return 0;
  // A program linked to Swift's runtime uses it itself, but only engines use C++.
  const size_t first = request->only_engines ? 0 : 2, last = sizeof runtimes / sizeof runtimes[0];
  if ((request->only_engines || place < started) && is_among(object->dlpi_name, runtimes + first, last - first)) return 0;
  const uint64_t base = object->dlpi_addr;
  const ElfW(Dyn) *entry = NULL;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(base + object->dlpi_phdr[i].p_vaddr);
  }
  uint64_t symbols = 0, strings = 0, calls = 0, calls_size = 0, data = 0, data_size = 0;
  for (; entry && entry->d_tag != DT_NULL; entry++) {
    // The loader has made these addresses absolute.
    const uint64_t address = entry->d_un.d_ptr < base ? entry->d_un.d_ptr + base : entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = address; break;
      case DT_STRTAB: strings = address; break;
      case DT_JMPREL: calls = address; break;
      case DT_PLTRELSZ: calls_size = entry->d_un.d_val; break;
      case DT_RELA: data = address; break;
      case DT_RELASZ: data_size = entry->d_un.d_val; break;
      default: break;
    }
  }
  if (symbols == 0 || strings == 0) return 0;
  if (calls != 0)
    replace_in(request, base, (const ElfW(Rela) *)calls, calls_size, (const ElfW(Sym) *)symbols, (const char *)strings);
  if (data != 0)
    replace_in(request, base, (const ElfW(Rela) *)data, data_size, (const ElfW(Sym) *)symbols, (const char *)strings);
  return 0;
}

void tessera_replace(const tessera_replacement *replacements, size_t count, int only_engines) {
  struct request request = {replacements, count, only_engines, 0};
  dl_iterate_phdr(visit, &request);
}
