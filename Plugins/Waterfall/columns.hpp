// The columns of a section, and the choice of the next item's.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

struct grid {
  double start = 0;
  double left = 0;
  double width = 0;
  double spacing = 0;
  std::uint64_t count = 1;

  double x(std::size_t column) const {
    // Signed numbers convert faster.
    return left + static_cast<double>(static_cast<std::int64_t>(column)) * (width + spacing);
  }
  double width_of(std::size_t span) const {
    const double columns = static_cast<double>(span);
    return span == 1 ? width : columns * width + (columns - 1) * spacing;
  }
  bool operator==(const grid &) const = default;
};

// An item's start: its leftmost column and its y.
struct place {
  std::size_t column;
  double top;
};

// A tournament of the columns' bottoms, where their next items begin: a binary tree whose nodes
// hold the shortest column below them, the first of equal ones.
//
// Each item waits for the column of the item before: one step for each level, without an
// unpredictable branch; six for 64 columns, two for four.
class tournament {
 public:
  explicit tournament(const std::vector<double> &bottoms)
      : count_(bottoms.size()), size_(std::bit_ceil(count_)), columns_(2 * size_),
        bottoms_(2 * size_, std::numeric_limits<std::int64_t>::max()) {
    for (std::size_t column = 0; column < count_; column++)
      bottoms_[size_ + column] = rank(bottoms[column]);
    for (std::size_t column = 0; column < size_; column++) columns_[size_ + column] = column;
    for (std::size_t node = size_ - 1; node > 0; node--) {
      const std::size_t child = 2 * node + (bottoms_[2 * node + 1] < bottoms_[2 * node]);
      bottoms_[node] = bottoms_[child];
      columns_[node] = columns_[child];
    }
  }

  std::vector<double> bottoms() const {
    std::vector<double> bottoms(count_);
    for (std::size_t column = 0; column < count_; column++) bottoms[column] = top(size_ + column);
    return bottoms;
  }

  place shortest() const { return {columns_[1], top(1)}; }

  // The start of an item of `span` columns from `column` on.
  place at(std::size_t column, std::size_t span) const {
    double longest = top(size_ + column);
    while (--span > 0) longest = std::max(longest, top(size_ + column + span));
    return {column, longest};
  }

  // The highest start of any `span` columns: of the starts at most `tolerance` lower, the first.
  // O(log n) for one of n columns, O(n log span) for more.
  place highest(std::size_t span, double tolerance) const {
    if (span == 1) {
      const double limit = top(1) + tolerance;
      std::size_t node = 1;
      while (node < size_) node = 2 * node + (top(2 * node) <= limit ? 0 : 1);
      return {node - size_, top(node)};
    }
    // Starts of adjacent or overlapping columns combine to wider ones.
    std::vector<double> starts = bottoms();
    for (std::size_t width = 1; width < span;) {
      const std::size_t step = std::min(width, span - width);
      width += step;
      for (std::size_t column = 0; column + width <= count_; column++)
        starts[column] = std::max(starts[column], starts[column + step]);
    }
    starts.resize(count_ - span + 1);
    const double limit = *std::min_element(starts.begin(), starts.end()) + tolerance;
    std::size_t column = 0;
    while (starts[column] > limit) column++;
    return {column, starts[column]};
  }

  // Sets a column's bottom, and returns the shortest column then.
  place set(std::size_t column, double bottom) {
    std::int64_t least = rank(bottom);
    for (std::size_t node = size_ + column; node > 1; node /= 2) {
      bottoms_[node] = least;
      columns_[node] = column;
      const std::int64_t other = bottoms_[node ^ 1];
      const std::size_t other_column = columns_[node ^ 1];
      // If the node is a right child, the other is the first of equal ones.
      const bool is_other = other - static_cast<std::int64_t>(node & 1) < least;
      column = __builtin_unpredictable(is_other) ? other_column : column;
      least = __builtin_unpredictable(is_other) ? other : least;
    }
    bottoms_[1] = least;
    columns_[1] = column;
    return {column, std::bit_cast<double>(least)};
  }

 private:
  // Non-negative doubles compare as their bits do.
  static std::int64_t rank(double length) { return std::bit_cast<std::int64_t>(length); }
  double top(std::size_t node) const { return std::bit_cast<double>(bottoms_[node]); }

  std::size_t count_, size_;
  // The root is 1, the children of node n are 2n and 2n + 1.
  std::vector<std::size_t> columns_;
  std::vector<std::int64_t> bottoms_;
};
