// Answers the queries of `bench-rows query` with Boost's packed R-tree and with a plain filter, on
// the same frames: `reference FRAMES` reads four doubles for each. Prints nanoseconds a query, and
// the nanoseconds a frame that building takes.
#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

namespace bg = boost::geometry;
using Point = bg::model::point<double, 2, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Entry = std::pair<Box, std::uint32_t>;

struct Frame {
  double x, y, width, height;
};

template <typename Work> double median(int runs, Work work) {
  std::vector<double> times;
  for (int run = 0; run < runs; run++) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[runs / 2];
}

int main(int count, char **arguments) {
  if (count != 2) {
    std::fprintf(stderr, "reference: give the file of frames\n");
    return 64;
  }
  std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
  if (!file) {
    std::fprintf(stderr, "reference: %s cannot be read\n", arguments[1]);
    return 66;
  }
  std::vector<Frame> frames(std::size_t(file.tellg()) / sizeof(Frame));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(frames.data()), std::streamsize(frames.size() * sizeof(Frame)));

  double right = 0, bottom = 0;
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < frames.size(); i++) {
    const Frame &f = frames[i];
    right = std::max(right, f.x + f.width);
    bottom = std::max(bottom, f.y + f.height);
    entries.emplace_back(Box(Point(f.x, f.y), Point(f.x + f.width, f.y + f.height)),
                         std::uint32_t(i));
  }
  using Tree = bg::index::rtree<Entry, bg::index::rstar<16>>;
  // The constructor from a range packs.
  double build = median(1, [&] { Tree probe(entries.begin(), entries.end()); });
  Tree tree(entries.begin(), entries.end());

  std::uint64_t state = 42;
  auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 11) * 0x1p-53;
  };
  std::vector<Frame> viewports;
  for (int i = 0; i < 256; i++) {
    double x = random() * std::max(0.0, right - 375), y = random() * std::max(0.0, bottom - 667);
    viewports.push_back({x, y, 375, 667});
  }
  std::vector<Entry> found;
  std::size_t hits = 0, filtered = 0;
  double query = median(9, [&] {
    hits = 0;
    for (const Frame &v : viewports) {
      found.clear();
      Box box(Point(v.x, v.y), Point(v.x + v.width, v.y + v.height));
      tree.query(bg::index::intersects(box), std::back_inserter(found));
      // In Tessera touching edges do not intersect.
      for (const Entry &entry : found) {
        const Frame &f = frames[entry.second];
        hits += f.x < v.x + v.width && f.x + f.width > v.x && f.y < v.y + v.height &&
                f.y + f.height > v.y;
      }
    }
  });
  std::vector<std::uint32_t> rows(frames.size());
  double filter = median(3, [&] {
    filtered = 0;
    for (int i = 0; i < 16; i++) {
      const Frame &v = viewports[std::size_t(i)];
      std::size_t n = 0;
      for (std::size_t j = 0; j < frames.size(); j++) {
        const Frame &f = frames[j];
        rows[n] = std::uint32_t(j);
        n += (f.x < v.x + v.width) & (f.x + f.width > v.x) & (f.y < v.y + v.height) &
             (f.y + f.height > v.y);
      }
      filtered += n;
    }
  });
  std::printf("boost query\t%g\nboost hits\t%g\nboost build\t%g\nfilter query\t%g\n", query / 256,
              double(hits) / 256, build / double(frames.size()), filter / 16);
  return filtered == 0 && hits != 0;
}
