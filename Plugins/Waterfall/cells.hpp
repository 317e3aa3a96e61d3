// Places the cells of one section.

#pragma once

#include <array>
#include <cmath>
#include <string>

#include <tessera/tessera.hpp>

#include "columns.hpp"
#include "packed.hpp"

// Whether a number is a length: finite and not negative.
inline bool is_length(double number) {
  return number >= 0 && number <= std::numeric_limits<double>::max();
}

// Rounds lengths to the pixels of the display.
class pixels {
 public:
  explicit pixels(double scale) : scale_(scale) {
    int exponent;
    if (std::frexp(scale, &exponent) == 0.5) pixel_ = 1 / scale;
  }
  // Whether a pixel is a length without rounding: then `half_up` is the same in `block`.
  bool are_exact() const { return pixel_ != 0; }
  double scale() const { return scale_; }
  double length() const { return pixel_; }
  double down(double length) const { return points(whole(length * scale_)); }
  double half_up(double length) const { return points(whole(length * scale_ + 0.5)); }

 private:
  // The whole part of a number that is not negative. std::floor is a call on most machines.
  static double whole(double number) {
    constexpr double all_are_whole = 4503599627370496; // 2^52
    return number < all_are_whole ? static_cast<double>(static_cast<std::int64_t>(number)) : number;
  }
  // A power of two has an exact reciprocal, and multiplying takes less time than dividing.
  double points(double count) const { return pixel_ != 0 ? count * pixel_ : count / scale_; }

  double scale_;
  double pixel_ = 0; // 1 / scale, if that is exact
};

enum class order { shortest_column, round_robin };

// What the items of a section have, and how the engine's parameters place them.
struct section_items {
  std::size_t section;
  tessera::range range; // their places among all
  std::size_t total; // the number of items in all sections
  tessera::column<double> aspect_ratios, heights;
  tessera::column<std::int64_t> spans;
  pixels grid;
  double spacing, tolerance;
  ::order order;

  // How many columns an item spans, of those that there are.
  std::uint64_t span(std::size_t item, std::uint64_t columns) const {
    const std::int64_t wanted = spans[item];
    return wanted <= 1 ? 1 : std::min(static_cast<std::uint64_t>(wanted), columns);
  }
  double height(std::size_t item, double width) const {
    const double own = heights[item], ratio = aspect_ratios[item];
    if (!is_length(own) || !(ratio > 0) || !is_length(ratio)) [[unlikely]]
      refuse(item, own, ratio);
    return own != 0 ? own : grid.half_up(width / ratio);
  }
  // The heights of `count` items of one column, from `first` on.
  void heights_of(std::size_t first, std::size_t count, double width, double *to) const {
    const double *const own = heights.contiguous().data(), one_height = heights[0];
    const double *const ratios = aspect_ratios.contiguous().data(), one_ratio = aspect_ratios[0];
    bool done = grid.are_exact();
    if (done && own && ratios)
      done = measure(count, width, to, [=](auto i) { return own[first + i]; },
                     [=](auto i) { return ratios[first + i]; });
    else if (done && own)
      done = measure(count, width, to, [=](auto i) { return own[first + i]; },
                     [=](auto) { return one_ratio; });
    else if (done && ratios)
      done = measure(count, width, to, [=](auto) { return one_height; },
                     [=](auto i) { return ratios[first + i]; });
    else if (done)
      done = measure(count, width, to, [=](auto) { return one_height; },
                     [=](auto) { return one_ratio; });
    for (std::size_t item = 0; !done && item < count; item++) to[item] = height(first + item, width);
  }

 private:
  // As `height`, without a branch or a call for an item. Returns whether all values were sound, and
  // small enough to be rounded in this way.
  template <class Own, class Ratio>
  bool measure(std::size_t count, double width, double *to, Own own_of, Ratio ratio_of) const {
    constexpr double limit = 2251799813685248, whole = 2 * limit; // 2^51, 2^52
    constexpr double most = std::numeric_limits<double>::max();
    const double scale = grid.scale(), pixel = grid.length();
    int sound = 1;
    for (std::size_t item = 0; item < count; item++) {
      const double own = own_of(item), ratio = ratio_of(item);
      const double exact = width / ratio * scale + 0.5;
      const double nearest = (exact + whole) - whole;
      const double rounded = (nearest > exact ? nearest - 1 : nearest) * pixel;
      sound &= (own >= 0) & (own <= most) & (ratio > 0) & (ratio <= most) & (exact < limit);
      to[item] = own != 0 ? own : rounded;
    }
    return sound != 0;
  }

  [[noreturn, gnu::cold]] void refuse(std::size_t item, double own, double ratio) const {
    const std::string place =
        " of item " + std::to_string(item) + " in section " + std::to_string(section) + " is ";
    if (!is_length(own))
      throw tessera::invalid_value("height" + place + tessera::describe(own) +
                                   "; it must be finite and not negative");
    throw tessera::invalid_value("aspectRatio" + place + tessera::describe(ratio) +
                                 "; it must be finite and above 0");
  }
};

// Places the items of a section, and notes how far the columns are filled after every `step` items.
class cells {
 public:
  // The number of columns of which the cells need to know: those that the items can reach.
  static std::size_t reachable(const section_items &items, std::uint64_t columns) {
    std::uint64_t reached = 0;
    const bool is_one_each = items.spans.constant().value_or(2) <= 1;
    if (columns <= few || is_one_each) {
      reached = std::min<std::uint64_t>(columns, columns <= few ? columns : items.range.size());
    } else {
      for (std::size_t item = 0; item < items.range.size() && reached < columns; item++)
        reached += std::min(items.span(item, columns), columns - reached);
    }
    if (reached > most)
      throw tessera::invalid_value("the items of section " + std::to_string(items.section) +
                                   " span " + std::to_string(reached) +
                                   " columns; lower columnCount or span, so that they are at most " +
                                   std::to_string(most));
    return static_cast<std::size_t>(std::max<std::uint64_t>(1, reached));
  }
  // The number of items from one checkpoint to the next: the more columns, the more items, so that
  // checkpoints take little memory an item.
  static std::size_t step(std::size_t columns) { return std::max<std::size_t>(4096, 4 * columns); }

  cells(const section_items &items, const grid &columns, const tessera::output &out)
      : items_(items), grid_(columns), out_(out) {}

  // Places the items from `first` on, before which the columns are filled as `at` says.
  void fill(const tessera::view<tessera::rect> &frames, std::size_t first, filling &at,
            std::vector<filling> &checkpoints) const {
    const std::size_t step = cells::step(at.bottoms.size());
    while (first < frames.size()) {
      const std::size_t last = std::min(frames.size(), (first / step + 1) * step);
      place(frames, first, last, at);
      first = last;
      if (first % step == 0) checkpoints.push_back(at);
      report_progress(first);
    }
  }

 private:
  static constexpr std::size_t block = 1024; // the number of items whose heights are known at a time
  static constexpr std::uint64_t few = 64;
  static constexpr std::uint64_t most = 1 << 24;

  void place(const tessera::view<tessera::rect> &frames, std::size_t first, std::size_t last,
             filling &at) const {
    if (items_.order == order::round_robin) return place_in_turn(frames, first, last, at);
    if (items_.tolerance != 0 || items_.spans.constant().value_or(2) > 1)
      return place_spans(frames, first, last, at);
    place_singles(frames, first, last, at);
  }

  // Items of one column each, into the shortest one.
  void place_singles(const tessera::view<tessera::rect> &frames, std::size_t first,
                     std::size_t last, filling &at) const {
    const std::vector<double> lefts = this->lefts(at.bottoms.size());
    const auto some = [&](std::size_t count) {
      return singles{frames.data() + first, lefts.data(), count, grid_.width, items_.spacing,
                     grid_.width + grid_.spacing};
    };
    const auto ratios = items_.aspect_ratios.contiguous();
    if (items_.heights.constant() == 0 && !ratios.empty() && items_.grid.are_exact()) {
      // As many as can be placed eight at a time, then the others.
      const std::size_t rest = (last - first) % packed_columns::batch;
      for (const std::size_t count : {last - first - rest, rest}) {
        if (count == 0) continue;
        const ratio_heights heights{&ratios[first], grid_.width, items_.grid.length(),
                                    items_.grid.scale()};
        if (!place_fast(some(count), heights, at)) break;
        first += count;
      }
    }
    std::array<double, block> known;
    while (first < last) {
      const singles items = some(std::min(last - first, block));
      items_.heights_of(first, items.count, items.width, known.data());
      if (!place_fast(items, known_heights{known.data()}, at))
        place_exactly(items, known.data(), at);
      first += items.count;
    }
  }

  // Returns whether the lengths allow it.
  template <class Heights>
  bool place_fast(const singles &items, const Heights &heights, filling &at) const {
    const std::size_t columns = at.bottoms.size();
    if constexpr (Heights::are_pixels) {
      if (columns >= packed_columns::fewest_columns && columns <= packed_columns::most_columns &&
          items.count % packed_columns::batch == 0 && packed_columns::are_supported() &&
          packed_columns::place(items, heights, at))
        return true;
    }
    if (columns <= sorted_columns::most_columns) return sorted_columns::place(items, heights, at);
    return columns <= column_ring::most_columns && items_.grid.are_exact() &&
           ring_.place(items, heights, items_.grid.length(), at);
  }

  // Items of any span into the first columns that are at most `tolerance` longer than the shortest.
  void place_spans(const tessera::view<tessera::rect> &frames, std::size_t first, std::size_t last,
                   filling &at) const {
    ranking columns(at.bottoms);
    windows windows;
    std::size_t compared = 0;
    for (std::size_t item = first; item < last; item++) {
      const std::size_t span = items_.span(item, grid_.count);
      const std::size_t column = span == 1 ? columns.first(items_.tolerance)
                                           : windows.first(at.bottoms, span, items_.tolerance);
      const double bottom = put(frames, item, column, span, at);
      for (std::size_t each = column; each < column + span; each++) columns.update(each, bottom);
      compared += span == 1 ? 1 : at.bottoms.size();
      if (compared > (1 << 20)) {
        compared = 0;
        report_progress(item);
      }
    }
  }

  // Each item beside the one before, or at the left if it does not fit there.
  void place_in_turn(const tessera::view<tessera::rect> &frames, std::size_t first,
                     std::size_t last, filling &at) const {
    for (std::size_t item = first; item < last; item++) {
      const std::size_t span = items_.span(item, grid_.count);
      const std::size_t column = span <= grid_.count - at.next ? at.next : 0;
      put(frames, item, column, span, at);
      at.next = column + span;
    }
  }

  // Puts an item into columns, and returns where the next one of these columns begins.
  double put(const tessera::view<tessera::rect> &frames, std::size_t item, std::size_t column,
             std::size_t span, filling &at) const {
    const auto begin = at.bottoms.begin() + static_cast<std::ptrdiff_t>(column);
    const auto past = begin + static_cast<std::ptrdiff_t>(span);
    const double width = grid_.width_of(span);
    const double top = *std::max_element(begin, past);
    const double height = items_.height(item, width), bottom = top + height;
    frames[item] = {grid_.x(column), top, width, height};
    std::fill(begin, past, bottom + items_.spacing);
    at.end = std::max(at.end, bottom);
    at.used = std::max(at.used, column + span);
    return bottom + items_.spacing;
  }

  void report_progress(std::size_t item) const {
    out_.progress(static_cast<double>(items_.range.first() + item) /
                  static_cast<double>(items_.total));
  }

  std::vector<double> lefts(std::size_t count) const {
    std::vector<double> lefts(count);
    for (std::size_t column = 0; column < count; column++) lefts[column] = grid_.x(column);
    return lefts;
  }

  const section_items &items_;
  const grid &grid_;
  const tessera::output &out_;
  mutable column_ring ring_;
};
