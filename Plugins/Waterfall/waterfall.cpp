// Columns of equal width; each item goes into the shortest one, or into each in turn.

#include <array>
#include <limits>
#include <string>
#include <utility>

#include <tessera/tessera.hpp>

#include "columns.hpp"

namespace {

enum class order { shortest_column, round_robin };

// Finite and not negative.
bool is_length(double of) { return of >= 0 && of <= std::numeric_limits<double>::max(); }

[[noreturn]] void refuse(const std::string &name, const std::string &place,
                         const std::string &found, const char *rule) {
  throw tessera::invalid_value(name + " of " + place + " is " + found + "; " + rule);
}
std::string name_of(std::size_t section) { return "section " + std::to_string(section); }

// std::floor is a call on most machines.
double whole(double number) {
  return number < 0x1p52 ? static_cast<double>(static_cast<std::int64_t>(number)) : number;
}

// The items of a section with the engine's parameters.
struct section_items {
  std::size_t section;
  tessera::range range; // by position among all
  std::size_t total; // of items in all sections
  tessera::column<double> aspect_ratios, heights;
  tessera::column<std::int64_t> spans;
  double scale, spacing, tolerance;
  ::order order;

  // Whether each spans one column, the shortest.
  bool are_plain() const {
    return order == order::shortest_column && tolerance == 0 && spans.constant().value_or(2) <= 1;
  }
  // At most `columns`.
  std::uint64_t span(std::size_t item, std::uint64_t columns) const {
    const std::int64_t wanted = spans[item];
    return wanted <= 1 ? 1 : std::min(static_cast<std::uint64_t>(wanted), columns);
  }
  double height(std::size_t item, double width) const {
    const double own = heights[item], ratio = aspect_ratios[item];
    if (!is_length(own) || !(ratio > 0) || !is_length(ratio)) [[unlikely]] refuse(item, own, ratio);
    return own != 0 ? own : whole(width / ratio * scale + 0.5) / scale;
  }
  std::size_t reachable(std::uint64_t columns) const {
    constexpr std::uint64_t few = 64, most = 1 << 24;
    if (columns <= few) return columns;
    std::uint64_t reached = 0;
    for (std::size_t item = 0; item < range.size() && reached < columns; item++)
      reached += std::min(span(item, columns), columns - reached);
    if (reached > most)
      throw tessera::invalid_value(
          "the items of " + name_of(section) + " span " + std::to_string(reached) +
          " columns; lower columnCount or span, so that they are at most " + std::to_string(most));
    return reached;
  }
  void report_progress(std::size_t item, const tessera::output &out) const {
    out.progress(static_cast<double>(range.first() + item) / static_cast<double>(total));
  }

 private:
  [[noreturn, gnu::cold]] void refuse(std::size_t item, double own, double ratio) const {
    const std::string place = "item " + std::to_string(item) + " in " + name_of(section);
    if (!is_length(own))
      ::refuse("height", place, tessera::describe(own), "it must be finite and not negative");
    ::refuse("aspectRatio", place, tessera::describe(ratio), "it must be finite and above 0");
  }
};

// How far a section's columns are filled: all that determines the next place.
struct filling {
  std::vector<double> bottoms; // the next item's start in each column
  double end; // maximum bottom of items
  std::size_t next = 0; // after the last item
  std::size_t used = 0; // up to the last one with an item
};

// Lets the next prepare resume a section.
struct section_trace {
  grid columns;
  filling end; // without bottoms
  std::size_t step = 0; // items between checkpoints
  std::vector<filling> checkpoints = {}; // after every step
};

struct trace {
  double width = -1, scale = 0;
  std::vector<section_trace> sections;
  bool is_for(const tessera::input &in) const {
    return width == in.extent().width && scale == in.scale();
  }
};

} // namespace

template <>
inline constexpr auto tessera::choices<order> = std::array{"shortestColumn", "roundRobin"};

struct waterfall : tessera::layout {
  static constexpr tessera::identity identity{
      .id = "org.tessera.waterfall", .name = "Waterfall", .version = "0.1.0",
      .author = "The Tessera authors", .license = "MIT",
      .summary = "Columns of equal width, each item in the shortest one."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::incremental;
  static constexpr std::uint32_t laws = tessera::laws::flows | tessera::laws::appends;

  tessera::parameter<std::int64_t> column_count{
      this, {.name = "columnCount",
             .help = "How many columns there are; 0: as many as fit, at least one.", .initial = 2,
             .minimum = 0}};
  tessera::parameter<double> minimum_column_width{
      this, {.name = "minimumColumnWidth",
             .help = "The narrowest that a column may be, if as many are wanted as fit.",
             .unit = "pt", .initial = 150, .minimum = 1}};
  tessera::parameter<double> column_spacing{
      this, {.name = "minimumColumnSpacing", .help = "Space between columns.", .unit = "pt",
             .initial = 10, .minimum = 0}};
  tessera::parameter<double> interitem_spacing{
      this, {.name = "minimumInteritemSpacing", .help = "Space between the items of a column.",
             .unit = "pt", .initial = 10, .minimum = 0}};
  tessera::parameter<order> item_order{
      this, {.name = "order", .help = "Which column the next item goes into."}};
  tessera::parameter<double> tolerance{
      this, {.name = "tolerance",
             .help = "How much longer than the shortest column one may be that an item prefers "
                     "because it is further left.",
             .unit = "pt", .minimum = 0}};
  tessera::parameter<double> aspect_ratio{
      this, {.name = "aspectRatio",
             .help = "Width of an item for each point of its height, for items without their own.",
             .initial = 1}};
  tessera::parameter<tessera::insets> section_inset{
      this, {.name = "sectionInset", .help = "Room around the items of a section.", .unit = "pt",
             .minimum = tessera::insets{0, 0, 0, 0}}};
  tessera::parameter<tessera::size> header_size{
      this, {.name = "headerReferenceSize",
             .help = "Size of headers, of which the height counts; 0: none.", .unit = "pt",
             .minimum = tessera::size{0, 0}}};
  tessera::parameter<tessera::size> footer_size{
      this, {.name = "footerReferenceSize",
             .help = "Size of footers, of which the height counts; 0: none.", .unit = "pt",
             .minimum = tessera::size{0, 0}}};

  tessera::section_values<std::int64_t> column_counts{
      this, {.name = "columnCount", .help = "The section's number of columns.",
             .fallback = &column_count}};
  tessera::section_values<tessera::insets> section_insets{
      this, {.name = "sectionInset", .help = "The section's own inset.",
             .fallback = &section_inset}};
  tessera::section_values<tessera::size> header_sizes{
      this, {.name = "headerReferenceSize", .help = "The size of the section's header.",
             .fallback = &header_size}};
  tessera::section_values<tessera::size> footer_sizes{
      this, {.name = "footerReferenceSize", .help = "The size of the section's footer.",
             .fallback = &footer_size}};

  tessera::item_values<double> aspect_ratios{
      this, {.name = "aspectRatio", .help = "Width of the item for each point of its height.",
             .fallback = &aspect_ratio}};
  tessera::item_values<double> heights{
      this, {.name = "height", .help = "The item's own height; 0: from its aspect ratio."}};
  tessera::item_values<std::int64_t> spans{
      this, {.name = "span", .help = "How many columns the item spans; less than 1 counts as 1."}};

  tessera::kind header{this, {.name = "header", .category = tessera::category::supplementary,
                             .role = tessera::role::header}};
  tessera::kind footer{this, {.name = "footer", .category = tessera::category::supplementary,
                             .role = tessera::role::footer}};

  bool still_valid(const tessera::input &in) override { return last.is_for(in); }

  void prepare(const tessera::input &in, tessera::output &out) override {
    // After a failed prepare, there is nothing to resume.
    trace earlier = std::exchange(last, {});
    if (in.change().parameters() || !earlier.is_for(in)) earlier = {};
    trace made{in.extent().width, in.scale(), {}};
    made.sections.reserve(in.section_count());
    tessera::size content{made.width, 0};
    for (auto [section, items] : in.sections()) {
      const double above = add_supplementary(header, header_sizes, section, content, in, out);
      const tessera::insets inset = checked_inset(in, section);
      const grid columns = measure(in, section, inset, content.height + above + inset.top);
      section_trace known{columns, {{}, columns.start}};
      if (!items.empty()) {
        if (section < earlier.sections.size() && earlier.sections[section].columns == columns)
          known = std::move(earlier.sections[section]);
        add_cells(in, out, section, items, known);
      }
      const filling &end = made.sections.emplace_back(std::move(known)).end;
      content.height = end.end + inset.bottom;
      content.height += add_supplementary(footer, footer_sizes, section, content, in, out);
      // Rounding of full columns does not widen the content.
      const double right = end.used == 0 ? 0 : columns.left + columns.width_of(end.used);
      if (right > made.width + 1e-6) content.width = std::max(content.width, right);
    }
    out.set_content_size(content);
    last = std::move(made);
  }

 private:
  trace last;

  // Adds a header or footer over the full width below the content, unless its height is 0. Returns
  // its height.
  double add_supplementary(const tessera::kind &kind,
                           const tessera::section_values<tessera::size> &sizes, std::size_t section,
                           const tessera::size &content, const tessera::input &in,
                           tessera::output &out) {
    const tessera::size size = in[sizes][section];
    if (!is_length(size.width) || !is_length(size.height))
      refuse(std::string(sizes.name()), name_of(section), tessera::describe(size),
             "it must have a width and a height that are finite and not negative");
    if (size.height > 0)
      out.add(tessera::run::elements(kind, section),
              {0, content.height, in.extent().width, size.height});
    return size.height;
  }

  tessera::insets checked_inset(const tessera::input &in, std::size_t section) const {
    const tessera::insets inset = in[section_insets][section];
    for (const double edge : {inset.top, inset.left, inset.bottom, inset.right})
      if (!is_length(edge))
        refuse("sectionInset", name_of(section), tessera::describe(inset),
               "its edges must be finite and not negative");
    return inset;
  }

  grid measure(const tessera::input &in, std::size_t section, const tessera::insets &inset,
               double start) const {
    const std::int64_t wanted = in[column_counts][section];
    if (wanted < 0)
      refuse("columnCount", name_of(section), std::to_string(wanted), "it must be 0 or more");
    grid columns{start, inset.left, 0, in[column_spacing], static_cast<std::uint64_t>(wanted)};
    const double available = std::max(0.0, in.extent().width - inset.left - inset.right);
    if (wanted == 0) {
      const double fit = (available + columns.spacing + 1e-6) /
                         (in[minimum_column_width] + columns.spacing);
      columns.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(fit, 1e15)));
    }
    const double count = static_cast<double>(columns.count);
    const double exact = std::max(0.0, (available - (count - 1) * columns.spacing) / count);
    columns.width = whole(exact * in.scale()) / in.scale();
    return columns;
  }

  // Adds the cells of a section after its unchanged ones.
  void add_cells(const tessera::input &in, tessera::output &out, std::size_t section,
                 tessera::range range, section_trace &known) const {
    const std::size_t start = range.first(), count = range.size();
    const tessera::rows rows = out.add(tessera::run::cells(section, 0, count));
    if (in.change().keeps(section) && known.step > 0 && rows.kept() == count)
      return out.leave(rows, count);
    const section_items items{
        section, range, in.item_count(), in[aspect_ratios].slice(start, count),
        in[heights].slice(start, count), in[spans].slice(start, count), in.scale(),
        in[interitem_spacing], in[tolerance], in[item_order]};
    const std::size_t reached = items.reachable(known.columns.count);
    // More columns need more items between checkpoints, to limit memory.
    const std::size_t step = std::max<std::size_t>(4096, 4 * reached);
    const std::size_t kept = std::min(rows.kept(), in.change().unchanged_items(section));
    known.checkpoints.resize(
        known.step == step ? std::min(known.checkpoints.size(), kept / step) : 0,
        filling{{}, known.columns.start});
    known.step = step;
    const std::size_t first = known.checkpoints.size() * step;
    out.leave(rows, first);
    known.end = first > 0 ? known.checkpoints.back() : filling{{}, known.columns.start};
    known.end.bottoms.resize(reached, known.columns.start);
    for (std::size_t item = first, next; item < count; item = next) {
      next = std::min(count, item + step);
      known.end = (items.are_plain() ? fill<true> : fill<false>)(
          items, item, next, known.columns, known.end, rows.frames.data(), out);
      if (next % step == 0) known.checkpoints.push_back(known.end);
    }
    known.end.bottoms = {};
  }

  // Places items below the columns. A loop for plain items fits the registers.
  template <bool ArePlain>
  static filling fill(const section_items &items, std::size_t first, std::size_t last,
                      const grid columns, const filling &from, tessera::rect *frames,
                      const tessera::output &out) {
    const double spacing = items.spacing;
    tournament bottoms(from.bottoms);
    place shortest = bottoms.shortest();
    double end = from.end;
    std::size_t next = from.next, used = from.used;
    for (std::size_t item = first; item < last; item++) {
      const std::size_t span = ArePlain ? 1 : items.span(item, columns.count);
      place to = shortest;
      if (!ArePlain && items.order == order::round_robin) {
        // Right of the item before, or at the left without room.
        to = bottoms.at(span <= columns.count - next ? next : 0, span);
      } else if (!ArePlain) {
        to = bottoms.highest(span, items.tolerance);
        if (span > 1 && from.bottoms.size() > 4096) items.report_progress(item, out);
      }
      const double width = columns.width_of(span), height = items.height(item, width);
      const double bottom = to.top + height;
      frames[item] = {columns.x(to.column), to.top, width, height};
      next = to.column + span;
      end = std::max(end, bottom);
      used = std::max(used, next);
      for (std::size_t beside = 0; beside < span; beside++)
        shortest = bottoms.set(to.column + beside, bottom + spacing);
    }
    items.report_progress(last, out);
    return {bottoms.bottoms(), end, next, used};
  }
};

TESSERA_ENGINES(waterfall)
