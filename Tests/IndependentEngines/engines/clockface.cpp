// clockface.cpp: items on rings around a hub, as on the face of a clock; each section is a ring.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>
#include <tessera/tessera.hpp>

enum class facing { upright, outward, inward };
template <> inline constexpr auto tessera::choices<facing> = std::array{"upright", "outward", "inward"};

constexpr double full = 2 * std::numbers::pi;
constexpr double most = 100000; // the longest length

struct dial : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.clockface", .name = "Clockface", .version = "1.0.0",
                                              .author = "Somebody", .license = "MIT",
                                              .summary = "Items on rings around a hub."};
  static constexpr std::uint32_t laws = tessera::laws::appends | tessera::laws::scales;
  static constexpr std::uint32_t columns = tessera::columns::transform | tessera::columns::z_index;
  static constexpr std::uint32_t adjusted_columns = tessera::columns::alpha;

  tessera::parameter<double> hub_radius{this, {.name = "hubRadius", .help = "Radius of the hub.", .unit = "pt", .initial = 36, .minimum = 0, .maximum = most}};
  tessera::parameter<double> ring_width{this, {.name = "ringWidth", .help = "Width of a ring.", .unit = "pt", .initial = 56, .minimum = 0, .maximum = most}};
  tessera::parameter<double> ring_gap{this, {.name = "ringGap", .help = "Space between rings.", .unit = "pt", .initial = 8, .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> start_angle{this, {.name = "startAngle", .help = "Where the first item is.", .unit = "rad", .initial = -full / 4, .minimum = -100, .maximum = 100}};
  tessera::parameter<double> sweep{this, {.name = "sweep", .help = "The angle that a ring covers.", .unit = "rad", .initial = full, .minimum = 0.01, .maximum = full}};
  tessera::parameter<tessera::size> item_size{this, {.name = "itemSize", .help = "Size of an item without its own.", .unit = "pt", .initial = {40, 40}, .minimum = tessera::size{0, 0}, .maximum = tessera::size{most, most}}};
  tessera::parameter<double> item_weight{this, {.name = "itemWeight", .help = "Share of the ring of an item without its own.", .initial = 1, .minimum = 0, .maximum = 1000}};
  tessera::parameter<facing> faces{this, {.name = "faces", .help = "How items are turned.", .initial = facing::outward}};
  tessera::parameter<double> reach{this, {.name = "reach", .help = "Distance from the middle of the viewport at which cells are faint; 0: nowhere.", .unit = "pt", .initial = 0, .minimum = 0, .maximum = most, .in_adjust = true}};
  tessera::parameter<bool> snaps{this, {.name = "snapsToHub", .help = "Whether scrolling stops where the hub is in the middle.", .initial = true, .hint = true}};

  tessera::section_values<double> ring_widths{this, {.name = "ringWidth", .help = "Width of the section's ring.", .fallback = &ring_width}};
  tessera::item_values<tessera::size> sizes{this, {.name = "size", .help = "Size of the item.", .fallback = &item_size}};
  tessera::item_values<double> weights{this, {.name = "weight", .help = "The item's share of its ring.", .fallback = &item_weight}};

  tessera::list marks{this, {.name = "marks", .help = "The hours that are marked on the outermost ring; none: no marks."}};
  tessera::list_column<double> mark_hours{marks, {.name = "hour", .help = "The hour.", .unit = "h", .initial = 0, .minimum = 0, .maximum = 24}};
  tessera::list_column<double> mark_lengths{marks, {.name = "length", .help = "Length of the mark.", .unit = "pt", .initial = 12, .minimum = 0, .maximum = 1000}};

  tessera::delegate<double(std::uint32_t, std::uint64_t)> gap_after{this, {.name = "gapAfter", .help = "Further share of the ring after an item."}};

  tessera::attribute<double> angle{this, {.name = "angle", .help = "Where the element is on its ring.", .unit = "rad"}};
  tessera::attribute<double> hour{this, {.name = "hour", .help = "The hour of a mark.", .unit = "h"}};

  tessera::kind mark{this, {.name = "hourMark", .category = tessera::category::supplementary, .role = tessera::role::label, .shows = hour.name()}};
  tessera::kind band{this, {.name = "band", .category = tessera::category::decoration, .role = tessera::role::background}};

  dial() {
    publish<&dial::angle_of>("angleOf", "The angle of an item, in radians.");
    publish<&dial::ring_at>("ringAt", "The section whose ring is at a point.");
    publish<&dial::face>("face", "The square around the rings.");
  }

  // ---------------------------------------------------------------- what prepare leaves

  struct ring {
    std::size_t section, first; // the first of its angles
    double inner, outer;        // radii
  };
  std::vector<ring> rings_;
  std::vector<double> angles_; // of all items, from 0 at the start to the sweep
  std::vector<std::size_t> starts_;
  tessera::point hub_{};
  tessera::size extent_{};
  double radius_ = 0, start_ = 0, sweep_ = full;
  bool backwards_ = false;

  double turned(double at) const { return backwards_ ? std::numbers::pi - (start_ + at) : start_ + at; }
  tessera::rect around(double radius, double at, tessera::size size) const {
    const double x = hub_.x + radius * std::cos(at), y = hub_.y + radius * std::sin(at);
    return {x - size.width / 2, y - size.height / 2, size.width, size.height};
  }
  static double length(double given) { return std::clamp(given, 0.0, most); }

  void prepare(const tessera::input &in, tessera::output &out) override {
    extent_ = in.extent();
    backwards_ = in.right_to_left();
    start_ = in[start_angle];
    sweep_ = in[sweep];
    measure(in, out);
    const auto size = in[sizes];
    const facing way = in[faces];
    for (const ring &of : rings_) {
      const tessera::range items = in.items(of.section);
      const tessera::rows rows = out.add(tessera::run::cells(of.section, 0, items.size()));
      const double radius = (of.inner + of.outer) / 2;
      for (std::size_t item = 0; item < items.size(); item++) {
        const double at = turned(angles_[of.first + item]);
        const auto [width, height] = size[items[item]];
        rows.frames[item] = around(radius, at, {length(width), length(height)});
        rows[angle][item] = at;
        if (way == facing::outward) rows.transforms[item] = tessera::rotation(at + full / 4);
        if (way == facing::inward) rows.transforms[item] = tessera::rotation(at - full / 4);
        rows.z_indexes[item] = static_cast<std::int32_t>(std::min<std::size_t>(item, 1000));
      }
      const tessera::rows behind = out.add(tessera::run::elements(band, of.section));
      behind.frames[0] = {hub_.x - of.outer, hub_.y - of.outer, of.outer * 2, of.outer * 2};
      behind.z_indexes[0] = -1 - static_cast<std::int32_t>(std::min<std::size_t>(of.section, 1000000));
    }
    for (auto [section, items] : in.sections())
      if (items.empty()) out.add(tessera::run::cells(section, 0, 0));
    place_marks(in, out);
    const double side = 2 * radius_;
    out.set_content_size({std::max(extent_.width, side), std::max(extent_.height, side)});
  }

  // Finds the radii of the rings, the angles of items and the hub.
  void measure(const tessera::input &in, tessera::output &out) {
    rings_.clear();
    angles_.clear();
    starts_.clear();
    angles_.reserve(in.item_count());
    const auto weight = in[weights];
    const auto size = in[sizes];
    const auto gap = in[gap_after];
    double inner = in[hub_radius];
    radius_ = inner;
    for (auto [section, items] : in.sections()) {
      starts_.push_back(items.first());
      if (items.empty()) continue;
      const std::size_t first = angles_.size();
      const double width = length(in[ring_widths][section]);
      const ring made{section, first, inner, inner + width};
      double total = 0, reached = 0;
      for (std::size_t item = 0; item < items.size(); item++) {
        const std::size_t all = items[item];
        if (all % 4096 == 0) out.progress(static_cast<double>(all) / static_cast<double>(in.item_count()));
        const double share = std::clamp(weight[all], 0.0, 1000.0);
        angles_.push_back(total + share / 2);
        total += share;
        if (gap) total += std::clamp(gap(static_cast<std::uint32_t>(section), item), 0.0, 1000.0);
        const auto [w, h] = size[all];
        reached = std::max(reached, std::hypot(length(w), length(h)) / 2);
      }
      const double scale = total > 1e-6 ? sweep_ / total : 0;
      for (std::size_t at = first; at < angles_.size(); at++) angles_[at] *= scale;
      rings_.push_back(made);
      radius_ = std::max({radius_, made.outer, (made.inner + made.outer) / 2 + reached});
      inner = made.outer + in[ring_gap];
    }
    starts_.push_back(in.item_count());
    if (in.count(marks) > 0) {
      mark_radius_ = radius_;
      double longest = 0;
      for (const double of : in[mark_lengths]) longest = std::max(longest, of);
      radius_ += 2 * longest;
    }
    hub_ = {std::max(extent_.width / 2, radius_), std::max(extent_.height / 2, radius_)};
  }

  double mark_radius_ = 0;

  void place_marks(const tessera::input &in, tessera::output &out) {
    const std::size_t count = in.count(marks);
    if (count == 0 || in.section_count() == 0) return;
    const tessera::rows rows = out.add(tessera::run::elements(mark, 0, 0, count));
    const auto hours = in[mark_hours];
    const auto lengths = in[mark_lengths];
    for (std::size_t record = 0; record < count; record++) {
      const double at = turned(hours[record] / 12 * full + (-full / 4 - start_));
      const double of = lengths[record];
      rows.frames[record] = around(mark_radius_ + of, at, {of, of});
      rows[angle][record] = at;
      rows[hour][record] = hours[record];
    }
  }

  bool still_valid(const tessera::input &in) override {
    const tessera::size now = in.extent();
    return now.width == extent_.width && now.height == extent_.height && in.right_to_left() == backwards_;
  }

  void adjust(const tessera::input &in, const tessera::rect &, tessera::output &out) override {
    const double far = in[reach];
    if (far <= 0) return;
    const tessera::rect view = in.viewport();
    const tessera::point middle{view.x + view.width / 2, view.y + view.height / 2};
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (std::size_t row = 0; row < rows.size(); row++) {
        const tessera::rect frame = rows.frames[row];
        const double x = frame.x + frame.width / 2 - middle.x, y = frame.y + frame.height / 2 - middle.y;
        rows.alphas[row] = std::clamp(1 - std::hypot(x, y) / far, 0.1, 1.0);
      }
    }
  }

  // ---------------------------------------------------------------- published functions

  double angle_of(std::uint32_t section, std::uint64_t item) {
    if (section + std::size_t{1} >= starts_.size()) throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no such section");
    const std::size_t first = starts_[section], last = starts_[section + std::size_t{1}];
    if (item >= last - first) throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no such item");
    return turned(angles_[first + item]);
  }
  std::uint32_t ring_at(tessera::point at) {
    const double away = std::hypot(at.x - hub_.x, at.y - hub_.y);
    for (const ring &of : rings_)
      if (away >= of.inner && away < of.outer) return static_cast<std::uint32_t>(of.section);
    throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no ring at the point");
  }
  tessera::rect face() { return {hub_.x - radius_, hub_.y - radius_, 2 * radius_, 2 * radius_}; }

  // ---------------------------------------------------------------- extensions

  tessera::place target(const tessera::input &in, const tessera::place &dragged, const tessera::point &at,
                        const tessera::place &proposed) override {
    if (rings_.empty()) return proposed;
    const double away = std::hypot(at.x - hub_.x, at.y - hub_.y);
    const ring *to = &rings_.back();
    for (const ring &of : rings_)
      if (away < of.outer) {
        to = &of;
        break;
      }
    const double seen = std::atan2(at.y - hub_.y, at.x - hub_.x);
    double along = std::fmod((backwards_ ? std::numbers::pi - seen : seen) - start_, full);
    if (along < 0) along += full;
    if (along > sweep_ + (full - sweep_) / 2) along = 0;
    const std::size_t count = in.items(to->section).size();
    const auto first = angles_.begin() + static_cast<std::ptrdiff_t>(to->first);
    std::size_t before = static_cast<std::size_t>(std::lower_bound(first, first + static_cast<std::ptrdiff_t>(count), along) - first);
    if (to->section == dragged.section && before > dragged.item) before--;
    return {to->section, before};
  }

  tessera::point resting_offset(const tessera::input &in, const tessera::point &, const tessera::point &proposed) override {
    if (!in[snaps]) return proposed;
    const tessera::rect view = in.viewport();
    const tessera::point middle{hub_.x - view.width / 2, hub_.y - view.height / 2};
    const double away = std::hypot(proposed.x - middle.x, proposed.y - middle.y);
    return away < std::max(20.0, in[hub_radius]) ? middle : proposed;
  }

  tessera::point old_hub_{};
  void begin_update(const tessera::input &, std::span<const tessera::update>) override { old_hub_ = hub_; }
  void initial_attributes(const tessera::input &, tessera::output &out) override { gather(out, hub_); }
  void final_attributes(const tessera::input &, tessera::output &out) override { gather(out, old_hub_); }
  void end_update() override { old_hub_ = {}; }

  // Moves cells to a hub, small and invisible.
  static void gather(tessera::output &out, tessera::point hub) {
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (std::size_t row = 0; row < rows.size(); row++) {
        const tessera::rect frame = rows.frames[row];
        tessera::transform to = tessera::scaling(0.2, 0.2);
        to.m[12] = hub.x - frame.x - frame.width / 2;
        to.m[13] = hub.y - frame.y - frame.height / 2;
        rows.transforms[row] = to;
        rows.alphas[row] = 0;
      }
    }
  }
};

TESSERA_ENGINES(dial)
