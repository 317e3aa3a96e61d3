// Calls the functions of tessera_host.h in random order. Tools/fuzz/run says how.
#include "doors.hpp"
#include <algorithm>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *const names[FUNCTIONS] = {
#define X(name) #name,
#include "functions.inc"
#undef X
};
Report *report;
bool is_traced;

void fail(const char *format, ...) {
  static std::mutex first;
  first.lock();  // and never unlocked: the first failure counts
  va_list list;
  va_start(list, format);
  vsnprintf(report->failure, sizeof report->failure, format, list);
  va_end(list);
  report->failed = 1;
  _exit(3);
}

// What a run is like follows from its seed.
struct Shape {
  bool inside, replaces, little_memory;
  int threads;
  explicit Shape(uint64_t seed) {
    Chance chance(seed, 99);
    inside = chance.one_in(3), replaces = chance.one_in(4), little_memory = chance.one_in(8), threads = chance.one_in(4) ? 3 : 1;
    if (left_out.find("threads") != std::string::npos) threads = 1, replaces = false;
    if (left_out.find("memory") != std::string::npos) little_memory = false;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    little_memory = false;  // sanitizers need address space themselves
#endif
    if (little_memory) threads = 1;
  }
};

struct Steps { uint32_t end; std::vector<std::pair<uint32_t, uint32_t>> skipped; };

static bool is_skipped(const Steps &steps, uint32_t step) {
  for (const auto &[first, end] : steps.skipped) if (step >= first && step < end) return true;
  return false;
}

static void remove_folder(const std::string &path) {
  if (system(("rm -rf '" + path + "'").c_str())) perror(path.c_str());
}

// The address space that the process may still take.
static void leave_memory(uint64_t bytes) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%llu", &pages) != 1) fail("the size of the process is not known");
  fclose(file);
  const struct rlimit limit = {pages * 4096 + bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
}

static void work(uint64_t seed, int thread, const Shape &shape, const Steps &steps) {
  World world(seed, shape.inside ? TESSERA_HOST_ISOLATION_INSIDE : TESSERA_HOST_ISOLATION_SANDBOX);
  world.little_memory = shape.little_memory;
  world.sharing = shape.threads > 1;
  if (shape.little_memory) {
    leave_memory(256ull << 20);
    // Only the fuzzer itself uses new: where it lacks memory, the run has ended.
    std::set_new_handler([] { _exit(0); });
  }
  world.identities = 1 + (uint64_t)thread * 1000000;
  for (uint32_t step = 0; step < steps.end; step++) {
    if (is_skipped(steps, step)) continue;
    // Each step has numbers of its own, so that it is the same without others.
    world.chance = Chance(seed * 16 + (uint64_t)thread, step);
    if (thread == 0) report->step = step;
    world.step();
  }
}

static bool lies;  // whether engines lie, in the place of programs that do as they like

static void tell_lies(uint64_t seed, const Steps &steps) {
  LyingWorld world(seed);
  for (uint32_t step = 0; step < steps.end; step++) {
    if (is_skipped(steps, step)) continue;
    world.chance = Chance(seed * 16, step);
    report->step = step;
    world.step();
  }
}

// One process, with all that it works on.
static void run(uint64_t seed, const Steps &steps) {
  if (lies) return tell_lies(seed, steps);
  const Shape shape(seed);
  std::atomic<bool> has_ended(false);
  std::vector<Thread> threads;
  Chance chance(seed, 7);
  replace_library(chance, false);
  if (shape.replaces && !shape.little_memory)
    threads.emplace_back([&] { while (!has_ended) usleep((useconds_t)chance.below(20000)), replace_library(chance, true); });
  {
    World first(seed, TESSERA_HOST_ISOLATION_SANDBOX);
    read_schemas(first.fresh);
  }
  std::vector<Thread> workers;
  for (int thread = 1; thread < shape.threads; thread++) workers.emplace_back([&, thread] { work(seed, thread, shape, steps); });
  work(seed, 0, shape, steps);
  for (Thread &worker : workers) worker.join();
  has_ended = true;
  for (Thread &thread : threads) thread.join();
}

// Runs a process to its end; returns what went wrong, or "".
static std::string outcome(uint64_t seed, const Steps &steps, bool is_quiet) {
  report->door = "", report->failed = 0, report->failure[0] = 0, report->step = 0;
  const pid_t child = fork();
  if (child == 0) {
    if (is_quiet && !freopen("/dev/null", "w", stderr)) _exit(4);
    setpgid(0, 0), prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The Swift runtime keeps the number of a thread, which after a fork is that of the parent's.
    Thread([&] { run(seed, steps); }).join();
    _exit(0);
  }
  int status = 0;
  uint32_t last = 0;
  for (int waited = 0; waitpid(child, &status, WNOHANG) == 0; usleep(2000)) {
    if (report->step != last) last = report->step, waited = 0;
    if ((waited += 2) > 120000) {
      kill(-child, SIGKILL), waitpid(child, &status, 0);
      return std::string("no end within 120 s in ") + names[report->function];
    }
  }
  kill(-child, SIGKILL);
  remove_folder(folder + "/live"), mkdir((folder + "/live").c_str(), 0755);
  if (report->failed) return std::string(report->failure);
  if (WIFSIGNALED(status)) return std::string("signal ") + std::to_string(WTERMSIG(status)) + " in " + names[report->function];
  if (WEXITSTATUS(status)) return "status " + std::to_string(WEXITSTATUS(status)) + " in " + names[report->function];
  return "";
}

// A symptom without its numbers.
static std::string kind_of(const std::string &failure) {
  std::string kind = std::string(report->door) + ": ";
  for (char letter : failure) if (!strchr("0123456789.-", letter)) kind += letter;
  return kind.substr(0, 60);
}

// Leaves out steps without which the same goes wrong.
static Steps shrink(uint64_t seed, Steps steps, const std::string &failure) {
  const time_t until = time(nullptr) + 120;
  for (uint32_t size = steps.end / 2; size > 0; size /= 2)
    for (uint32_t first = 0; first < steps.end && time(nullptr) < until; first += size) {
      Steps fewer = steps;
      fewer.skipped.push_back({first, std::min(first + size, steps.end - 1)});
      if (first + 1 < steps.end && kind_of(outcome(seed, fewer, true)) == kind_of(failure)) steps = fewer;
    }
  return steps;
}

static void print_steps(const Steps &steps) {
  const char *before = "  smaller: --only ";
  for (uint32_t step = 0; step < steps.end; step++) if (!is_skipped(steps, step)) printf("%s%u", before, step), before = ",";
  printf("\n");
}

// Prints how often each function was accepted; returns how many never were.
static int print_table(bool is_short) {
  int never = 0;
  uint64_t calls = 0, states = 0;
  for (unsigned i = 0; i < FUNCTIONS; i++) {
    if (!is_short) printf("%-45s %12llu accepted %12llu refused\n", names[i], (unsigned long long)report->accepted[i], (unsigned long long)report->refused[i]);
    never += report->accepted[i] == 0, calls += report->accepted[i] + report->refused[i];
  }
  for (const auto &word : report->states) states += (uint64_t)__builtin_popcountll(word);
  printf("%llu calls, %llu comparisons, %llu reloads, %llu forks, at least %llu distinct states\n", (unsigned long long)calls, (unsigned long long)report->compared,
         (unsigned long long)report->reloads, (unsigned long long)report->forks, (unsigned long long)states);
  return never;
}

int main(int argc, char **argv) {
  uint64_t seed = 1, runs = UINT64_MAX, most = 1;
  Steps steps = {400, {}};
  std::string only;
  double seconds = 10;
  bool shrinks = false, is_one = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--folder") folder = value;
    else if (option == "--seed") seed = strtoull(value.c_str(), nullptr, 10);
    else if (option == "--seconds") seconds = atof(value.c_str());
    else if (option == "--runs") runs = strtoull(value.c_str(), nullptr, 10), is_one = true;
    else if (option == "--steps") steps.end = (uint32_t)atoi(value.c_str());
    else if (option == "--failures") most = strtoull(value.c_str(), nullptr, 10);
    else if (option == "--lies") lies = value == "yes";
    else if (option == "--trace") is_traced = value == "yes";
    else if (option == "--without") left_out = value;
    else if (option == "--only") only = value;
    else if (option == "--shrink") shrinks = value == "yes";
    else return 64;
  }
  // The steps that a shrunk failure needs.
  if (!only.empty()) {
    uint32_t next = 0;
    for (char *text = only.data(), *end; *text; text = *end ? end + 1 : end) {
      const uint32_t step = (uint32_t)strtoul(text, &end, 10);
      if (step > next) steps.skipped.push_back({next, step});
      steps.end = next = step + 1;
    }
  }
  report = static_cast<Report *>(mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  mkdir((folder + "/live").c_str(), 0755);
  std::vector<std::string> kinds;
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (uint64_t run = 0; run < runs && kinds.size() < most; run++) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!is_one && (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 > seconds) break;
    const std::string failure = outcome(seed + run, steps, most > 1);
    if (failure.empty() || std::count(kinds.begin(), kinds.end(), kind_of(failure))) continue;
    kinds.push_back(kind_of(failure));
    const uint32_t step = report->step;
    printf("seed %llu, step %u, %s, in %s: %s\n", (unsigned long long)(seed + run), step, report->door.load(), names[report->function], failure.c_str());
    const Shape shape(seed + run);
    printf("  %s, %d threads%s%s\n", shape.inside ? "in the process" : "in the sandbox", shape.threads, shape.replaces ? ", replaced by a thread" : "",
           shape.little_memory ? ", little memory" : "");
    printf("  again: Tools/fuzz/run host --seed %llu --runs 1 --steps %u\n", (unsigned long long)(seed + run), step + 1);
    if (shrinks) print_steps(shrink(seed + run, {step + 1, steps.skipped}, failure));
    fflush(stdout);
  }
  const int never = print_table(!kinds.empty());
  // A function that is always refused is not tested at all.
  if (never && !is_one && !lies && kinds.empty()) printf("%d functions were never accepted\n", never);
  return !kinds.empty() || (never && !is_one && !lies) ? 1 : 0;
}
