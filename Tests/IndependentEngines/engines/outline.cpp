// Columns that a tree of tracks divides: each track shares the width of its parent by weight, and items go into
// the leaves in turn. Everything lies on the pixel grid.
#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/tessera.hpp>

namespace {
enum class emphasis { plain, strong, quiet };
enum class filling { rows, columns };
} // namespace
template <> inline constexpr auto tessera::choices<emphasis> = std::array{"plain", "strong", "quiet"};
template <> inline constexpr auto tessera::choices<filling> = std::array{"rows", "columns"};

namespace {

// A track between two edges, in points from the left of the content.
struct track {
  std::size_t record = 0;
  double left = 0, right = 0;
  std::int64_t depth = 0;
  bool is_leaf = true;
  bool holds(double x) const { return x >= left && x < right; }
};

double length_or_throw(double given, const std::string &name, std::size_t place) {
  if (given >= 0 && std::isfinite(given)) return given;
  throw tessera::invalid_value(name + " " + std::to_string(place) + " is " + tessera::describe(given) +
                               "; it must be finite and not negative");
}

struct outline : tessera::layout {
  static constexpr tessera::identity identity{
      .id = "org.example.outline", .name = "Outline", .version = "1.0.0", .author = "Somebody",
      .license = "MIT", .summary = "Columns that a tree of tracks divides."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::pixel_aligned;
  static constexpr std::uint32_t laws = tessera::laws::appends;
  static constexpr std::uint32_t columns = tessera::columns::alpha | tessera::columns::z_index;

  tessera::parameter<double> row_height{this, {.name = "rowHeight", .help = "Height of a row.", .unit = "pt",
                                               .initial = 48, .minimum = 1, .maximum = 10000}};
  tessera::parameter<double> gap{this, {.name = "gap", .help = "Space between rows.", .unit = "pt", .initial = 4,
                                        .minimum = 0, .maximum = 1000}};
  tessera::parameter<emphasis> emphases{this, {.name = "emphasis", .help = "How an item is shown by default."}};
  tessera::parameter<filling> fills{this, {.name = "fills", .help = "Whether items fill rows or columns first."}};
  tessera::parameter<tessera::insets> padding{
      this, {.name = "padding", .help = "Room around the cell in its track.", .unit = "pt",
             .minimum = tessera::insets{0, 0, 0, 0}, .maximum = tessera::insets{100, 100, 100, 100}}};

  tessera::item_values<emphasis> emphasis_of{this, {.name = "emphasis", .help = "How the item is shown.",
                                                    .fallback = &emphases}};
  tessera::section_values<double> lead{this, {.name = "lead", .help = "Space above the section."}};

  tessera::list tracks{this, {.name = "tracks", .help = "The tree of tracks; none: one of the full width."}};
  tessera::list_column<std::int64_t> parent{tracks, {.name = "parent", .help = "The place of the parent; -1: none.",
                                                     .initial = -1}};
  tessera::list_column<double> weight{tracks, {.name = "weight", .help = "The share of the parent's width.",
                                               .initial = 1, .minimum = 0, .maximum = 1e6}};
  tessera::list_column<bool> skipped{tracks, {.name = "isSkipped", .help = "Whether no items go into the track."}};

  tessera::attribute<std::int64_t> track_number{
      this, {.name = "track", .help = "The record of the item's track; -1: there are none.", .initial = -1,
             .interpolation = tessera::interpolation::step}};
  tessera::attribute<tessera::point> anchor{this, {.name = "anchor", .help = "The middle of the leading edge.",
                                                   .unit = "pt"}};
  tessera::attribute<bool> is_first{this, {.name = "isFirst", .help = "Whether the cell is the first of its track.",
                                           .interpolation = tessera::interpolation::step}};
  tessera::kind band{this, {.name = "band", .category = tessera::category::decoration,
                            .role = tessera::role::background}};

  outline() {
    publish<&outline::track_at>("trackAt", "The record of the leaf track at a point; -1: none.");
    publish<&outline::leaf_count>("leafCount", "How many tracks take items.");
  }

  bool still_valid(const tessera::input &in) override {
    return in.extent().width == width && in.scale() == scale;
  }

  void prepare(const tessera::input &in, tessera::output &out) override {
    width = -1;
    scale = in.scale();
    const double whole = floored(in.extent().width);
    divide(in, whole);
    const std::size_t count = leaves.size();
    const double pitch = in[row_height] + in[gap];
    const tessera::insets pad = in[padding];
    double top = 0, deepest = 0, lowest = 0;
    std::size_t done = 0;
    for (auto [section, items] : in.sections()) {
      top += length_or_throw(in[lead][section], "lead of section", section);
      const std::size_t lines = items.size() / count + (items.size() % count != 0);
      const double bottom = top + (lines > 0 ? static_cast<double>(lines) * pitch - in[gap] : 0);
      if (!std::isfinite(bottom)) throw tessera::invalid_value("the content is too high; give less lead");
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, items.size()));
      for (std::size_t item = 0; item < items.size(); item++) {
        const bool by_rows = in[fills] == filling::rows;
        const std::size_t column = by_rows ? item % count : item / lines;
        const std::size_t line = by_rows ? item / count : item % lines;
        const track &in_track = tracks_[leaves[column]];
        const double y = rounded(top + static_cast<double>(line) * pitch + pad.top);
        const double left = std::min(rounded(in_track.left + pad.left), in_track.right);
        const double right = std::max(left, rounded(in_track.right - pad.right));
        const double high = std::max(0.0, in[row_height] - pad.top - pad.bottom);
        rows.frames[item] = {left, y, right - left, high};
        lowest = std::max(lowest, y + high);
        const emphasis shown = in[emphasis_of][items[item]];
        rows.alphas[item] = shown == emphasis::quiet ? 0.5 : 1;
        rows.z_indexes[item] = shown == emphasis::strong ? 1 : 0;
        rows[track_number][item] = in.count(tracks) > 0 ? static_cast<std::int64_t>(in_track.record) : -1;
        rows[anchor][item] = {0, high / 2};
        rows[is_first][item] = line == 0;
        if (++done % 4096 == 0) out.progress(static_cast<double>(done) / static_cast<double>(in.item_count()));
      }
      top = lines > 0 ? bottom + in[gap] : top;
      deepest = std::max(deepest, bottom);
    }
    if (lowest > 0) add_bands(lowest, out);
    out.set_content_size({whole, std::max(deepest, lowest)});
    width = in.extent().width;
  }

  // Dropped into the row and the leaf at the point.
  tessera::place target(const tessera::input &in, const tessera::place &item, const tessera::point &point,
                        const tessera::place &proposed) override {
    const std::size_t section = proposed.section, count = leaves.size();
    const std::size_t others = in.items(section).size() - (section == item.section ? 1 : 0);
    if (in[fills] == filling::columns || others == 0) return proposed;
    const tessera::output found = placed({0, point.y - 0.5, std::max(1.0, width), 1});
    for (auto [run, rows] : found.runs()) {
      if (run.category != tessera::category::cell || run.section != section) continue;
      const std::size_t first = run.first_item / count * count;
      std::size_t column = 0;
      while (column + 1 < count && !tracks_[leaves[column]].holds(point.x)) column++;
      return {section, std::min(first + column, others - (section == item.section ? 0 : 1))};
    }
    return proposed;
  }

  std::int64_t track_at(tessera::point at) {
    for (const std::size_t leaf : leaves)
      if (tracks_[leaf].holds(at.x))
        return has_records ? static_cast<std::int64_t>(tracks_[leaf].record) : -1;
    return -1;
  }
  std::uint64_t leaf_count() { return leaves.size(); }

 private:
  double width = -1, scale = 1;
  bool has_records = false;
  std::vector<track> tracks_;
  std::vector<std::size_t> leaves;

  double floored(double length) const { return std::floor(length * scale) / scale; }
  double rounded(double length) const { return std::floor(length * scale + 0.5) / scale; }

  // Finds the edges of every track.
  void divide(const tessera::input &in, double whole) {
    const std::size_t count = in.count(tracks);
    tracks_.assign(std::max<std::size_t>(count, 1), {});
    leaves.clear();
    has_records = count > 0;
    if (count == 0) {
      tracks_[0].right = whole;
      leaves.push_back(0);
      return;
    }
    const auto parents = in[parent];
    const auto weights = in[weight];
    std::vector<double> sums(count + 1, 0.0), used(count + 1, 0.0);
    for (std::size_t record = 0; record < count; record++) {
      const std::int64_t of = parents[record];
      if (of < -1 || of >= static_cast<std::int64_t>(count))
        throw tessera::invalid_value("parent in record " + std::to_string(record) + " of tracks" + " is " + std::to_string(of) +
                                     "; give the place of a track, or -1");
      sums[static_cast<std::size_t>(of + 1)] += weights[record];
      if (of >= 0) tracks_[static_cast<std::size_t>(of)].is_leaf = false;
    }
    for (const std::size_t record : in_order(parents)) {
      track &made = tracks_[record];
      const std::int64_t of = parents[record];
      const std::size_t slot = static_cast<std::size_t>(of + 1);
      const double from = of < 0 ? 0 : tracks_[static_cast<std::size_t>(of)].left;
      const double to = of < 0 ? whole : tracks_[static_cast<std::size_t>(of)].right;
      const double before = sums[slot] > 0 ? used[slot] / sums[slot] : 0;
      used[slot] += weights[record];
      const double after = sums[slot] > 0 ? used[slot] / sums[slot] : 0;
      made.record = record;
      made.depth = of < 0 ? 0 : tracks_[static_cast<std::size_t>(of)].depth + 1;
      made.left = std::min(to, rounded(from + (to - from) * before));
      made.right = std::max(made.left, std::min(to, rounded(from + (to - from) * after)));
      if (made.is_leaf && !in[skipped][record]) leaves.push_back(record);
    }
    std::sort(leaves.begin(), leaves.end());
    if (leaves.empty()) throw tessera::invalid_value("every leaf of tracks is skipped; let one take items");
  }

  // The records so that each comes after its parent and siblings stay in order.
  static std::vector<std::size_t> in_order(const tessera::column<std::int64_t> &parents) {
    const std::size_t count = parents.size();
    std::vector<std::size_t> starts(count + 2, 0), children(count), order;
    for (std::size_t record = 0; record < count; record++) starts[static_cast<std::size_t>(parents[record] + 1) + 1]++;
    for (std::size_t slot = 0; slot <= count; slot++) starts[slot + 1] += starts[slot];
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t record = 0; record < count; record++)
      children[next[static_cast<std::size_t>(parents[record] + 1)]++] = record;
    order.reserve(count);
    for (std::size_t child = starts[0]; child < starts[1]; child++) order.push_back(children[child]);
    for (std::size_t at = 0; at < order.size(); at++)
      for (std::size_t child = starts[order[at] + 1]; child < starts[order[at] + 2]; child++)
        order.push_back(children[child]);
    if (order.size() != count)
      throw tessera::invalid_value("the parents in tracks lead in a circle; let each lead to -1");
    return order;
  }

  // A band behind each track that has tracks within it, down to the lowest cell; in section 0.
  void add_bands(double high, tessera::output &out) const {
    for (const track &of : tracks_) {
      if (of.is_leaf) continue;
      const tessera::rows rows = out.add(tessera::run::elements(band, 0, of.record));
      rows.frames[0] = {of.left, 0, of.right - of.left, high};
      rows.z_indexes[0] = static_cast<std::int32_t>(std::min<std::int64_t>(of.depth, 100)) - 200;
    }
  }
};

} // namespace

TESSERA_ENGINES(outline)
