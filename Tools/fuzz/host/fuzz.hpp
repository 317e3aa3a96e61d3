// What the parts of the fuzzer of tessera_host.h share: chance, the counted calls, and what is wrong.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <pthread.h>
#include <string>
#include <tessera/tessera_host.h>
#include <type_traits>
#include <vector>

// The functions of the header, which Tools/fuzz/run lists from it.
enum Function : unsigned {
#define X(name) F_##name,
#include "functions.inc"
#undef X
  FUNCTIONS
};
extern const char *const names[FUNCTIONS];

// What a process of the fuzzer tells the one that started it.
struct Report {
  std::atomic<uint64_t> accepted[FUNCTIONS], refused[FUNCTIONS];
  std::atomic<uint64_t> compared, reloads, forks;
  std::atomic<uint64_t> states[1 << 16];  // bits of the digests of states
  std::atomic<uint32_t> step, function;
  std::atomic<const char *> door;
  std::atomic<int> failed;
  char failure[4000], text[64];
};
extern Report *report;
extern bool is_traced;  // whether each call is printed

// Ends the process: something is wrong.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A thread that ThreadSanitizer knows: it does not see what libstdc++ starts.
class Thread {
  pthread_t thread;

 public:
  explicit Thread(std::function<void()> work) {
    auto *own = new std::function<void()>(std::move(work));
    auto start = [](void *context) -> void * {
      auto *work = static_cast<std::function<void()> *>(context);
      (*work)();
      delete work;
      return nullptr;
    };
    if (pthread_create(&thread, nullptr, start, own)) fail("a thread cannot be started");
  }
  void join() { pthread_join(thread, nullptr); }
};

struct Chance {
  uint64_t state;
  explicit Chance(uint64_t seed, uint64_t stream = 0) : state(seed * 0x9E3779B97F4A7C15u ^ (stream + 1) * 0xD1B54A32D192ED03u) { next(), next(); }
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u, z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t limit) { return limit ? next() % limit : 0; }
  bool one_in(uint64_t count) { return below(count) == 0; }
  template <class T> const T &of(const std::vector<T> &list) { return list[below(list.size())]; }
  // A whole number at an end of a range.
  uint64_t end() {
    static const std::vector<uint64_t> ends = {0, 1, 2, 1u << 20, 1ull << 31, 1ull << 32, 1ull << 48, 1ull << 53, 1ull << 62, 1ull << 63, 0};
    return of(ends) + below(5) - 2;
  }
  double real() {
    static const std::vector<double> ends = {0, -0.0, 5e-324, 1e-9, 1e9, 1e12, 1e15, 1e300, 1.7e308, NAN, INFINITY};
    const double found = one_in(3) ? of(ends) : (double)below(400);
    return one_in(8) ? -found : found;
  }
};

// Every call goes through CALL, which counts it and checks what it returns.
template <class Result> Result counted(unsigned function, Result result) {
  bool accepted = true;
  if constexpr (std::is_same_v<Result, int32_t>) {
    accepted = result == 0;
    static const int32_t known[] = {0, 64, 65, 66, 69, 70, 73, 75, 76, 77};
    bool is_known = false;
    for (int32_t status : known) is_known = is_known || status == result;
    if (!is_known) fail("%s returned the status %d, which is not documented", names[function], result);
  } else {
    accepted = result != Result();
  }
  if (is_traced) fprintf(stderr, "  %s: %d\n", names[function], (int)accepted);
  (accepted ? report->accepted : report->refused)[function].fetch_add(1, std::memory_order_relaxed);
  return result;
}
inline unsigned entering(unsigned function) { return report->function = function; }
#define CALL(name, ...) (entering(F_##name), counted(F_##name, name(__VA_ARGS__)))
#define VOID_CALL(name, ...) (entering(F_##name), name(__VA_ARGS__), (void)report->accepted[F_##name]++)
