// carousel.cpp: cards on the rim of a wheel; the one in the middle of the viewport faces the viewer.
#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

enum class rail { none, below, above };
template <> inline constexpr auto tessera::choices<rail> = std::array{"none", "below", "above"};

struct carousel : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.carousel", .name = "Carousel", .version = "1.0.0",
                                              .author = "Somebody", .license = "MIT",
                                              .summary = "Cards on the rim of a wheel."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::pixel_aligned;
  static constexpr std::uint32_t laws = tessera::laws::flows | tessera::laws::appends | tessera::laws::scales;
  static constexpr std::uint32_t adjusted_columns =
      tessera::columns::transform | tessera::columns::alpha | tessera::columns::z_index;

  tessera::parameter<tessera::size> card{this, {.name = "cardSize", .help = "Size of a card.", .unit = "pt", .initial = {100, 140},
                                                .minimum = tessera::size{1, 1}, .maximum = tessera::size{20000, 20000}}};
  tessera::parameter<double> spacing{this, {.name = "spacing", .help = "Space between cards.", .unit = "pt", .initial = 12,
                                            .minimum = 0, .maximum = 10000}};
  tessera::parameter<double> gap{this, {.name = "sectionGap", .help = "Additional space before a section that has items.", .unit = "pt",
                                        .initial = 20, .minimum = 0, .maximum = 10000}};
  tessera::parameter<double> steepness{this, {.name = "steepness", .help = "Angle of the card next to the middle one.", .unit = "rad",
                                              .initial = 0.6, .minimum = 0, .maximum = 1.5, .in_adjust = true}};
  tessera::parameter<double> fade{this, {.name = "fade", .help = "How much alpha a card loses for each card between it and the middle.",
                                         .initial = 0.2, .minimum = 0, .maximum = 1, .in_adjust = true}};
  tessera::parameter<double> deck{this, {.name = "perspective", .help = "Distance of the viewer; 0: without perspective.", .unit = "pt",
                                         .initial = 800, .minimum = 0, .maximum = 100000, .in_adjust = true}};
  tessera::parameter<bool> one{this, {.name = "oneAtATime", .help = "Whether a flick goes at most one card further; for scrolling only.",
                                      .initial = false, .hint = true}};
  tessera::parameter<rail> rails{this, {.name = "rail", .help = "Where a rail joins the cards of a section.", .initial = rail::below}};
  tessera::parameter<double> lift_default{this, {.name = "lift", .help = "How far a card is raised.", .unit = "pt", .minimum = 0,
                                                 .maximum = 1000}};
  tessera::item_values<double> lift{this, {.name = "lift", .help = "How far the card is raised.", .fallback = &lift_default}};
  tessera::item_values<double> turn{this, {.name = "turn", .help = "An angle that is added, in radians.", .in_adjust = true}};
  tessera::section_values<bool> dimmed{this, {.name = "dimmed", .help = "Whether the section is half as opaque.", .in_adjust = true}};
  tessera::attribute<double> angle{this, {.name = "angle", .help = "How far the card is turned.", .unit = "rad",
                                          .when = tessera::when::adjusted}};
  tessera::attribute<std::int64_t> place{this, {.name = "place", .help = "The card's place among all.",
                                                .interpolation = tessera::interpolation::step}};
  tessera::kind joint{this, {.name = "rail", .category = tessera::category::decoration, .role = tessera::role::background}};
  tessera::kind label{this, {.name = "label", .category = tessera::category::supplementary, .role = tessera::role::badge}};

  carousel() {
    publish<&carousel::frame_of>("frameOf", "The prepared frame of an item.");
    publish<&carousel::card_at>("cardAt", "The place among all of the card at a point, or -1.");
    publish<&carousel::centred>("centred", "The viewport of the same size, moved so that the nearest card is in its middle.");
  }

  void prepare(const tessera::input &in, tessera::output &out) override {
    const tessera::size size = in[card];
    const tessera::size room = in.extent();
    scale_ = in.scale();
    pitch_ = size.width + in[spacing];
    lead_ = std::fmax(0, (room.width - size.width) / 2);
    size_ = size.width;
    starts_.clear();
    firsts_.clear();
    counts_.clear();
    extent_ = room;
    const auto lifts = in[lift];
    double x = lead_, bottom = 0;
    bool any = false;
    for (auto [section, items] : in.sections()) {
      if (!items.empty() && any) x += in[gap];
      any = any || !items.empty();
      starts_.push_back(x);
      firsts_.push_back(items.first());
      counts_.push_back(items.size());
      if (items.empty()) continue;
      auto rows = out.add(tessera::run::cells(section, 0, items.size()));
      auto places = rows[place];
      const double exact = std::fmax(0, (room.height - size.height) / 2), top = down(exact);
      for (std::size_t item = 0; item < items.size(); item++) {
        if (item % 4096 == 0) out.progress(double(items[item]) / double(in.item_count()));
        const double raised = std::fmin(std::fmax(0, lifts[items[item]]), exact);
        rows.frames[item] = box(x + double(item) * pitch_, down(exact - raised), size.height);
        places[item] = std::int64_t(items[item]);
      }
      bottom = std::fmax(bottom, top + size.height);
      const double end = x + double(items.size() - 1) * pitch_ + size.width;
      out.add(tessera::run::elements(label, section), box(x, top, std::fmin(size.height, 20)));
      if (in[rails] != rail::none) {
        const double y = in[rails] == rail::below ? exact + size.height : exact - 4;
        out.add(tessera::run::elements(joint, section), {down(x), down(y), down(end) - down(x), 4});
      }
      x = x + double(items.size()) * pitch_;
    }
    const double end = any ? x - in[spacing] + lead_ : 0;
    out.set_content_size({std::fmax(up(end) + 1 / scale_, down(room.width)), std::fmax(bottom, room.height)});
  }

  void adjust(const tessera::input &in, const tessera::rect &, tessera::output &out) override {
    const double middle = in.viewport().x + in.content_insets().left + in.extent().width / 2;
    const auto turns = in[turn];
    const auto dim = in[dimmed];
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell && !run.is(label)) continue;
      auto angles = rows[angle];
      const std::size_t first = in.items(run.section).first() + run.first_item;
      for (std::size_t row = 0; row < rows.size(); row++) {
        const tessera::rect &frame = rows.frames[row];
        const double away = (frame.x + frame.width / 2 - middle) / pitch_;
        const double near = std::clamp(away, -1.0, 1.0);
        double turned = -near * in[steepness];
        if (run.category == tessera::category::cell) turned += std::remainder(turns[first + row], 6.283185307179586);
        rows.transforms[row] = wheel(turned, in[deck]);
        rows.alphas[row] = std::clamp(1 - in[fade] * std::fmax(0, std::fabs(away) - 1), 0.0, 1.0) * (dim[run.section] ? 0.5 : 1);
        rows.z_indexes[row] = std::int32_t(-std::fmin(std::fabs(away) * 2, 1e6)) + (run.is(label) ? 1 : 0);
        angles[row] = turned;
      }
    }
  }

  bool still_valid(const tessera::input &in) override {
    return in.extent().width == extent_.width && in.extent().height == extent_.height && in.scale() == scale_;
  }

  tessera::point resting_offset(const tessera::input &in, const tessera::point &velocity, const tessera::point &proposed) override {
    const double half = in.content_insets().left + in.extent().width / 2;
    double wanted = proposed.x + half;
    const double now = in.viewport().x + half;
    if (in[one]) {
      const double reach = velocity.x == 0 ? 0 : pitch_;
      wanted = std::clamp(wanted, now - reach, now + reach);
    }
    const double found = nearest(wanted);
    return {std::isfinite(found) ? found - half : proposed.x, proposed.y};
  }

  void initial_attributes(const tessera::input &in, tessera::output &out) override {
    for (auto [run, rows] : out.runs())
      if (run.category == tessera::category::cell)
        for (std::size_t row = 0; row < rows.size(); row++)
          rows.transforms[row] = tessera::translation(0, in.viewport().y - rows.frames[row].y - rows.frames[row].height);
  }
  void final_attributes(const tessera::input &, tessera::output &out) override {
    for (auto [run, rows] : out.runs())
      if (run.category == tessera::category::cell)
        for (auto &transform : rows.transforms) transform = tessera::scaling(0.3, 0.3);
  }

  tessera::rect frame_of(std::uint32_t section, std::uint64_t item) {
    if (section >= counts_.size() || item >= counts_[section])
      throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no such item; give a section and an item in it");
    const tessera::output found = placed({starts_[section] + double(item) * pitch_, -1e12, size_, 2e12});
    for (auto [run, rows] : found.runs())
      if (run.category == tessera::category::cell && run.section == section && item >= run.first_item &&
          item < run.first_item + run.count)
        return rows.frames[item - run.first_item];
    throw tessera::failed("the item is not where it was placed");
  }
  std::int64_t card_at(tessera::point at) {
    const tessera::output found = placed({at.x, at.y, 1e-9, 1e-9});
    for (auto [run, rows] : found.runs())
      if (run.category == tessera::category::cell)
        for (std::size_t row = 0; row < rows.size(); row++) {
          const tessera::rect &frame = rows.frames[row];
          if (at.x >= frame.x && at.x < frame.x + frame.width && at.y >= frame.y && at.y < frame.y + frame.height)
            return std::int64_t(firsts_[run.section] + run.first_item + row);
        }
    return -1;
  }
  tessera::rect centred(tessera::rect viewport) {
    const double found = nearest(viewport.x + viewport.width / 2);
    if (!std::isfinite(found)) return viewport;
    return {found - viewport.width / 2, viewport.y, viewport.width, viewport.height};
  }

 private:
  double down(double at) const { return std::floor(at * scale_ + 1e-6) / scale_; }
  double up(double at) const { return std::ceil(at * scale_ - 1e-6) / scale_; }
  // Both vertical edges lie on pixels.
  tessera::rect box(double x, double y, double height) const {
    const double left = down(x);
    return {left, y, down(x + size_) - left, height};
  }
  // Turned about the vertical axis.
  static tessera::transform wheel(double angle, double distance) {
    tessera::transform made = tessera::identity_transform();
    const double c = std::fmax(0.05, std::fabs(std::cos(angle))), s = std::sin(angle);
    made.m[0] = c, made.m[2] = -s, made.m[8] = s, made.m[10] = c;
    if (distance > 0) made.m[3] = s / std::fmax(distance, 1000) * 0.5;
    return made;
  }
  // The middle of the card that is nearest to a place; NaN without cards.
  double nearest(double wanted) const {
    double best = std::nan("");
    // The section that contains the place, and its neighbours that have items.
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), wanted) - starts_.begin();
    const auto consider = [&](std::ptrdiff_t section) {
      const double index =
          std::clamp(std::round((wanted - starts_[section] - size_ / 2) / pitch_), 0.0, double(counts_[section] - 1));
      const tessera::rect at = box(starts_[section] + index * pitch_, 0, 0);
      const double middle = at.x + at.width / 2;
      if (!std::isfinite(best) || std::fabs(middle - wanted) < std::fabs(best - wanted)) best = middle;
    };
    for (std::ptrdiff_t section = after - 1; section >= 0; section--)
      if (counts_[section] > 0) {
        consider(section);
        break;
      }
    for (std::ptrdiff_t section = after; section < std::ptrdiff_t(starts_.size()); section++)
      if (counts_[section] > 0) {
        consider(section);
        break;
      }
    return best;
  }

  double scale_ = 1, pitch_ = 1, lead_ = 0, size_ = 0;
  tessera::size extent_{};
  std::vector<double> starts_;
  std::vector<std::size_t> firsts_, counts_;
};
TESSERA_ENGINES(carousel)
