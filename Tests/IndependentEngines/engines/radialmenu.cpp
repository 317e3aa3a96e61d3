// radialmenu.cpp: a menu around a hub. Each section is a ring; its items are buttons on it.
#include <algorithm>
#include <numbers>

#include <tessera/tessera.hpp>

enum class spread { around, between };
template <> inline constexpr auto tessera::choices<spread> = std::array{"around", "between"};

namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr double largest = 1e9; // points from the hub

struct ring {
  double radius = 0, start = 0, step = 0; // the angle of the first button and the distance of two, from 12 o'clock
  bool rotates = false;
};

struct radialmenu : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.radialmenu", .name = "Radial Menu", .version = "0.9.2", .author = "A. Author",
                                              .license = "MIT", .summary = "Rings of buttons around a hub."};
  static constexpr std::uint32_t laws = tessera::laws::appends | tessera::laws::scales;
  static constexpr std::uint32_t columns =
      tessera::columns::transform | tessera::columns::alpha | tessera::columns::z_index | tessera::columns::hidden;

  tessera::parameter<tessera::size> button_size{this, {.name = "buttonSize", .help = "Size of a button without one of its own.", .unit = "pt",
                                                       .initial = {44, 44}, .minimum = tessera::size{0, 0}, .maximum = tessera::size{1000, 1000}}};
  tessera::parameter<double> ring_distance{this, {.name = "ringDistance", .help = "Radius of the first ring, and distance of the others from the one before, without records in rings.",
                                                  .unit = "pt", .initial = 72, .minimum = 1, .maximum = 10000}};
  tessera::parameter<double> start_angle{this, {.name = "startAngle", .help = "Angle of the first button, from 12 o'clock in reading direction, without records in rings.",
                                                .unit = "rad", .initial = 0, .minimum = -100, .maximum = 100}};
  tessera::parameter<spread> distribution{this, {.name = "distribution", .help = "Whether the last button is one step before the end of the sweep, or at its end.", .initial = spread::around}};
  tessera::parameter<tessera::point> anchor{this, {.name = "anchor", .help = "Where the menu lies in bounds that are larger: 0 is the leading or upper edge, 1 the other.",
                                                   .initial = {0.5, 0.5}, .minimum = tessera::point{0, 0}, .maximum = tessera::point{1, 1}}};
  tessera::parameter<tessera::insets> padding{this, {.name = "padding", .help = "Space around the largest ring and its buttons.", .unit = "pt", .initial = {8, 8, 8, 8},
                                                     .minimum = tessera::insets{0, 0, 0, 0}, .maximum = tessera::insets{1000, 1000, 1000, 1000}}};
  tessera::parameter<double> hub_size{this, {.name = "hubSize", .help = "Width and height of the hub.", .unit = "pt", .initial = 56, .minimum = 0, .maximum = 1000}};
  tessera::parameter<double> disabled_alpha{this, {.name = "disabledAlpha", .help = "Opacity of a disabled button.", .initial = 0.35, .minimum = 0, .maximum = 1}};
  tessera::parameter<bool> spokes{this, {.name = "spokes", .help = "Whether a line goes from the hub to each button.", .initial = true}};
  tessera::parameter<std::int64_t> own_layer{this, {.name = "layer", .help = "The z index of a button without a priority.", .initial = 1, .minimum = 0, .maximum = 1000}};

  tessera::item_values<tessera::size> sizes{this, {.name = "size", .help = "The button's own size; below 0 is 0.", .fallback = &button_size}};
  tessera::item_values<bool> disabled{this, {.name = "disabled", .help = "Whether the button is disabled."}};
  tessera::item_values<std::int64_t> priorities{this, {.name = "priority", .help = "The button's z index, as near as there is one.", .fallback = &own_layer}};
  tessera::section_values<bool> closed{this, {.name = "closed", .help = "Whether the buttons of the ring are hidden in the middle of the hub."}};

  tessera::list rings{this, {.name = "rings", .help = "The rings, used in turn by the sections; none: rings at equal distances with a whole turn of buttons."}};
  tessera::list_column<double> radii{rings, {.name = "radius", .help = "Radius of the ring.", .unit = "pt", .initial = 80, .minimum = 0, .maximum = 100000}};
  tessera::list_column<double> starts{rings, {.name = "start", .help = "Angle of its first button, from 12 o'clock in reading direction.", .unit = "rad", .minimum = -100, .maximum = 100}};
  tessera::list_column<double> sweeps{rings, {.name = "sweep", .help = "Angle over which its buttons are spread.", .unit = "rad", .initial = full_turn, .minimum = -100, .maximum = 100}};
  tessera::list_column<bool> turned{rings, {.name = "rotates", .help = "Whether its buttons are turned to have their heads outside."}};

  tessera::delegate<double(std::uint32_t)> turn_of_ring{this, {.name = "turnOfRing", .help = "An angle by which a section's ring is turned further, in radians."}};

  tessera::attribute<double> angle{this, {.name = "angle", .help = "Angle of a button from 12 o'clock, clockwise.", .unit = "rad"}};
  tessera::attribute<tessera::point> hub_point{this, {.name = "hubPoint", .help = "Where the middle of the hub is, seen from the upper left corner of a button.", .unit = "pt"}};

  tessera::kind hub{this, {.name = "hub", .category = tessera::category::supplementary, .role = tessera::role::header}};
  tessera::kind spoke{this, {.name = "spoke", .category = tessera::category::decoration, .role = tessera::role::separator}};

  radialmenu() {
    publish<&radialmenu::angle_of>("angleOf", "The angle of a button of a section from 12 o'clock, in reading direction.");
    publish<&radialmenu::item_at>("itemAt", "The button at a point, counted among all items, of several the one whose middle is nearest, of equally near ones the last; or -1.");
  }

  // What the last prepare has placed.
  std::vector<ring> placed_rings;
  std::vector<std::size_t> first_items; // of the sections, and the number of all
  tessera::point middle{0, 0};
  tessera::size room{0, 0};
  bool backwards = false;

  // The batch that is under way: sections in which items appear, and those from which they go, and the hub before.
  std::vector<bool> grows, shrinks;
  tessera::point middle_before{0, 0};

  ring ring_of(const tessera::input &in, std::size_t section, std::size_t count) const {
    ring made{in[ring_distance] * static_cast<double>(section + 1), in[start_angle], full_turn, false};
    if (const std::size_t records = in.count(rings)) {
      const std::size_t record = section % records;
      made = {in[radii][record], in[starts][record], in[sweeps][record], in[turned][record]};
    }
    if (in[turn_of_ring]) made.start += in[turn_of_ring](static_cast<std::uint32_t>(section));
    if (in[distribution] == spread::around)
      made.step /= static_cast<double>(std::max<std::size_t>(count, 1));
    else if (count > 1)
      made.step /= static_cast<double>(count - 1);
    return made;
  }

  static tessera::size size_of(const tessera::column<tessera::size> &of, std::size_t item) {
    const tessera::size given = of[item];
    return {std::max(0.0, given.width), std::max(0.0, given.height)};
  }

  // How far the rings reach with their buttons. Empty and closed rings do not count.
  double reach(const tessera::input &in) const {
    double far = in[hub_size] / 2;
    for (const auto [section, items] : in.sections()) {
      if (items.empty()) continue;
      const double radius = in[closed][section] ? 0 : placed_rings[section].radius;
      if (const auto same = in[sizes].constant()) {
        const double side = std::max({0.0, same->width, same->height});
        far = std::max(far, radius + side / 2);
        continue;
      }
      for (const std::size_t item : items) {
        const auto [width, height] = size_of(in[sizes], item);
        far = std::max(far, radius + std::max(width, height) / 2);
      }
    }
    return far;
  }

  void prepare(const tessera::input &in, tessera::output &out) override {
    placed_rings.clear();
    first_items.assign(1, 0);
    for (const auto [section, items] : in.sections()) {
      placed_rings.push_back(ring_of(in, section, items.size()));
      first_items.push_back(items.last());
    }
    room = in.extent();
    backwards = in.right_to_left();
    const double far = reach(in);
    if (!(far <= largest))
      throw tessera::invalid_value("the menu would reach " + tessera::describe(far) +
                                   " points from its hub; give a smaller size, ringDistance or radius in rings, or fewer sections");
    const tessera::insets around = in[padding];
    const tessera::size needed{around.left + 2 * far + around.right, around.top + 2 * far + around.bottom};
    const tessera::size content{std::max(room.width, needed.width), std::max(room.height, needed.height)};
    const double across = backwards ? 1 - in[anchor].x : in[anchor].x;
    middle = {around.left + far + (content.width - needed.width) * across, around.top + far + (content.height - needed.height) * in[anchor].y};
    out.set_content_size(content);
    const double sign = backwards ? -1 : 1;

    if (in.section_count() > 0) {
      const double side = in[hub_size];
      out.add(tessera::run::elements(hub, 0), {middle.x - side / 2, middle.y - side / 2, side, side});
    }
    for (const auto [section, items] : in.sections()) {
      const ring &on = placed_rings[section];
      const bool is_closed = in[closed][section];
      const tessera::rows rows = out.add(tessera::run::cells(section, 0, items.size()));
      for (std::size_t row = 0; row < items.size(); row++) {
        const std::size_t item = items[row];
        const double at = on.start + on.step * static_cast<double>(row), radius = is_closed ? 0 : on.radius;
        const tessera::size size = size_of(in[sizes], item);
        const tessera::point centre{middle.x + sign * radius * std::sin(at), middle.y - radius * std::cos(at)};
        const tessera::rect frame{centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height};
        rows.frames[row] = frame;
        if (on.rotates) rows.transforms[row] = tessera::rotation(sign * at);
        rows.alphas[row] = in[disabled][item] ? in[disabled_alpha] : 1;
        rows.z_indexes[row] = static_cast<std::int32_t>(std::clamp<std::int64_t>(in[priorities][item], std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
        rows.hidden[row] = is_closed;
        rows[angle][row] = sign * at;
        rows[hub_point][row] = {middle.x - frame.x, middle.y - frame.y};
        if (row % 4096 == 0) out.progress(static_cast<double>(item) / static_cast<double>(in.item_count()));
      }
      if (!in[spokes] || is_closed || on.radius == 0) continue;
      // A spoke is a line to the right that is turned about its middle.
      const tessera::rows lines = out.add(tessera::run::elements(spoke, section, 0, items.size()));
      for (std::size_t row = 0; row < lines.size(); row++) {
        const double at = on.start + on.step * static_cast<double>(row);
        const tessera::point half{middle.x + sign * on.radius / 2 * std::sin(at), middle.y - on.radius / 2 * std::cos(at)};
        lines.frames[row] = {half.x - on.radius / 2, half.y - 0.5, on.radius, 1};
        lines.transforms[row] = tessera::rotation(sign * at - std::numbers::pi / 2);
        lines.z_indexes[row] = -1;
      }
    }
  }

  bool still_valid(const tessera::input &in) override {
    const tessera::size now = in.extent();
    return now.width == room.width && now.height == room.height && in.right_to_left() == backwards;
  }

  // The ring whose radius is nearest to the point's distance from the hub, and the place on it by angle.
  tessera::place target(const tessera::input &in, const tessera::place &from, const tessera::point &at, const tessera::place &proposed) override {
    const double x = (backwards ? -1 : 1) * (at.x - middle.x), y = at.y - middle.y, distance = std::hypot(x, y);
    tessera::place best = proposed;
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto [section, items] : in.sections()) {
      const double away = std::abs(placed_rings[section].radius - distance);
      if (away >= nearest) continue;
      nearest = away;
      best.section = section;
    }
    const ring &on = placed_rings[best.section];
    const std::size_t most = in.items(best.section).size() - (best.section == from.section ? 1 : 0);
    if (on.step == 0 || most == 0) return {best.section, 0};
    double turned_by = std::fmod(std::atan2(x, -y) - on.start, full_turn);
    if (turned_by * on.step < 0) turned_by += on.step < 0 ? -full_turn : full_turn;
    best.item = static_cast<std::size_t>(std::min(std::round(turned_by / on.step), static_cast<double>(most)));
    return best;
  }

  // ---------------------------------------------------------------- updates

  void begin_update(const tessera::input &in, std::span<const tessera::update> changes) override {
    middle_before = middle;
    shrinks.assign(in.section_count(), false);
    for (const tessera::update &change : changes) {
      if (change.operation == TESSERA_OPERATION_DELETE_ITEM) shrinks[change.from_section] = true;
      if (change.operation != TESSERA_OPERATION_INSERT_ITEM) continue;
      if (change.to_section >= grows.size()) grows.resize(change.to_section + 1);
      grows[change.to_section] = true;
    }
  }

  // Buttons come out of the hub, and go back into it. Those of rings that appear or disappear as a whole fade.
  static void spring(tessera::output &out, const std::vector<bool> &rings_of, const tessera::point &from) {
    for (const auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell || run.section >= rings_of.size() || !rings_of[run.section]) continue;
      for (std::size_t row = 0; row < rows.size(); row++) {
        const tessera::rect &frame = rows.frames[row];
        rows.transforms[row].m[12] += from.x - (frame.x + frame.width / 2);
        rows.transforms[row].m[13] += from.y - (frame.y + frame.height / 2);
      }
    }
  }
  void initial_attributes(const tessera::input &, tessera::output &out) override { spring(out, grows, middle); }
  void final_attributes(const tessera::input &, tessera::output &out) override { spring(out, shrinks, middle_before); }
  void end_update() override {
    grows.clear();
    shrinks.clear();
  }

  // ---------------------------------------------------------------- published

  double angle_of(std::uint32_t section, std::uint64_t item) {
    if (section >= placed_rings.size() || item >= first_items[section + 1] - first_items[section])
      throw tessera::failure(TESSERA_ERROR_NOT_FOUND, "there is no button " + std::to_string(item) + " in section " + std::to_string(section) + "; ask for one of a ring");
    return placed_rings[section].start + placed_rings[section].step * static_cast<double>(item);
  }

  std::int64_t item_at(tessera::point at) {
    // The smallest rect at a point: it has the point, and a little on its other sides.
    const tessera::rect here{at.x, at.y, std::nextafter(at.x, std::numeric_limits<double>::infinity()) - at.x, std::nextafter(at.y, std::numeric_limits<double>::infinity()) - at.y};
    const tessera::output found = placed(here);
    std::int64_t best = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto [run, rows] : found.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (std::size_t row = 0; row < rows.size(); row++) {
        const auto item = static_cast<std::int64_t>(first_items[run.section] + run.first_item + row);
        const tessera::rect &frame = rows.frames[row];
        if (at.x < frame.x || at.y < frame.y || at.x >= frame.x + frame.width || at.y >= frame.y + frame.height) continue;
        const double away = std::hypot(at.x - (frame.x + frame.width / 2), at.y - (frame.y + frame.height / 2));
        if (away > nearest || (away == nearest && item < best)) continue;
        nearest = away;
        best = item;
      }
    }
    return best;
  }
};

} // namespace

TESSERA_ENGINES(radialmenu)
