// The columns of a section, and which of them takes the next item.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

// The columns of a section: n of the same width, side by side.
struct grid {
  double start = 0; // the y at which the columns begin
  double left = 0; // the x of the first column
  double width = 0;
  double spacing = 0;
  std::uint64_t count = 1;

  double x(std::uint64_t column) const {
    return left + static_cast<double>(column) * (width + spacing);
  }
  // The width of an item that spans some columns.
  double width_of(std::uint64_t span) const {
    const double columns = static_cast<double>(span);
    return columns * width + (columns - 1) * spacing;
  }
  bool operator==(const grid &) const = default;
};

// How far the columns of a section are filled: everything that the place of the next item depends on.
struct filling {
  std::vector<double> bottoms; // where the next item of each column would begin
  double end; // the lowest edge of the items so far
  std::size_t next = 0; // the column after the item before
  std::size_t used = 0; // the number of columns up to the last one with an item
};

// A tournament of the columns, whose winner is the shortest one, of equal ones the first.
//
// A key is the number of the column in the lowest bits of the column's bottom. Bottoms are not
// negative, so their bits compare as they do, and the least key is found without a branch. The bits
// that make room for the number can decide only if the rest of two keys is the same: then the
// bottoms themselves are compared.
class tournament {
 public:
  explicit tournament(const std::vector<double> &bottoms)
      : size_(std::bit_ceil(bottoms.size())), mask_(size_ - 1), keys_(2 * size_, never) {
    for (std::size_t column = 0; column < bottoms.size(); column++)
      keys_[size_ + column] = key(bottoms[column], column);
    for (std::size_t node = size_ - 1; node > 0; node--)
      keys_[node] = std::min(keys_[2 * node], keys_[2 * node + 1]);
  }

  // The number of rounds that a column has to win.
  int rounds() const { return std::countr_zero(size_); }

  // The shortest column; `Rounds` is their number where it is known to the compiler, else -1.
  template <int Rounds> std::size_t winner(const std::vector<double> &bottoms) const {
    const std::uint64_t first = keys_[1];
    const std::size_t column = first & mask_;
    if (!is_rounded_) return column;
    std::uint64_t second = never;
    each_round<Rounds>(column, [&](std::size_t node) {
      second = std::min(second, keys_[node ^ 1]);
    });
    if ((first ^ second) > mask_) [[likely]]
      return column;
    return static_cast<std::size_t>(
        std::min_element(bottoms.begin(), bottoms.end()) - bottoms.begin());
  }

  template <int Rounds> void update(std::size_t column, double bottom) {
    std::uint64_t least = key(bottom, column);
    each_round<Rounds>(column, [&](std::size_t node) {
      keys_[node] = least;
      least = std::min(least, keys_[node ^ 1]);
    });
    keys_[1] = least;
  }

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t key(double bottom, std::size_t column) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(bottom);
    is_rounded_ |= (bits & mask_) != 0;
    return (bits & ~mask_) | column;
  }

  template <int Rounds, class Body> void each_round(std::size_t column, Body body) const {
    std::size_t node = size_ + column;
    if constexpr (Rounds >= 0) {
      for (int round = 0; round < Rounds; round++, node >>= 1) body(node);
    } else {
      for (; node > 1; node >>= 1) body(node);
    }
  }

  std::size_t size_;
  std::uint64_t mask_;
  std::vector<std::uint64_t> keys_; // the root is 1, the children of node n are 2n and 2n + 1
  bool is_rounded_ = false; // whether any bottom has lost bits to a column's number
};

// Finds the first column that is little longer than the shortest one, in a tree of least bottoms.
class ranking {
 public:
  explicit ranking(const std::vector<double> &bottoms)
      : size_(std::bit_ceil(bottoms.size())),
        least_(2 * size_, std::numeric_limits<double>::infinity()) {
    std::copy(bottoms.begin(), bottoms.end(), least_.begin() + static_cast<std::ptrdiff_t>(size_));
    for (std::size_t node = size_ - 1; node > 0; node--) join(node);
  }

  // The first column that ends at most `tolerance` below the shortest one.
  std::size_t first(double tolerance) const {
    const double limit = least_[1] + tolerance;
    std::size_t node = 1;
    while (node < size_) {
      node *= 2;
      if (!(least_[node] <= limit)) node++;
    }
    return node - size_;
  }

  void update(std::size_t column, double bottom) {
    std::size_t node = size_ + column;
    least_[node] = bottom;
    while (node > 1) join(node /= 2);
  }

 private:
  void join(std::size_t node) {
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
  }

  std::size_t size_;
  std::vector<double> least_;
};

// Finds where an item fits that spans several columns: the greatest bottom of each window of so many
// columns, in one pass.
class windows {
 public:
  // The first window whose greatest bottom is at most `tolerance` below the least one.
  std::size_t first(const std::vector<double> &bottoms, std::size_t span, double tolerance) {
    heights_.clear();
    candidates_.clear();
    std::size_t oldest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t column = 0; column < bottoms.size(); column++) {
      while (candidates_.size() > oldest && bottoms[candidates_.back()] <= bottoms[column])
        candidates_.pop_back();
      candidates_.push_back(column);
      if (column + 1 < span) continue;
      if (candidates_[oldest] + span <= column) oldest++;
      heights_.push_back(bottoms[candidates_[oldest]]);
      least = std::min(least, heights_.back());
    }
    const double limit = least + tolerance;
    const auto found =
        std::find_if(heights_.begin(), heights_.end(), [&](double it) { return it <= limit; });
    return static_cast<std::size_t>(found - heights_.begin());
  }

 private:
  std::vector<double> heights_; // of each window
  std::vector<std::size_t> candidates_; // from `oldest` on: columns of falling bottoms
};
