// Lines of equal height, which answer for themselves: nothing is stored for an item.

#pragma once

#include <algorithm>
#include <tessera/tessera.hpp>

struct ticks : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-ticks",
                                              .name = "Ticks",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Lines of equal height, never stored."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<double> height{this,
                                    {.name = "height",
                                     .help = "Height of a line.",
                                     .unit = "pt",
                                     .initial = 10,
                                     .minimum = 0.5,
                                     .maximum = 1000}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    out.set_content_size({in.extent().width, static_cast<double>(in.item_count()) * in[height]});
  }

  void elements_in_rect(const tessera::input &in, const tessera::rect &rect,
                        tessera::output &out) override {
    // A line more at both ends, for rounding; the host drops what does not meet the rectangle.
    const double lines = static_cast<double>(in.item_count());
    const double low = std::floor(rect.y / in[height]) - 1;
    const double high = std::ceil((rect.y + rect.height) / in[height]) + 1;
    const auto first = static_cast<std::size_t>(std::clamp(low, 0.0, lines));
    const auto last = static_cast<std::size_t>(std::clamp(high, 0.0, lines));
    for (auto [section, items] : in.sections()) {
      const std::size_t from = std::max(first, items.first()), to = std::min(last, items.last());
      if (from < to) add(in, section, from - items.first(), to - from, out);
    }
  }

  void element(const tessera::input &in, const tessera::run &run, tessera::output &out) override {
    if (run.category != tessera::category::cell || run.section >= in.section_count()) return;
    if (run.first_item < in.items(run.section).size())
      add(in, run.section, run.first_item, 1, out);
  }

 private:
  void add(const tessera::input &in, std::size_t section, std::size_t first, std::size_t count,
           tessera::output &out) {
    const tessera::rows rows = out.add(tessera::run::cells(section, first, count));
    const std::size_t before = in.items(section).first() + first;
    for (std::size_t row = 0; row < count; row++)
      rows.frames[row] = {0, static_cast<double>(before + row) * in[height], in.extent().width,
                          in[height]};
  }
};
