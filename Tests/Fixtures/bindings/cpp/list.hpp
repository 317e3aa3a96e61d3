// Items under one another, as high as their content says; only what follows a change is redone.

#pragma once

#include <algorithm>
#include <tessera/tessera.hpp>

struct list : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-list",
                                              .name = "List",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Items as high as their content says."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::incremental;
  static constexpr const char *measured_value = "height";

  tessera::parameter<double> estimated{this,
                                       {.name = "estimatedHeight",
                                        .help = "Height until an item is measured; 0: none is.",
                                        .unit = "pt",
                                        .minimum = 0}};
  tessera::parameter<double> row_height{this,
                                        {.name = "rowHeight",
                                         .help = "Height of an item that has none of its own.",
                                         .unit = "pt",
                                         .initial = 44,
                                         .minimum = 0}};
  tessera::item_values<double> heights{
      this, {.name = "height", .help = "The item's own height.", .fallback = &row_height}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    const double width = in.extent().width;
    const bool comparable = !in.change().parameters() && width == prepared_width;
    const tessera::column<double> height = in[heights];
    prepared_width = width;
    double y = 0;
    for (auto [section, items] : in.sections()) {
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, items.size()));
      std::size_t item = 0;
      if (comparable) item = std::min(rows.kept(), in.change().unchanged_items(section));
      if (item > 0 && rows.frames[0].y != y) item = 0;
      if (item > 0) y = rows.frames[item - 1].y + rows.frames[item - 1].height;
      for (; item < items.size(); item++) {
        const double own = height[items[item]];
        if (own < 0)
          throw tessera::invalid_value("height of item " + std::to_string(item) + " in section " +
                                       std::to_string(section) + " is " + tessera::describe(own) +
                                       "; it must not be negative");
        rows.frames[item] = {0, y, width, own};
        y += own;
      }
    }
    out.set_content_size({width, y});
  }

  std::optional<tessera::size> estimate(const tessera::input &in) override {
    if (in[estimated] == 0) return std::nullopt;
    return tessera::size{in.extent().width, in[estimated]};
  }
  tessera::size proposal(const tessera::input &in, std::size_t) override {
    return {in.extent().width, 0};
  }

  // What appears comes from the left.
  void initial_attributes(const tessera::input &in, tessera::output &out) override {
    for (auto [run, rows] : out.runs())
      for (tessera::rect &frame : rows.frames) frame.x -= in.extent().width;
  }

  // The item whose rows the point is in, of the same section; else what the host proposes.
  tessera::place target(const tessera::input &, const tessera::place &dragged,
                        const tessera::point &at, const tessera::place &proposed) override {
    const tessera::output found = placed({at.x, at.y, 1, 1});
    for (auto [run, rows] : found.runs())
      if (run.section == dragged.section) return {run.section, run.first_item};
    return proposed;
  }

 private:
  double prepared_width = -1;
};
