// Items under one another, as high as their content says, below a header; only what follows a change is
// redone. Every second item may use half of the width.

#pragma once

#include <algorithm>
#include <array>
#include <tessera/tessera.hpp>

struct list : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-list",
                                              .name = "List",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Items as high as their content says."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::incremental;
  static constexpr std::array measured{tessera::measured{"height"},
                                       tessera::measured{"headerHeight", "header"}};

  tessera::parameter<double> estimated{this,
                                       {.name = "estimatedHeight",
                                        .help = "Height until an item is measured; 0: none is.",
                                        .unit = "pt",
                                        .minimum = 0}};
  tessera::parameter<double> estimated_header{this,
                                              {.name = "estimatedHeaderHeight",
                                               .help = "The same for headers.",
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
  tessera::section_values<double> header_heights{
      this, {.name = "headerHeight", .help = "The header's height; 0: there is none."}};
  tessera::attribute<std::int64_t> row_count{this,
                                             {.name = "rowCount",
                                              .help = "How many items a header is for.",
                                              .unit = "d",
                                              .interpolation = tessera::interpolation::step}};
  tessera::kind header{this,
                       {.name = "header",
                        .category = tessera::category::supplementary,
                        .role = tessera::role::header,
                        .shows = row_count.name()}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    const double width = in.extent().width;
    const bool comparable = !in.change().parameters() && width == prepared_width;
    const tessera::column<double> height = in[heights];
    prepared_width = width;
    double y = 0;
    for (auto [section, items] : in.sections()) {
      if (const double own = in[header_heights][section]; own > 0) {
        const tessera::rows rows = out.add(tessera::run::elements(header, section));
        rows.frames[0] = {0, y, width, own};
        rows[row_count][0] = static_cast<std::int64_t>(items.size());
        y += own;
      }
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

  std::size_t estimates(const tessera::input &in, const tessera::run &run,
                        std::span<tessera::size> sizes) override {
    const double height = in[run.is(header) ? estimated_header : estimated];
    if (height == 0) return 0;
    sizes[0] = {in.extent().width, height};
    return 1;
  }
  std::size_t proposals(const tessera::input &in, const tessera::run &run,
                        std::span<tessera::size> sizes) override {
    for (std::size_t i = 0; i < run.count; i++) {
      const bool is_half = !run.is(header) && (run.first_item + i) % 2 == 1;
      sizes[i] = {in.extent().width / (is_half ? 2 : 1), 0};
    }
    return run.count;
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
