// Photo rows: pictures of one height side by side, each row as wide as the content.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <tessera/tessera.hpp>

enum class last_row { left, center, justify, hide };
template <>
inline constexpr auto tessera::choices<last_row> = std::array{"left", "center", "justify", "hide"};

namespace {

// Rounds to whole device pixels.
struct pixels {
  double scale;
  double near(double length) const { return std::round(length * scale) / scale; }
};

} // namespace

class photo_rows : public tessera::layout {
 public:
  static constexpr tessera::identity identity{
      .id = "io.example.photo-rows", .name = "Photo Rows", .version = "0.3.1",
      .author = "P. Hoto", .license = "Apache-2.0",
      .summary = "Pictures in rows of full width, as in a photo album."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::pixel_aligned;
  static constexpr std::uint32_t laws = tessera::laws::scales | tessera::laws::appends;
  static constexpr std::uint32_t columns = tessera::columns::hidden;

  photo_rows() {
    publish<&photo_rows::row_count>("rowCount", "How many rows there are.");
    publish<&photo_rows::row_at>("rowAt", "The row at a height; -1 if there is none.");
  }

  tessera::parameter<double> row_height{
      this, {.name = "rowHeight", .help = "Greatest height of a full row.", .unit = "pt",
             .initial = 120, .minimum = 1, .maximum = 5000}};
  tessera::parameter<double> spacing{
      this, {.name = "spacing", .help = "Space between pictures and between rows.", .unit = "pt",
             .initial = 4, .minimum = 0, .maximum = 300}};
  tessera::parameter<double> section_spacing{
      this, {.name = "sectionSpacing", .help = "Space between sections.", .unit = "pt",
             .initial = 20, .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> default_ratio{
      this, {.name = "aspectRatio", .help = "Width by height of a picture without a ratio.",
             .initial = 1.5, .minimum = 0.1, .maximum = 10}};
  tessera::parameter<last_row> last{this, {.name = "lastRow", .help = "What becomes of a row that is not full."}};
  tessera::item_values<double> ratios{
      this, {.name = "aspectRatio", .help = "Width by height of the picture.",
             .fallback = &default_ratio}};
  tessera::delegate<bool(std::uint32_t, std::uint32_t)> breaks{
      this, {.name = "breaksBefore", .help = "Whether an item begins a row."}};
  tessera::attribute<std::int64_t> row_number{
      this, {.name = "row", .help = "The number of the row, from 0 in each section.", .initial = 0,
             .interpolation = tessera::interpolation::step}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    const double gap = in[spacing], target = in[row_height];
    const pixels grid{in.scale()};
    width_ = in.extent().width;
    rows_.clear();

    const auto column = in[ratios];
    const auto starts_row = in[breaks];
    double y = 0, right = 0, bottom = 0;
    std::size_t done = 0;
    for (auto [section, items] : in.sections()) {
      if (section > 0 && !items.empty() && y > 0) y += in[section_spacing] - gap;
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, items.size()));
      const auto numbers = rows[row_number];
      std::int64_t number = 0;
      std::size_t first = 0;
      double sum = 0;
      for (std::size_t item = 0; item < items.size(); item++) {
        sum += ratio(column[items[item]]);
        const std::size_t count = item + 1 - first;
        const double room = std::max(0.0, width_ - gap * static_cast<double>(count - 1));
        const bool is_full = room / sum <= target;
        const bool is_last = item + 1 == items.size();
        const bool is_cut = !is_last && starts_row &&
                            starts_row(static_cast<std::uint32_t>(section),
                                       static_cast<std::uint32_t>(item + 1));
        if (!is_full && !is_last && !is_cut) continue;

        const bool fills = is_full || in[last] == last_row::justify;
        const double height = fills ? std::min(room / sum, 4 * target) : target;
        double x = 0;
        if (!is_full && in[last] == last_row::center)
          x = std::max(0.0, (room - height * sum) / 2);
        const double top = grid.near(y), low = grid.near(y + height);
        for (std::size_t at = first; at <= item; at++) {
          const double wide = height * ratio(column[items[at]]);
          const double from = grid.near(x), to = grid.near(x + wide);
          rows.frames[at] = {from, top, to - from, low - top};
          rows.hidden[at] = !is_full && in[last] == last_row::hide;
          numbers[at] = number;
          x += wide + gap;
          right = std::max(right, to);
        }
        rows_.push_back({top, low});
        bottom = std::max(bottom, low);
        y += height + gap;
        number++;
        first = item + 1;
        sum = 0;
      }
      done += items.size();
      out.progress(static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(1, in.item_count())));
    }
    scale_ = in.scale();
    out.set_content_size({grid.near(std::max(width_, right)), bottom});
  }

  bool still_valid(const tessera::input &in) override {
    return in.extent().width == width_ && in.scale() == scale_;
  }

  // Scrolling stops at the top of the nearest row.
  tessera::point resting_offset(const tessera::input &, const tessera::point &,
                                const tessera::point &proposed) override {
    if (rows_.empty()) return proposed;
    auto above = std::upper_bound(rows_.begin(), rows_.end(), proposed.y,
                                  [](double y, const band &row) { return y < row.top; });
    if (above == rows_.begin()) return {proposed.x, rows_.front().top};
    const double before = std::prev(above)->top;
    if (above == rows_.end()) return {proposed.x, before};
    return {proposed.x, proposed.y - before <= above->top - proposed.y ? before : above->top};
  }

 private:
  struct band {
    double top, bottom;
  };

  // A ratio that makes no sense stands for a square.
  static double ratio(double given) { return given > 0 ? std::clamp(given, 0.05, 20.0) : 1; }

  std::int64_t row_count() const { return static_cast<std::int64_t>(rows_.size()); }

  std::int64_t row_at(double y) const {
    const auto above = std::upper_bound(rows_.begin(), rows_.end(), y,
                                        [](double at, const band &row) { return at < row.top; });
    if (above == rows_.begin() || y >= std::prev(above)->bottom) return -1;
    return std::distance(rows_.begin(), above) - 1;
  }

  std::vector<band> rows_;
  double width_ = -1, scale_ = 0;
};

TESSERA_ENGINES(photo_rows)
