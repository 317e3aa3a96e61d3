// queries FOLDER ENGINE ITEMS: queries of viewports anywhere in a layout through libtessera, with the engine in the sandbox and the
// elements copied out, and of Boost's packed R-tree on the same frames. A plain filter checks the former.
//
// Prints the median of Boost and that of libtessera, in seconds.

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tessera/tessera_host.h>
#include <vector>

// The turns, of which the first are not counted, and the viewports of each; the filter answers fewer.
// The results of all viewports do not fit the processor's cache.
enum { TURNS = 10, WARM_UP = 2, VIEWPORTS = 8192, FILTERED = 16 };

struct Frame {
  double x, y, width, height;

  bool intersects(const Frame &other) const {
    return x < other.x + other.width && x + width > other.x && y < other.y + other.height && y + height > other.y;
  }
};

static void check(int32_t status, const char *message) {
  if (status == TESSERA_HOST_OK) return;
  std::fprintf(stderr, "queries: %s\n", message);
  std::exit(70);
}

static std::uint64_t state = 42;
static double random_number() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return double(state >> 11) * 0x1p-53;
}

template <typename Work> double seconds(Work work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static double median(std::vector<double> &times) {
  auto place = times.begin() + std::ptrdiff_t(times.size() / 2);
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

int main(int count, char **arguments) {
  if (count != 4) return std::fprintf(stderr, "queries: give FOLDER ENGINE ITEMS\n"), 64;
  const std::uint64_t items = std::strtoull(arguments[3], nullptr, 10);
  tessera_engines *engines = tessera_engines_create();
  check(tessera_engines_add_folder(engines, arguments[1]), tessera_engines_message(engines));
  tessera_session *session = nullptr;
  check(tessera_session_create(engines, arguments[2], &session), tessera_engines_message(engines));
  auto done = [&](int32_t status) { check(status, tessera_session_message(session)); };
  done(tessera_session_set_sections(session, &items, 1));
  if (std::string(arguments[2]) == "flow") {
    std::vector<double> sizes;
    for (std::uint64_t item = 0; item < items; item++) {
      sizes.push_back(30 + 60 * random_number());
      sizes.push_back(20 + 37 * random_number());
    }
    done(tessera_session_set_values(session, TESSERA_HOST_SCOPE_ITEM, "size", sizes.data(), 2, items, 16));
  }
  tessera_columns columns;
  std::uint64_t found = 0;
  done(tessera_session_query_all(session, nullptr, sizeof(tessera_element), 0, &found));
  done(tessera_session_get_columns(session, &columns, sizeof columns));
  const Frame *first = reinterpret_cast<const Frame *>(columns.frames);
  const std::vector<Frame> frames(first, first + columns.count);
  double right = 0, bottom = 0;
  for (const Frame &f : frames) right = std::max(right, f.x + f.width), bottom = std::max(bottom, f.y + f.height);
  std::vector<Frame> viewports;
  state = 42;
  for (int i = 0; i < VIEWPORTS; i++) {
    const double x = random_number() * std::max(0.0, right - 375), y = random_number() * std::max(0.0, bottom - 667);
    viewports.push_back({x, y, 375, 667});
  }

  std::vector<double> ours, others;
  std::vector<tessera_element> elements(4096);
  auto query = [&](const Frame &v) {
    std::uint64_t n = 0;
    done(tessera_session_query_rect(session, v.x, v.y, v.width, v.height, elements.data(), sizeof(tessera_element), elements.size(), &n));
    return n;
  };
  namespace bg = boost::geometry;
  using Point = bg::model::point<double, 2, bg::cs::cartesian>;
  using Box = bg::model::box<Point>;
  using Entry = std::pair<Box, std::uint32_t>;
  std::vector<Entry> entries, result;
  for (const Frame &f : frames)
    entries.emplace_back(Box(Point(f.x, f.y), Point(f.x + f.width, f.y + f.height)), std::uint32_t(entries.size()));
  // The constructor from a range packs.
  const bg::index::rtree<Entry, bg::index::rstar<16>> tree(entries.begin(), entries.end());
  auto query_boost = [&](const Frame &v) {
    result.clear();
    tree.query(bg::index::intersects(Box(Point(v.x, v.y), Point(v.x + v.width, v.y + v.height))), std::back_inserter(result));
  };
  for (int turn = 0; turn < TURNS; turn++) {
    for (const Frame &v : viewports) {
      const double time = seconds([&] { query(v); });
      if (turn >= WARM_UP) ours.push_back(time);
    }
    for (const Frame &v : viewports) {
      const double time = seconds([&] { query_boost(v); });
      if (turn >= WARM_UP) others.push_back(time);
    }
  }
  for (int i = 0; i < FILTERED; i++) {
    const Frame &v = viewports[std::size_t(i)];
    const auto n = std::count_if(frames.begin(), frames.end(), [&](const Frame &f) { return f.intersects(v); });
    if (std::uint64_t(n) != query(v)) return std::fprintf(stderr, "queries: %s and a filter find other rows\n", arguments[2]), 70;
  }
  std::printf("%g\t%g\n", median(others), median(ours));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
}
