// A flow whose every third item is taller and whose every second one is faded.

#pragma once

#include <tessera/tessera.hpp>

enum class direction { vertical, horizontal };
template <> inline constexpr auto tessera::choices<direction> = std::array{"vertical", "horizontal"};

struct lifted : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-lifted",
                                              .name = "Lifted",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "A flow with every third item taller."};
  static constexpr tessera::base_engine based_on{"org.tessera.flow", "0.1.0"};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;
  static constexpr std::uint32_t columns = tessera::columns::alpha;
  static constexpr std::uint32_t adjusted_columns = tessera::columns::transform;

  tessera::parameter<double> air{
      this,
      {.name = "air", .help = "Space between lines.", .unit = "pt", .initial = 12, .minimum = 0}};
  tessera::parameter<double> lift{this,
                                  {.name = "lift",
                                   .help = "How much taller every third item is.",
                                   .unit = "pt",
                                   .initial = 20,
                                   .minimum = 0}};
  tessera::parameter<double> fade{this,
                                  {.name = "fade",
                                   .help = "Opacity of every second item.",
                                   .initial = 0.5,
                                   .minimum = 0,
                                   .maximum = 1}};
  tessera::parameter<double> tilt{
      this, {.name = "tilt", .help = "How far items are turned.", .unit = "rad"}};
  tessera::inherited<tessera::size> item_size{
      this, {.name = "itemSize", .initial = tessera::size{100, 60}}};
  tessera::inherited<double> line_spacing{this, {.name = "minimumLineSpacing"}};
  tessera::inherited<direction> scroll_direction{
      this, {.name = "scrollDirection", .initial = direction::vertical, .owned = true}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    tessera::base base = in.base();
    base.set(line_spacing, in[air]);
    const auto sizes = base.set_item_values<tessera::size>("size");
    for (std::size_t item = 0; item < sizes.size(); item += 3) sizes[item].height += in[lift];
    base.prepare(out);
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (std::size_t item = 1; item < rows.size(); item += 2) rows.alphas[item] = in[fade];
    }
    const bool is_pinned = base.get<bool>("sectionHeadersPinToVisibleBounds") ||
                           base.get<bool>("sectionFootersPinToVisibleBounds");
    if (in[tilt] == 0 && !is_pinned) out.needs_no_adjust();
  }

  void adjust(const tessera::input &in, const tessera::rect &rect, tessera::output &out) override {
    in.base().adjust(rect, out);
    if (in[tilt] == 0) return;
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (tessera::transform &transform : rows.transforms)
        transform = tessera::rotation(in[tilt]);
    }
  }

  // At the top of a line, where lines are as tall as the items.
  tessera::point resting_offset(const tessera::input &in, const tessera::point &,
                                const tessera::point &proposed) override {
    const double step = in.base().get(item_size).height + in[lift] + in[air];
    return {proposed.x, step > 0 ? std::floor(proposed.y / step) * step : proposed.y};
  }
};
