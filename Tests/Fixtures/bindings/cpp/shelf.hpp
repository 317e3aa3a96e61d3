// Items of their own sizes on shelves, under a header for each section.

#pragma once

#include <algorithm>
#include <tessera/tessera.hpp>

enum class alignment { bottom, middle, top };
template <>
inline constexpr auto tessera::choices<alignment> = std::array{"bottom", "middle", "top"};

struct shelf : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-shelf",
                                              .name = "Shelf",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Items of their own sizes on shelves."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<double> gap{this,
                                 {.name = "gap",
                                  .help = "Space between neighbours and between shelves.",
                                  .unit = "pt",
                                  .initial = 8,
                                  .minimum = 0}};
  tessera::parameter<std::int64_t> per_shelf{
      this,
      {.name = "perShelf", .help = "Most items on a shelf; 0: as many as fit.", .minimum = 0}};
  tessera::parameter<bool> headers{
      this, {.name = "headers", .help = "Whether sections have a header.", .initial = true}};
  tessera::parameter<alignment> align{
      this, {.name = "align", .help = "Where items lie that are lower than their shelf."}};
  tessera::parameter<tessera::point> origin{this,
                                            {.name = "origin",
                                             .help = "Where the first section begins.",
                                             .unit = "pt",
                                             .minimum = tessera::point{0, 0}}};
  tessera::parameter<tessera::size> item_size{this,
                                              {.name = "itemSize",
                                               .help = "Size of an item that has none of its own.",
                                               .unit = "pt",
                                               .initial = {60, 40},
                                               .minimum = tessera::size{0, 0}}};
  tessera::parameter<tessera::rect> header_frame{
      this,
      {.name = "headerFrame",
       .help = "Where a header lies, from where its section begins.",
       .unit = "pt",
       .initial = {0, 0, 100, 24},
       .minimum = tessera::rect{0, 0, 0, 0}}};
  tessera::parameter<tessera::insets> margin{this,
                                             {.name = "margin",
                                              .help = "Room around the items of a section.",
                                              .unit = "pt",
                                              .initial = {4, 4, 4, 4},
                                              .minimum = tessera::insets{0, 0, 0, 0}}};

  tessera::section_values<double> gaps{
      this, {.name = "gap", .help = "The section's own gap.", .fallback = &gap}};
  tessera::item_values<tessera::size> sizes{
      this, {.name = "size", .help = "The item's own size.", .fallback = &item_size}};
  tessera::delegate<bool(std::uint32_t, std::uint32_t)> breaks_before{
      this, {.name = "breaksBefore", .help = "Whether an item begins a shelf."}};
  tessera::attribute<std::int64_t> shelf_number{this,
                                                {.name = "shelf",
                                                 .help = "The item's shelf in its section.",
                                                 .interpolation = tessera::interpolation::step}};
  tessera::kind header{this, {.name = "header", .category = tessera::category::supplementary}};

  shelf() {
    publish<&shelf::count_shelves>("shelfCount", "How many shelves there are.");
    publish<&shelf::count_elements>("elementsIn", "How many elements meet a rectangle.");
  }

  std::int64_t count_shelves() const { return shelves; }

  std::uint64_t count_elements(tessera::rect in) {
    std::uint64_t count = 0;
    const tessera::output found = placed(in);
    for (auto [run, rows] : found.runs()) count += run.count;
    return count;
  }

  bool still_valid(const tessera::input &in) override { return in.extent().width == width; }

  void prepare(const tessera::input &in, tessera::output &out) override {
    width = in.extent().width;
    shelves = 0;
    const tessera::point start = in[origin];
    tessera::size content{width, start.y};
    for (auto [section, items] : in.sections()) {
      if (in[headers]) {
        const tessera::rect frame = in[header_frame];
        out.add(tessera::run::elements(header, section),
                {start.x + frame.x, content.height + frame.y, frame.width, frame.height});
        content.width = std::max(content.width, start.x + frame.x + frame.width);
        content.height += frame.y + frame.height;
      }
      place(in, section, items, out.add(tessera::run::cells(section, 0, items.size())), content);
      out.progress(static_cast<double>(items.last()) / static_cast<double>(in.item_count() + 1));
    }
    out.set_content_size(content);
  }

 private:
  std::int64_t shelves = 0;
  double width = 0;

  // Places the cells of a section below what there is, and makes the content larger by them.
  void place(const tessera::input &in, std::size_t section, tessera::range items,
             const tessera::rows &rows, tessera::size &content) {
    const tessera::column<tessera::size> size = in[sizes].slice(items.first(), items.size());
    const tessera::insets around = in[margin];
    const double space = in[gaps][section];
    const double left = in[origin].x + around.left, right = width - around.right;
    const std::size_t most = static_cast<std::size_t>(in[per_shelf]);
    const auto breaks = in[breaks_before];
    if (space < 0)
      throw tessera::invalid_value("gap of section " + std::to_string(section) + " is " +
                                   tessera::describe(space) + "; it must not be negative");

    std::int64_t number = 0;
    content.height += around.top;
    for (std::size_t first = 0; first < items.size(); number++) {
      if (number > 0) content.height += space;
      std::size_t end = first;
      double x = left, height = 0;
      for (; end < items.size() && (most == 0 || end - first < most); end++) {
        const tessera::size item = size[end];
        if (item.width < 0 || item.height < 0)
          throw tessera::invalid_value("size of item " + std::to_string(end) + " in section " +
                                       std::to_string(section) + " is " + tessera::describe(item) +
                                       "; width and height must not be negative");
        if (end > first) {
          if (x + space + item.width > right + 1e-6) break;
          if (breaks && breaks(static_cast<std::uint32_t>(section), static_cast<std::uint32_t>(end)))
            break;
          x += space;
        }
        rows.frames[end] = {x, 0, item.width, item.height};
        x += item.width;
        height = std::max(height, item.height);
      }
      const double low = in[align] == alignment::bottom ? 1 : in[align] == alignment::top ? 0 : 0.5;
      for (std::size_t item = first; item < end; item++) {
        tessera::rect &frame = rows.frames[item];
        frame.y = content.height + low * (height - frame.height);
        rows[shelf_number][item] = number;
      }
      content.width = std::max(content.width, x + around.right);
      content.height += height;
      first = end;
    }
    content.height += around.bottom;
    shelves += number;
  }
};
