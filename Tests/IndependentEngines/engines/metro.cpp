// metro.cpp: the stops of a journey on a map of metro lines, with measured stops.
//
// The rule. Each section is a journey: its title and, below it, its stops from top to bottom. The list `lines` is a tree: a branch
// runs in a lane to the right of its parent's. A stop lies right of the lane of its `line`; one whose line does not exist lies as if
// there were no lanes. Stops and titles have the heights that the program measures, or else those of values. Beside each stop is a
// dot in its lane, and between neighbouring dots a rail runs down in the lane of the upper stop. New stops come in from the right. A
// dragged stop goes before the first stop whose middle lies below it.
#include <algorithm>
#include <cmath>
#include <tessera/tessera.hpp>

struct metro : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.metro", .name = "Metro", .version = "1.0.0",
                                              .author = "Somebody", .license = "MIT",
                                              .summary = "The stops of journeys beside the lanes of metro lines."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;
  static constexpr std::uint32_t laws = tessera::laws::flows | tessera::laws::appends | tessera::laws::scales;
  static constexpr std::uint32_t columns = tessera::columns::z_index;
  static constexpr std::array measured{tessera::measured{"height"}, tessera::measured{"titleHeight", "title"}};
  static constexpr double tallest = 1e9; // a stop or a title

  // ---------------------------------------------------------------- declarations

  tessera::parameter<double> stop_height{this, {.name = "stopHeight", .help = "Height of a stop without its own height.", .unit = "pt",
                                                .initial = 48, .minimum = 0, .maximum = 100000}};
  tessera::parameter<double> estimated_height{
      this, {.name = "estimatedHeight", .help = "Height of a stop until it is measured; 0: stops are not measured.", .unit = "pt",
             .initial = 0, .minimum = 0, .maximum = 100000}};
  tessera::parameter<double> title_height{this, {.name = "titleHeight", .help = "Height of a title without its own height.",
                                                 .unit = "pt", .initial = 32, .minimum = 0, .maximum = 100000}};
  tessera::parameter<bool> measures_titles{this, {.name = "measuresTitles", .help = "Whether titles are measured; until then they "
                                                                                    "are titleHeight high."}};
  tessera::parameter<double> lane_width{this, {.name = "laneWidth", .help = "Width of a lane.", .unit = "pt",
                                               .initial = 20, .minimum = 1, .maximum = 10000}};
  tessera::parameter<double> rail_width{this, {.name = "railWidth", .help = "Width of a rail.", .unit = "pt",
                                               .initial = 4, .minimum = 1, .maximum = 10000}};
  tessera::parameter<double> dot_size{this, {.name = "dotSize", .help = "Size of a dot, at most that of its lane and stop.",
                                             .unit = "pt", .initial = 12, .minimum = 1, .maximum = 10000}};
  tessera::parameter<double> minimum_width{this, {.name = "minimumWidth", .help = "Least width of a stop; then the content scrolls.",
                                                  .unit = "pt", .initial = 120, .minimum = 1, .maximum = 100000}};
  tessera::parameter<double> spacing{this, {.name = "spacing", .help = "Space between the journeys.", .unit = "pt",
                                            .initial = 24, .minimum = 0, .maximum = 10000}};
  tessera::parameter<std::int64_t> line{this, {.name = "line", .help = "The line of a stop that does not name one, from 0.",
                                               .initial = 0, .minimum = 0, .maximum = 1000000}};
  tessera::item_values<double> height_of{this, {.name = "height", .help = "The height of the stop.", .fallback = &stop_height}};
  tessera::item_values<std::int64_t> line_of{this, {.name = "line", .help = "The line of the stop, a place in `lines`.",
                                                    .fallback = &line}};
  tessera::section_values<double> title_height_of{this, {.name = "titleHeight", .help = "The height of the title.",
                                                         .fallback = &title_height}};
  tessera::list lines{this, {.name = "lines", .help = "The lines; none: stops fill the width, without lanes."}};
  tessera::list_column<std::int64_t> parent{lines, {.name = "parent", .help = "The line that this one branches off; -1: none.",
                                                    .initial = -1, .minimum = -1, .maximum = 1000000000}};
  tessera::list_column<double> gap{lines, {.name = "gap", .help = "Space left of the lane.", .unit = "pt",
                                           .initial = 0, .minimum = 0, .maximum = 10000}};
  tessera::attribute<std::int64_t> lane{this, {.name = "lane", .help = "How many lines the line of a stop branched off; -1: no line.",
                                               .initial = -1, .interpolation = tessera::interpolation::step}};
  tessera::attribute<tessera::point> centre{this, {.name = "centre", .help = "The middle of a stop's dot.", .unit = "pt"}};
  tessera::kind title{this, {.name = "title", .category = tessera::category::supplementary, .role = tessera::role::header}};
  tessera::kind dot{this, {.name = "dot", .category = tessera::category::decoration, .role = tessera::role::badge}};
  tessera::kind rail{this, {.name = "rail", .category = tessera::category::decoration, .role = tessera::role::separator}};

  metro() {
    publish<&metro::lane_at>("laneAt", "The left edge of the lane of a line.");
    publish<&metro::next_stop>("nextStop", "The first stop, counted among all, whose middle lies at y or below; -1: none.");
  }

  // ---------------------------------------------------------------- lanes

  struct lane_place {
    double x = 0;
    std::int64_t depth = -1; // -1: not yet known
  };

  // Where the lane of each line is. A tree may name a parent that comes later, so each line first walks up to one that is known.
  std::vector<lane_place> lanes(const tessera::input &in) const {
    const auto parents = in[parent];
    const auto gaps = in[gap];
    const double width = in[lane_width];
    const auto count = static_cast<std::int64_t>(in.count(lines));
    std::vector<lane_place> found(in.count(lines));
    std::vector<std::int64_t> way;
    for (std::int64_t first = 0; first < count; first++) {
      way.clear();
      std::int64_t at = first;
      while (at >= 0 && found[at].depth < 0) {
        if (std::ssize(way) > count - 1)
          throw tessera::invalid_value("line " + std::to_string(first) + " branches off a circle of lines; give one of them "
                                       "the parent -1");
        way.push_back(at);
        if (parents[at] >= count)
          throw tessera::invalid_value("the parent of line " + std::to_string(at) + " is " + std::to_string(parents[at]) +
                                       ", but there are " + std::to_string(count) + " lines; the first is 0");
        at = parents[at];
      }
      for (; !way.empty(); way.pop_back()) {
        const std::int64_t next = way.back(), from = parents[next];
        found[next].depth = from < 0 ? 0 : found[from].depth + 1;
        found[next].x = (from < 0 ? 0 : found[from].x + width) + gaps[next];
      }
    }
    return found;
  }

  const lane_place *lane_of(const std::vector<lane_place> &all, std::int64_t of) const {
    return of >= 0 && of < std::ssize(all) ? &all[of] : nullptr;
  }

  // A stop's left edge and width.
  std::pair<double, double> span_of(const tessera::input &in, const lane_place *at) const {
    const double left = at ? at->x + in[lane_width] : 0;
    return {left, std::max(in[minimum_width], in.extent().width - left)};
  }

  static double limited(double height) { return std::clamp(height, 0.0, tallest); }

  // ---------------------------------------------------------------- where everything goes

  void prepare(const tessera::input &in, tessera::output &out) override {
    lanes_ = lanes(in);
    section_tops_.clear();
    middles_.assign(in.item_count(), 0);
    starts_.clear();
    const auto heights = in[height_of], title_heights = in[title_height_of];
    const auto chosen = in[line_of];
    const double thickness = std::min(in[rail_width], in[lane_width]);
    tessera::size content{in.extent().width, 0};
    double top = 0;
    for (auto [section, items] : in.sections()) {
      section_tops_.push_back(top);
      starts_.push_back(items.first());
      const double heading = limited(title_heights[section]);
      out.add(tessera::run::elements(title, section), {0, top, in.extent().width, heading});
      top += heading;
      const auto cells = out.add(tessera::run::cells(section, 0, items.size()));
      const auto dots = out.add(tessera::run::elements(dot, section, 0, items.size()));
      const auto rails = out.add(tessera::run::elements(rail, section, 0, items.empty() ? 0 : items.size() - 1));
      for (std::size_t i = 0; i < items.size(); i++) {
        const lane_place *const at = lane_of(lanes_, chosen[items[i]]);
        const auto [left, width] = span_of(in, at);
        const double height = limited(heights[items[i]]), middle = top + height / 2;
        cells.frames[i] = {left, top, width, height};
        cells[lane][i] = at ? at->depth : -1;
        // The dot lies in the lane, or without a lane at the left edge of the stop, over it.
        const double size = std::min({in[dot_size], in[lane_width], height});
        const double x = at ? at->x + in[lane_width] / 2 : in[lane_width] / 2;
        dots.frames[i] = {x - size / 2, middle - size / 2, size, size};
        dots.z_indexes[i] = 2;
        cells[centre][i] = {x - left, height / 2};
        if (i + 1 < items.size()) {
          const double below = top + height + limited(heights[items[i + 1]]) / 2;
          rails.frames[i] = {x - thickness / 2, middle, thickness, below - middle};
          rails.z_indexes[i] = 1;
        }
        middles_[items[i]] = middle;
        content.width = std::max(content.width, left + width);
        top += height;
        if (items[i] % 4096 == 4095) out.progress(double(items[i]) / double(in.item_count()));
      }
      content.height = top;
      top += in[spacing];
    }
    starts_.push_back(in.item_count());
    out.set_content_size(content);
  }

  // ---------------------------------------------------------------- measured sizes

  std::size_t estimates(const tessera::input &in, const tessera::run &who, std::span<tessera::size> sizes) override {
    if (who.category != tessera::category::cell) {
      sizes[0] = {in.extent().width, in[title_height]};
      return in[measures_titles] ? 1 : 0;
    }
    if (in[estimated_height] == 0) return 0;
    sizes[0] = {0, in[estimated_height]};
    return 1;
  }

  // As wide as the element will be; the height is for the program to say.
  std::size_t proposals(const tessera::input &in, const tessera::run &who, std::span<tessera::size> sizes) override {
    if (who.category != tessera::category::cell) {
      sizes[0] = {in.extent().width, 0};
      return 1;
    }
    const auto all = lanes(in);
    const auto chosen = in[line_of];
    const std::size_t first = in.items(who.section).first() + who.first_item;
    for (std::size_t i = 0; i < who.count; i++) sizes[i] = {span_of(in, lane_of(all, chosen[first + i])).second, 0};
    return who.count;
  }

  // ---------------------------------------------------------------- dragging

  tessera::place target(const tessera::input &, const tessera::place &dragged, const tessera::point &at,
                        const tessera::place &) override {
    // Journeys without a height lie at the same place; the last of them counts.
    const auto past = std::upper_bound(section_tops_.begin(), section_tops_.end(), at.y);
    const std::size_t section = past == section_tops_.begin() ? 0 : past - section_tops_.begin() - 1;
    const auto first = middles_.begin() + starts_[section], last = middles_.begin() + starts_[section + 1];
    std::size_t item = std::upper_bound(first, last, at.y) - first;
    if (section == dragged.section && dragged.item < item) item--;
    return {section, item};
  }

  // ---------------------------------------------------------------- appearing and disappearing

  void begin_update(const tessera::input &, std::span<const tessera::update> updates) override {
    is_large_ = updates.size() > 100;
  }

  // New stops come in from the right; in a large update everything only fades.
  void initial_attributes(const tessera::input &in, tessera::output &out) override {
    if (is_large_) return;
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (std::size_t row = 0; row < run.count; row++) {
        rows.alphas[row] = 1;
        rows.transforms[row] = tessera::translation(in.viewport().x + in.viewport().width - rows.frames[row].x, 0);
      }
    }
  }

  // Removed stops become flat.
  void final_attributes(const tessera::input &, tessera::output &out) override {
    if (is_large_) return;
    for (auto [run, rows] : out.runs())
      if (run.category == tessera::category::cell) std::ranges::fill(rows.transforms, tessera::scaling(1, 0.01));
  }

  void end_update() override { is_large_ = false; }

  // ---------------------------------------------------------------- published functions

  double lane_at(std::int64_t of) {
    if (const lane_place *const at = lane_of(lanes_, of)) return at->x;
    throw tessera::invalid_value("laneAt was asked for line " + std::to_string(of) + ", but there are " +
                                 std::to_string(lanes_.size()) + " lines; the first is 0");
  }

  std::int64_t next_stop(double y) {
    const auto found = std::lower_bound(middles_.begin(), middles_.end(), y);
    return found == middles_.end() ? -1 : found - middles_.begin();
  }

 private:
  // Of the last prepare, for the functions above.
  std::vector<lane_place> lanes_;
  std::vector<double> section_tops_, middles_; // of each journey, of each stop
  std::vector<std::size_t> starts_;            // the first stop of each journey, and the number of stops
  bool is_large_ = false;
};

TESSERA_ENGINES(metro)
