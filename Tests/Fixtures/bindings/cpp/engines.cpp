#include <algorithm>
#include <array>
#include <tessera/tessera.hpp>

static constexpr tessera::identity example(const char *id, const char *name, const char *summary) {
  return {.id = id,
          .name = name,
          .version = "1.0.0",
          .author = "The Tessera authors",
          .license = "MIT",
          .summary = summary};
}

enum class alignment { bottom, middle, top };
template <>
inline constexpr auto tessera::choices<alignment> = std::array{"bottom", "middle", "top"};

struct shelf : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-shelf", "Shelf", "Items of their own sizes on shelves.");
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<double> gap{
      this, {.name = "gap", .help = "Space between neighbours and between shelves.", .unit = "pt",
             .initial = 8, .minimum = 0}};
  tessera::parameter<std::int64_t> per_shelf{
      this, {.name = "perShelf", .help = "Most items on a shelf; 0: as many as fit.",
             .minimum = 0}};
  tessera::parameter<bool> headers{
      this, {.name = "headers", .help = "Whether sections have a header.", .initial = true}};
  tessera::parameter<alignment> align{
      this, {.name = "align", .help = "Where items lie that are lower than their shelf."}};
  tessera::parameter<tessera::point> origin{
      this, {.name = "origin", .help = "Where the first section begins.", .unit = "pt",
             .minimum = tessera::point{0, 0}}};
  tessera::parameter<tessera::size> item_size{
      this, {.name = "itemSize", .help = "Size of an item that has none of its own.", .unit = "pt",
             .initial = {60, 40}, .minimum = tessera::size{0, 0}}};
  tessera::parameter<tessera::rect> header_frame{
      this, {.name = "headerFrame", .help = "Where a header lies, from where its section begins.",
             .unit = "pt", .initial = {0, 0, 100, 24}, .minimum = tessera::rect{0, 0, 0, 0}}};
  tessera::parameter<tessera::insets> margin{
      this, {.name = "margin", .help = "Room around the items of a section.", .unit = "pt",
             .initial = {4, 4, 4, 4}, .minimum = tessera::insets{0, 0, 0, 0}}};

  tessera::section_values<double> gaps{
      this, {.name = "gap", .help = "The section's own gap.", .fallback = &gap}};
  tessera::item_values<tessera::size> sizes{
      this, {.name = "size", .help = "The item's own size.", .fallback = &item_size}};
  tessera::delegate<bool(std::uint32_t, std::uint32_t)> breaks_before{
      this, {.name = "breaksBefore", .help = "Whether an item begins a shelf."}};
  tessera::attribute<std::int64_t> shelf_number{
      this, {.name = "shelf", .help = "The item's shelf in its section.",
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

  // Places a section's cells below the content so far, and extends it.
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

enum class direction { vertical, horizontal };
template <>
inline constexpr auto tessera::choices<direction> = std::array{"vertical", "horizontal"};

struct lifted : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-lifted", "Lifted", "A flow with every third item taller.");
  static constexpr tessera::base_engine based_on{"org.tessera.flow", "0.1.0"};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;
  static constexpr std::uint32_t columns = tessera::columns::alpha;
  static constexpr std::uint32_t adjusted_columns = tessera::columns::transform;

  tessera::parameter<double> air{
      this, {.name = "air", .help = "Space between lines.", .unit = "pt", .initial = 12,
             .minimum = 0}};
  tessera::parameter<double> lift{
      this, {.name = "lift", .help = "How much taller every third item is.", .unit = "pt",
             .initial = 20, .minimum = 0}};
  tessera::parameter<double> fade{
      this, {.name = "fade", .help = "Opacity of every second item.", .initial = 0.5, .minimum = 0,
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

  // Snaps to a line's top; lines are as tall as items.
  tessera::point resting_offset(const tessera::input &in, const tessera::point &,
                                const tessera::point &proposed) override {
    const double step = in.base().get(item_size).height + in[lift] + in[air];
    return {proposed.x, step > 0 ? std::floor(proposed.y / step) * step : proposed.y};
  }
};

// Some pictures fill their cells, by a function given to the base.
struct alternating : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-alternating", "Alternating", "Pictures that fill every other cell.");
  static constexpr tessera::base_engine based_on{"org.tessera.aspect-flow", "0.1.0"};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<std::int64_t> every{
      this, {.name = "every", .help = "Every how many items a picture fills its cell.",
             .initial = 2, .minimum = 1}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    tessera::base base = in.base();
    base.set_function<std::uint8_t(std::uint32_t, std::uint32_t)>(
        "layoutModeForItem", [every = in[every]](std::uint32_t, std::uint32_t item) {
          return static_cast<std::uint8_t>(item % every == 0 ? 1 : 0);
        });
    base.prepare(out);
  }
};

struct ticks : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-ticks", "Ticks", "Lines of equal height, never stored.");
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<double> height{
      this, {.name = "height", .help = "Height of a line.", .unit = "pt", .initial = 10,
             .minimum = 0.5, .maximum = 1000}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    out.set_content_size({in.extent().width, static_cast<double>(in.item_count()) * in[height]});
  }

  void elements_in_rect(const tessera::input &in, const tessera::rect &rect,
                        tessera::output &out) override {
    // One extra line at both ends, for rounding; the host drops surplus elements.
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

// Measured items below a header, updated incrementally. Every second item may use half the width.
struct list : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-list", "List", "Items as high as their content says.");
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::incremental;
  static constexpr std::array measured{tessera::measured{"height"},
                                       tessera::measured{"headerHeight", "header"}};

  tessera::parameter<double> estimated{
      this, {.name = "estimatedHeight", .help = "Height until an item is measured; 0: none is.",
             .unit = "pt", .minimum = 0}};
  tessera::parameter<double> estimated_header{
      this, {.name = "estimatedHeaderHeight", .help = "The same for headers.", .unit = "pt",
             .minimum = 0}};
  tessera::parameter<double> row_height{
      this, {.name = "rowHeight", .help = "Height of an item that has none of its own.",
             .unit = "pt", .initial = 44, .minimum = 0}};
  tessera::item_values<double> heights{
      this, {.name = "height", .help = "The item's own height.", .fallback = &row_height}};
  tessera::section_values<double> header_heights{
      this, {.name = "headerHeight", .help = "The header's height; 0: there is none."}};
  tessera::attribute<std::int64_t> row_count{
      this, {.name = "rowCount", .help = "How many items a header is for.", .unit = "d",
             .interpolation = tessera::interpolation::step}};
  tessera::kind header{
      this, {.name = "header", .category = tessera::category::supplementary,
             .role = tessera::role::header, .shows = row_count.name()}};

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

  void initial_attributes(const tessera::input &in, tessera::output &out) override {
    for (auto [run, rows] : out.runs())
      for (tessera::rect &frame : rows.frames) frame.x -= in.extent().width;
  }

  // The row at the point, in the same section; otherwise the host's proposal.
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

enum class side { left, right };
template <> inline constexpr auto tessera::choices<side> = std::array{"left", "right"};

// Bands from a list, which items take in turn; and a layer that halves them.
struct bands : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-bands", "Bands", "Bands that items take in turn.");
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::list records{this, {.name = "bands", .help = "The bands; without any, each is plain."}};
  tessera::list_column<double> heights{
      records, {.name = "height", .help = "How high the band is.", .unit = "pt", .initial = 40,
             .minimum = 0}};
  tessera::list_column<double> shares{
      records, {.name = "share", .help = "The part of the width that it takes.", .initial = 1,
             .minimum = 0, .maximum = 1}};
  tessera::list_column<side> sides{records, {.name = "side", .help = "Where it lies."}};
  tessera::list_column<std::int64_t> parents{
      records, {.name = "parent", .help = "The band before it that it is part of.",
             .initial = -1}};
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
  // Ten points per ancestor.
  void indent(const tessera::column<std::int64_t> &parent) {
    indents.assign(parent.size(), 0);
    for (std::size_t band = 0; band < parent.size(); band++) {
      // Parents precede their children; other numbers are ignored.
      const std::int64_t at = parent[band];
      if (at >= 0 && static_cast<std::size_t>(at) < band)
        indents[band] = indents[static_cast<std::size_t>(at)] + 10;
    }
  }
  std::vector<double> indents;
};

enum class mistake { none, no_such_list, column_first };
template <> inline constexpr auto tessera::choices<mistake> =
    std::array{"none", "noSuchList", "columnFirst"};

// When narrow, each band becomes two of half the height, left and right.
struct halved : tessera::layout {
  static constexpr tessera::identity identity =
      example("org.example.cpp-halved", "Halved", "Bands of half the height when narrow.");
  static constexpr tessera::base_engine based_on{"org.example.cpp-bands", "1.0.0"};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<mistake> wrong{this, {.name = "wrong", .help = "A mistake to make."}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    tessera::base base = in.base();
    switch (in[wrong]) {
      case mistake::no_such_list: base.set_list("stripes", 1); break;
      case mistake::column_first: base.set_list_column<double>("bands", "height"); break;
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

TESSERA_ENGINES(shelf, lifted, alternating, ticks, list, bands, halved)
