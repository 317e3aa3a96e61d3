// Another engine's layout, with every second cell smaller and fainter.
//
// Change `prepare` first: the base places everything, then this engine changes it. The parameters
// are above it, the engine's name is at the top.

#include <algorithm>
#include <tessera/tessera.hpp>

struct example_layout : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.example-layout",
                                              .name = "Example Layout",
                                              .version = "0.1.0",
                                              .author = "Example Author",
                                              .license = "LicenseRef-Example",
                                              .summary = "Every second cell smaller and fainter."};
  static constexpr tessera::base_engine based_on{"org.example.base", "9.8.7"};
  static constexpr std::uint32_t columns = tessera::columns::alpha;

  // Right to left is the mirror: `tessera check` tests it. If the base has them, add
  // tessera::laws::appends and tessera::laws::scales.
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  // ---------------------------------------------------------------- parameters
  // Users can set the base's parameters, too.

  tessera::parameter<std::int64_t> every{this,
                                         {.name = "every",
                                          .help = "Changes one of this many cells.",
                                          .initial = 2,
                                          .minimum = 1,
                                          .maximum = 1000}};
  tessera::parameter<double> fade{this,
                                  {.name = "fade",
                                   .help = "Opacity of a changed cell.",
                                   .initial = 0.5,
                                   .minimum = 0,
                                   .maximum = 1}};
  tessera::parameter<double> inset{this,
                                   {.name = "inset",
                                    .help = "How far the edges of a changed cell move inwards.",
                                    .unit = "pt",
                                    .initial = 6,
                                    .minimum = 0,
                                    .maximum = 1000}};

  // ---------------------------------------------------------------- where everything goes

  void prepare(const tessera::input &in, tessera::output &out) override {
    // Override the base's parameters, values and lists here, through `in.base()`.
    in.base().prepare(out);
    const auto step = static_cast<std::size_t>(in[every]);
    for (auto [run, rows] : out.runs()) {
      if (run.category != tessera::category::cell) continue;
      for (std::size_t row = 0; row < rows.size(); row++) {
        if ((run.first_item + row + 1) % step != 0) continue;
        rows.frames[row] = shrunk(rows.frames[row], in[inset]);
        rows.alphas[row] *= in[fade];
      }
    }
  }

 private:
  // Insets all edges, at most to the middle.
  static tessera::rect shrunk(const tessera::rect &from, double inset) {
    const double x = std::min(inset, from.width / 2), y = std::min(inset, from.height / 2);
    return {from.x + x, from.y + y, from.width - 2 * x, from.height - 2 * y};
  }
};

TESSERA_ENGINES(example_layout)
