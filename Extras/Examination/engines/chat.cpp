// chat.cpp: measured bubbles, left and right in turn, under day headers; animated.
#include <algorithm>
#include <cmath>
#include <set>
#include <tessera/tessera.hpp>

enum class side { alternating, leading, trailing };
template <>
inline constexpr auto tessera::choices<side> = std::array{"alternating", "leading", "trailing"};

struct chat : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.chat", .name = "Chat", .version = "1.0.0",
                                              .author = "An author", .license = "MIT",
                                              .summary = "Bubbles to the left and the right."};
  static constexpr std::uint32_t traits = tessera::traits::pixel_aligned;
  static constexpr std::uint32_t laws = tessera::laws::flows | tessera::laws::appends | tessera::laws::scales;
  static constexpr std::uint32_t columns = tessera::columns::alpha | tessera::columns::transform;
  static constexpr std::array measured{tessera::measured{"bubbleSize"}, tessera::measured{"dayHeight", "day"}};

  tessera::parameter<tessera::size> bubble_size{
      this, {.name = "bubbleSize", .help = "Size of a bubble without its own size.", .unit = "pt",
             .initial = {160, 40}, .minimum = tessera::size{0, 0}, .maximum = tessera::size{10000, 10000}}};
  tessera::parameter<double> estimate{
      this, {.name = "estimatedHeight", .help = "Height of a bubble until it is measured; 0 turns measuring off.",
             .unit = "pt", .initial = 48, .minimum = 0, .maximum = 10000}};
  tessera::parameter<double> day_height{this, {.name = "dayHeight", .help = "Height of day headers; 0: none.",
                                               .unit = "pt", .initial = 22, .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> spacing{this, {.name = "spacing", .help = "Space between bubbles.", .unit = "pt",
                                            .initial = 6, .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> share{this, {.name = "share", .help = "The share of the width that a bubble may take.",
                                          .initial = 0.75, .minimum = 0.1, .maximum = 1}};
  tessera::parameter<double> tilt{this, {.name = "tilt", .help = "How far every second bubble is turned.", .unit = "rad",
                                         .initial = 0.02, .minimum = -1, .maximum = 1}};
  tessera::parameter<side> sides{this, {.name = "side", .help = "Where bubbles lie."}};
  tessera::item_values<tessera::size> sizes{
      this, {.name = "bubbleSize", .help = "The bubble's own size.", .fallback = &bubble_size}};
  tessera::item_values<bool> faded{this, {.name = "faded", .help = "Whether the bubble is half transparent."}};
  tessera::section_values<double> day_heights{
      this, {.name = "dayHeight", .help = "The height of the section's day header.", .fallback = &day_height}};
  tessera::kind day{this, {.name = "day", .category = tessera::category::supplementary, .role = tessera::role::header}};
  tessera::attribute<bool> mine{this, {.name = "mine", .help = "Whether the bubble lies at the trailing edge.",
                                       .interpolation = tessera::interpolation::step}};

  chat() { publish<&chat::bottom>("bottomOf", "Where the bubbles of a section end."); }

  std::vector<double> bottoms;         // per section, from the last prepare
  std::set<std::uint32_t> whole;       // sections replaced as a whole by the batch

  static double limited(double value) { return std::clamp(value, 0.0, 1e9); }
  static double snapped(double value, double scale) { return std::floor(value * scale + 0.5) / scale; }
  double widest(const tessera::input &in) const { return in.extent().width * in[share]; }

  bool trails(const tessera::input &in, std::size_t item) const {
    const side where = in[sides];
    return where == side::trailing || (where == side::alternating && item % 2 == 1);
  }

  void prepare(const tessera::input &in, tessera::output &out) override {
    const double width = in.extent().width, scale = in.scale(), most = widest(in);
    const auto own = in[sizes];
    const auto fade = in[faded];
    const auto days = in[day_heights];
    const double gap = in[spacing], turn = in[tilt];
    const double total = std::max<double>(1, static_cast<double>(in.item_count()));
    bottoms.assign(in.section_count(), 0);
    double y = 0;
    double end = 0;
    for (auto [section, items] : in.sections()) {
      const double header = limited(days[section]);
      if (header > 0) {
        out.add(tessera::run::elements(day, section), {0, snapped(y, scale), width, header});
        end = std::max(end, snapped(y, scale) + header);
        y += header;
      }
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, items.size()));
      for (std::size_t item = 0; item < items.size(); item++) {
        const tessera::size size = own[items[item]];
        const double w = std::min(limited(size.width), most), h = limited(size.height);
        const bool at_end = trails(in, item);
        double x = at_end ? width - w : 0;
        if (in.right_to_left()) x = width - w - x;
        rows.frames[item] = {std::min(snapped(x, scale), std::max(0.0, std::floor((width - w) * scale) / scale)),
                             snapped(y, scale), w, h};
        rows[mine][item] = at_end;
        if (fade[items[item]]) rows.alphas[item] = 0.5;
        if (item % 2 == 1 && turn != 0) {
          auto &m = rows.transforms[item].m;
          m[0] = m[5] = std::cos(turn);
          m[1] = std::sin(in.right_to_left() ? -turn : turn);
          m[4] = -m[1];
        }
        end = std::max(end, snapped(y, scale) + h);
        y += h + gap;
        if ((items[item] & 4095) == 4095) out.progress(static_cast<double>(items[item]) / total);
      }
      bottoms[section] = y;
    }
    out.set_content_size({width, end});
  }

  bool still_valid(const tessera::input &) override { return false; }

  std::size_t estimates(const tessera::input &in, const tessera::run &run, std::span<tessera::size> sizes_out) override {
    if (run.is(day)) {
      sizes_out[0] = {in.extent().width, in[day_height]};
      return in[day_height] > 0 ? 1 : 0;
    }
    if (in[estimate] <= 0) return 0;
    sizes_out[0] = {widest(in), in[estimate]};
    return 1;
  }

  std::size_t proposals(const tessera::input &in, const tessera::run &run, std::span<tessera::size> sizes_out) override {
    sizes_out[0] = {run.is(day) ? in.extent().width : widest(in), 0};
    return 1;
  }

  void begin_update(const tessera::input &, std::span<const tessera::update> updates) override {
    whole.clear();
    for (const tessera::update &each : updates)
      if (each.operation == TESSERA_OPERATION_INSERT_SECTION) whole.insert(each.to_section);
  }

  // Bubbles slide in from their side; headers of new sections fade in.
  void initial_attributes(const tessera::input &in, tessera::output &out) override {
    for (auto [run, rows] : out.runs()) {
      const bool fades = run.category != tessera::category::cell || whole.count(static_cast<std::uint32_t>(run.section));
      for (std::size_t row = 0; row < rows.size(); row++) {
        if (fades) continue;
        const bool right = trails(in, run.first_item + row) != in.right_to_left();
        rows.transforms[row] = tessera::translation(right ? rows.frames[row].width : -rows.frames[row].width, 0);
        rows.alphas[row] = 1;
      }
    }
  }

  void final_attributes(const tessera::input &, tessera::output &out) override {
    for (auto [run, rows] : out.runs())
      for (auto &transform : rows.transforms) transform.m[0] = transform.m[5] = 0.2;
  }

  void end_update() override { whole.clear(); }

  double bottom(std::uint32_t section) {
    if (section >= bottoms.size())
      throw tessera::invalid_value("there is no section " + std::to_string(section) + "; ask for one of the data");
    return bottoms[section];
  }
};

TESSERA_ENGINES(chat)
