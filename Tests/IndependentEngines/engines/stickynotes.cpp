// stickynotes.cpp: a board of notes in the columns of a waterfall, each as high as its text, tilted, pinned and sometimes done.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

enum class sorting { asGiven, doneFaded, doneHidden };
template <> inline constexpr auto tessera::choices<sorting> = std::array{"asGiven", "doneFaded", "doneHidden"};

struct stickynotes : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.stickynotes", .name = "Sticky Notes", .version = "1.0.0",
                                              .author = "Somebody", .license = "MIT", .summary = "A board of tilted notes."};
  static constexpr std::optional<tessera::base_engine> based_on{{"org.tessera.waterfall"}};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;
  static constexpr std::uint32_t laws = tessera::laws::flows | tessera::laws::appends;
  static constexpr std::uint32_t columns = tessera::columns::transform | tessera::columns::alpha | tessera::columns::hidden;
  static constexpr std::uint32_t adjusted_columns = tessera::columns::z_index;

  tessera::inherited<std::int64_t> column_count{this, {.name = "columnCount", .initial = 0}};
  tessera::inherited<double> minimum_width{this, {.name = "minimumColumnWidth", .initial = 90}};
  tessera::inherited<double> tolerance{this, {.name = "tolerance", .initial = 0, .owned = true}};

  tessera::parameter<double> line_height{this, {.name = "lineHeight", .help = "Height of a line of text.", .unit = "pt", .initial = 14,
                                                .minimum = 1, .maximum = 1000}};
  tessera::parameter<double> padding{this, {.name = "padding", .help = "Room around the text of a note.", .unit = "pt", .initial = 8,
                                            .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> tilt{this, {.name = "tilt", .help = "Largest angle by which a note is tilted.", .unit = "rad",
                                         .initial = 0.06, .minimum = 0, .maximum = 1}};
  tessera::parameter<sorting> done_shows{this, {.name = "done", .help = "How notes that are done are shown.",
                                                .initial = sorting::doneFaded}};
  tessera::parameter<double> board{this, {.name = "boardMargin", .help = "How far a section's board reaches beyond its notes.",
                                          .unit = "pt", .initial = 6, .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> focus{this, {.name = "focus", .help = "Height of the band in the middle of the viewport whose notes come to the front.",
                                          .unit = "pt", .initial = 100, .minimum = 0, .maximum = 100000, .in_adjust = true}};
  tessera::parameter<tessera::size> pin_size{this, {.name = "pinSize", .help = "Size of the pins; 0 for none.", .unit = "pt",
                                                    .initial = {8, 8}, .minimum = tessera::size{0, 0}, .maximum = tessera::size{100, 100}}};
  tessera::parameter<std::int64_t> lines_default{this, {.name = "lines", .help = "Lines of text of a note.", .initial = 3, .minimum = 0,
                                                        .maximum = 10000}};
  tessera::item_values<std::int64_t> lines{this, {.name = "lines", .help = "Lines of text.", .fallback = &lines_default}};
  tessera::item_values<bool> done{this, {.name = "isDone", .help = "Whether the note is done."}};
  tessera::section_values<double> rotation{this, {.name = "rotation", .help = "An angle added to every note of the section, in radians."}};
  tessera::delegate<double(std::uint32_t, std::uint64_t)> urgency{
      this, {.name = "urgency", .help = "How urgent a note is, 0 to 1; urgent notes are straight and bright."}};
  tessera::attribute<double> shadow{this, {.name = "shadow", .help = "How far the note casts its shadow.", .unit = "pt", .initial = 2}};
  tessera::attribute<bool> finished{this, {.name = "finished", .help = "Whether the note is done.", .interpolation = tessera::interpolation::step}};
  tessera::kind pins{this, {.name = "pin", .category = tessera::category::supplementary, .role = tessera::role::badge}};
  tessera::kind boards{this, {.name = "board", .category = tessera::category::decoration, .role = tessera::role::background}};

  stickynotes() {
    publish<&stickynotes::tilt_of>("tiltOf", "The angle of a note.");
    publish<&stickynotes::notes_under>("notesUnder", "The number of notes in a rect.");
    publish<&stickynotes::open_notes>("openNotes", "The number of notes of a section that are not done.");
  }

  void prepare(const tessera::input &in, tessera::output &out) override {
    tessera::base base = in.base();
    const auto texts = in[lines];
    const auto is_done = in[done];
    const auto turned = in[rotation];
    const auto urgent = in[urgency];
    const double line = in[line_height], pad = in[padding], most = in[tilt];
    const sorting shows = in[done_shows];
    auto heights = base.set_item_values<double>("height");
    for (std::size_t note = 0; note < in.item_count(); note++) {
      const double count = double(std::clamp<std::int64_t>(texts[note], 0, 1000000));
      heights[note] = std::fmax(1, 2 * pad + count * line);
    }
    base.prepare(out);

    tilts_.assign(in.item_count(), 0);
    starts_.clear();
    open_.assign(in.section_count(), 0);
    for (auto [section, items] : in.sections()) starts_.push_back(items.first());
    starts_.push_back(in.item_count());

    struct room { double left, top, right, bottom; bool any; };
    std::vector<room> rooms(in.section_count(), room{0, 0, 0, 0, false});
    const tessera::size pin = in[pin_size];
    const std::size_t runs = out.run_count();
    for (std::size_t index = 0; index < runs; index++) {
      auto [run, rows] = out.get(index);
      if (run.category != tessera::category::cell) continue;
      auto shadows = rows[shadow];
      auto finishes = rows[finished];
      const std::size_t first = in.items(run.section).first() + run.first_item;
      room &here = rooms[run.section];
      for (std::size_t row = 0; row < rows.size(); row++) {
        if (row % 4096 == 0) out.progress(1);
        const std::size_t note = first + row;
        const tessera::rect &frame = rows.frames[row];
        const double pressing = urgent ? std::clamp(urgent(std::uint32_t(run.section), run.first_item + row), 0.0, 1.0) : 0;
        const double angle = (1 - pressing) * most * lean(run.first_item + row) + std::remainder(turned[run.section], 6.283185307179586);
        tilts_[note] = angle;
        rows.transforms[row] = tessera::rotation(angle);
        const bool is = is_done[note];
        if (is && shows == sorting::doneFaded) rows.alphas[row] = 0.4;
        rows.hidden[row] = is && shows == sorting::doneHidden;
        finishes[row] = is;
        shadows[row] = 2 + 6 * pressing;
        if (!is) open_[run.section]++;
        if (!here.any) {
          here = {frame.x, frame.y, frame.x + frame.width, frame.y + frame.height, true};
        } else {
          here.left = std::fmin(here.left, frame.x), here.top = std::fmin(here.top, frame.y);
          here.right = std::fmax(here.right, frame.x + frame.width), here.bottom = std::fmax(here.bottom, frame.y + frame.height);
        }
      }
    }
    for (std::size_t index = 0; index < runs && pin.width > 0 && pin.height > 0; index++) {
      auto [run, rows] = out.get(index);
      if (run.category != tessera::category::cell) continue;
      auto made = out.add(tessera::run::elements(pins, run.section, run.first_item, run.count));
      for (std::size_t row = 0; row < rows.size(); row++) {
        const tessera::rect &frame = rows.frames[row];
        const double width = std::fmin(pin.width, frame.width), height = std::fmin(pin.height, frame.height);
        made.frames[row] = {frame.x + (frame.width - width) / 2, frame.y, width, height};
        made.hidden[row] = rows.hidden[row];
      }
    }
    const double margin = in[board];
    for (std::size_t section = 0; section < rooms.size(); section++) {
      const room &here = rooms[section];
      if (!here.any) continue;
      out.add(tessera::run::elements(boards, section),
              {here.left - margin, here.top - margin, here.right - here.left + 2 * margin, here.bottom - here.top + 2 * margin});
    }
    prepared_ = in.extent();
    scale_ = in.scale();
  }

  void adjust(const tessera::input &in, const tessera::rect &rect, tessera::output &out) override {
    in.base().adjust(rect, out);
    const double middle = in.viewport().y + in.content_insets().top + in.extent().height / 2, reach = in[focus] / 2;
    for (auto [run, rows] : out.runs()) {
      const bool pinned = run.is(pins);
      if (run.category != tessera::category::cell && !pinned) {
        if (run.is(boards))
          for (auto &z : rows.z_indexes) z = -1;
        continue;
      }
      for (std::size_t row = 0; row < rows.size(); row++) {
        const tessera::rect &frame = rows.frames[row];
        const bool inside = frame.y < middle + reach && frame.y + frame.height > middle - reach;
        rows.z_indexes[row] = (inside ? 10 : 0) + (pinned ? 1 : 0);
      }
    }
  }

  bool still_valid(const tessera::input &in) override {
    return in.base().still_valid() && in.extent().width == prepared_.width && in.scale() == scale_;
  }

  void begin_update(const tessera::input &, std::span<const tessera::update> changes) override {
    arriving_ = 0;
    for (const auto &change : changes)
      if (change.operation == TESSERA_OPERATION_INSERT_ITEM) arriving_++;
  }
  void initial_attributes(const tessera::input &in, tessera::output &out) override {
    // A single new note falls from above, many of them just grow.
    for (auto [run, rows] : out.runs()) {
      if (run.is(boards)) continue;
      for (std::size_t row = 0; row < rows.size(); row++)
        rows.transforms[row] = arriving_ == 1
                                   ? tessera::translation(0, in.viewport().y - rows.frames[row].y - rows.frames[row].height)
                                   : tessera::scaling(0.5, 0.5);
    }
  }
  void final_attributes(const tessera::input &, tessera::output &out) override {
    for (auto [run, rows] : out.runs())
      if (run.category == tessera::category::cell)
        for (auto &transform : rows.transforms) transform = tessera::rotation(0.8);
  }
  void end_update() override { arriving_ = 0; }

  double tilt_of(std::uint32_t section, std::uint64_t item) {
    if (section + std::size_t(1) >= starts_.size() || item >= starts_[section + 1] - starts_[section])
      throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no such note; give a section and an item in it");
    return tilts_[starts_[section] + item];
  }
  std::uint64_t notes_under(tessera::rect rect) {
    const tessera::output found = placed(rect);
    std::uint64_t count = 0;
    for (auto [run, rows] : found.runs())
      if (run.category == tessera::category::cell) count += run.count;
    return count;
  }
  std::int64_t open_notes(std::uint32_t section) {
    if (section >= open_.size()) throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no such section; give one that there is");
    return open_[section];
  }

 private:
  // From -1 to 1, as if at random.
  static double lean(std::uint64_t item) {
    std::uint64_t bits = (item + 1) * 0x9E3779B97F4A7C15u;
    bits ^= bits >> 29;
    return double(bits % 2001) / 1000 - 1;
  }
  std::vector<double> tilts_;
  std::vector<std::size_t> starts_;
  std::vector<std::int64_t> open_;
  tessera::size prepared_{};
  double scale_ = 0;
  std::int64_t arriving_ = 0;
};
TESSERA_ENGINES(stickynotes)
