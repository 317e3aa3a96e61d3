// Columns of equal width; each item goes into the shortest one, or into each in turn.

#include <tessera/tessera.hpp>

#include "cells.hpp"

template <>
inline constexpr auto tessera::choices<order> = std::array{"shortestColumn", "roundRobin"};

namespace {

// How a section was laid out, so that the next prepare can go on from there.
struct section_trace {
  grid columns;
  filling end; // without bottoms
  std::size_t step; // the number of items from one checkpoint to the next
  std::size_t first_checkpoint, last_checkpoint; // in the list of all; last: past the end
};

// How a layout was prepared.
struct trace {
  double width = -1, scale = 0;
  std::vector<section_trace> sections;
  // How far the columns were filled after every cells::step items of a section.
  std::vector<filling> checkpoints;

  bool is_for(const tessera::input &in) const {
    return width == in.extent().width && scale == in.scale();
  }
};

} // namespace

struct waterfall : tessera::layout {
  static constexpr tessera::identity identity{
      .id = "org.tessera.waterfall",
      .name = "Waterfall",
      .version = "0.1.0",
      .author = "The Tessera authors",
      .license = "MIT",
      .summary = "Columns of equal width, each item in the shortest one."};
  static constexpr std::uint32_t traits = tessera::traits::mirrors | tessera::traits::incremental |
                                          tessera::traits::flows | tessera::traits::appends;

  tessera::parameter<std::int64_t> column_count{
      this,
      {.name = "columnCount",
       .help = "How many columns there are; 0: as many as fit, at least one.",
       .initial = 2,
       .minimum = 0}};
  tessera::parameter<double> minimum_column_width{
      this,
      {.name = "minimumColumnWidth",
       .help = "The narrowest that a column may be, if as many are wanted as fit.",
       .unit = "pt",
       .initial = 150,
       .minimum = 1}};
  tessera::parameter<double> column_spacing{this,
                                            {.name = "minimumColumnSpacing",
                                             .help = "Space between columns.",
                                             .unit = "pt",
                                             .initial = 10,
                                             .minimum = 0}};
  tessera::parameter<double> interitem_spacing{this,
                                               {.name = "minimumInteritemSpacing",
                                                .help = "Space between the items of a column.",
                                                .unit = "pt",
                                                .initial = 10,
                                                .minimum = 0}};
  tessera::parameter<order> item_order{
      this, {.name = "order", .help = "Which column the next item goes into."}};
  tessera::parameter<double> tolerance{
      this,
      {.name = "tolerance",
       .help = "How much longer than the shortest column one may be that an item prefers because it "
               "is further left.",
       .unit = "pt",
       .minimum = 0}};
  tessera::parameter<double> aspect_ratio{
      this,
      {.name = "aspectRatio",
       .help = "Width of an item for each point of its height, for items without their own.",
       .initial = 1}};
  tessera::parameter<tessera::insets> section_inset{
      this,
      {.name = "sectionInset",
       .help = "Room around the items of a section.",
       .unit = "pt",
       .minimum = tessera::insets{0, 0, 0, 0}}};
  tessera::parameter<tessera::size> header_size{
      this,
      {.name = "headerReferenceSize",
       .help = "Size of headers, of which the height counts; 0: none.",
       .unit = "pt",
       .minimum = tessera::size{0, 0}}};
  tessera::parameter<tessera::size> footer_size{
      this,
      {.name = "footerReferenceSize",
       .help = "Size of footers, of which the height counts; 0: none.",
       .unit = "pt",
       .minimum = tessera::size{0, 0}}};

  tessera::section_values<std::int64_t> column_counts{
      this,
      {.name = "columnCount", .help = "The section's number of columns.", .fallback = &column_count}};
  tessera::section_values<tessera::insets> section_insets{
      this,
      {.name = "sectionInset", .help = "The section's own inset.", .fallback = &section_inset}};
  tessera::section_values<tessera::size> header_sizes{this,
                                                      {.name = "headerReferenceSize",
                                                       .help = "The size of the section's header.",
                                                       .fallback = &header_size}};
  tessera::section_values<tessera::size> footer_sizes{this,
                                                      {.name = "footerReferenceSize",
                                                       .help = "The size of the section's footer.",
                                                       .fallback = &footer_size}};
  tessera::item_values<double> aspect_ratios{
      this,
      {.name = "aspectRatio",
       .help = "Width of the item for each point of its height.",
       .fallback = &aspect_ratio}};
  tessera::item_values<double> heights{
      this, {.name = "height", .help = "The item's own height; 0: from its aspect ratio."}};
  tessera::item_values<std::int64_t> spans{
      this, {.name = "span", .help = "How many columns the item spans; less than 1 counts as 1."}};

  tessera::kind header{this, {.name = "header", .category = tessera::category::supplementary}};
  tessera::kind footer{this, {.name = "footer", .category = tessera::category::supplementary}};

  bool still_valid(const tessera::input &in) override { return last.is_for(in); }

  void prepare(const tessera::input &in, tessera::output &out) override {
    // If this prepare fails, the next one finds nothing to go on from.
    trace earlier = std::exchange(last, {});
    if (in.change().parameters() || !earlier.is_for(in)) earlier = {};
    trace made{in.extent().width, in.scale(), {}, {}};
    made.sections.reserve(in.section_count());
    tessera::size content{made.width, 0};
    for (auto [section, items] : in.sections()) {
      const double header_height = add_supplementary(header, header_sizes, section, content, in, out);
      const tessera::insets inset = checked_inset(in, section);
      const grid columns = measure(in, section, inset, content.height + header_height + inset.top);
      const filling &end = add_cells(in, out, section, items, columns, earlier, made);
      content.height = end.end + inset.bottom;
      content.height += add_supplementary(footer, footer_sizes, section, content, in, out);
      if (end.used == 0) continue;
      // The rounding of the sum of columns that fill the extent does not make the content wider.
      const double right = columns.left + columns.width_of(end.used);
      if (right > made.width + 1e-6) content.width = std::max(content.width, right);
    }
    out.set_content_size(content);
    last = std::move(made);
  }

 private:
  trace last;

  // Adds a header or footer over the full width below the content, unless its height is 0, and
  // returns its height.
  double add_supplementary(const tessera::kind &kind,
                           const tessera::section_values<tessera::size> &sizes, std::size_t section,
                           const tessera::size &content, const tessera::input &in,
                           tessera::output &out) {
    const tessera::size size = in[sizes][section];
    if (!is_length(size.width) || !is_length(size.height))
      throw tessera::invalid_value(
          std::string(sizes.name()) + " of section " + std::to_string(section) + " is " +
          tessera::describe(size) +
          "; it must have a width and a height that are finite and not negative");
    if (size.height > 0)
      out.add(tessera::run::elements(kind, section),
              {0, content.height, in.extent().width, size.height});
    return size.height;
  }

  tessera::insets checked_inset(const tessera::input &in, std::size_t section) const {
    const tessera::insets inset = in[section_insets][section];
    for (const double edge : {inset.top, inset.left, inset.bottom, inset.right}) {
      if (!is_length(edge))
        throw tessera::invalid_value("sectionInset of section " + std::to_string(section) + " is " +
                                     tessera::describe(inset) +
                                     "; its edges must be finite and not negative");
    }
    return inset;
  }

  // The columns of a section.
  grid measure(const tessera::input &in, std::size_t section, const tessera::insets &inset,
               double start) const {
    const std::int64_t wanted = in[column_counts][section];
    if (wanted < 0)
      throw tessera::invalid_value("columnCount of section " + std::to_string(section) + " is " +
                                   std::to_string(wanted) + "; it must be 0 or more");
    grid columns{start, inset.left, 0, in[column_spacing], static_cast<std::uint64_t>(wanted)};
    const double available = std::max(0.0, in.extent().width - inset.left - inset.right);
    if (wanted == 0) {
      // A millionth of a point, as in other grids, for columns that fill the extent exactly.
      const double fit = (available + columns.spacing + 1e-6) /
                         (in[minimum_column_width] + columns.spacing);
      columns.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(fit, 1e15)));
    }
    const double count = static_cast<double>(columns.count);
    columns.width =
        pixels(in.scale()).down(std::max(0.0, (available - (count - 1) * columns.spacing) / count));
    return columns;
  }

  // Adds the cells of a section, of which those stay that nothing has changed for.
  const filling &add_cells(const tessera::input &in, tessera::output &out, std::size_t section,
                           tessera::range range, const grid &columns, const trace &earlier,
                           trace &made) const {
    const std::size_t first_checkpoint = made.checkpoints.size();
    section_trace &traced =
        made.sections.emplace_back(columns, filling{{}, columns.start}, 0, first_checkpoint, 0);
    if (!range.empty()) {
      const section_items items{section,
                                range,
                                in.item_count(),
                                in[aspect_ratios].slice(range.first(), range.size()),
                                in[heights].slice(range.first(), range.size()),
                                in[spans].slice(range.first(), range.size()),
                                pixels(in.scale()),
                                in[interitem_spacing],
                                in[tolerance],
                                in[item_order]};
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, range.size()));
      const section_trace *const before =
          section < earlier.sections.size() && earlier.sections[section].columns == columns
              ? &earlier.sections[section]
              : nullptr;
      if (before && in.change().keeps(section) && rows.kept() == range.size()) {
        keep(earlier, *before, range.size(), made);
        out.leave(rows, range.size());
        traced.step = before->step;
        traced.end = before->end;
      } else {
        const std::size_t reached = cells::reachable(items, columns.count);
        traced.step = cells::step(reached);
        std::size_t first = 0;
        filling at{std::vector<double>(reached, columns.start), columns.start};
        if (before && before->step == traced.step)
          first = keep(earlier, *before,
                       std::min(rows.kept(), in.change().unchanged_items(section)), made);
        out.leave(rows, first);
        if (first > 0) {
          at = made.checkpoints.back();
          at.bottoms.resize(reached, columns.start);
        }
        cells(items, columns, out).fill(rows.frames, first, at, made.checkpoints);
        traced.end = {{}, at.end, at.next, at.used};
      }
    }
    traced.last_checkpoint = made.checkpoints.size();
    return traced.end;
  }

  // Copies the checkpoints of a section up to an item, and returns the item of the last one.
  static std::size_t keep(const trace &earlier, const section_trace &of, std::size_t item,
                          trace &made) {
    const std::size_t count =
        std::min(of.last_checkpoint - of.first_checkpoint, of.step == 0 ? 0 : item / of.step);
    const auto first = earlier.checkpoints.begin() + static_cast<std::ptrdiff_t>(of.first_checkpoint);
    made.checkpoints.insert(made.checkpoints.end(), first, first + static_cast<std::ptrdiff_t>(count));
    return count * of.step;
  }
};

TESSERA_ENGINES(waterfall)
