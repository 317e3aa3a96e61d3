// Rows of cells laid like bricks: every second row is shifted by half a cell.
//
// Change `prepare` first, which places every cell. The parameters are declared above it,
// the name of the engine at the top.

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

  // Guarantees, which `tessera check` tests; remove those that no longer hold: right to
  // left is the mirror, items later on and empty sections at the end move nothing, the scale of the
  // display does not matter.
  static constexpr std::uint32_t traits = tessera::traits::mirrors;
  static constexpr std::uint32_t laws =
      tessera::laws::flows | tessera::laws::appends | tessera::laws::scales;

  // ---------------------------------------------------------------- parameters
  // The host rejects values out of range, so `prepare` never gets a cell without a width.
  // Values for sections or items, and lists of records, are members like these: tessera.hpp.

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

    // As many columns as fit into the bounds beside the shift, but at least one.
    const double extent = in.extent().width;
    const double columns = std::max(1.0, std::floor((extent + in[spacing] - shift) / pitch.width));

    tessera::size content{extent, 0};
    double row = 0, column = 0;
    bool is_shifted = false;
    const auto begin_row = [&] { row++, column = 0, is_shifted = !is_shifted; };
    for (auto [section, items] : in.sections()) {
      if (column > 0) begin_row(); // A section has rows of its own.
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
