// Rows of cells laid like bricks: every second row is shifted by half a cell.
//
// Change `prepare` first, which places every cell. The parameters are above it, the engine's name
// is at the top.

#include <algorithm>
#include <cmath>
#include <tessera/tessera.hpp>

struct example_layout : tessera::layout {
  static constexpr tessera::identity identity{
      .id = "org.example.example-layout",
      .name = "Example Layout",
      .version = "0.1.0",
      .author = "Example Author",
      .license = "LicenseRef-Example",
      .summary = "Rows of cells, every second one shifted by half a cell."};

  // Guarantees that `tessera check` tests; remove broken ones: right to left is the mirror, later
  // items and empty sections at the end move nothing, the scale only rounds.
  static constexpr std::uint32_t traits = tessera::traits::mirrors;
  static constexpr std::uint32_t laws =
      tessera::laws::flows | tessera::laws::appends | tessera::laws::scales;

  // ---------------------------------------------------------------- parameters
  // The host rejects values out of range: `prepare` never gets a cell without a width. Section and
  // item values and lists are members, too: see tessera.hpp.

  tessera::parameter<tessera::size> item_size{this,
                                              {.name = "itemSize",
                                               .help = "Size of every cell.",
                                               .unit = "pt",
                                               .initial = tessera::size{60, 40},
                                               .minimum = tessera::size{1, 1},
                                               .maximum = tessera::size{10000, 10000}}};
  tessera::parameter<double> spacing{this,
                                     {.name = "spacing",
                                      .help = "Space between neighbours, in both directions.",
                                      .unit = "pt",
                                      .initial = 6,
                                      .minimum = 0,
                                      .maximum = 1000}};

  // ---------------------------------------------------------------- where everything goes

  void prepare(const tessera::input &in, tessera::output &out) override {
    const auto [width, height] = in[item_size];
    const tessera::size pitch{width + in[spacing], height + in[spacing]};
    const double shift = pitch.width / 2;

    // The columns that fit into the bounds beside the shift, at least one.
    const double extent = in.extent().width;
    const double columns = std::max(1.0, std::floor((extent + in[spacing] - shift) / pitch.width));

    tessera::size content{extent, 0};
    double row = 0, column = 0;
    bool is_shifted = false;
    const auto begin_row = [&] { row++, column = 0, is_shifted = !is_shifted; };
    for (auto [section, items] : in.sections()) {
      if (column > 0) begin_row(); // A section starts a new row.
      for (tessera::rect &frame : out.add(tessera::run::cells(section, 0, items.size())).frames) {
        frame = {column * pitch.width + (is_shifted ? shift : 0), row * pitch.height, width, height};
        content.width = std::max(content.width, frame.x + width);
        content.height = frame.y + height;
        if (++column >= columns) begin_row();
      }
    }
    out.set_content_size(content);
  }
};

TESSERA_ENGINES(example_layout)
