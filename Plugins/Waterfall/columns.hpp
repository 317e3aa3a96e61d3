// The columns of a section, and which of them takes the next item.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <tessera/tessera.hpp>

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

// Consecutive items of one column each, and where their frames go.
struct singles {
  tessera::rect *frames;
  const double *heights;
  const double *lefts; // of the columns
  std::size_t count;
  double width, spacing;
};

// Places items into the shortest column, of equal ones the first, where all lengths are whole
// multiples of 1/1024 point: then a whole number can hold a column's bottom and, in its last bits, the
// column. The least of these keys is found without a branch, and nothing is rounded.
class units {
 public:
  static constexpr std::size_t most_items = 1024;

  // Returns whether it could place the items.
  static bool place(const singles &items, filling &at) {
    keys keys;
    keys.fill(never);
    std::array<std::int64_t, most_items> steps;
    if (at.bottoms.size() > most_columns || !measure(items, at, keys, steps)) return false;
    std::uint64_t used = 0;
    switch (at.bottoms.size()) {
      case 1: used = place_few<1>(items, keys, steps); break;
      case 2: used = place_few<2>(items, keys, steps); break;
      case 3: used = place_few<3>(items, keys, steps); break;
      case 4: used = place_few<4>(items, keys, steps); break;
      case 5: used = place_few<5>(items, keys, steps); break;
      case 6: used = place_few<6>(items, keys, steps); break;
      case 7: used = place_few<7>(items, keys, steps); break;
      case 8: used = place_few<8>(items, keys, steps); break;
      default:
        if (at.bottoms.size() <= 16)
          used = place_many<4>(items, keys, steps);
        else if (at.bottoms.size() <= 32)
          used = place_many<5>(items, keys, steps);
        else
          used = place_many<6>(items, keys, steps);
    }
    for (std::size_t column = 0; column < at.bottoms.size(); column++) {
      if ((used >> column & 1) == 0) continue;
      at.bottoms[column] = length(keys[column]);
      // The last item of a column reaches furthest.
      at.end = std::max(at.end, at.bottoms[column] - items.spacing);
    }
    at.used = std::max<std::size_t>(at.used, std::bit_width(used));
    return true;
  }

 private:
  static constexpr int column_bits = 6;
  static constexpr std::size_t most_columns = 1 << column_bits;
  static constexpr double a_point = 1024;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  using keys = std::array<std::int64_t, most_columns>;

  static double length(std::int64_t key) {
    return static_cast<double>(key >> column_bits) * (1 / a_point);
  }
  // Whether a length is a whole number of units, at most `most`.
  static int is_whole(double in_units, double most) {
    constexpr double whole = 4503599627370496; // 2^52
    return (in_units <= most) & ((in_units + whole) - whole == in_units);
  }

  // The keys of the columns and, for each item, by how much it makes a column longer.
  static bool measure(const singles &items, const filling &at, keys &keys,
                      std::array<std::int64_t, most_items> &steps) {
    // So that no sum needs more bits than a double has.
    constexpr double most_step = 1ll << 40, most_bottom = 1ll << 51;
    const double spacing = items.spacing * a_point;
    int whole = is_whole(spacing, most_step);
    for (std::size_t column = 0; column < at.bottoms.size(); column++) {
      const double bottom = at.bottoms[column] * a_point;
      whole &= is_whole(bottom, most_bottom);
      if (whole)
        keys[column] = static_cast<std::int64_t>(bottom) << column_bits | static_cast<int>(column);
    }
    if (!whole) return false;
    for (std::size_t item = 0; item < items.count; item++) {
      const double height = items.heights[item] * a_point;
      whole &= is_whole(height, most_step);
      const double step = std::min(height, most_step) + spacing;
      steps[item] = static_cast<std::int64_t>(step) << column_bits;
    }
    return whole != 0;
  }

  static std::size_t column(std::int64_t key) {
    return static_cast<std::size_t>(key) & (most_columns - 1);
  }
  static void put(const singles &items, std::size_t item, std::int64_t key) {
    items.frames[item] = {items.lefts[column(key)], length(key), items.width,
                          items.heights[item]};
  }

  // All keys are compared. Returns a bit for each column that takes an item.
  template <int Columns>
  static std::uint64_t place_few(const singles &items, keys &keys,
                                 const std::array<std::int64_t, most_items> &steps) {
    std::int64_t own[Columns];
    std::copy_n(keys.begin(), Columns, own);
    std::uint64_t used = 0;
    for (std::size_t item = 0; item < items.count; item++) {
      std::int64_t least = own[0];
      if constexpr (Columns > 1) least = least_of<0, Columns>(own);
      put(items, item, least);
      used |= std::uint64_t{1} << column(least);
      const std::int64_t longer = least + steps[item];
      for (std::int64_t &key : own) key = key == least ? longer : key;
    }
    std::copy_n(own, Columns, keys.begin());
    return used;
  }

  template <int First, int Last> static std::int64_t least_of(const std::int64_t *own) {
    if constexpr (Last - First == 1) {
      return own[First];
    } else {
      constexpr int middle = (First + Last) / 2;
      return std::min(least_of<First, middle>(own), least_of<middle, Last>(own));
    }
  }

  // A tournament of the keys, in which a longer column meets those that its winner has met.
  template <int Rounds>
  static std::uint64_t place_many(const singles &items, keys &keys,
                                  const std::array<std::int64_t, most_items> &steps) {
    constexpr std::size_t size = std::size_t{1} << Rounds;
    std::int64_t nodes[2 * size]; // the root is 1, the children of node n are 2n and 2n + 1
    std::copy_n(keys.begin(), size, nodes + size);
    for (std::size_t node = size - 1; node > 0; node--)
      nodes[node] = std::min(nodes[2 * node], nodes[2 * node + 1]);
    std::int64_t least = nodes[1];
    std::uint64_t used = 0;
    for (std::size_t item = 0; item < items.count; item++) {
      put(items, item, least);
      used |= std::uint64_t{1} << column(least);
      std::int64_t met[Rounds];
      const std::size_t node = size + column(least);
      for (int round = 0; round < Rounds; round++) met[round] = nodes[(node >> round) ^ 1];
      std::int64_t winner = least + steps[item];
      least = std::min(winner, least_of<0, Rounds>(met));
      for (int round = 0; round < Rounds; round++) {
        nodes[node >> round] = winner;
        winner = std::min(winner, met[round]);
      }
    }
    std::copy_n(nodes + size, size, keys.begin());
    return used;
  }
};

// A tournament of the columns, whose winner is the shortest one, of equal ones the first, for lengths
// of any kind.
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

  std::size_t winner(const std::vector<double> &bottoms) const {
    const std::uint64_t first = keys_[1];
    const std::size_t column = first & mask_;
    if (!is_rounded_) return column;
    std::uint64_t second = never;
    for (std::size_t node = size_ + column; node > 1; node /= 2)
      second = std::min(second, keys_[node ^ 1]);
    if ((first ^ second) > mask_) [[likely]]
      return column;
    return static_cast<std::size_t>(
        std::min_element(bottoms.begin(), bottoms.end()) - bottoms.begin());
  }

  void update(std::size_t column, double bottom) {
    std::uint64_t least = key(bottom, column);
    for (std::size_t node = size_ + column; node > 1; node /= 2) {
      keys_[node] = least;
      least = std::min(least, keys_[node ^ 1]);
    }
    keys_[1] = least;
  }

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t key(double bottom, std::size_t column) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(bottom);
    is_rounded_ |= (bits & mask_) != 0;
    return (bits & ~mask_) | column;
  }

  std::size_t size_;
  std::uint64_t mask_;
  std::vector<std::uint64_t> keys_; // the root is 1, the children of node n are 2n and 2n + 1
  bool is_rounded_ = false; // whether any bottom has lost bits to a column's number
};

// Places items into the shortest column, of equal ones the first.
inline void place_exactly(const singles &items, filling &at) {
  tournament columns(at.bottoms);
  for (std::size_t item = 0; item < items.count; item++) {
    const std::size_t column = columns.winner(at.bottoms);
    const double top = at.bottoms[column], bottom = top + items.heights[item];
    items.frames[item] = {items.lefts[column], top, items.width, items.heights[item]};
    at.end = std::max(at.end, bottom);
    at.used = std::max(at.used, column + 1);
    at.bottoms[column] = bottom + items.spacing;
    columns.update(column, bottom + items.spacing);
  }
}

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
