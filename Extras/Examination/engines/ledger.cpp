// A list in sections: sticky headers, footers, hairlines and a card per section.

#include <algorithm>
#include <cmath>
#include <vector>

#include <tessera/tessera.hpp>

using tessera::rect;
using tessera::run;

struct ledger final : tessera::layout {
  static constexpr tessera::identity identity{
    .id = "eu.example.ledger", .name = "Ledger", .version = "3.1.0", .author = "L. Edger",
    .license = "MIT", .summary = "Items in sections, under headers that stay in sight."};
  static constexpr auto traits = tessera::traits::mirrors;
  static constexpr auto laws = tessera::laws::flows | tessera::laws::appends | tessera::laws::scales;
  static constexpr auto columns = tessera::columns::z_index;
  static constexpr std::array measured{tessera::measured{"height"}};

  tessera::parameter<double> row_height{this, {
    .name = "rowHeight", .help = "Height of an item without one.", .unit = "pt", .initial = 44,
    .minimum = 0, .maximum = 20000}};
  tessera::parameter<double> estimated_height{this, {
    .name = "estimatedHeight", .help = "Height of an item until it is measured; 0: none is.",
    .unit = "pt", .initial = 0, .minimum = 0, .maximum = 20000}};
  tessera::parameter<double> header_height{this, {
    .name = "headerHeight", .help = "Height of headers; 0: none.", .unit = "pt", .initial = 28,
    .minimum = 0, .maximum = 5000}};
  tessera::parameter<double> footer_height{this, {
    .name = "footerHeight", .help = "Height of footers; 0: none.", .unit = "pt", .initial = 0,
    .minimum = 0, .maximum = 5000}};
  tessera::parameter<double> gap{this, {
    .name = "sectionGap", .help = "Space between sections.", .unit = "pt", .initial = 16,
    .minimum = 0, .maximum = 5000}};
  tessera::parameter<bool> pins{this, {
    .name = "pinsHeaders", .help = "Whether headers stay in sight.", .initial = true}};
  tessera::parameter<bool> margins{this, {
    .name = "usesMargins", .help = "Whether items keep off the layout margins.", .initial = true}};
  tessera::parameter<double> line_inset{this, {
    .name = "hairlineInset", .help = "Where hairlines begin.", .unit = "pt", .initial = 15,
    .minimum = 0, .maximum = 5000}};

  tessera::item_values<double> heights{this, {
    .name = "height", .help = "Height of the item.", .fallback = &row_height}};
  tessera::section_values<double> headers{this, {
    .name = "headerHeight", .help = "Height of the section's header; 0: none.",
    .fallback = &header_height}};

  tessera::kind header{this, {.name = "header", .category = tessera::category::supplementary}};
  tessera::kind footer{this, {.name = "footer", .category = tessera::category::supplementary}};
  tessera::kind hairline{this, {.name = "hairline", .category = tessera::category::decoration}};
  tessera::kind card{this, {.name = "card", .category = tessera::category::decoration}};

  ledger() { publish<&ledger::section_at>("sectionAt", "The section at a height; -1: none."); }

  // Horizontal extent of items: the margins and content insets.
  struct sides { double left, right, width; };
  sides sides_of(const tessera::input &in) const {
    const double extent = in.extent().width;
    if (!in[margins]) return {0, 0, extent};
    const auto &m = in.layout_margins(), &i = in.content_insets();
    double left = std::max(0.0, m.left - i.left), right = std::max(0.0, m.right - i.right);
    left = std::min(left, extent);
    right = std::min(right, extent - left);
    return {left, right, extent - left - right};
  }

  void prepare(const tessera::input &in, tessera::output &out) override {
    const auto side = sides_of(in);
    const double extent = in.extent().width, hair = 1 / in.scale();
    const auto height = in[heights];
    const auto own_header = in[headers];
    bands_.clear();
    bands_.reserve(in.section_count());
    double y = 0;
    std::size_t placed = 0;
    for (auto [section, items] : in.sections()) {
      if (section > 0) y += in[gap];
      band b{y, y, 0};
      const double tall = std::max(0.0, own_header[section]);
      if (tall > 0) {
        auto rows = out.add(run::elements(header, section));
        rows.frames[0] = {0, y, extent, tall};
        rows.z_indexes[0] = 2;
        y += tall;
      }
      b.header = tall;
      const double body = y;
      auto cells = out.add(run::cells(section, 0, items.size()));
      for (std::size_t i = 0; i < items.size(); i++) {
        const double h = std::max(0.0, height[items[i]]);
        cells.frames[i] = {side.left, y, side.width, h};
        y += h;
        if (++placed % 2048 == 0) out.progress(double(placed) / double(in.item_count()));
      }
      if (items.size() > 1) {
        auto lines = out.add(run::elements(hairline, section, 0, items.size() - 1));
        const double inset = std::min(in[line_inset], side.width);
        for (std::size_t i = 0; i + 1 < items.size(); i++) {
          const rect &above = cells.frames[i];
          lines.frames[i] = {side.left + inset, above.y + above.height - hair / 2, side.width - inset, hair};
          lines.z_indexes[i] = 1;
        }
      }
      if (!items.empty()) {
        auto back = out.add(run::elements(card, section));
        back.frames[0] = {side.left, body, side.width, y - body};
        back.z_indexes[0] = -1;
      }
      if (in[footer_height] > 0) {
        out.add(run::elements(footer, section), {0, y, extent, in[footer_height]});
        y += in[footer_height];
      }
      b.bottom = y;
      bands_.push_back(b);
    }
    prepared_ = {extent, side.left, side.right, in.scale()};
    out.set_content_size({extent, y});
  }

  void adjust(const tessera::input &in, const rect &, tessera::output &out) override {
    if (!in[pins] || bands_.empty()) return;
    const double line = in.viewport().y + in.content_insets().top;
    auto next = std::upper_bound(bands_.begin(), bands_.end(), line,
                                 [](double at, const band &b) { return at < b.top; });
    if (next == bands_.begin()) return;
    const band &b = *std::prev(next);
    if (b.header <= 0 || line >= b.bottom) return;
    const auto section = static_cast<std::size_t>(std::prev(next) - bands_.begin());
    auto rows = out.add(run::elements(header, section));
    rows.frames[0].y = std::max(b.top, std::min(line, b.bottom - b.header));
    rows.z_indexes[0] = 3;
  }

  bool still_valid(const tessera::input &in) override {
    const auto side = sides_of(in);
    return state{in.extent().width, side.left, side.right, in.scale()} == prepared_;
  }

  std::size_t estimates(const tessera::input &in, const run &,
                        std::span<tessera::size> sizes) override {
    if (in[estimated_height] <= 0) return 0;
    sizes[0] = tessera::size{sides_of(in).width, in[estimated_height]};
    return 1;
  }
  std::size_t proposals(const tessera::input &in, const run &,
                        std::span<tessera::size> sizes) override {
    sizes[0] = {sides_of(in).width, 0};
    return 1;
  }

  // The item at this height, or the section's end.
  tessera::place target(const tessera::input &, const tessera::place &dragged,
                        const tessera::point &at, const tessera::place &proposed) override {
    auto found = placed({at.x, at.y, 0.5, 0.5});
    for (auto [who, rows] : found.runs()) {
      if (who.category != tessera::category::cell || who.section != dragged.section) continue;
      return {who.section, who.first_item};
    }
    return proposed;
  }

 private:
  struct band { double top, bottom, header; };
  struct state {
    double extent, left, right, scale;
    bool operator==(const state &) const = default;
  };

  std::int64_t section_at(double y) const {
    auto next = std::upper_bound(bands_.begin(), bands_.end(), y,
                                 [](double at, const band &b) { return at < b.top; });
    if (next == bands_.begin() || y >= std::prev(next)->bottom) return -1;
    return std::prev(next) - bands_.begin();
  }

  std::vector<band> bands_;
  state prepared_{-1, 0, 0, 0};
};

TESSERA_ENGINES(ledger)
