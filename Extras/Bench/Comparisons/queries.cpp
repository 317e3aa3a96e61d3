// queries FOLDER ENGINE ITEMS FRAMES: times viewport queries through libtessera (sandboxed engine,
// elements copied out), Boost's packed R-tree and a plain filter on the same frames; then item
// lookups, lists of all elements and copies. Writes the frames to FRAMES.
//
// Prints one figure per line: name, tab, number (times in nanoseconds). Without Boost, its lines
// are missing.

#if __has_include(<boost/geometry/index/rtree.hpp>)
#define HAS_BOOST
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#endif
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tessera/tessera_host.h>
#include <vector>

// The filter answers fewer viewports. There are too many for the processor's cache.
enum { TURNS = 10, WARM_UP = 2, VIEWPORTS = 8192, FILTERED = 16, LOOKUPS = 64, PIECE = 256 };

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

template <typename Work> double nanoseconds(Work work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

static double part(std::vector<double> &times, double share) {
  auto place = times.begin() + std::ptrdiff_t(share * double(times.size() - 1));
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

int main(int count, char **arguments) {
  if (count != 5) return std::fprintf(stderr, "queries: give FOLDER ENGINE ITEMS FRAMES\n"), 64;
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
  std::FILE *file = std::fopen(arguments[4], "wb");
  if (!file || std::fwrite(frames.data(), sizeof(Frame), frames.size(), file) != frames.size() || std::fclose(file))
    return std::fprintf(stderr, "queries: %s cannot be written\n", arguments[4]), 73;

  double right = 0, bottom = 0;
  for (const Frame &f : frames) right = std::max(right, f.x + f.width), bottom = std::max(bottom, f.y + f.height);
  std::vector<Frame> viewports;
  state = 42;
  for (int i = 0; i < VIEWPORTS; i++) {
    const double x = random_number() * std::max(0.0, right - 375), y = random_number() * std::max(0.0, bottom - 667);
    viewports.push_back({x, y, 375, 667});
  }

  std::vector<double> ours, others, filters;
  std::vector<tessera_element> elements(4096);
  std::uint64_t hits = 0, filtered = 0;
  auto query = [&](const Frame &v) {
    std::uint64_t n = 0;
    done(tessera_session_query_rect(session, v.x, v.y, v.width, v.height, elements.data(), sizeof(tessera_element), elements.size(), &n));
    return n;
  };
#ifdef HAS_BOOST
  namespace bg = boost::geometry;
  using Point = bg::model::point<double, 2, bg::cs::cartesian>;
  using Box = bg::model::box<Point>;
  using Entry = std::pair<Box, std::uint32_t>;
  std::vector<Entry> entries, result;
  for (const Frame &f : frames)
    entries.emplace_back(Box(Point(f.x, f.y), Point(f.x + f.width, f.y + f.height)), std::uint32_t(entries.size()));
  // This constructor packs.
  const bg::index::rtree<Entry, bg::index::rstar<16>> tree(entries.begin(), entries.end());
  auto query_boost = [&](const Frame &v) {
    result.clear();
    tree.query(bg::index::intersects(Box(Point(v.x, v.y), Point(v.x + v.width, v.y + v.height))), std::back_inserter(result));
  };
#endif
  for (int turn = 0; turn < TURNS; turn++) {
    for (const Frame &v : viewports) {
      const double time = nanoseconds([&] { hits += query(v); });
      if (turn >= WARM_UP) ours.push_back(time);
    }
#ifdef HAS_BOOST
    for (const Frame &v : viewports) {
      const double time = nanoseconds([&] { query_boost(v); });
      if (turn >= WARM_UP) others.push_back(time);
    }
#endif
  }
  for (int i = 0; i < FILTERED; i++) {
    std::vector<std::uint32_t> rows(frames.size());
    std::size_t n = 0;
    filters.push_back(nanoseconds([&] {
      for (std::size_t j = 0; j < frames.size(); j++) rows[n] = std::uint32_t(j), n += frames[j].intersects(viewports[std::size_t(i)]);
    }));
    filtered += n;
    if (n != query(viewports[std::size_t(i)])) return std::fprintf(stderr, "queries: %s and a filter find other rows\n", arguments[2]), 70;
  }
  std::vector<double> lookups, lists, copies;
  for (int turn = 0; turn < 200; turn++)
    lookups.push_back(nanoseconds([&] {
      for (int i = 0; i < LOOKUPS; i++) {
        const auto item = std::uint64_t(random_number() * double(items));
        done(tessera_session_find(session, TESSERA_HOST_CATEGORY_CELL, nullptr, 0, item, elements.data(), sizeof(tessera_element)));
      }
    }));
  for (int turn = 0; turn < 9; turn++) {
    std::uint64_t n = 0;
    lists.push_back(nanoseconds([&] { done(tessera_session_query_all(session, nullptr, sizeof(tessera_element), 0, &n)); }));
    copies.push_back(nanoseconds([&] {
      for (std::uint64_t first = 0, copied = 0; first < n; first += copied)
        done(tessera_session_copy_elements(session, first, elements.data(), sizeof(tessera_element), PIECE, &copied));
    }));
  }
  std::printf("lookup\t%g\nall\t%g\ncopies\t%g\n", part(lookups, 0.5) / LOOKUPS, part(lists, 0.5) / double(items), part(copies, 0.5) / double(items));
  std::printf("tessera\t%g\ntessera p99\t%g\nhits\t%g\nfilter\t%g\n", part(ours, 0.5), part(ours, 0.99), double(hits) / int(TURNS) / int(VIEWPORTS), part(filters, 0.5));
  if (!others.empty()) std::printf("boost\t%g\nboost p99\t%g\n", part(others, 0.5), part(others, 0.99));
  tessera_session_destroy(session);
  tessera_engines_destroy(engines);
  return filtered == 0;
}
