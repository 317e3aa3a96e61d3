// Bands under one another, which items take in turn, from a list; and a layer that halves them.

#pragma once

#include <tessera/tessera.hpp>

enum class side { left, right };
template <> inline constexpr auto tessera::choices<side> = std::array{"left", "right"};

struct bands : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-bands",
                                              .name = "Bands",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Bands that items take in turn."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::list records{this, {.name = "bands", .help = "The bands; without any, each is plain."}};
  tessera::list_column<double> heights{records,
                                       {.name = "height",
                                        .help = "How high the band is.",
                                        .unit = "pt",
                                        .initial = 40,
                                        .minimum = 0}};
  tessera::list_column<double> shares{records,
                                      {.name = "share",
                                       .help = "The part of the width that it takes.",
                                       .initial = 1,
                                       .minimum = 0,
                                       .maximum = 1}};
  tessera::list_column<side> sides{records, {.name = "side", .help = "Where it lies."}};
  tessera::list_column<std::int64_t> parents{
      records, {.name = "parent", .help = "The band before it that it is part of.", .initial = -1}};
  void prepare(const tessera::input &in, tessera::output &out) override {
    const std::size_t count = in.count(records);
    if (in.change().lists()) indent(in[parents]);
    const double width = in.extent().width;
    double y = 0;
    for (auto [section, items] : in.sections()) {
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, items.size()));
      for (std::size_t item = 0; item < items.size(); item++) {
        double x = 0, share = 1, height = 40;
        side lies = side::left;
        if (count > 0) {
          const std::size_t band = items[item] % count;
          x = indents[band];
          share = in[shares][band];
          height = in[heights][band];
          lies = in[sides][band];
        }
        const double own = std::fmax(0, width - x) * share;
        rows.frames[item] = {lies == side::right ? width - own : x, y, own, height};
        y += height;
      }
    }
    out.set_content_size({width, y});
  }

 private:
  // Ten points for each band that a band is part of.
  void indent(const tessera::column<std::int64_t> &parent) {
    indents.assign(parent.size(), 0);
    for (std::size_t band = 0; band < parent.size(); band++) {
      // A parent comes before its children; one that does not is none.
      const std::int64_t at = parent[band];
      if (at >= 0 && static_cast<std::size_t>(at) < band)
        indents[band] = indents[static_cast<std::size_t>(at)] + 10;
    }
  }
  std::vector<double> indents;
};

enum class mistake { none, no_such_list, no_such_column, column_first, invalid };
template <> inline constexpr auto tessera::choices<mistake> =
    std::array{"none", "noSuchList", "noSuchColumn", "columnFirst", "invalid"};

// When narrow, each band is two of half the height, at the left and at the right.
struct halved : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-halved",
                                              .name = "Halved",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Bands of half the height when narrow."};
  static constexpr tessera::base_engine based_on{"org.example.cpp-bands", "1.0.0"};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<mistake> wrong{this, {.name = "wrong", .help = "A mistake to make."}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    tessera::base base = in.base();
    switch (in[wrong]) {
      case mistake::no_such_list: base.set_list("stripes", 1); break;
      case mistake::no_such_column: base.list_column<bool>("bands", "height"); break;
      case mistake::column_first: base.set_list_column<double>("bands", "height"); break;
      case mistake::invalid:
        base.set_list("bands", 1);
        base.set_list_column<double>("bands", "height")[0] = -1;
        break;
      case mistake::none: break;
    }
    if (in.extent().width < 200) halve(base);
    base.prepare(out);
  }

 private:
  static void halve(tessera::base &base) {
    const std::size_t count = base.list_count("bands");
    std::vector<double> heights, shares;
    for (double height : base.list_column<double>("bands", "height")) heights.push_back(height);
    for (double share : base.list_column<double>("bands", "share")) shares.push_back(share);
    base.set_list("bands", 2 * count);
    const auto new_heights = base.set_list_column<double>("bands", "height");
    const auto new_shares = base.set_list_column<double>("bands", "share");
    const auto new_sides = base.set_list_column<side>("bands", "side");
    const auto new_parents = base.set_list_column<std::int64_t>("bands", "parent");
    for (std::size_t band = 0; band < 2 * count; band++) {
      new_heights[band] = heights[band / 2] / 2;
      new_shares[band] = shares[band / 2];
      new_sides[band] = band % 2 == 0 ? side::left : side::right;
      new_parents[band] = -1;
    }
  }
};
