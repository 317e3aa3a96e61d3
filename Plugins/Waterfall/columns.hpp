// The columns of a section, and which of them takes the next item.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
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

  // Takes over the bottom of a column, if its bit says that it has got items.
  void note_use(std::size_t column, std::uint64_t bits, double spacing) {
    if ((bits >> column & 1) == 0) return;
    // The last item of a column reaches furthest.
    end = std::max(end, bottoms[column] - spacing);
    used = std::max(used, column + 1);
  }
};

// Consecutive items of one column each, and where their frames go.
struct singles {
  tessera::rect *frames;
  const double *lefts; // of the columns
  std::size_t count;
  double width, spacing;
  double step; // from a column to the next
};

// Two numbers, on which a processor works at once.
using pair [[gnu::vector_size(16)]] = double;
using pair_mask [[gnu::vector_size(16)]] = std::int64_t;
using pair_of_int32 [[gnu::vector_size(8)]] = std::int32_t;

// The number at an address and the one after it, unless there is only one left.
inline pair load(const double *from, std::size_t left) {
  if (left == 1) return pair{*from, 1};
  pair numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}
// Numbers where the mask is true, converted without their fractions, and 0 elsewhere. They are below
// 2^31.
inline pair_of_int32 whole(pair numbers, pair_mask where) {
  const auto masked = reinterpret_cast<pair>(reinterpret_cast<pair_mask>(numbers) & where);
  return __builtin_convertvector(masked, pair_of_int32);
}
inline bool all(pair_mask mask) { return (mask[0] & mask[1]) != 0; }

// The heights of a section's items from their places on; two at a time.
struct known_heights {
  static constexpr bool are_pixels = false;
  const double *heights;

  pair of(std::size_t item, std::size_t left, pair_mask &) const {
    return load(heights + item, left);
  }
};
// The heights of items of equal width, from aspect ratios, where a pixel is a length without rounding.
struct ratio_heights {
  static constexpr bool are_pixels = true;
  const double *ratios;
  double width, pixel, scale;

  pair of(std::size_t item, std::size_t left, pair_mask &sound) const {
    return __builtin_convertvector(counts(item, left, 0x1p31, sound), pair) * pixel;
  }
  // The pixels of the heights, fewer than `most`.
  pair_of_int32 counts(std::size_t item, std::size_t left, double most, pair_mask &sound) const {
    const pair ratio = load(ratios + item, left), pixels = width / ratio * scale + 0.5;
    const pair_mask is_sound = (ratio > 0) & (pixels < most);
    sound &= is_sound;
    return whole(pixels, is_sound);
  }
};

// Places items into the shortest of few columns, of equal ones the first, where all lengths are whole
// multiples of 1/1024 point: then the bits of a number can hold a column's bottom and, after it, the
// column. These keys are kept in order, without a branch, and nothing is rounded.
class sorted_columns {
 public:
  static constexpr std::size_t most_columns = 16;

  // Returns whether it could place the items; otherwise, their frames are anything.
  template <class Heights>
  static bool place(const singles &items, const Heights &heights, filling &at) {
    switch (at.bottoms.size()) {
      case 1: return place<1>(items, heights, at);
      case 2: return place<2>(items, heights, at);
      case 3: return place<3>(items, heights, at);
      case 4: return place<4>(items, heights, at);
      case 5: return place<5>(items, heights, at);
      case 6: return place<6>(items, heights, at);
      case 7: return place<7>(items, heights, at);
      case 8: return place<8>(items, heights, at);
      case 9: case 10: case 11: case 12: return place<12>(items, heights, at);
      default: return place<most_columns>(items, heights, at);
    }
  }

 private:
  // A key is a bottom from 0 to 2^36 with this added. So the last bits of the double are worth
  // 1/65536 point, and the six that are below 1/1024 point have the column.
  static constexpr double bias = 0x1p36, unit = 0x1p-10, column_unit = 0x1p-16;
  static constexpr std::int64_t column_bits = 63;

  // Whether lengths are multiples of 1/1024 point: adding 2^42 rounds to them.
  static pair_mask are_whole(pair lengths) {
    constexpr double rounder = 0x1p52 * unit;
    return ((lengths + rounder) - rounder == lengths) & (lengths < bias);
  }
  static double bottom(double key) {
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(key) & ~column_bits) - bias;
  }
  static std::size_t column(double key) {
    return static_cast<std::size_t>(std::bit_cast<std::int64_t>(key) & column_bits);
  }

  // The items and heights are copies, which the compiler knows not to be among the frames.
  template <std::size_t Columns, class Heights>
  static bool place(singles items, Heights heights, filling &at) {
    std::array<double, Columns> sorted;
    sorted.fill(std::numeric_limits<double>::infinity());
    pair_mask sound = are_whole(pair{items.spacing, unit});
    if constexpr (Heights::are_pixels) sound &= are_whole(pair{heights.pixel, unit});
    for (std::size_t column = 0; column < at.bottoms.size(); column++) {
      sound &= are_whole(pair{at.bottoms[column], unit});
      sorted[column] = bias + at.bottoms[column] + static_cast<double>(column) * column_unit;
    }
    if (!all(sound)) return false;
    std::sort(sorted.begin(), sorted.end());

    double keys[Columns]; // in registers, if there are few
    std::copy(sorted.begin(), sorted.end(), keys);
    std::uint64_t used = 0;
    for (std::size_t item = 0; item < items.count; item += 2) {
      const pair height = heights.of(item, items.count - item, sound);
      if constexpr (!Heights::are_pixels) sound &= are_whole(height);
      const pair longer = height + items.spacing;
      put<Columns>(items, item, height[0], longer[0], keys, used);
      if (item + 1 < items.count) put<Columns>(items, item + 1, height[1], longer[1], keys, used);
    }
    if (!all(sound) || !(keys[at.bottoms.size() - 1] < 2 * bias)) return false;
    for (std::size_t place = 0; place < at.bottoms.size(); place++) {
      const std::size_t column = sorted_columns::column(keys[place]);
      at.bottoms[column] = bottom(keys[place]);
      at.note_use(column, used, items.spacing);
    }
    return true;
  }

  // Puts an item into the first column in order, which moves behind those that it is not above now.
  template <std::size_t Columns>
  [[gnu::always_inline]] static void put(const singles &items, std::size_t item, double height,
                                         double longer, double (&keys)[Columns],
                                         std::uint64_t &used) {
    const std::size_t column = sorted_columns::column(keys[0]);
    used |= std::uint64_t{1} << column;
    items.frames[item] = {items.lefts[column], bottom(keys[0]), items.width, height};
    const double key = keys[0] + longer;
    if constexpr (Columns == 1) {
      keys[0] = key;
    } else {
      keys[0] = std::min(key, keys[1]);
      for (std::size_t place = 1; place + 1 < Columns; place++)
        keys[place] = std::max(keys[place], std::min(key, keys[place + 1]));
      keys[Columns - 1] = std::max(keys[Columns - 1], key);
    }
  }
};

// Places items into the shortest of up to 64 columns, of equal ones the first, where all lengths are
// whole pixels, few enough between any two bottoms: then each pixel on the way down can have a set of
// columns that end there.
class column_ring {
 public:
  static constexpr std::size_t most_columns = 64;

  // Returns whether it could place the items; otherwise, their frames are anything.
  template <class Heights>
  bool place(singles items, Heights heights, double pixel, filling &at) {
    const double scale = 1 / pixel;
    const auto [top, end] = std::minmax_element(at.bottoms.begin(), at.bottoms.end());
    if (!(*end < 0x1p40) || !(*end * scale < 0x1p50) || !((*end - *top) * scale < size)) return false;
    cursor to{static_cast<std::uint64_t>(*top * scale), *top};
    const double spacing = items.spacing * scale;
    bool is_whole = !Heights::are_pixels || (spacing < size && std::trunc(spacing) == spacing);
    for (std::size_t column = 0; column < at.bottoms.size(); column++) {
      const std::uint64_t bottom = static_cast<std::uint64_t>(at.bottoms[column] * scale);
      is_whole = is_whole && static_cast<double>(bottom) * pixel == at.bottoms[column];
      add(std::uint64_t{1} << column, bottom);
    }

    to.here = ending_[to.row % size];
    const std::int32_t space = spacing < size ? static_cast<std::int32_t>(spacing) : 0;
    pair_mask sound = pair_mask{} - is_whole;
    for (std::size_t item = 0; item < items.count; item += 2) {
      pair height;
      pair_of_int32 pixels; // of an item and the space below it
      if constexpr (Heights::are_pixels) {
        pixels = heights.counts(item, items.count - item, size - spacing, sound);
        height = __builtin_convertvector(pixels, pair) * pixel;
        pixels += space;
      } else {
        height = heights.of(item, items.count - item, sound);
        const pair longer = (height + items.spacing) * scale;
        sound &= longer < size;
        pixels = whole(longer, sound);
        sound &= __builtin_convertvector(pixels, pair) == longer;
      }
      put(items, item, height[0], pixels[0], pixel, to);
      if (item + 1 < items.count) put(items, item + 1, height[1], pixels[1], pixel, to);
    }
    ending_[to.row % size] = to.here;
    add_next(to);
    take_all([&](std::size_t place, std::size_t column) {
      if (!all(sound)) return;
      const std::uint64_t row = to.row + (place - to.row) % size;
      at.bottoms[column] = static_cast<double>(static_cast<std::int64_t>(row)) * pixel;
      at.note_use(column, to.used, items.spacing);
    });
    return all(sound);
  }

 private:
  static constexpr std::uint64_t size = 4096;

  // Sets of columns are bits.
  struct cursor {
    std::uint64_t row;
    double top; // of the row, in points
    std::uint64_t here = 0; // the columns that end at the row, while it is not in the ring
    std::uint64_t used = 0; // the columns that got items
    // Columns that end together, which are not in the ring yet: in those of pictures that are alike,
    // each would wait until the one before it is there.
    std::uint64_t next = 0, next_row = 0;
  };

  std::array<std::uint64_t, size> ending_{}; // the columns that end at a row of pixels
  std::array<std::uint64_t, size / 64> is_ending_{}; // whether any does, a bit for each row

  void add(std::uint64_t columns, std::uint64_t row) {
    const std::size_t place = row % size;
    ending_[place] |= columns;
    is_ending_[place / 64] |= std::uint64_t{1} << place % 64;
  }
  void add_next(cursor &to) {
    if (to.next != 0) add(std::exchange(to.next, 0), to.next_row);
  }

  // Puts an item into the first of the columns that end at the row.
  [[gnu::always_inline]] void put(const singles &items, std::size_t item, double height,
                                  std::int32_t longer, double pixel, cursor &to) {
    const std::size_t column = static_cast<std::size_t>(std::countr_zero(to.here));
    const std::uint64_t bit = to.here & -to.here;
    to.used |= bit;
    // Two stores instead of four, which take as long as the rest.
    const pair origin{items.lefts[column], to.top}, lengths{items.width, height};
    std::memcpy(&items.frames[item].x, &origin, sizeof origin);
    std::memcpy(&items.frames[item].width, &lengths, sizeof lengths);
    if (longer == 0) [[unlikely]]
      return;
    to.here ^= bit;
    const std::uint64_t end = to.row + static_cast<std::uint32_t>(longer);
    if (end != to.next_row) add_next(to);
    to.next |= bit;
    to.next_row = end;
    if (to.here == 0) {
      add_next(to);
      to.here = advance(to.row);
      to.top = static_cast<double>(static_cast<std::int64_t>(to.row)) * pixel;
    }
  }

  // Moves to the next row where columns end, and returns them.
  std::uint64_t advance(std::uint64_t &row) {
    const std::size_t place = row % size;
    std::size_t word = place / 64;
    ending_[place] = 0;
    is_ending_[word] &= ~(std::uint64_t{1} << place % 64);
    std::uint64_t rows = is_ending_[word] >> place % 64 << place % 64;
    row -= row % 64;
    while (rows == 0) {
      word = (word + 1) % is_ending_.size();
      rows = is_ending_[word];
      row += 64;
    }
    row += static_cast<std::uint64_t>(std::countr_zero(rows));
    return ending_[row % size];
  }

  // Calls `take` with each column and its place in the ring, which is empty then.
  template <class Take> void take_all(Take take) {
    for (std::size_t word = 0; word < is_ending_.size(); word++) {
      for (std::uint64_t rows = std::exchange(is_ending_[word], 0); rows != 0; rows &= rows - 1) {
        const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(rows));
        for (std::uint64_t rest = std::exchange(ending_[place], 0); rest != 0; rest &= rest - 1)
          take(place, static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
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
inline void place_exactly(const singles &items, const double *heights, filling &at) {
  tournament columns(at.bottoms);
  for (std::size_t item = 0; item < items.count; item++) {
    const std::size_t column = columns.winner(at.bottoms);
    const double top = at.bottoms[column], bottom = top + heights[item];
    items.frames[item] = {items.lefts[column], top, items.width, heights[item]};
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
